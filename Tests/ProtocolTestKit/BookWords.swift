// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a book and its swaps decide, in words: a line for each ledger, member, booking, void grant,
/// false lot and contract, and the digest of the map. Two readers of the protocol that write the
/// same lines have the same book.
package func bookLines(_ fold: BookFold, _ primitives: any Primitives) -> [String] {
    let book = fold.book
    var lines = book.ledgers.map { ledger in
        "ledger \(ledger.author.hex) epoch \(ledger.epoch) to \(ledger.seq) "
            + ledger.standing.rawValue
    }
    for member in book.members {
        let words = ["member \(member.number) class \(member.class)"] + member.keys.map(\.hex)
        lines.append(words.joined(separator: " "))
    }
    for mint in book.mints {
        let end = mint.end.map { end in
            "ended by \(end.by.hex) reason \(end.reason?.rawValue ?? 7)"
                + (end.spent ? " spent" : "")
        }
        lines.append("booking \(mint.token.hex) \(end ?? "live")")
    }
    lines += book.voids.map { "void \($0.id.hex) \($0.reason.rawValue)" }
    lines += book.falseLots.map { "false lot \($0.hex)" }
    for state in fold.swaps.contracts {
        let words = [
            (state.applied, "applied"), (state.dead, "dead"), (state.beaten, "beaten"),
            (state.complete, "waiting"),
        ]
        lines.append("swap \(state.id.hex) \(words.first { $0.0 }?.1 ?? "open")")
    }
    return lines + ["map \(fold.digest(primitives).hex)"]
}

extension LedgerVenue {
    /// What these logs come to.
    package func fold(_ logs: LogSet) -> BookFold { BookFold.fold(logs, Book.whole(of: logs)) }
}

extension SmallVenue {
    /// The book of this ledger alone.
    package var book: Book { Book.whole(of: desk.venue.logs(desk)) }
}

extension Book {
    /// Why a grant is void; `nil` for one that minted.
    package func reason(_ token: Token) -> VoidGrant.Reason? {
        voids.first { $0.id.token == token }?.reason
    }

    /// Whether a booking is there and has not ended.
    package func isLive(_ token: Token) -> Bool { mint(token).map { $0.end == nil } ?? false }
}
