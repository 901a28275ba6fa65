#pragma once
/* Linux calls that Swift's Glibc module leaves out. */
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* glibc hides this one behind _GNU_SOURCE. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

/* prctl is variadic, so Swift does not import it: no core files, no debugger of another process. */
static inline int linux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
