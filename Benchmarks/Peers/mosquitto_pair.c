// SPDX-License-Identifier: Apache-2.0
// A question of 300 bytes and its answer with quality 1, between two clients that stay connected:
// what mosquitto_rr does once. Arguments: port, count.
// link: -lmosquitto
// needs: /usr/include/mosquitto.h libmosquitto-dev
#include "lasting.h"

enum { BYTES = 300 };
static const char *there = "bench/there", *back = "bench/back";

static void say(struct mosquitto *handle, const char *topic, const void *bytes) {
    check(mosquitto_publish(handle, NULL, topic, BYTES, bytes, 1, false), "publish");
}

static void answer(struct mosquitto *handle, void *state,
                   const struct mosquitto_message *message) {
    ((struct lasting *)state)->came++;
    say(handle, back, message->payload);
}

static void count_one(struct mosquitto *handle, void *state,
                      const struct mosquitto_message *message) {
    (void)handle, (void)message;
    ((struct lasting *)state)->came++;
}

static void ping(void *state) {
    static const char bytes[BYTES];
    struct lasting *client = state;
    long before = client->came;
    say(client->handle, there, bytes);
    while (client->came == before) turn(client);
}

int main(int argc, char **argv) {
    begin();
    int port = (int)argument(argc, argv, 1, 1883), ready[2];
    long count = argument(argc, argv, 2, 80);
    static struct lasting client;
    char byte;
    expect(pipe(ready) == 0, "pipe");
    pid_t child = second_process();
    if (child == 0) {
        connect_lasting(&client, port, there, answer);
        expect(write(ready[1], "y", 1) == 1, "write");
        for (;;) turn(&client);
    }
    expect(read(ready[0], &byte, 1) == 1, "read");
    connect_lasting(&client, port, back, count_one);
    time_calls("round_trip", count, ping, &client);
    return 0;
}
