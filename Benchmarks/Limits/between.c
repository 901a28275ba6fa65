// SPDX-License-Identifier: Apache-2.0
// Bare round trips between two hosts: 100 bytes there and back over one TCP connection.
//
//   between serve ADDRESS             prints its port, answers one connection
//   between ask ADDRESS PORT COUNT    prints each round trip in microseconds
#include "line.h"

enum { MOST = 1000000 };

static void serve(const char *host)
{
    int line = accepted(host);
    char bytes[SIZE];
    for (;;) {
        move_all(line, bytes, 0);
        move_all(line, bytes, 1);
    }
}

static void ask(const char *host, long port, long count)
{
    int line = connected(host, port);
    char bytes[SIZE];
    memset(bytes, 'x', SIZE);
    printf("round-trip");
    for (long trip = -count / 10; trip < count; trip++) {
        int64_t began = nanoseconds();
        move_all(line, bytes, 1);
        move_all(line, bytes, 0);
        // The first ones warm up.
        if (trip >= 0)
            printf(" %.2f", (double)(nanoseconds() - began) / 1e3);
    }
    printf(" us\n");
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "serve") == 0)
        serve(words[2]);
    else if (count == 5 && strcmp(words[1], "ask") == 0)
        ask(words[2], number(words[3], 1, 65535), number(words[4], 1, MOST));
    else
        return 2;
    return 0;
}
