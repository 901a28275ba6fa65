// SPDX-License-Identifier: Apache-2.0
#pragma once

/* The first seven digits of the commit this was built from, or `unknown`. */
const char *seatagent_commit(void);
