// SPDX-License-Identifier: Apache-2.0
#include "airports.h"

// Compiled in, so that the program needs no file beside it. Written by scripts/airports.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "airports.txt"
};

const unsigned char *airports_bytes(void) { return bytes; }

unsigned long airports_count(void) { return sizeof bytes; }
