// SPDX-License-Identifier: Apache-2.0
/// What one peer is known to have of each log, and what they were told of them.
///
/// One sorted array: five hash tables of the same keys took ten kilobytes a link in a cabin of 25.
struct PeerLogs: Sendable {
    /// One author. Numbers on the wire do not exceed ``MessageRules/entries``.
    private struct Line: Sendable {
        let author: PeerKey
        var seq: UInt16 = 0
        var confirmed: UInt16 = 0
        var fork: UInt16 = 0
        var toldSeq: UInt16 = 0
        var toldFork: UInt16 = 0
        var announced: UInt16 = 0
        /// Whether anything is known of the peer's copy of the log. A line may also exist only
        /// for what they were told.
        var isKnown = false
        var isTold = false
        var toldHead8: UInt64 = 0
    }

    /// Sorted by author, each once.
    private var lines: [Line] = []
    private var known = 0
    /// Whether the peer got a list of our logs.
    private(set) var isTold = false

    /// How much of `author`'s log they are known to have; `nil` if nothing is known.
    func seq(of author: PeerKey) -> Int? {
        guard let place = found(author), lines[place].isKnown else { return nil }
        return Int(lines[place].seq)
    }

    /// How much of it they said themselves that they have.
    func confirmed(_ author: PeerKey) -> Int { found(author).map { Int(lines[$0].confirmed) } ?? 0 }

    /// Where they know a fork of `author`; 0 for none.
    func fork(of author: PeerKey) -> Int { found(author).map { Int(lines[$0].fork) } ?? 0 }

    /// Whether the last list to them said this of the item's log.
    func isTold(_ item: FrontierItem) -> Bool {
        guard let place = found(item.author) else { return false }
        let line = lines[place]
        return line.isTold && Int(line.toldSeq) == item.seq && Int(line.toldFork) == item.fork
            && line.toldHead8 == item.head8
    }

    /// Sets how much they have, more or less than before. Returns `false` if no place is left for
    /// the author, so that a peer cannot fill this memory with made-up authors.
    mutating func set(_ author: PeerKey, _ seq: Int) -> Bool {
        if let place = found(author), lines[place].isKnown {
            lines[place].seq = UInt16(clamping: seq)
            return true
        }
        guard known < 2 * Limits.authors else { return false }
        known += 1
        let place = line(author)
        lines[place].isKnown = true
        lines[place].seq = UInt16(clamping: seq)
        return true
    }

    /// Notes that they have at least this much. Returns whether that is more than was known; a new
    /// author is treated as in ``set(_:_:)``.
    mutating func raise(_ author: PeerKey, to seq: Int) -> Bool {
        guard let place = found(author), lines[place].isKnown else { return set(author, seq) }
        guard lines[place].seq < seq else { return false }
        lines[place].seq = UInt16(clamping: seq)
        return true
    }

    /// They said themselves that they have at least so much. Only of an author of whom something is
    /// known.
    mutating func confirm(_ author: PeerKey, atLeast seq: Int) {
        guard let place = found(author), lines[place].isKnown, lines[place].confirmed < seq else {
            return
        }
        lines[place].confirmed = UInt16(clamping: seq)
    }

    /// They said themselves that they have so much. Only of an author of whom something is known.
    mutating func confirm(_ author: PeerKey, _ seq: Int) {
        guard let place = found(author), lines[place].isKnown else { return }
        lines[place].confirmed = UInt16(clamping: seq)
    }

    /// They know of a fork; 0 for none. Only of an author of whom something is known.
    mutating func setFork(of author: PeerKey, _ fork: Int) {
        guard let place = found(author), lines[place].isKnown else { return }
        lines[place].fork = UInt16(clamping: fork)
    }

    /// They list all forks that they know anew.
    mutating func forgetForks() {
        for place in lines.indices { lines[place].fork = 0 }
    }

    /// They are told this.
    mutating func tell(_ items: [FrontierItem]) {
        isTold = true
        for item in items {
            let place = line(item.author)
            lines[place].isTold = true
            lines[place].toldSeq = UInt16(clamping: item.seq)
            lines[place].toldFork = UInt16(clamping: item.fork)
            lines[place].toldHead8 = item.head8
        }
    }

    /// How much of it was announced to them.
    func announced(_ author: PeerKey) -> Int { found(author).map { Int(lines[$0].announced) } ?? 0 }

    /// They are told that we have so much.
    mutating func announce(_ author: PeerKey, _ seq: Int) {
        lines[line(author)].announced = UInt16(clamping: seq)
    }

    /// Everything they lack is to be announced anew.
    mutating func forgetAnnounced() {
        for place in lines.indices { lines[place].announced = 0 }
    }

    /// Whether it holds of everyone of whom something is known.
    func allSatisfy(_ holds: (PeerKey, Int) -> Bool) -> Bool {
        lines.allSatisfy { !$0.isKnown || holds($0.author, Int($0.seq)) }
    }

    /// Where the line of `author` is, made where there is none.
    private mutating func line(_ author: PeerKey) -> Int {
        let place = lines.place(of: author, by: \.author)
        if place < lines.count, lines[place].author == author { return place }
        // Grow by 1/16 instead of doubling: hundreds of links have one each.
        if lines.count == lines.capacity {
            lines.reserveCapacity(lines.count + lines.count / 16 + 1)
        }
        lines.insert(Line(author: author), at: place)
        return place
    }

    private func found(_ author: PeerKey) -> Int? {
        let place = lines.place(of: author, by: \.author)
        return place < lines.count && lines[place].author == author ? place : nil
    }
}
