// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// The same book the plain way: a line for each pair of speaker and passenger.
private struct PlainBook {
    /// What one peer said of one key.
    private struct Line {
        var key: PeerKey
        var address: PeerAddress
        var from: PeerKey
        var heard: Instant
        var isLinked: Bool
    }

    /// Sorted by key, then by who said it.
    private var lines: [Line] = []

    /// What `peer` said. The linked ones among `hints` are all of their links.
    mutating func took(
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

    /// What changed since `peer` was heard last. All other links of theirs are said again.
    mutating func changed(
        _ hints: [PeerHint], from peer: PeerKey, me: PeerKey, at now: Instant
    ) {
        for hint in hints where hint.key != me && hint.key != peer {
            let place = place(hint.key, peer)
            let isKnown =
                place < lines.count && lines[place].key == hint.key && lines[place].from == peer
            if !hint.isLinked, hint.address.port == 0 {
                if isKnown { lines[place].isLinked = false }
            } else if isKnown {
                lines[place].heard = now
                lines[place].isLinked = hint.isLinked
                lines[place].address = hint.address
            } else {
                lines.insert(
                    Line(
                        key: hint.key, address: hint.address, from: peer, heard: now,
                        isLinked: hint.isLinked), at: place)
            }
        }
        for index in lines.indices where lines[index].from == peer && lines[index].isLinked {
            lines[index].heard = now
        }
    }

    /// The link to `peer` ended: they relay nothing any more. Their addresses stay a while.
    mutating func unlinked(_ peer: PeerKey) {
        for index in lines.indices where lines[index].from == peer { lines[index].isLinked = false }
    }

    /// Forgets what nobody said again.
    mutating func expire(at now: Instant) {
        lines.removeAll { $0.heard + Limits.hintTime <= now }
    }

    /// When the oldest line is forgotten.
    var nextDeadline: Instant? {
        lines.lazy.map(\.heard).min().map { $0 + Limits.hintTime }
    }

    /// Keys heard of, sorted.
    var keys: [PeerKey] {
        var keys: [PeerKey] = []
        for line in lines where keys.last != line.key { keys.append(line.key) }
        return keys
    }

    /// At most two places where `key` is said to listen, the newest first.
    func addresses(of key: PeerKey) -> [PeerAddress] {
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
    func relays(to key: PeerKey) -> [PeerKey] {
        said(of: key).filter { lines[$0].isLinked }.map { lines[$0].from }
    }

    /// Where all lines of one key are.
    private func said(of key: PeerKey) -> Range<Int> {
        let start = place(key, PeerKey(.zero))
        var end = start
        while end < lines.count, lines[end].key == key { end += 1 }
        return start..<end
    }

    private func place(_ key: PeerKey, _ peer: PeerKey) -> Int {
        lines.partitionPoint { ($0.key, $0.from) < (key, peer) }
    }
}

@Suite struct AddressBookOrderTests {
    private let me = FakeSigner(1).key

    /// Whatever is said, by whom, in any order: both books tell the same.
    @Test(arguments: 1...40)
    func tellsWhatThePlainBookTells(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let keys = (1...12).map { FakeSigner($0).key }
        var book = AddressBook()
        var plain = PlainBook()
        var now = Instant.zero
        for _ in 0..<120 {
            let speaker = keys[Int.random(in: 0..<keys.count, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                book.unlinked(speaker)
                plain.unlinked(speaker)
            case 1:
                now = now + .seconds(Int64.random(in: 0...400, using: &random))
                book.expire(at: now)
                plain.expire(at: now)
            default:
                let hints = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    PeerHint(
                        key: keys[Int.random(in: 0..<keys.count, using: &random)],
                        address: PeerAddress(
                            host: "10.0.0.\(Int.random(in: 1...3, using: &random))",
                            port: UInt16.random(in: 0...1, using: &random)),
                        isLinked: Bool.random(using: &random))
                }
                now = now + .seconds(1)
                if Bool.random(using: &random) {
                    book.took(hints, from: speaker, me: me, at: now)
                    plain.took(hints, from: speaker, me: me, at: now)
                } else {
                    book.changed(hints, from: speaker, me: me, at: now)
                    plain.changed(hints, from: speaker, me: me, at: now)
                }
            }
            #expect(book.nextDeadline == plain.nextDeadline)
            #expect(book.keys == plain.keys)
            for key in keys {
                #expect(book.addresses(of: key) == plain.addresses(of: key))
                #expect(book.relays(to: key) == plain.relays(to: key))
            }
        }
    }

    /// No more lines than the limit, whoever speaks; and room again when they are forgotten.
    @Test func manyTalkersFillNoMoreThanTheBook() {
        var book = AddressBook()
        var plain = PlainBook()
        let keys = (0..<256).compactMap { number in
            PeerKey(FakePrimitives().sha256([UInt8(number)]).bytes)
        }
        let hints = keys.map {
            PeerHint(key: $0, address: PeerAddress(host: "h", port: 1), isLinked: true)
        }
        for (second, speaker) in keys.prefix(20).enumerated() {
            let now = Instant.zero + .seconds(Int64(second))
            book.took(hints, from: speaker, me: me, at: now)
            plain.took(hints, from: speaker, me: me, at: now)
        }
        for key in keys { #expect(book.relays(to: key) == plain.relays(to: key)) }
        #expect(keys.reduce(0) { $0 + book.relays(to: $1).count } == 2 * Limits.hintsInAll)
        // The first four are forgotten, and another four have their room.
        let later = Instant.zero + Limits.hintTime + .seconds(3)
        book.expire(at: later)
        plain.expire(at: later)
        for speaker in keys.suffix(4) {
            book.took(hints, from: speaker, me: me, at: later)
            plain.took(hints, from: speaker, me: me, at: later)
        }
        for key in keys { #expect(book.relays(to: key) == plain.relays(to: key)) }
        #expect(book.relays(to: keys[0]).contains(keys[255]))
    }
}
