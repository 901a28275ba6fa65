#pragma once
/* Linux calls that Swift's Glibc module leaves out. */
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* glibc hides this one behind _GNU_SOURCE. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
