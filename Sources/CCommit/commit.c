// SPDX-License-Identifier: Apache-2.0
#include "commit.h"

const char *seatagent_commit(void) { return SEATAGENT_COMMIT; }
