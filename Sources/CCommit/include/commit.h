#pragma once

#ifdef __cplusplus
extern "C"
#endif
/* The commit this was built from, seven hexadecimal digits; empty where there was no git. */
const char *seatagent_commit(void);
