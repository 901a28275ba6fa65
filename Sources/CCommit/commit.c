#include "commit.h"

const char *seatagent_commit(void) { return SEATAGENT_COMMIT; }
