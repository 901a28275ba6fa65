// SPDX-License-Identifier: Apache-2.0
// The time from a yes over one agent's control socket until both agents have told their watchers
// that both seats changed hands, which they do when it is durable.
//
//   swapclock SOCKET OTHER-SOCKET REQUEST    REQUEST is a line as docs/control.md has it
#include "ends.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE = 1 << 20, SEATS = 2, SECONDS = 20 };

struct agent {
    int line;
    char *bytes;
    size_t count;
    int seats;
};

static void tell(struct agent *agent, const char *text)
{
    size_t size = strlen(text);
    if (send(agent->line, text, size, MSG_NOSIGNAL) != (ssize_t)size)
        fail("send");
}

// Reads what is there; counts whole lines that say `wanted`.
static int hear(struct agent *agent, const char *wanted)
{
    ssize_t count = recv(agent->line, agent->bytes + agent->count, LINE - agent->count - 1, 0);
    if (count <= 0)
        fail("the agent has gone");
    agent->count += (size_t)count;
    int found = 0;
    char *start = agent->bytes, *end;
    while ((end = memchr(start, '\n', agent->count - (size_t)(start - agent->bytes)))) {
        *end = 0;
        if (strstr(start, "\"ok\":false")) {
            fprintf(stderr, "refused: %s\n", start);
            exit(1);
        }
        found += strstr(start, wanted) != NULL;
        start = end + 1;
    }
    agent->count -= (size_t)(start - agent->bytes);
    memmove(agent->bytes, start, agent->count);
    return found;
}

static struct agent watched(const char *path)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    struct agent agent = {.line = socket(AF_UNIX, SOCK_STREAM, 0), .bytes = malloc(LINE)};
    if (strlen(path) >= sizeof place.sun_path || !agent.bytes)
        exit(2);
    strcpy(place.sun_path, path);
    if (agent.line < 0 || connect(agent.line, (struct sockaddr *)&place, sizeof place) != 0)
        fail(path);
    tell(&agent, "{\"id\":1,\"op\":\"watch\",\"events\":[\"seat\"]}\n");
    while (!hear(&agent, "\"id\":1,"))
        continue;
    return agent;
}

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    struct agent agents[] = {watched(words[1]), watched(words[2])};
    char *request = malloc(strlen(words[3]) + 2);
    if (!request)
        fail("memory");
    sprintf(request, "%s\n", words[3]);
    int64_t began = nanoseconds();
    tell(&agents[0], request);
    while (agents[0].seats < SEATS || agents[1].seats < SEATS) {
        struct pollfd waiting[] = {{agents[0].line, POLLIN, 0}, {agents[1].line, POLLIN, 0}};
        if (poll(waiting, 2, SECONDS * 1000) <= 0) {
            fprintf(stderr, "no swap in %d s\n", SECONDS);
            return 1;
        }
        for (int place = 0; place < 2; place++) {
            if (waiting[place].revents)
                agents[place].seats += hear(&agents[place], "\"event\":\"seat\"");
        }
    }
    printf("swap %.1f us\n", (double)(nanoseconds() - began) / 1e3);
    return 0;
}
