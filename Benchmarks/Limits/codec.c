// SPDX-License-Identifier: Apache-2.0
// Row 6's limit: libcbor decodes and encodes one signed entry.
//
//     codec HEX ROUNDS
//
// link: -lcbor
// needs: /usr/include/cbor.h libcbor-dev
//
// codec.stream: the streaming decoder with callbacks that keep the fields, the text as a copy;
// codec.bare: the same with a pointer to the text in the input, and nothing allocated;
// codec.tree: cbor_load; codec.cencode: the encoder into a buffer.

#include <cbor.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 20000, MOST = 4096, AFTER = 3 };

struct entry {
    const unsigned char *protected, *payload, *signature, *text;
    size_t payload_size, text_size;
    uint64_t version, seq, type, time;
    unsigned char flight[32], author[32], previous[32], reply[32], after[AFTER][32];
    int has_previous, has_reply;
    size_t after_count;
};

struct reader {
    struct entry *entry;
    int item;
    int bad;
};

static void die(const char *words) {
    fprintf(stderr, "codec: %s\n", words);
    exit(1);
}

// Items in their order: envelope 0 array, 1 bytes, 2 map, 3 payload, 4 signature; payload 10 array,
// 11 version, 12 flight, 13 author, 14 seq, 15 previous, 16 type, 17 array, 18 text, 19 reply,
// 20 time, 21 array of the lines it was said after, which follow.
static void on_number(void *context, uint64_t value) {
    struct reader *reader = context;
    switch (reader->item++) {
    case 11: reader->entry->version = value; break;
    case 14: reader->entry->seq = value; break;
    case 16: reader->entry->type = value; break;
    case 20: reader->entry->time = value; break;
    default: reader->bad = 1;
    }
}
static void on_uint8(void *context, uint8_t value) { on_number(context, value); }
static void on_uint16(void *context, uint16_t value) { on_number(context, value); }
static void on_uint32(void *context, uint32_t value) { on_number(context, value); }

static void on_bytes(void *context, cbor_data bytes, size_t size) {
    struct reader *reader = context;
    struct entry *entry = reader->entry;
    int item = reader->item++;
    if ((item == 12 || item == 13 || item == 15 || item == 19 || item > 21) && size != 32)
        reader->bad = 1;
    if (reader->bad) return;
    switch (item) {
    case 1: entry->protected = bytes; reader->bad = size != 3; break;
    case 3: entry->payload = bytes; entry->payload_size = size; break;
    case 4: entry->signature = bytes; reader->bad = size != 64; break;
    case 12: memcpy(entry->flight, bytes, 32); break;
    case 13: memcpy(entry->author, bytes, 32); break;
    case 15: memcpy(entry->previous, bytes, 32); entry->has_previous = 1; break;
    case 19: memcpy(entry->reply, bytes, 32); entry->has_reply = 1; break;
    default:
        if (item > 21 && (size_t)item < 22 + entry->after_count)
            memcpy(entry->after[item - 22], bytes, 32);
        else
            reader->bad = 1;
    }
}

static void on_text(void *context, cbor_data text, size_t size) {
    struct reader *reader = context;
    if (reader->item++ != 18) reader->bad = 1;
    reader->entry->text = text;
    reader->entry->text_size = size;
}

static void on_null(void *context) {
    struct reader *reader = context;
    int item = reader->item++;
    if (item != 15 && item != 19) reader->bad = 1;
}

static void on_array(void *context, size_t count) {
    struct reader *reader = context;
    switch (reader->item++) {
    case 0: reader->bad |= count != 4; break;
    case 10: reader->bad |= count != 7; break;
    case 17: reader->bad |= count != 4; break;
    case 21:
        reader->bad |= count > AFTER;
        reader->entry->after_count = reader->bad ? 0 : count;
        break;
    default: reader->bad = 1;
    }
}

static void on_map(void *context, size_t count) {
    struct reader *reader = context;
    reader->bad |= reader->item++ != 2 || count != 0;
}

static struct cbor_callbacks callbacks;

static void stream(struct reader *reader, const unsigned char *bytes, size_t size) {
    size_t at = 0;
    while (at < size) {
        struct cbor_decoder_result result =
            cbor_stream_decode(bytes + at, size - at, &callbacks, reader);
        if (result.status != CBOR_DECODER_FINISHED || reader->bad) die("not an entry");
        at += result.read;
    }
}

static void decode(struct entry *entry, const unsigned char *bytes, size_t size) {
    struct reader reader = {entry, 0, 0};
    entry->has_previous = entry->has_reply = 0;
    entry->after_count = 0;
    stream(&reader, bytes, size);
    if (reader.item != 5) die("not an envelope");
    reader.item = 10;
    stream(&reader, entry->payload, entry->payload_size);
    if (reader.item != 22 + (int)entry->after_count) die("not a payload");
}

// As a program keeps it: the text is its own.
static void decode_owned(struct entry *entry, const unsigned char *bytes, size_t size) {
    decode(entry, bytes, size);
    unsigned char *text = malloc(entry->text_size + 1);
    if (text == NULL) die("no memory");
    memcpy(text, entry->text, entry->text_size);
    text[entry->text_size] = 0;
    entry->text = text;
}

static size_t encode(const struct entry *entry, unsigned char *out) {
    unsigned char payload[MOST];
    size_t n = 0;
    n += cbor_encode_array_start(7, payload + n, MOST - n);
    n += cbor_encode_uint(entry->version, payload + n, MOST - n);
    const unsigned char *keys[] = {entry->flight, entry->author};
    for (int i = 0; i < 2; i++) {
        n += cbor_encode_bytestring_start(32, payload + n, MOST - n);
        memcpy(payload + n, keys[i], 32);
        n += 32;
    }
    n += cbor_encode_uint(entry->seq, payload + n, MOST - n);
    if (entry->has_previous) {
        n += cbor_encode_bytestring_start(32, payload + n, MOST - n);
        memcpy(payload + n, entry->previous, 32);
        n += 32;
    } else {
        n += cbor_encode_null(payload + n, MOST - n);
    }
    n += cbor_encode_uint(entry->type, payload + n, MOST - n);
    n += cbor_encode_array_start(4, payload + n, MOST - n);
    n += cbor_encode_string_start(entry->text_size, payload + n, MOST - n);
    memcpy(payload + n, entry->text, entry->text_size);
    n += entry->text_size;
    if (entry->has_reply) {
        n += cbor_encode_bytestring_start(32, payload + n, MOST - n);
        memcpy(payload + n, entry->reply, 32);
        n += 32;
    } else {
        n += cbor_encode_null(payload + n, MOST - n);
    }
    n += cbor_encode_uint(entry->time, payload + n, MOST - n);
    n += cbor_encode_array_start(entry->after_count, payload + n, MOST - n);
    for (size_t i = 0; i < entry->after_count; i++) {
        n += cbor_encode_bytestring_start(32, payload + n, MOST - n);
        memcpy(payload + n, entry->after[i], 32);
        n += 32;
    }

    size_t m = 0;
    m += cbor_encode_array_start(4, out + m, MOST - m);
    m += cbor_encode_bytestring_start(3, out + m, MOST - m);
    memcpy(out + m, entry->protected, 3);
    m += 3;
    m += cbor_encode_map_start(0, out + m, MOST - m);
    m += cbor_encode_bytestring_start(n, out + m, MOST - m);
    memcpy(out + m, payload, n);
    m += n;
    m += cbor_encode_bytestring_start(64, out + m, MOST - m);
    memcpy(out + m, entry->signature, 64);
    return m + 64;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void show(const char *name, double began) {
    printf("%s %.2f ns\n", name, (now() - began) / BATCH);
}

static void tree(const unsigned char *bytes, size_t size) {
    struct cbor_load_result result;
    cbor_item_t *outer = cbor_load(bytes, size, &result);
    if (outer == NULL) die("not CBOR");
    cbor_item_t *payload = cbor_array_get(outer, 2);
    cbor_item_t *inner =
        cbor_load(cbor_bytestring_handle(payload), cbor_bytestring_length(payload), &result);
    if (inner == NULL || cbor_array_size(inner) != 7) die("not a payload");
    cbor_decref(&inner);
    cbor_decref(&payload);
    cbor_decref(&outer);
}

int main(int argc, char **argv) {
    if (argc != 3) die("usage: codec HEX ROUNDS");
    static unsigned char bytes[MOST], out[MOST];
    size_t size = strlen(argv[1]) / 2;
    if (size > MOST - 256) die("too long");
    for (size_t i = 0; i < size; i++) {
        if (sscanf(argv[1] + 2 * i, "%2hhx", &bytes[i]) != 1) die("not hexadecimal");
    }
    callbacks = cbor_empty_callbacks;
    callbacks.uint8 = on_uint8;
    callbacks.uint16 = on_uint16;
    callbacks.uint32 = on_uint32;
    callbacks.uint64 = on_number;
    callbacks.byte_string = on_bytes;
    callbacks.string = on_text;
    callbacks.null = on_null;
    callbacks.array_start = on_array;
    callbacks.map_start = on_map;

    struct entry bare;
    decode(&bare, bytes, size);
    if (encode(&bare, out) != size || memcmp(out, bytes, size) != 0) die("another entry");
    for (int round = atoi(argv[2]); round > 0; round--) {
        double began = now();
        for (int i = 0; i < BATCH; i++) {
            struct entry entry;
            decode_owned(&entry, bytes, size);
            free((void *)entry.text);
        }
        show("codec.stream", began);
        began = now();
        for (int i = 0; i < BATCH; i++) decode(&bare, bytes, size);
        show("codec.bare", began);
        began = now();
        for (int i = 0; i < BATCH; i++) tree(bytes, size);
        show("codec.tree", began);
        began = now();
        size_t sum = 0;
        for (int i = 0; i < BATCH; i++) sum += encode(&bare, out);
        if (sum != BATCH * size) die("another size");
        show("codec.cencode", began);
    }
    return 0;
}
