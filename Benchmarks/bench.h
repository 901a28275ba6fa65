// SPDX-License-Identifier: Apache-2.0
// What the C programs of the bench share. A call that fails ends the program, and so does time.
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Bytes of a passenger's message in every row that has one.
enum { MESSAGE = 100 };

static inline void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(1);
}

static inline void expect(int good, const char *what) {
    if (!good) die(what);
}

// First in every program: nothing here takes longer than this.
static inline void begin(void) {
    signal(SIGPIPE, SIG_IGN);
    alarm(110);
}

static inline double clock_us(clockid_t clock) {
    struct timespec time;
    expect(clock_gettime(clock, &time) == 0, "clock_gettime");
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static inline double now_us(void) {
    return clock_us(CLOCK_MONOTONIC);
}

// The argument with this number, from 1, or `fallback`.
static inline long argument(int argc, char **argv, int place, long fallback) {
    return argc > place ? strtol(argv[place], NULL, 10) : fallback;
}

static inline void no_delay(int fd) {
    int one = 1;
    expect(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "TCP_NODELAY");
}

// Listens on 127.0.0.1; the kernel chooses the port.
static inline int listen_here(int *port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof here;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    expect(fd >= 0, "socket");
    expect(bind(fd, (struct sockaddr *)&here, size) == 0, "bind");
    expect(listen(fd, 8) == 0, "listen");
    expect(getsockname(fd, (struct sockaddr *)&here, &size) == 0, "getsockname");
    *port = ntohs(here.sin_port);
    return fd;
}

static inline int accept_one(int listener) {
    int fd = accept(listener, NULL, NULL);
    expect(fd >= 0, "accept");
    no_delay(fd);
    return fd;
}

static inline int connect_here(int port) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    expect(fd >= 0, "socket");
    expect(connect(fd, (struct sockaddr *)&there, sizeof there) == 0, "connect");
    no_delay(fd);
    return fd;
}

static inline void send_all(int fd, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t sent = send(fd, at, count, MSG_NOSIGNAL);
        expect(sent > 0, "send");
        at += sent;
        count -= (size_t)sent;
    }
}

// As much as there is, at least one byte.
static inline size_t receive(int fd, void *bytes, size_t room) {
    ssize_t count = recv(fd, bytes, room, 0);
    if (count == 0) errno = ECONNRESET;
    expect(count > 0, "recv");
    return (size_t)count;
}

static inline void receive_all(int fd, void *bytes, size_t count) {
    for (size_t have = 0; have < count;) {
        have += receive(fd, (char *)bytes + have, count - have);
    }
}

// A second process, which ends with this one at the latest. 0 in the child.
static inline pid_t second_process(void) {
    fflush(stdout);
    pid_t parent = getpid(), child = fork();
    expect(child >= 0, "fork");
    if (child == 0) {
        expect(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent, "prctl");
        alarm(110);
    }
    return child;
}

// For the end of the second process, which must have been good.
static inline void join(pid_t child) {
    int status = 0;
    expect(waitpid(child, &status, 0) == child, "waitpid");
    errno = 0;
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the second process");
}

static inline int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// One line for the driver: the median.
static inline void print_median(const char *name, double *samples, long count,
                                const char *unit) {
    expect(count > 0, "no samples");
    qsort(samples, (size_t)count, sizeof *samples, by_size);
    printf("%s %.4f %s\n", name, samples[count / 2], unit);
}

// Takes the time of `count` calls on this clock, after a fiftieth to warm up; prints the median.
static inline void time_calls_on(clockid_t clock, const char *name, long count,
                                 void (*call)(void *), void *state) {
    double *samples = calloc((size_t)count, sizeof *samples);
    expect(samples != NULL && count > 0, "calloc");
    for (long i = 0; i < count / 50; i++) call(state);
    for (long i = 0; i < count; i++) {
        double start = clock_us(clock);
        call(state);
        samples[i] = clock_us(clock) - start;
    }
    print_median(name, samples, count, "us");
    free(samples);
}

static inline void time_calls(const char *name, long count, void (*call)(void *), void *state) {
    time_calls_on(CLOCK_MONOTONIC, name, count, call, state);
}
