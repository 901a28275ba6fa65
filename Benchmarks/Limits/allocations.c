// SPDX-License-Identifier: Apache-2.0
// Counts calls of malloc and its kin in a program that it is loaded into; prints them at the end.
// link: -shared -fPIC -ldl

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static unsigned long calls;

void *malloc(size_t size) {
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    calls++;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    calls++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    calls++;
    *out = __libc_memalign(alignment, size);
    return *out == NULL;
}

__attribute__((destructor)) static void show(void) {
    char line[64];
    int count = snprintf(line, sizeof line, "%lu\n", calls);
    if (write(STDOUT_FILENO, line, (size_t)count) != count) _exit(1);
}
