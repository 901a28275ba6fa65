// SPDX-License-Identifier: Apache-2.0
// A plugin for mosquitto 2.0: the broker is a meeting point and nothing else (docs/guide/meet.md).
//
// It refuses
//   - every subscription that does not name one group: nobody can ask for the names of groups;
//   - every message with another topic, over 16 384 bytes, or kept where agents keep nothing;
//   - more than RATE messages or subscriptions of one connection in a second, after BURST;
//   - once the broker holds KEEP bytes of memory, every message that it would have to keep.
// It writes nothing into the log.
#include <mosquitto.h>
#include <mosquitto_broker.h>
#include <mosquitto_plugin.h>
#include <malloc.h>
#include <string.h>
#include <time.h>

#ifndef RATE // 1 to 1 000 000: `make CPPFLAGS=-DRATE=100`
#define RATE 20
#endif
#ifndef BURST
#define BURST 200
#endif
#ifndef KEEP // below `memory_limit`, at which mosquitto lets nobody in, and no sweep either
#define KEEP 1200000000
#endif
#define HEXADECIMAL "0123456789abcdef"
#define BASE32 "abcdefghijklmnopqrstuvwxyz234567"
enum { BODY = 16384, FILTERS = 256, CHAINS = 1 << 16, SECOND = 1000000000 };
enum { MESSAGES, SUBSCRIPTIONS, KINDS };

// Topics: H is a hexadecimal digit, G a group of 26 and B a box of 13 characters, N is 0 to 3. In a
// filter + may stand for X, which is a box else, and for N.
static const struct { const char *topic; bool is_kept; } shapes[] = {
    {"sa1/HH/G/c/H/X", true}, {"sa1/HH/G/l/H/X/N", true}, {"sa1/HH/G/q/B/X", true},
    {"sa1/HH/G/e", false}, {"sa1/HH/G/t/B", false},
};

// What one connection used: for each kind the time at which nothing of it counts any more.
struct meter { const struct mosquitto *client; struct meter *next; int64_t clear[KINDS]; };
// Only connections have one, and only while they last: `max_connections` bounds them.
static struct meter *meters[CHAINS];

// Where the text goes on after so many characters of a set; NULL if it does not.
static const char *past(const char *text, int count, const char *set)
{
    for (; count > 0; count--, text++)
        if (*text == 0 || !strchr(set, *text))
            return NULL;
    return text;
}

static bool fits(const char *text, const char *shape, bool is_filter)
{
    for (; *shape && text; shape++) {
        bool is_open = is_filter && *text == '+' && strchr("XN", *shape);
        switch (is_open ? 0 : *shape) {
        case 0: text++; break;
        case 'H': text = past(text, 1, HEXADECIMAL); break;
        case 'G': text = past(text, 26, BASE32); break;
        case 'B': case 'X': text = past(text, 13, BASE32); break;
        case 'N': text = past(text, 1, "0123"); break;
        default: text = *text == *shape ? text + 1 : NULL;
        }
    }
    return text && *text == 0;
}

// The link that leads to the meter of a connection, or to where one would be.
static struct meter **link_to(const struct mosquitto *client)
{
    uint64_t mixed = (uint64_t)(uintptr_t)client * 0x9E3779B97F4A7C15u;
    struct meter **link = &meters[mixed >> 48];
    while (*link && (*link)->client != client)
        link = &(*link)->next;
    return link;
}

static int spend(const struct mosquitto *client, int kind)
{
    struct meter **link = link_to(client);
    if (!*link && (*link = mosquitto_calloc(1, sizeof **link)))
        (*link)->client = client;
    struct timespec clock;
    if (!*link || clock_gettime(CLOCK_MONOTONIC, &clock))
        return MOSQ_ERR_ACL_DENIED;
    int64_t now = (int64_t)clock.tv_sec * SECOND + clock.tv_nsec, one = SECOND / RATE;
    int64_t *clear = &(*link)->clear[kind];
    if (*clear < now)
        *clear = now;
    if (*clear + one > now + one * BURST)
        return MOSQ_ERR_ACL_DENIED;
    *clear += one;
    return MOSQ_ERR_SUCCESS;
}

// Looks once a second, and after 1000 questions, which are at most 16 MiB.
static bool is_full(void)
{
    static time_t last;
    static int asked;
    static bool full;
    time_t now = time(NULL);
    if (now != last || ++asked == 1000) {
        struct mallinfo2 memory = mallinfo2();
        full = memory.uordblks + memory.hblkhd > KEEP;
        last = now;
        asked = 0;
    }
    return full;
}

static int on_disconnect(int event, void *data, void *user)
{
    (void)event, (void)user;
    struct meter **link = link_to(((const struct mosquitto_evt_disconnect *)data)->client);
    struct meter *gone = *link;
    if (gone) {
        *link = gone->next;
        mosquitto_free(gone);
    }
    return MOSQ_ERR_SUCCESS;
}

// Asked for every filter and every message. It must not meter messages: mosquitto also asks for the
// will of a client that has gone, and nobody would take that meter away.
static int on_access(int event, void *data, void *user)
{
    (void)event, (void)user;
    const struct mosquitto_evt_acl_check *ask = data;
    bool is_filter = ask->access == MOSQ_ACL_SUBSCRIBE;
    if (!is_filter && ask->access != MOSQ_ACL_WRITE)
        return MOSQ_ERR_SUCCESS; // what was let in goes to whoever was let in
    size_t shape = 0, count = sizeof shapes / sizeof *shapes;
    while (shape < count && !fits(ask->topic, shapes[shape].topic, is_filter))
        shape++;
    if (shape == count || ask->payloadlen > BODY || (ask->retain && !shapes[shape].is_kept))
        return MOSQ_ERR_ACL_DENIED;
    // An empty message clears what is kept.
    if (ask->retain && ask->payloadlen > 0 && is_full())
        return MOSQ_ERR_ACL_DENIED;
    // Before MQTT 5 a message cannot say when it ends.
    if (mosquitto_client_protocol_version(ask->client) != 5)
        return MOSQ_ERR_ACL_DENIED;
    if (!is_filter)
        return MOSQ_ERR_SUCCESS;
    if (mosquitto_client_sub_count(ask->client) >= FILTERS)
        return MOSQ_ERR_ACL_DENIED;
    return spend(ask->client, SUBSCRIPTIONS);
}

// Asked for each message that on_access let in, while its sender is connected.
static int on_message(int event, void *data, void *user)
{
    (void)event, (void)user;
    return spend(((const struct mosquitto_evt_message *)data)->client, MESSAGES);
}

int mosquitto_plugin_version(int count, const int *versions)
{
    for (int index = 0; index < count; index++)
        if (versions[index] == 5)
            return 5;
    return -1;
}

static const struct { int event; MOSQ_FUNC_generic_callback call; } calls[] = {
    {MOSQ_EVT_ACL_CHECK, on_access}, {MOSQ_EVT_MESSAGE, on_message},
    {MOSQ_EVT_DISCONNECT, on_disconnect},
};
enum { CALLS = sizeof calls / sizeof *calls };

int mosquitto_plugin_init(
    mosquitto_plugin_id_t *plugin, void **user, struct mosquitto_opt *options, int count)
{
    (void)options, (void)count;
    *user = plugin;
    int failed = 0;
    for (int index = 0; index < CALLS && !failed; index++)
        failed = mosquitto_callback_register(
            plugin, calls[index].event, calls[index].call, NULL, NULL);
    return failed;
}

int mosquitto_plugin_cleanup(void *plugin, struct mosquitto_opt *options, int count)
{
    (void)options, (void)count;
    for (int index = 0; index < CALLS; index++)
        mosquitto_callback_unregister(plugin, calls[index].event, calls[index].call, NULL);
    for (int chain = 0; chain < CHAINS; chain++)
        for (struct meter *gone = meters[chain]; gone; gone = meters[chain]) {
            meters[chain] = gone->next;
            mosquitto_free(gone);
        }
    return MOSQ_ERR_SUCCESS;
}
