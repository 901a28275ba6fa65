// SPDX-License-Identifier: Apache-2.0
// As much of MQTT 3.1.1 as two clients of one broker need: CONNECT, SUBSCRIBE and PUBLISH of
// quality 0, over plain TCP.
#pragma once

#include "bench.h"

enum { ROOM = 64 * 1024, PUBLISH = 0x30 };

struct client {
    int fd;
    size_t at, have;
    unsigned char bytes[ROOM];
};

// One packet: its kind, and its body where it lies in the buffer until the next one.
struct packet {
    int kind;
    size_t size;
    const unsigned char *body;
};

// Whether a whole packet lies in the buffer.
static inline int draw_packet(struct client *client, struct packet *packet) {
    size_t at = client->at + 1, size = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        if (at >= client->have) return 0;
        size |= (size_t)(client->bytes[at] & 0x7f) << shift;
        if ((client->bytes[at++] & 0x80) == 0) break;
    }
    errno = EMSGSIZE;
    expect(size < ROOM / 2, "packet");
    if (at + size > client->have) return 0;
    *packet = (struct packet){client->bytes[client->at] & 0xf0, size, client->bytes + at};
    client->at = at + size;
    return 1;
}

static inline struct packet next_packet(struct client *client) {
    struct packet packet;
    while (!draw_packet(client, &packet)) {
        client->have -= client->at;
        memmove(client->bytes, client->bytes + client->at, client->have);
        client->at = 0;
        client->have += receive(client->fd, client->bytes + client->have, ROOM - client->have);
    }
    return packet;
}

static inline void expect_packet(struct client *client, int kind) {
    struct packet packet = next_packet(client);
    errno = EPROTO;
    expect(packet.kind == kind, "packet of the broker");
}

static inline void put_text(unsigned char **at, const char *text) {
    size_t size = strlen(text);
    *(*at)++ = 0;
    *(*at)++ = (unsigned char)size;
    memcpy(*at, text, size);
    *at += size;
}

// A client called `name`, which hears of what is published to `topic`.
static inline void connect_client(struct client *client, int port, const char *name,
                                  const char *topic) {
    unsigned char packet[128], *at = packet + 2;
    client->fd = connect_here(port);
    client->at = client->have = 0;
    put_text(&at, "MQTT");
    // Level 4, a clean session, no end for being silent.
    memcpy(at, (unsigned char[]){4, 2, 0, 0}, 4);
    at += 4;
    put_text(&at, name);
    packet[0] = 0x10;
    packet[1] = (unsigned char)(at - packet - 2);
    send_all(client->fd, packet, (size_t)(at - packet));
    expect_packet(client, 0x20);
    at = packet + 2;
    *at++ = 0;
    *at++ = 1;
    put_text(&at, topic);
    *at++ = 0;
    packet[0] = 0x82;
    packet[1] = (unsigned char)(at - packet - 2);
    send_all(client->fd, packet, (size_t)(at - packet));
    expect_packet(client, 0x90);
}

// A message of 100 bytes for `topic`, as a packet; gives its size.
static inline size_t publish_packet(unsigned char *packet, const char *topic) {
    unsigned char *at = packet + 2;
    put_text(&at, topic);
    memset(at, 7, MESSAGE);
    at += MESSAGE;
    packet[0] = PUBLISH;
    packet[1] = (unsigned char)(at - packet - 2);
    expect(at - packet - 2 < 128, "packet");
    return (size_t)(at - packet);
}

static inline void publish(struct client *client, const char *topic) {
    unsigned char packet[256];
    send_all(client->fd, packet, publish_packet(packet, topic));
}
