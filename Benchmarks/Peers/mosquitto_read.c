// SPDX-License-Identifier: Apache-2.0
// From the connection until all retained messages of a group came, with one wildcard for all:
// what mosquitto_sub does. Arguments: port, messages.
// link: -lmosquitto
// needs: /usr/include/mosquitto.h libmosquitto-dev
#include "lasting.h"

static void count_one(struct mosquitto *handle, void *state,
                      const struct mosquitto_message *message) {
    (void)handle, (void)message;
    ((struct lasting *)state)->came++;
}

int main(int argc, char **argv) {
    begin();
    int port = (int)argument(argc, argv, 1, 1883);
    long wanted = argument(argc, argv, 2, 400);
    static struct lasting client;
    double start = now_us();
    connect_lasting(&client, port, "sa1/#", count_one);
    while (client.came < wanted) turn(&client);
    printf("read %.3f ms\n", (now_us() - start) / 1000);
    return 0;
}
