// SPDX-License-Identifier: Apache-2.0
// 100-byte messages one way between two processes over ZeroMQ with CURVE, which gathers them into
// writes by itself. One message comes back when all are there.
// link: -lzmq
// needs: /usr/include/zmq.h libzmq3-dev
#include "curve.h"

int main(int argc, char **argv) {
    begin();
    long count = argument(argc, argv, 1, 200000);
    struct keys keys = make_keys();
    int ends[2];
    char bytes[MESSAGE] = {7};
    expect(pipe(ends) == 0, "pipe");
    pid_t child = second_process();
    void *context = zmq_ctx_new();
    expect_zmq(context != NULL, "zmq_ctx_new");
    void *socket = child == 0 ? curve_server(context, &keys, ends[1])
                              : curve_client(context, &keys, ends[0]);
    if (child == 0) {
        take(socket, bytes, sizeof bytes);
        give(socket, bytes, sizeof bytes);
        for (long i = 0; i < count; i++) {
            take(socket, bytes, sizeof bytes);
            expect(bytes[0] == 7, "message");
        }
        give(socket, bytes, sizeof bytes);
    } else {
        // The handshake is over when the first has come back.
        give(socket, bytes, sizeof bytes);
        take(socket, bytes, sizeof bytes);
        double start = now_us();
        for (long i = 0; i < count; i++) give(socket, bytes, sizeof bytes);
        take(socket, bytes, sizeof bytes);
        printf("one_way %.4f M/s\n", (double)count / (now_us() - start));
        join(child);
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
