// SPDX-License-Identifier: Apache-2.0
#pragma once
/* Linux calls that Swift's Glibc module leaves out. */
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include "names.h"
#include "seal.h"

/* glibc hides these behind _GNU_SOURCE. */
int memfd_create(const char *name, unsigned flags);
int pipe2(int ends[2], int flags);
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
void closefrom(int lowest);
/* `actions` is a posix_spawn_file_actions_t, whose home is Swift's Glibc. */
int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);

/* Of <malloc.h>, which would make this module the home of the whole allocator. */
int malloc_trim(size_t pad);

/* prctl is variadic, so Swift does not import it: no core files, no debugger of another process. */
static inline int linux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* Sends this process the signal once whoever started it has ended. */
static inline int linux_end_with_parent(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

/* Declared here: <sys/ioctl.h> would make this module the home of the terminal's size. */
int ioctl(int descriptor, unsigned long request, ...);

/* The name of the wireless network that an interface is in (wireless extensions, SIOCGIWESSID): at
   most 32 bytes, whatever the access point says. Gives their number, or -1. */
static inline int linux_wireless_name(int descriptor, const char *interface, unsigned char *name) {
    struct {
        char interface[16];
        struct {
            void *name;
            unsigned short length, flags;
        } point;
        char rest[16];
    } request;
    memset(&request, 0, sizeof request);
    strncpy(request.interface, interface, sizeof request.interface - 1);
    request.point.name = name;
    request.point.length = 32;
    if (ioctl(descriptor, 0x8B1B, &request) != 0) return -1;
    return request.point.length <= 32 ? request.point.length : -1;
}

/* environ is a variable of C that Swift does not take: the variable at that place, as NAME=VALUE;
   nothing after the last one. */
extern char **environ;
static inline const char *linux_variable(size_t place) { return environ[place]; }
