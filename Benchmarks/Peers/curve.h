// SPDX-License-Identifier: Apache-2.0
// ZeroMQ with CURVE: two sockets of kind PAIR over TCP on loopback, each end with its own key.
#pragma once

#include <zmq.h>

#include "bench.h"

struct keys {
    char client_public[41], client_secret[41], server_public[41], server_secret[41];
};

static inline void expect_zmq(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "%s: %s\n", what, zmq_strerror(zmq_errno()));
    exit(1);
}

static inline struct keys make_keys(void) {
    struct keys keys;
    expect_zmq(zmq_curve_keypair(keys.client_public, keys.client_secret) == 0
                   && zmq_curve_keypair(keys.server_public, keys.server_secret) == 0,
               "zmq_curve_keypair");
    return keys;
}

static inline void set_key(void *socket, int option, const char *key) {
    expect_zmq(zmq_setsockopt(socket, option, key, 41) == 0, "CURVE key");
}

// The server's socket; where it listens goes to `report`, a pipe.
static inline void *curve_server(void *context, const struct keys *keys, int report) {
    void *socket = zmq_socket(context, ZMQ_PAIR);
    int yes = 1;
    char place[64] = "";
    size_t size = sizeof place;
    expect_zmq(socket != NULL, "zmq_socket");
    expect_zmq(zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &yes, sizeof yes) == 0, "CURVE");
    set_key(socket, ZMQ_CURVE_SECRETKEY, keys->server_secret);
    expect_zmq(zmq_bind(socket, "tcp://127.0.0.1:*") == 0
                   && zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, place, &size) == 0,
               "zmq_bind");
    expect(write(report, place, sizeof place) == sizeof place, "write");
    return socket;
}

static inline void *curve_client(void *context, const struct keys *keys, int report) {
    void *socket = zmq_socket(context, ZMQ_PAIR);
    char place[64];
    expect(read(report, place, sizeof place) == sizeof place, "read");
    expect_zmq(socket != NULL, "zmq_socket");
    set_key(socket, ZMQ_CURVE_SERVERKEY, keys->server_public);
    set_key(socket, ZMQ_CURVE_PUBLICKEY, keys->client_public);
    set_key(socket, ZMQ_CURVE_SECRETKEY, keys->client_secret);
    expect_zmq(zmq_connect(socket, place) == 0, "zmq_connect");
    return socket;
}

static inline void give(void *socket, const void *bytes, size_t count) {
    expect_zmq(zmq_send(socket, bytes, count, 0) == (int)count, "zmq_send");
}

static inline void take(void *socket, void *bytes, size_t count) {
    expect_zmq(zmq_recv(socket, bytes, count, 0) == (int)count, "zmq_recv");
}
