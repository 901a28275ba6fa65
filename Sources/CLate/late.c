#include "late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Which function is which number: the lines of names.h are counted. */
#define LIBRARY(file, package)
#define NAME(name) function_##name,
enum {
#include "names.h"
    functions
};
#undef LIBRARY
#undef NAME

struct line {
    /* Of a line that begins a library, else NULL. */
    const char *file, *package;
    /* Of a function, else NULL. */
    const char *name;
};

#define LIBRARY(file, package) {file, package, NULL},
#define NAME(name) {NULL, NULL, #name},
static const struct line lines[] = {
#include "names.h"
};
#undef LIBRARY
#undef NAME
static const int count = sizeof lines / sizeof lines[0];

/* Where each function is, NULL until its library is loaded: what late.S jumps through. Written more than
   once where threads load one library at a time, and always with the same. */
__attribute__((visibility("hidden"))) void *late_slots[functions];

/* What is said, and waits for nobody: there is nothing that the caller could do. */
static _Noreturn void complain(const char *why, const char *package) {
    fprintf(stderr,
            "seatagent: a library cannot be loaded\n  why: %s\n"
            "  try: sudo apt-get install --reinstall %s\n",
            why, package);
    _exit(1);
}

/* Loads the library that begins at `first`, all at once; NULL or what went wrong. Never unloaded. */
static const char *load(int first) {
    void *library = dlopen(lines[first].file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    int function = 0;
    for (int i = 0; i < first; i++) function += lines[i].name != NULL;
    for (int i = first + 1; i < count && lines[i].name; i++, function++) {
        void *found = dlsym(library, lines[i].name);
        if (!found) return dlerror();
        __atomic_store_n(&late_slots[function], found, __ATOMIC_RELEASE);
    }
    return NULL;
}

/* The line that begins a library: `libzip` for `libzip.so.4`; or -1. */
static int line_of(const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < count; i++)
        if (lines[i].file && strncmp(lines[i].file, name, length) == 0
            && strncmp(lines[i].file + length, ".so", 3) == 0)
            return i;
    return -1;
}

/* Called by late.S where a function is called whose library is not loaded. */
__attribute__((visibility("hidden"))) void *late_find(int function) {
    int first = 0, seen = -1;
    for (int i = 0; seen < function; i++) {
        if (lines[i].file) first = i;
        seen += lines[i].name != NULL;
    }
    const char *why = load(first);
    if (why) complain(why, lines[first].package);
    /* Another thread may store it at this moment too. */
    return __atomic_load_n(&late_slots[function], __ATOMIC_ACQUIRE);
}

const char *late_load(const char *name) {
    int first = line_of(name);
    return first < 0 ? "it is not among those of names.h" : load(first);
}

const char *late_package(const char *name) {
    int first = line_of(name);
    return first < 0 ? NULL : lines[first].package;
}

void *late_variable(const char *name, const char *variable) {
    int first = line_of(name);
    if (first < 0) abort();
    void *library = dlopen(lines[first].file, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, variable) : NULL;
    if (!found) complain(dlerror(), lines[first].package);
    return found;
}
