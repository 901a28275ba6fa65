// SPDX-License-Identifier: Apache-2.0
/// The tables of one flight's file. A plain rowid keeps entries in order of
/// arrival and inserts fast.
enum Schema {
    /// Number of this layout, kept in `user_version`.
    static let version = 9

    /// The first schema version for flights whose fold has version 2. Older files are of 0.1, and
    /// none of their flights is one that agents are on today.
    static let firstOfThisFold = 7

    /// The statements that make the tables of an empty file.
    static let statements = """
        CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), seed BLOB NOT NULL,
            auth BLOB NOT NULL, flight TEXT NOT NULL) STRICT;
        CREATE TABLE entry (place INTEGER PRIMARY KEY, seen INTEGER NOT NULL,
            bytes BLOB NOT NULL) STRICT;
        CREATE TABLE fork (author BLOB PRIMARY KEY, first BLOB NOT NULL,
            second BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE slotlock (token BLOB NOT NULL, producer BLOB NOT NULL,
            contract BLOB NOT NULL, PRIMARY KEY (token, producer)) STRICT, WITHOUT ROWID;
        CREATE TABLE swap (thread BLOB PRIMARY KEY, record BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE message (place INTEGER PRIMARY KEY, id BLOB NOT NULL, peer BLOB NOT NULL,
            outgoing INTEGER NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
            state INTEGER NOT NULL, UNIQUE (id, peer, outgoing)) STRICT;
        CREATE TABLE blocked (peer BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        """ + second + third + fourth + fifth + sixth + seventh + eighth + ninth

    /// What version 2 adds to version 1. `copy` distinguishes this file from a copy of it.
    static let second = """
        CREATE TABLE verified (peer BLOB PRIMARY KEY, name TEXT NOT NULL, seats TEXT NOT NULL,
            at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE copy (one INTEGER PRIMARY KEY CHECK (one = 1),
            generation TEXT NOT NULL, ends INTEGER) STRICT;
        PRAGMA user_version = 2;
        """

    /// What version 3 adds: the full-text index. `said` numbers the lines in the order in which
    /// they were indexed and says where each is (`source` 0: entry, 1: message); `words` stores no
    /// text of its own.
    static let third = """
        CREATE TABLE said (place INTEGER PRIMARY KEY, source INTEGER NOT NULL,
            line INTEGER NOT NULL) STRICT;
        CREATE VIRTUAL TABLE words USING fts5(text, content = '', columnsize = 0,
            tokenize = 'unicode61 remove_diacritics 2');
        PRAGMA user_version = 3;
        """

    /// What version 4 adds: the cabin layout that is suggested to others.
    static let fourth = """
        CREATE TABLE suggestion (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL,
            signature BLOB NOT NULL, layout BLOB NOT NULL) STRICT;
        PRAGMA user_version = 4;
        """

    /// What version 5 adds: what the passenger says about their own party, for themselves alone.
    static let fifth = """
        CREATE TABLE party (seat TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 5;
        """

    /// Version 6 has the tables of version 5, but lines may be missing at the end of the full-text
    /// index. A program that does not know this would index later lines and never the missing ones.
    static let sixth = "PRAGMA user_version = 6;"

    /// What version 7 adds: a checksum of each entry's bytes, 0 if none was made yet, and the
    /// position of own entries in the log, else 0. They reveal a damaged row. See
    /// ``firstOfThisFold``.
    static let seventh = """
        ALTER TABLE entry ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE entry ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
        PRAGMA user_version = 7;
        """

    /// What version 8 changes: what the passenger says of the people in their seats is called
    /// `needs`. A file of version 7 keeps it.
    static let eighth = """
        ALTER TABLE party RENAME TO needs;
        PRAGMA user_version = 8;
        """

    /// What version 9 adds: the secrets of the passenger's party of companions, the latest first,
    /// and who has them.
    static let ninth = """
        CREATE TABLE party_secret (place INTEGER PRIMARY KEY, secret BLOB NOT NULL,
            home INTEGER NOT NULL) STRICT;
        CREATE TABLE party_member (place INTEGER PRIMARY KEY, peer BLOB NOT NULL UNIQUE,
            standing INTEGER NOT NULL) STRICT;
        PRAGMA user_version = 9;
        """

    /// What brings a file of `version` to ``version``, in one transaction.
    static func steps(from version: Int64) -> String {
        (version < 8 ? eighth : "") + (version < 9 ? ninth : "")
    }
}
