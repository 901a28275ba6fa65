// SPDX-License-Identifier: Apache-2.0
// A round trip of 100 bytes between two users of an IRC server, by PRIVMSG. Arguments: port, count.
#include "bench.h"

struct user {
    int fd;
    size_t at, have;
    char bytes[16 * 1024];
};

// The next line without its end.
static char *next_line(struct user *user) {
    for (;;) {
        char *start = user->bytes + user->at;
        char *end = memchr(start, '\n', user->have - user->at);
        if (end != NULL) {
            *end = '\0';
            user->at = (size_t)(end - user->bytes) + 1;
            return start;
        }
        user->have -= user->at;
        memmove(user->bytes, start, user->have);
        user->at = 0;
        errno = EMSGSIZE;
        expect(user->have < sizeof user->bytes, "line");
        user->have += receive(user->fd, user->bytes + user->have, sizeof user->bytes - user->have);
    }
}

static void say(struct user *user, const char *line) {
    send_all(user->fd, line, strlen(line));
}

// Until a line has this word as its second; asks of the server are answered.
static void await(struct user *user, const char *word) {
    for (;;) {
        char *line = next_line(user);
        if (strncmp(line, "PING ", 5) == 0) {
            char answer[256];
            snprintf(answer, sizeof answer, "PONG %s\r\n", line + 5);
            say(user, answer);
            continue;
        }
        errno = EPROTO;
        expect(strncmp(line, "ERROR", 5) != 0, line);
        char *second = strchr(line, ' ');
        size_t size = strlen(word);
        if (second && strncmp(second + 1, word, size) == 0 && second[1 + size] == ' ') return;
    }
}

static void log_in(struct user *user, int port, const char *name) {
    char line[128];
    user->fd = connect_here(port);
    user->at = user->have = 0;
    snprintf(line, sizeof line, "NICK %s\r\nUSER %s 0 * :%s\r\n", name, name, name);
    say(user, line);
    await(user, "001");
    // The end of the greeting: there is no message of the day, or this is its end.
    for (;;) {
        char *words = next_line(user), *second = strchr(words, ' ');
        if (second && (!strncmp(second, " 422 ", 5) || !strncmp(second, " 376 ", 5))) return;
    }
}

// A text of 100 bytes to the other.
static void tell(struct user *user, const char *name) {
    char line[MESSAGE + 64];
    int head = snprintf(line, sizeof line, "PRIVMSG %s :", name);
    memset(line + head, 'x', MESSAGE);
    memcpy(line + head + MESSAGE, "\r\n", 2);
    send_all(user->fd, line, (size_t)head + MESSAGE + 2);
}

static void ping(void *state) {
    tell(state, "second");
    await(state, "PRIVMSG");
}

static void answer(int port, int ready, long count) {
    static struct user user;
    log_in(&user, port, "second");
    expect(write(ready, "y", 1) == 1, "write");
    for (long i = 0; i < count; i++) {
        await(&user, "PRIVMSG");
        tell(&user, "first");
    }
    // Stays until the other has gone: leaving would cut off the last answer.
    char byte;
    expect(read(ready, &byte, 1) >= 0, "read");
}

int main(int argc, char **argv) {
    begin();
    static struct user user;
    int port = (int)argument(argc, argv, 1, 6667), ready[2];
    long count = argument(argc, argv, 2, 10000);
    char byte;
    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, ready) == 0, "socketpair");
    pid_t child = second_process();
    if (child == 0) {
        close(ready[0]);
        answer(port, ready[1], count + count / 50);
        return 0;
    }
    close(ready[1]);
    expect(read(ready[0], &byte, 1) == 1, "read");
    log_in(&user, port, "first");
    time_calls("round_trip", count, ping, &user);
    close(ready[0]);
    join(child);
    return 0;
}
