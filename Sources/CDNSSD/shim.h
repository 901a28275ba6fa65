// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <avahi-common/malloc.h>
#include <dns_sd.h>
#include <stdlib.h>

static inline void *dnssd_zeros(size_t size) { return calloc(1, size); }

/* From now on all memory that Avahi's libraries ask for begins as zeros. It still is libc's, so
   what they got before can be given back. */
static inline void dnssd_begin_with_zeros(void) {
    static const AvahiAllocator allocator = {dnssd_zeros, free, realloc, calloc};
    avahi_set_allocator(&allocator);
}
