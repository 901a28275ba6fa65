// SPDX-License-Identifier: Apache-2.0
// The limit of a round trip: 100 bytes there and back over TCP, blocking calls, nothing else.
#include "bench.h"

static void ping(void *state) {
    int fd = *(int *)state;
    char bytes[MESSAGE] = {1};
    send_all(fd, bytes, sizeof bytes);
    receive_all(fd, bytes, sizeof bytes);
}

static void serve(int listener, long count) {
    int fd = accept_one(listener);
    char bytes[MESSAGE];
    for (long i = 0; i < count; i++) {
        receive_all(fd, bytes, sizeof bytes);
        send_all(fd, bytes, sizeof bytes);
    }
    close(fd);
}

int main(int argc, char **argv) {
    begin();
    long count = argument(argc, argv, 1, 20000);
    int port, listener = listen_here(&port);
    pid_t child = second_process();
    if (child == 0) {
        serve(listener, count + count / 50);
        return 0;
    }
    int fd = connect_here(port);
    time_calls("round_trip", count, ping, &fd);
    join(child);
    return 0;
}
