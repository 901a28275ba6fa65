// SPDX-License-Identifier: Apache-2.0
#pragma once

/* The airports with an IATA code and their time zones: see scripts/airports for the form. The data
   are those of airportsdata (MIT; the licence stands beside them). Lives as long as the program. */
const unsigned char *airports_bytes(void);
unsigned long airports_count(void);
