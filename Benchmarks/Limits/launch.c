// SPDX-License-Identifier: Apache-2.0
// Prints the time (CLOCK_MONOTONIC, nanoseconds) and becomes the program named.
//
//   launch PROGRAM WORD...
#include "ends.h"

#include <unistd.h>

int main(int count, char **words)
{
    if (count < 2)
        return 2;
    printf("%lld\n", (long long)nanoseconds());
    fflush(stdout);
    execvp(words[1], words + 1);
    fail(words[1]);
}
