// SPDX-License-Identifier: Apache-2.0
// How long programs take from their start to their end, one after the other in turn.
//
//   spawn COUNT NAME PROGRAM WORD... [-- NAME PROGRAM WORD...]...
//
// Prints for each name the wall time of each run in milliseconds. Their output goes to /dev/null;
// one that ends with another status than 0 ends the measuring.
#include "ends.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PROGRAMS = 4, MOST = 10000 };

struct program {
    char **words; // name, path, arguments, NULL
    double *times;
};

static double run(char **words, const posix_spawn_file_actions_t *actions)
{
    pid_t process;
    int status;
    int64_t began = nanoseconds();
    errno = posix_spawn(&process, words[1], actions, NULL, words + 1, environ);
    if (errno != 0)
        fail(words[1]);
    if (waitpid(process, &status, 0) != process)
        fail("waitpid");
    int64_t took = nanoseconds() - began;
    if (status != 0) {
        fprintf(stderr, "%s ended with status %x\n", words[1], (unsigned)status);
        exit(1);
    }
    return (double)took / 1e6;
}

int main(int count, char **words)
{
    struct program programs[PROGRAMS];
    int found = 0;
    if (count < 4)
        return 2;
    long rounds = number(words[1], 1, MOST);
    for (int place = 2; place < count;) {
        if (found == PROGRAMS || place + 2 > count)
            return 2;
        programs[found].words = words + place;
        programs[found++].times = calloc((size_t)rounds, sizeof(double));
        while (place < count && strcmp(words[place], "--") != 0)
            place++;
        words[place++] = NULL;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (long round = -rounds / 10 - 1; round < rounds; round++) {
        for (int place = 0; place < found; place++) {
            double took = run(programs[place].words, &actions);
            // The first ones fill the page cache.
            if (round >= 0)
                programs[place].times[round] = took;
        }
    }
    for (int place = 0; place < found; place++) {
        printf("%s", programs[place].words[0]);
        for (long round = 0; round < rounds; round++)
            printf(" %.3f", programs[place].times[round]);
        printf(" ms\n");
    }
    return 0;
}
