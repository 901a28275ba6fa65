// SPDX-License-Identifier: Apache-2.0
// A round trip of 100 bytes between two clients of an MQTT broker, or, with `self`, of one client
// that hears what it publishes. Arguments: port, count, self.
#include "mqtt.h"

struct ends {
    struct client client;
    const char *there;
};

static void ping(void *state) {
    struct ends *ends = state;
    publish(&ends->client, ends->there);
    expect_packet(&ends->client, PUBLISH);
}

static void answer(int port, int ready, long count) {
    static struct client client;
    connect_client(&client, port, "b", "there");
    expect(write(ready, "y", 1) == 1, "write");
    for (long i = 0; i < count; i++) {
        expect_packet(&client, PUBLISH);
        publish(&client, "back");
    }
    // The last answer is out before this end goes.
    shutdown(client.fd, SHUT_WR);
    char byte;
    while (recv(client.fd, &byte, 1, 0) > 0) {}
}

int main(int argc, char **argv) {
    begin();
    static struct ends ends;
    int port = (int)argument(argc, argv, 1, 1883), ready[2];
    long count = argument(argc, argv, 2, 10000);
    int alone = argc > 3 && strcmp(argv[3], "self") == 0;
    char byte;
    pid_t child = -1;
    expect(pipe(ready) == 0, "pipe");
    if (!alone) {
        child = second_process();
        if (child == 0) {
            answer(port, ready[1], count + count / 50);
            return 0;
        }
        expect(read(ready[0], &byte, 1) == 1, "read");
    }
    ends.there = alone ? "back" : "there";
    connect_client(&ends.client, port, "a", "back");
    time_calls("round_trip", count, ping, &ends);
    if (!alone) join(child);
    return 0;
}
