// SPDX-License-Identifier: Apache-2.0
// Bare round trips between two hosts: 100 bytes there and back over one TCP connection.
//
//   between serve ADDRESS             prints its port, answers one connection
//   between ask ADDRESS PORT COUNT    prints each round trip in microseconds
#include "ends.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIZE = 100, MOST = 1000000 };

static struct sockaddr_in place(const char *host, long port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) {
        fprintf(stderr, "not an address: %s\n", host);
        exit(2);
    }
    return address;
}

static void move_all(int line, char *bytes, int isSending)
{
    for (size_t done = 0; done < SIZE;) {
        ssize_t count = isSending ? send(line, bytes + done, SIZE - done, MSG_NOSIGNAL)
                                  : recv(line, bytes + done, SIZE - done, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0 && !isSending && done == 0)
            exit(0);
        if (count <= 0)
            fail("the connection");
        done += (size_t)count;
    }
}

static void at_once(int line)
{
    int one = 1;
    if (setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        fail("TCP_NODELAY");
}

static void serve(const char *host)
{
    struct sockaddr_in address = place(host, 0);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0
        || listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&address, &size))
        fail("cannot listen");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    int line = accept(listener, NULL, NULL);
    if (line < 0)
        fail("accept");
    at_once(line);
    char bytes[SIZE];
    for (;;) {
        move_all(line, bytes, 0);
        move_all(line, bytes, 1);
    }
}

static void ask(const char *host, long port, long count)
{
    struct sockaddr_in address = place(host, port);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (line < 0 || connect(line, (struct sockaddr *)&address, sizeof address) != 0)
        fail("cannot connect");
    at_once(line);
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
