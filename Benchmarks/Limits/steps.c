// SPDX-License-Identifier: Apache-2.0
// What the rules of a swap ask of two hosts, one after the other: four durable commits in turn at
// each side, and three messages between them (docs/protocol.md section 16). The asker keeps
// PREPARING and sends PREPARE, the other keeps its yes and sends VOTE, the asker keeps its own yes
// and sends CERT, and the other keeps its commit.
//
//   steps serve ADDRESS FILE              prints its port, answers one connection
//   steps ask ADDRESS PORT FILE COUNT     prints each swap in microseconds
// link: -lsqlite3
// needs: /usr/include/sqlite3.h libsqlite3-dev
#include "line.h"
#include "row.h"

enum { MOST = 10000 };

static void serve(const char *host, const char *path)
{
    open_file(path);
    int line = accepted(host);
    char bytes[SIZE];
    for (long row = 0;; row++) {
        move_all(line, bytes, 0);
        keep(row);
        move_all(line, bytes, 1);
        move_all(line, bytes, 0);
        keep(row);
        // Both hosts are one machine with one clock: the way back of this does not count.
        int64_t ended = nanoseconds();
        memcpy(bytes, &ended, sizeof ended);
        move_all(line, bytes, 1);
    }
}

static void ask(const char *host, long port, const char *path, long count)
{
    open_file(path);
    int line = connected(host, port);
    char bytes[SIZE];
    memset(bytes, 'x', SIZE);
    printf("steps");
    for (long row = -count / 10; row < count; row++) {
        int64_t began = nanoseconds(), ended;
        keep(row);
        move_all(line, bytes, 1);
        move_all(line, bytes, 0);
        keep(row);
        move_all(line, bytes, 1);
        move_all(line, bytes, 0);
        memcpy(&ended, bytes, sizeof ended);
        // The first ones warm up.
        if (row >= 0)
            printf(" %.1f", (double)(ended - began) / 1e3);
    }
    printf(" us\n");
    close_file();
}

int main(int count, char **words)
{
    if (count == 4 && strcmp(words[1], "serve") == 0)
        serve(words[2], words[3]);
    else if (count == 6 && strcmp(words[1], "ask") == 0)
        ask(words[2], number(words[3], 1, 65535), words[4], number(words[5], 1, MOST));
    else
        return 2;
    return 0;
}
