// SPDX-License-Identifier: Apache-2.0
/// Logs as a file that anybody can check: a CBOR sequence (RFC 8742) of entries and fork proofs.
///
///     bundle = *( entry / proof )
///     proof  = [ bstr .cbor entry, bstr .cbor entry ]     ; as in FORKPROOF
///
/// The order in the file means nothing; ``write(_:after:limit:)`` goes author by author.
package enum Bundle {
    /// One item of a bundle.
    package enum Item: Hashable, Sendable {
        /// A whole entry.
        case entry([UInt8])
        /// Two entries of one author at one place.
        case proof([UInt8], [UInt8])

        /// Its bytes in the sequence.
        package var bytes: [UInt8] {
            switch self {
            case .entry(let bytes): return bytes
            case .proof(let first, let second):
                var writer = CBORWriter(capacity: first.count + second.count + 8)
                writer.array(2)
                writer.bytes(first)
                writer.bytes(second)
                return writer.bytes
            }
        }
    }

    /// A position between two items: so many entries of that author are written.
    package struct Cursor: Hashable, Sendable {
        /// Whose log.
        package var author: PeerKey
        /// Entries of it that are written; one more than there are when its proof is, too.
        package var seq: Int

        /// A place.
        package init(author: PeerKey, seq: Int) {
            self.author = author
            self.seq = seq
        }
    }

    /// Items of `logs` after `cursor`, until they have `limit` bytes; the cursor to
    /// go on from, `nil` at the end. Logs that grow between two calls do no harm:
    /// what is written stays in order.
    package static func write(
        _ logs: LogSet, after cursor: Cursor?, limit: Int
    ) -> (items: [Item], next: Cursor?) {
        var items: [Item] = []
        var size = 0
        for log in logs.logs {
            if let cursor, log.author < cursor.author { continue }
            var written = cursor?.author == log.author ? cursor?.seq ?? 0 : 0
            while written <= log.seq {
                // The place behind the last entry is the proof's.
                let item =
                    log.entry(at: written + 1).map { Item.entry($0.bytes) }
                    ?? log.proof.map { Item.proof($0.first.bytes, $0.second.bytes) }
                written += 1
                guard let item else { continue }
                items.append(item)
                size += item.bytes.count
                if size >= limit { return (items, Cursor(author: log.author, seq: written)) }
            }
        }
        return (items, nil)
    }

    /// The whole bundle of `logs`.
    package static func bytes(_ logs: LogSet) -> [UInt8] {
        write(logs, after: nil, limit: Int.max).items.flatMap(\.bytes)
    }

    /// Splits a sequence into items without looking inside them. Throws ``DecodeError``
    /// with the offset in the file.
    package static func items(_ bytes: [UInt8]) throws(DecodeError) -> [Item] {
        var items: [Item] = []
        var start = 0
        while start < bytes.count {
            let span = bytes.span.bytes.extracting(start..<bytes.count)
            var reader = CBORReader(span, items: 8)
            do throws(DecodeError) {
                if try reader.array(2...4) == 2 {
                    items.append(
                        .proof(
                            try reader.bytes(1...Limits.entry), try reader.bytes(1...Limits.entry)))
                } else {
                    _ = try reader.byteRange(3...3)
                    _ = try reader.map(0...0)
                    _ = try reader.byteRange(1...Limits.entry)
                    _ = try reader.byteRange(64...64)
                    items.append(.entry(Array(bytes[start..<start + reader.offset])))
                }
            } catch {
                throw DecodeError(error.code, at: start + error.offset)
            }
            start += reader.offset
        }
        return items
    }

    /// Logs as judged from a bundle alone: every signature and rule is checked anew.
    package struct Reading: Sendable {
        /// What was accepted.
        package internal(set) var logs = LogSet()
        /// The flight of most entries, or of most proofs where there are only proofs; what is of
        /// another flight is refused. `nil` when nothing in it can be read.
        package internal(set) var flight: FlightID?
        /// Items that were not accepted, by their index in the file from 0, and why.
        package internal(set) var refused: [(place: Int, insertion: Insertion)] = []
    }

    /// Reads and judges a bundle; the order of its items changes nothing but their places. Throws
    /// ``DecodeError`` where it is not a sequence of items.
    package static func read(
        _ bytes: [UInt8], codec: EntryCodec
    ) throws(DecodeError) -> Reading {
        var reading = Reading()
        var entries: [(rank: Rank, entry: Entry)] = []
        var proofs: [(rank: Rank, first: [UInt8], second: [UInt8])] = []
        var shown: [FlightID] = []
        for (place, item) in try items(bytes).enumerated() {
            switch item {
            case .entry(let bytes):
                do throws(DecodeError) {
                    let entry = try codec.decode(bytes)
                    entries.append((Rank(entry, nil, place), entry))
                } catch {
                    reading.refused.append((place, .refused(.form(error))))
                }
            case .proof(let first, let second):
                let one = try? codec.decode(first)
                let other = try? codec.decode(second)
                if let one, other != nil { shown.append(one.flight) }
                let proof = one.flatMap { one in other.flatMap { ForkProof(one, $0) } }
                proofs.append((Rank(proof?.first ?? one, proof?.second, place), first, second))
            }
        }
        reading.flight = mostNamed(entries.isEmpty ? shown : entries.map(\.entry.flight))
        entries.sort { $0.rank < $1.rank }
        // The weakest first: each next one is news, and so looked at.
        proofs.sort { $1.rank < $0.rank }
        // Where nothing tells the flight nothing is an entry, and is refused for that.
        let flight = reading.flight ?? FlightID(.zero)
        var dropped: [(rank: Rank, entry: Entry)] = []
        for item in entries {
            let insertion = reading.logs.insert(item.entry.bytes, flight: flight, codec: codec)
            if !insertion.isTaken { dropped.append(item) }
        }
        // What followed something else may stand at a place that is filled now.
        for item in dropped {
            let insertion = reading.logs.insert(item.entry.bytes, flight: flight, codec: codec)
            reading.note(insertion, at: item.rank.place)
        }
        for item in proofs {
            let insertion = reading.logs.insertProof(
                item.first, item.second, flight: flight, codec: codec)
            reading.note(insertion, at: item.rank.place)
        }
        reading.refused.sort { $0.place < $1.place }
        return reading
    }

    /// The id named most often; among equals the smallest.
    private static func mostNamed(_ flights: [FlightID]) -> FlightID? {
        var best: (flight: FlightID, count: Int)?
        var run: (flight: FlightID, count: Int)?
        for flight in flights.sorted() {
            run = (flight, run?.flight == flight ? (run?.count ?? 0) + 1 : 1)
            if let run, run.count > best?.count ?? 0 { best = run }
        }
        return best?.flight
    }

    /// Which item is judged first: by what it says, and only among equal ones by its place.
    private struct Rank: Comparable {
        let author: PeerKey
        let seq: Int
        /// Of a proof both, as they decide which is stronger.
        let ids: [EntryID]
        let bytes: [UInt8]
        let place: Int

        init(_ first: Entry?, _ second: Entry?, _ place: Int) {
            author = first?.author ?? PeerKey(.zero)
            seq = first?.seq ?? 0
            ids = [first, second].compactMap { $0?.id }
            // Equal ids may be signed otherwise.
            bytes = [first, second].flatMap { $0?.bytes ?? [] }
            self.place = place
        }

        static func < (left: Rank, right: Rank) -> Bool {
            if left.author != right.author { return left.author < right.author }
            if left.seq != right.seq { return left.seq < right.seq }
            if left.ids != right.ids { return left.ids.lexicographicallyPrecedes(right.ids) }
            if left.bytes != right.bytes {
                return left.bytes.lexicographicallyPrecedes(right.bytes)
            }
            return left.place < right.place
        }
    }
}

extension Bundle {
    /// The place of the first item in a form that only fold version 1 had, from 0; `nil` where
    /// there is none. Logs without chat have the same form in both versions, so those of
    /// version 1 are not recognised.
    package static func olderItem(_ bytes: [UInt8]) -> Int? {
        guard let items = try? items(bytes) else { return nil }
        return items.firstIndex { item in
            switch item {
            case .entry(let bytes): EntryCodec.isOlder(bytes)
            case .proof(let first, let second):
                EntryCodec.isOlder(first) || EntryCodec.isOlder(second)
            }
        }
    }
}

extension Bundle.Reading {
    fileprivate mutating func note(_ insertion: Insertion, at place: Int) {
        if !insertion.isTaken { refused.append((place, insertion)) }
    }
}

extension Insertion {
    fileprivate var isTaken: Bool {
        switch self {
        case .added, .known, .fork: true
        case .gap, .branches, .delayed, .leftOut, .refused: false
        }
    }
}
