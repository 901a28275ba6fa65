// SPDX-License-Identifier: Apache-2.0
// A round trip of 100 bytes between two processes over ZeroMQ with CURVE.
// link: -lzmq
// needs: /usr/include/zmq.h libzmq3-dev
#include "curve.h"

static void ping(void *socket) {
    char bytes[MESSAGE] = {1};
    give(socket, bytes, sizeof bytes);
    take(socket, bytes, sizeof bytes);
}

int main(int argc, char **argv) {
    begin();
    long count = argument(argc, argv, 1, 10000);
    struct keys keys = make_keys();
    int ends[2];
    expect(pipe(ends) == 0, "pipe");
    pid_t child = second_process();
    void *context = zmq_ctx_new();
    expect_zmq(context != NULL, "zmq_ctx_new");
    if (child == 0) {
        void *socket = curve_server(context, &keys, ends[1]);
        char bytes[MESSAGE];
        for (long i = 0; i < count + count / 50; i++) {
            take(socket, bytes, sizeof bytes);
            give(socket, bytes, sizeof bytes);
        }
        zmq_close(socket);
        zmq_ctx_term(context);
        return 0;
    }
    void *socket = curve_client(context, &keys, ends[0]);
    time_calls("round_trip", count, ping, socket);
    join(child);
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
