// SPDX-License-Identifier: Apache-2.0
// One row of 330 bytes a transaction into a SQLite file with WAL and synchronous FULL, as an agent
// keeps an entry, and as fast as the library does it: a statement prepared once, a plain rowid.
//
//   durable FILE COUNT    prints each commit in microseconds
// link: -lsqlite3
// needs: /usr/include/sqlite3.h libsqlite3-dev
#include "ends.h"

#include <sqlite3.h>

enum { SIZE = 330, MOST = 100000 };

static sqlite3 *file;

static void must(int code, int wanted)
{
    if (code != wanted) {
        fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(file));
        exit(1);
    }
}

static sqlite3_stmt *prepared(const char *sql)
{
    sqlite3_stmt *statement;
    must(sqlite3_prepare_v3(file, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK);
    return statement;
}

static void step(sqlite3_stmt *statement)
{
    must(sqlite3_step(statement), SQLITE_DONE);
    must(sqlite3_reset(statement), SQLITE_OK);
}

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    long commits = number(words[2], 1, MOST);
    must(sqlite3_open(words[1], &file), SQLITE_OK);
    must(sqlite3_exec(file,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE IF NOT EXISTS entry (place INTEGER PRIMARY KEY,"
                      " seen INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
                      NULL, NULL, NULL),
         SQLITE_OK);
    sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
    sqlite3_stmt *insert = prepared("INSERT INTO entry (seen, bytes) VALUES (?, ?)");
    unsigned char bytes[SIZE];
    printf("commit");
    for (long row = -commits / 10; row < commits; row++) {
        memset(bytes, (int)(row & 0xff), SIZE);
        int64_t began = nanoseconds();
        step(begin);
        must(sqlite3_bind_int64(insert, 1, row), SQLITE_OK);
        must(sqlite3_bind_blob(insert, 2, bytes, SIZE, SQLITE_STATIC), SQLITE_OK);
        step(insert);
        step(commit);
        if (row >= 0)
            printf(" %.1f", (double)(nanoseconds() - began) / 1e3);
    }
    printf(" us\n");
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_finalize(insert);
    must(sqlite3_close(file), SQLITE_OK);
    return 0;
}
