// SPDX-License-Identifier: Apache-2.0
// The limit of a handshake: both ends of mutual TLS 1.3 with Ed25519 in one process, in OpenSSL
// alone: `memory` hands the bytes over without a socket, `tcp` over a new connection on loopback.
// link: -lssl -lcrypto
// needs: /usr/include/openssl/ssl.h libssl-dev
#include <fcntl.h>

#include "tls.h"

struct ends {
    SSL_CTX *client, *server;
    int listener, port;
};

// Until both are done; each call of either end moves on.
static void shake(SSL *client, SSL *server) {
    for (int i = 0; i < 64; i++) {
        int one = SSL_do_handshake(client), other = SSL_do_handshake(server);
        if (one == 1 && other == 1) return;
        expect_ssl((one == 1 || SSL_get_error(client, one) == SSL_ERROR_WANT_READ)
                       && (other == 1 || SSL_get_error(server, other) == SSL_ERROR_WANT_READ),
                   "handshake");
    }
    errno = ETIMEDOUT;
    die("handshake");
}

static void in_memory(void *state) {
    struct ends *ends = state;
    SSL *client = SSL_new(ends->client), *server = SSL_new(ends->server);
    BIO *one, *other;
    expect_ssl(client && server && BIO_new_bio_pair(&one, 0, &other, 0) == 1, "SSL_new");
    SSL_set_bio(client, one, one);
    SSL_set_bio(server, other, other);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    shake(client, server);
    SSL_free(client);
    SSL_free(server);
}

static void over_tcp(void *state) {
    struct ends *ends = state;
    int fd = connect_here(ends->port), accepted = accept_one(ends->listener);
    expect(fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(accepted, F_SETFL, O_NONBLOCK) == 0,
           "O_NONBLOCK");
    SSL *client = SSL_new(ends->client), *server = SSL_new(ends->server);
    expect_ssl(client && server && SSL_set_fd(client, fd) == 1 && SSL_set_fd(server, accepted) == 1,
               "SSL_new");
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    shake(client, server);
    SSL_free(client);
    SSL_free(server);
    close(fd);
    close(accepted);
}

int main(int argc, char **argv) {
    begin();
    int is_tcp = argc > 1 && strcmp(argv[1], "tcp") == 0;
    long count = argument(argc, argv, 2, 500);
    struct ends ends = {.client = tls_context(), .server = tls_context()};
    ends.listener = listen_here(&ends.port);
    void (*work)(void *) = is_tcp ? over_tcp : in_memory;
    time_calls("handshake", count, work, &ends);
    time_calls_on(CLOCK_PROCESS_CPUTIME_ID, "processor", count, work, &ends);
    SSL_CTX_free(ends.client);
    SSL_CTX_free(ends.server);
    return 0;
}
