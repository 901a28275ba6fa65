// SPDX-License-Identifier: Apache-2.0
#pragma once
/* A process that can do nothing more than reckon, and answer on what is open already. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define SEAL_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SEAL_MACHINE AUDIT_ARCH_AARCH64
#endif

#define SEAL_ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* At most so many bytes of memory and seconds of the processor; no core file, no debugger.
   0 or -1. */
static inline int linux_limit(unsigned long memory, unsigned long seconds) {
    struct rlimit space = {memory, memory}, time = {seconds, seconds}, none = {0, 0};
    if (setrlimit(RLIMIT_AS, &space) || setrlimit(RLIMIT_CPU, &time)) return -1;
    if (setrlimit(RLIMIT_CORE, &none)) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* From here on every other system call fails with EPERM: nothing can be opened, sent or started.
   0, or -1 where the kernel or the machine has no such filter. */
static inline int linux_seal(void) {
#ifdef SEAL_MACHINE
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SEAL_MACHINE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        SEAL_ALLOW(read), SEAL_ALLOW(write), SEAL_ALLOW(close), SEAL_ALLOW(brk), SEAL_ALLOW(mmap),
        SEAL_ALLOW(munmap), SEAL_ALLOW(mremap), SEAL_ALLOW(mprotect), SEAL_ALLOW(madvise),
        SEAL_ALLOW(futex), SEAL_ALLOW(clock_gettime), SEAL_ALLOW(getrandom),
        SEAL_ALLOW(rt_sigprocmask), SEAL_ALLOW(rt_sigreturn), SEAL_ALLOW(exit),
        SEAL_ALLOW(exit_group),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
    return -1;
#endif
}
