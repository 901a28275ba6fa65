// SPDX-License-Identifier: Apache-2.0
#pragma once
/* A question to the DNS that the C library's own resolver asks. */
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <string.h>

/* The answer for SRV records of `name`, at most `room` bytes of it. Its length; 0 where there are
   none; -1 where nobody could say. The name is taken as it is: no domain of this machine is put
   behind it. */
static inline int linux_service_records(const char *name, unsigned char *answer, int room) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state)) return -1;
    int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, room);
    int why = state.res_h_errno;
    res_nclose(&state);
    if (length >= 0) return length < room ? length : room;
    return why == HOST_NOT_FOUND || why == NO_DATA ? 0 : -1;
}
