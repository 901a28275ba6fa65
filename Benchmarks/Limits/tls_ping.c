// SPDX-License-Identifier: Apache-2.0
// A sealed round trip in C: 100 bytes there and back over TLS 1.3, blocking calls.
// link: -lssl -lcrypto
// needs: /usr/include/openssl/ssl.h libssl-dev
#include "tls.h"

static void read_message(SSL *connection) {
    char bytes[MESSAGE];
    for (int have = 0; have < MESSAGE;) {
        int count = SSL_read(connection, bytes, MESSAGE - have);
        expect_ssl(count > 0, "SSL_read");
        have += count;
    }
}

static void write_message(SSL *connection) {
    static const char bytes[MESSAGE];
    expect_ssl(SSL_write(connection, bytes, MESSAGE) == MESSAGE, "SSL_write");
}

static void ping(void *state) {
    write_message(state);
    read_message(state);
}

int main(int argc, char **argv) {
    begin();
    long count = argument(argc, argv, 1, 20000);
    int port, listener = listen_here(&port);
    SSL_CTX *context = tls_context();
    pid_t child = second_process();
    int fd = child == 0 ? accept_one(listener) : connect_here(port);
    SSL *connection = tls_over(context, fd, child != 0);
    if (child == 0) {
        for (long i = 0; i < count + count / 50; i++) {
            read_message(connection);
            write_message(connection);
        }
        return 0;
    }
    time_calls("round_trip", count, ping, connection);
    join(child);
    SSL_free(connection);
    SSL_CTX_free(context);
    return 0;
}
