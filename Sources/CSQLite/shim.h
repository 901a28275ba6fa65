// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import: bind a copy of the bytes. */
static inline int seat_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
/* With its length: a text may hold a zero. */
static inline int seat_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
