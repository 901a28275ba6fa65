// SPDX-License-Identifier: Apache-2.0
/// The fold of the logs: brought up to them when they changed, and watched over.
struct Folding: Sendable {
    /// The fold at its last turn.
    private(set) var fold: SeatFold
    /// Digest of the map that the fold gives.
    private(set) var mapDigest: Bytes32
    /// Who is convicted by their own entries, sorted by author, one each.
    private(set) var misdeeds: [Misdeed] = []
    /// Whether ``fold`` is behind the logs: a long answer is coming in.
    private(set) var isStale = true
    /// A long answer is coming in: the fold waits for its last slice, at most until then.
    private(set) var due: Instant?
    private var running = RunningFold()
    /// Another ledger counts than at the last fold, or one forked.
    private var isOtherBook = false
    private var hasFolded = false
    /// Rules of the fold found broken here, told already.
    private var violations: [Invariants.Violation] = []
    private let primitives: any Primitives

    /// No logs are folded yet; the fold before was `fold`.
    init(_ primitives: any Primitives, from fold: SeatFold = .empty) {
        self.primitives = primitives
        self.fold = fold
        mapDigest = fold.digest(primitives)
    }

    /// The logs changed so that the fold may be another one.
    mutating func becomeStale() { isStale = true }

    /// The book of the venue has more, or is another one than before.
    mutating func follow(isOtherBook isOther: Bool) {
        isStale = true
        if isOther { isOtherBook = true }
    }

    /// The fold waits for more after what came, or not at all where there is no `patience`.
    mutating func wait(_ patience: TimeSpan?, at now: Instant) {
        due = patience.map { due ?? now + $0 }
    }

    /// The fold waits no longer.
    mutating func hurry() { due = nil }

    /// Folds the logs; tells whether the fold is another one. Reports each passenger whom their own
    /// entries convict once; one known before a start is shown but not reported again.
    /// In a venue `book` is what the ledgers of these logs come to.
    mutating func refold(_ logs: LogSet, book: Book?, _ effects: inout Effects) -> Bool {
        isStale = false
        let isFirst = !hasFolded
        hasFolded = true
        let before = fold
        let known = misdeeds.filter { $0.kind != .fork }.map(\.author)
        running.follow(logs, book: book)
        (fold, misdeeds) = (running.fold, running.misdeeds)
        for misdeed in misdeeds
        where misdeed.kind != .fork && !isFirst && !known.contains(misdeed.author) {
            effects.notices.append(.trouble(.misdeed(misdeed)))
        }
        guard fold != before else { return false }
        inspect(from: before, &effects)
        if book == nil { mapDigest = fold.digest(primitives) }
        isOtherBook = false
        effects.notices.append(.map)
        return true
    }

    /// Checks after every fold what must be true of every fold (docs/protocol.md section 13), so
    /// that a program with a wrong map says so. Reports each violation once.
    private mutating func inspect(from before: SeatFold, _ effects: inout Effects) {
        let blamed = misdeeds.map(\.author)
        let steps =
            isOtherBook ? [] : Invariants.violations(from: before, to: fold, blamed: blamed)
        let found = Invariants.violations(of: fold) + steps
        for violation in found
        where !violations.contains(violation) && violations.count < Limits.violations {
            violations.append(violation)
            effects.notices.append(.trouble(.violation(violation)))
        }
    }

    /// What convicts `author`; `nil` for an honest one.
    func misdeed(of author: PeerKey) -> Misdeed? {
        misdeeds.position(of: author, by: \.author).map { misdeeds[$0] }
    }
}
