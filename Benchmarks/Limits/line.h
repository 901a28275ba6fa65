// SPDX-License-Identifier: Apache-2.0
// Messages of one size over one TCP connection between two hosts.
#ifndef LINE_H
#define LINE_H

#include "ends.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SIZE = 100 };

static inline struct sockaddr_in place(const char *host, long port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) {
        fprintf(stderr, "not an address: %s\n", host);
        exit(2);
    }
    return address;
}

static inline void move_all(int line, char *bytes, int isSending)
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

static inline void at_once(int line)
{
    int one = 1;
    if (setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        fail("TCP_NODELAY");
}

// Prints its port and waits for one connection.
static inline int accepted(const char *host)
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
    return line;
}

static inline int connected(const char *host, long port)
{
    struct sockaddr_in address = place(host, port);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (line < 0 || connect(line, (struct sockaddr *)&address, sizeof address) != 0)
        fail("cannot connect");
    at_once(line);
    return line;
}

#endif
