// SPDX-License-Identifier: Apache-2.0
// 100-byte messages one way through an MQTT broker, which are given to the kernel in pieces of
// 16 KiB. The second client publishes once when it has heard all of them. Arguments: port, count.
#include "mqtt.h"

enum { PIECE = 16 * 1024 };

static void hear(int port, int ready, long count) {
    static struct client client;
    connect_client(&client, port, "b", "there");
    expect(write(ready, "y", 1) == 1, "write");
    for (long i = 0; i < count; i++) expect_packet(&client, PUBLISH);
    publish(&client, "back");
    shutdown(client.fd, SHUT_WR);
    char byte;
    while (recv(client.fd, &byte, 1, 0) > 0) {}
}

static void stream(struct client *client, long count) {
    static unsigned char piece[PIECE];
    unsigned char packet[256];
    size_t size = publish_packet(packet, "there"), filled = 0;
    for (long i = 0; i < count; i++) {
        if (filled + size > sizeof piece) {
            send_all(client->fd, piece, filled);
            filled = 0;
        }
        memcpy(piece + filled, packet, size);
        filled += size;
    }
    send_all(client->fd, piece, filled);
    expect_packet(client, PUBLISH);
}

int main(int argc, char **argv) {
    begin();
    static struct client client;
    int port = (int)argument(argc, argv, 1, 1883), ready[2];
    long count = argument(argc, argv, 2, 50000);
    char byte;
    expect(pipe(ready) == 0, "pipe");
    pid_t child = second_process();
    if (child == 0) {
        hear(port, ready[1], count);
        return 0;
    }
    expect(read(ready[0], &byte, 1) == 1, "read");
    connect_client(&client, port, "a", "back");
    double start = now_us();
    stream(&client, count);
    printf("one_way %.4f M/s\n", (double)count / (now_us() - start));
    join(child);
    return 0;
}
