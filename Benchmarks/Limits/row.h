// SPDX-License-Identifier: Apache-2.0
// One row of 330 bytes a transaction into a SQLite file with WAL and synchronous FULL, as an agent
// keeps an entry, and as fast as the library does it: a statement prepared once, a plain rowid.
#ifndef ROW_H
#define ROW_H

#include "ends.h"

#include <sqlite3.h>

enum { ROW = 330 };

static sqlite3 *file;
static sqlite3_stmt *begin, *insert, *commit;

static inline void must(int code, int wanted)
{
    if (code != wanted) {
        fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(file));
        exit(1);
    }
}

static inline sqlite3_stmt *prepared(const char *sql)
{
    sqlite3_stmt *statement;
    must(sqlite3_prepare_v3(file, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), SQLITE_OK);
    return statement;
}

static inline void step(sqlite3_stmt *statement)
{
    must(sqlite3_step(statement), SQLITE_DONE);
    must(sqlite3_reset(statement), SQLITE_OK);
}

static inline void open_file(const char *path)
{
    must(sqlite3_open(path, &file), SQLITE_OK);
    must(sqlite3_exec(file,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                      "CREATE TABLE IF NOT EXISTS entry (place INTEGER PRIMARY KEY,"
                      " seen INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT",
                      NULL, NULL, NULL),
         SQLITE_OK);
    begin = prepared("BEGIN IMMEDIATE");
    commit = prepared("COMMIT");
    insert = prepared("INSERT INTO entry (seen, bytes) VALUES (?, ?)");
}

// Returns once the row is on the disk.
static inline void keep(long row)
{
    unsigned char bytes[ROW];
    memset(bytes, (int)(row & 0xff), ROW);
    step(begin);
    must(sqlite3_bind_int64(insert, 1, row), SQLITE_OK);
    must(sqlite3_bind_blob(insert, 2, bytes, ROW, SQLITE_STATIC), SQLITE_OK);
    step(insert);
    step(commit);
}

static inline void close_file(void)
{
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_finalize(insert);
    must(sqlite3_close(file), SQLITE_OK);
}

#endif
