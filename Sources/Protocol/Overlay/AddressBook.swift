/// Where passengers' agents are said to listen, and who is said to be linked with them: what PEX brought.
///
/// Nothing in it is believed: a handshake proves a key, or the dial was in vain (protocol.md 10.1, 5.6).
package struct AddressBook: Hashable, Sendable {
    /// What one peer said of one key.
    private struct Line: Hashable, Sendable {
        var key: PeerKey
        var address: PeerAddress
        var from: PeerKey
        var heard: Instant
        var isLinked: Bool
    }

    /// Sorted by key, then by who said it.
    private var lines: [Line] = []

    /// An empty book.
    package init() {}

    /// What `peer` said. The linked ones among `hints` are all of his links.
    package mutating func took(
        _ hints: [PeerHint], from peer: PeerKey, me: PeerKey, at now: Instant
    ) {
        for index in lines.indices where lines[index].from == peer { lines[index].isLinked = false }
        for hint in hints where hint.key != me && hint.key != peer {
            let line = Line(
                key: hint.key, address: hint.address, from: peer, heard: now,
                isLinked: hint.isLinked)
            let place = place(hint.key, peer)
            if place < lines.count, lines[place].key == hint.key, lines[place].from == peer {
                lines[place] = line
            } else if lines.count < 2 * Limits.hintsInAll,
                lines.count(where: { $0.from == peer }) < Limits.hintsPerPeer
            {
                lines.insert(line, at: place)
            }
        }
    }

    /// The link to `peer` ended: he relays nothing any more. His addresses stay a while.
    package mutating func unlinked(_ peer: PeerKey) {
        for index in lines.indices where lines[index].from == peer { lines[index].isLinked = false }
    }

    /// Forgets what nobody said again.
    package mutating func expire(at now: Instant) {
        lines.removeAll { $0.heard + Limits.hintTime <= now }
    }

    /// When the oldest line is forgotten.
    package var nextDeadline: Instant? {
        lines.lazy.map(\.heard).min().map { $0 + Limits.hintTime }
    }

    /// Keys heard of, sorted.
    package var keys: [PeerKey] {
        var keys: [PeerKey] = []
        for line in lines where keys.last != line.key { keys.append(line.key) }
        return keys
    }

    /// At most two places where `key` is said to listen, the newest first.
    package func addresses(of key: PeerKey) -> [PeerAddress] {
        var found: [PeerAddress] = []
        let said = said(of: key).filter { lines[$0].address.port != 0 }
        for place in said.sorted(by: { lines[$0].heard > lines[$1].heard })
        where !found.contains(lines[place].address) {
            found.append(lines[place].address)
            if found.count == 2 { break }
        }
        return found
    }

    /// Peers who say that they are linked with `key`, sorted.
    package func relays(to key: PeerKey) -> [PeerKey] {
        said(of: key).filter { lines[$0].isLinked }.map { lines[$0].from }
    }

    /// Where all lines of one key are.
    private func said(of key: PeerKey) -> Range<Int> {
        let start = place(key, PeerKey(.zero))
        var end = start
        while end < lines.count, lines[end].key == key { end += 1 }
        return start..<end
    }

    /// Some of the book for `peer`, none of it from himself.
    package func sample(
        for peer: PeerKey, _ count: Int, random: inout SeededRandom
    ) -> [PeerHint] {
        var chosen: [PeerHint] = []
        var keys = self.keys.filter { $0 != peer }
        keys.shuffle(using: &random)
        for key in keys where chosen.count < count {
            guard let address = addresses(of: key).first else { continue }
            chosen.append(PeerHint(key: key, address: address, isLinked: false))
        }
        return chosen
    }

    private func place(_ key: PeerKey, _ peer: PeerKey) -> Int {
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].key < key
                || (lines[middle].key == key && lines[middle].from < peer)
            {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
