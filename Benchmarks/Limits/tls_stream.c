// SPDX-License-Identifier: Apache-2.0
// The limit of one way: frames of a length, a type and 100 bytes, copied into records of 16 KiB,
// sealed by OpenSSL, opened, and counted one by one where they lie. One byte comes back when all
// are there.
// link: -lssl -lcrypto
// needs: /usr/include/openssl/ssl.h libssl-dev
#include "tls.h"

enum { HEAD = 5, FRAME = HEAD + MESSAGE, RECORD = 16 * 1024 };

static size_t length_of(const unsigned char *at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

// Draws whole frames where they lie; keeps the rest.
static long draw(unsigned char *bytes, size_t *have) {
    size_t at = 0;
    long count = 0;
    while (*have - at >= HEAD) {
        size_t length = length_of(bytes + at);
        expect(length >= 1 && length < RECORD, "frame");
        if (*have - at < 4 + length) break;
        expect(length == MESSAGE + 1, "payload");
        at += 4 + length;
        count++;
    }
    *have -= at;
    memmove(bytes, bytes + at, *have);
    return count;
}

static void serve(SSL *connection, long count) {
    static unsigned char bytes[2 * RECORD];
    size_t have = 0;
    for (long drawn = 0; drawn < count; drawn += draw(bytes, &have)) {
        int got = SSL_read(connection, bytes + have, (int)(sizeof bytes - have));
        expect_ssl(got > 0, "SSL_read");
        have += (size_t)got;
    }
    expect_ssl(SSL_write(connection, "y", 1) == 1, "SSL_write");
}

static void stream(SSL *connection, long count) {
    static unsigned char record[RECORD];
    unsigned char message[MESSAGE] = {7}, answer;
    size_t filled = 0;
    for (long i = 0; i < count; i++) {
        if (filled + FRAME > sizeof record) {
            expect_ssl(SSL_write(connection, record, (int)filled) == (int)filled, "SSL_write");
            filled = 0;
        }
        unsigned char *at = record + filled;
        uint32_t length = htonl(MESSAGE + 1);
        memcpy(at, &length, 4);
        at[4] = 42;
        memcpy(at + HEAD, message, MESSAGE);
        filled += FRAME;
    }
    expect_ssl(SSL_write(connection, record, (int)filled) == (int)filled, "SSL_write");
    expect_ssl(SSL_read(connection, &answer, 1) == 1, "SSL_read");
}

int main(int argc, char **argv) {
    begin();
    long count = argument(argc, argv, 1, 1000000);
    expect(count > 0, "count");
    int port, listener = listen_here(&port);
    SSL_CTX *context = tls_context();
    pid_t child = second_process();
    int fd = child == 0 ? accept_one(listener) : connect_here(port);
    SSL *connection = tls_over(context, fd, child != 0);
    if (child == 0) {
        serve(connection, count);
        return 0;
    }
    double start = now_us();
    stream(connection, count);
    printf("one_way %.4f M/s\n", (double)count / (now_us() - start));
    join(child);
    SSL_free(connection);
    SSL_CTX_free(context);
    return 0;
}
