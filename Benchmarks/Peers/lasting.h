// SPDX-License-Identifier: Apache-2.0
// Clients of MQTT 5 with libmosquitto, as mosquitto_rr and mosquitto_sub are, that stay connected.
#pragma once

#include <mosquitto.h>

#include "bench.h"

static inline void check(int code, const char *what) {
    if (code != MOSQ_ERR_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, mosquitto_strerror(code));
        exit(1);
    }
}

// A client that is connected and has its subscription.
struct lasting {
    struct mosquitto *handle;
    long subscribed, came;
};

static inline void note_subscribed(struct mosquitto *handle, void *state, int number, int count,
                                   const int *qualities) {
    (void)handle, (void)number, (void)count, (void)qualities;
    ((struct lasting *)state)->subscribed = 1;
}

static inline void turn(struct lasting *client) {
    check(mosquitto_loop(client->handle, 1000, 1), "loop");
}

static inline void connect_lasting(struct lasting *client, int port, const char *filter,
                                   void (*heard)(struct mosquitto *, void *,
                                                 const struct mosquitto_message *)) {
    *client = (struct lasting){0};
    check(mosquitto_lib_init(), "init");
    client->handle = mosquitto_new(NULL, true, client);
    expect(client->handle != NULL, "mosquitto_new");
    mosquitto_int_option(client->handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client->handle, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_subscribe_callback_set(client->handle, note_subscribed);
    mosquitto_message_callback_set(client->handle, heard);
    check(mosquitto_connect(client->handle, "127.0.0.1", port, 60), "connect");
    check(mosquitto_subscribe(client->handle, NULL, filter, 1), "subscribe");
    while (!client->subscribed) turn(client);
}
