// SPDX-License-Identifier: Apache-2.0
// What the programs that measure agents from outside have in common.
#ifndef ENDS_H
#define ENDS_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// CLOCK_MONOTONIC, which all processes of a machine share, in nanoseconds.
static inline int64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

// A number of an argument, within bounds.
static inline long number(const char *text, long least, long most)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || value < least || value > most) {
        fprintf(stderr, "not a number from %ld to %ld: %s\n", least, most, text);
        exit(2);
    }
    return value;
}

#endif
