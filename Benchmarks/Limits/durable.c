// SPDX-License-Identifier: Apache-2.0
// How long a durable commit takes, as row.h makes it.
//
//   durable FILE COUNT    prints each commit in microseconds
// link: -lsqlite3
// needs: /usr/include/sqlite3.h libsqlite3-dev
#include "row.h"

enum { MOST = 100000 };

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    long commits = number(words[2], 1, MOST);
    open_file(words[1]);
    printf("commit");
    for (long row = -commits / 10; row < commits; row++) {
        int64_t began = nanoseconds();
        keep(row);
        if (row >= 0)
            printf(" %.1f", (double)(nanoseconds() - began) / 1e3);
    }
    printf(" us\n");
    close_file();
    return 0;
}
