// SPDX-License-Identifier: Apache-2.0
/// The fold in the core (``Folding``).
extension Node {
    /// Folds the logs, and reports what came of it.
    mutating func refold(_ effects: inout Effects) {
        records.forgetFrontier()
        if folding.refold(records.logs, book: venue?.ledgers.book, &effects) {
            suggested.votersChanged()
            venue?.desk?.hasNewTenures = true
        }
        venue?.ledgers.forgetDigest()
    }

    /// The fold of the logs.
    public var fold: SeatFold { folding.fold }

    /// Digest of the map that the fold gives.
    public var mapDigest: Bytes32 {
        guard let venue else { return folding.mapDigest }
        return BookFold.fold(records.logs, venue.ledgers.book).digest(setup.primitives)
    }

    /// Who is convicted by their own entries, sorted by author, one each.
    public var misdeeds: [Misdeed] { folding.misdeeds }

    /// Whether ``fold`` is behind the logs: a long answer is coming in.
    public var isFoldStale: Bool { folding.isStale }

    /// What convicts `author`; `nil` for an honest one.
    package func misdeed(of author: PeerKey) -> Misdeed? { folding.misdeed(of: author) }
}
