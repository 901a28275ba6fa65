// SPDX-License-Identifier: Apache-2.0
/// The codecs of HELLO and of replication.
extension Hello {
    func write(to writer: inout CBORWriter) {
        writer.map(8)
        writer.uint(0)
        writer.array(2)
        writer.uint(minors.lowerBound)
        writer.uint(minors.upperBound)
        writer.uint(1)
        writer.uint(foldVersion)
        writer.uint(2)
        writer.bytes(eightBytes(boot))
        writer.uint(3)
        writer.uint(connection)
        writer.uint(4)
        writer.uint(maxFrame)
        writer.uint(5)
        writer.uint(Int(port))
        writer.uint(6)
        writer.byteStrings(proofs)
        writer.uint(7)
        writer.uint(features)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        _ = try reader.map(8...8)
        try reader.key(0)
        try reader.array(2)
        let low = try reader.uint(max: 255)
        let high = try reader.uint(in: low...255)
        try reader.key(1)
        let fold = try reader.uint(max: 255)
        try reader.key(2)
        let boot = try reader.number(ofBytes: 8)
        try reader.key(3)
        let connection = try reader.uint()
        try reader.key(4)
        let maxFrame = try reader.uint(in: Limits.frameBeforeHello...(1 << 30))
        try reader.key(5)
        let port = try reader.uint(max: 65_535)
        try reader.key(6)
        var proofs: [[UInt8]] = []
        for _ in 0..<(try reader.array(1...4)) { proofs.append(try reader.bytes(16...16)) }
        try reader.key(7)
        self.init(
            minors: low...high, foldVersion: fold, boot: boot, connection: connection,
            maxFrame: maxFrame, port: UInt16(port), proofs: proofs,
            features: try reader.uint())
    }
}

extension FrontierMessage {
    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.bytes32(logs)
        writer.bytes32(map)
        if let items { Self.write(items, to: &writer) } else { writer.null() }
        writer.uint(isPartial ? 1 : 0)
    }

    /// The list alone: what the digest covers.
    static func write(_ items: [FrontierItem], to writer: inout CBORWriter) {
        writer.array(items.count)
        for item in items { writer.bytes(item.packed) }
    }

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(4)
        let logs = try reader.bytes32()
        let map = try reader.bytes32()
        guard try !reader.takeNull() else {
            _ = try reader.uint(max: 0)
            self.init(logs: logs, map: map, items: nil)
            return
        }
        var items: [FrontierItem] = []
        for _ in 0..<(try reader.array(0...Limits.authors)) {
            let start = reader.offset
            guard let item = FrontierItem(packed: try reader.bytes(44...44), rules) else {
                throw DecodeError(.badValue, at: start)
            }
            if let last = items.last, last.author >= item.author {
                throw DecodeError(.notSorted, at: start)
            }
            items.append(item)
        }
        let isPartial = try reader.uint(max: 1) == 1
        self.init(logs: logs, map: map, items: items, isPartial: isPartial)
    }
}

extension FrontierItem {
    /// 44 bytes: author, seq in 2, the head's first 8, fork in 2; numbers big-endian. One item of
    /// CBOR an author, so that the list of all authors keeps the limit of items.
    package var packed: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(44)
        author.raw.append(to: &out)
        out.append(UInt8(seq >> 8 & 255))
        out.append(UInt8(seq & 255))
        withUnsafeBytes(of: head8.bigEndian) { out.append(contentsOf: $0) }
        out.append(UInt8(fork >> 8 & 255))
        out.append(UInt8(fork & 255))
        return out
    }

    package init?(packed bytes: [UInt8], _ rules: MessageRules) {
        guard bytes.count == 44, let author = PeerKey(bytes[0..<32]) else { return nil }
        let seq = Int(bytes[32]) << 8 | Int(bytes[33])
        let fork = Int(bytes[42]) << 8 | Int(bytes[43])
        guard seq <= rules.entries, fork <= rules.entries else { return nil }
        self.init(
            author: author, seq: seq, head8: bytes[34..<42].reduce(0) { $0 << 8 | UInt64($1) },
            fork: fork)
    }
}

extension Want {
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.uint(budget)
        writer.array(stretches.count)
        for stretch in stretches {
            writer.array(3)
            writer.value(stretch.author)
            writer.uint(stretch.from)
            writer.uint(stretch.through)
        }
    }

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(2)
        let budget = try reader.uint(in: 1...Limits.wantBudget)
        var stretches: [Stretch] = []
        for _ in 0..<(try reader.array(1...Limits.stretches)) {
            try reader.array(3)
            let author = try reader.value(PeerKey.self)
            let from = try reader.uint(in: 1...rules.entries)
            stretches.append(
                Stretch(
                    author: author, from: from,
                    through: try reader.uint(in: from...rules.entries)))
        }
        self.init(budget: budget, stretches: stretches)
    }
}

extension EntryBatch {
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.uint(kind.rawValue)
        writer.byteStrings(entries)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        guard let kind = Kind(rawValue: try reader.uint(max: 2)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.init(kind: kind, entries: try reader.byteStrings(0...Limits.entriesPerFrame))
    }
}

extension Have {
    static func write(_ list: [Have], to writer: inout CBORWriter) {
        writer.array(list.count)
        for have in list {
            writer.array(2)
            writer.value(have.author)
            writer.uint(have.seq)
        }
    }

    static func list(
        _ reader: inout CBORReader, _ rules: MessageRules
    ) throws(DecodeError) -> [Have] {
        var list: [Have] = []
        for _ in 0..<(try reader.array(1...Limits.stretches)) {
            try reader.array(2)
            list.append(
                Have(
                    author: try reader.value(PeerKey.self),
                    seq: try reader.uint(in: 1...rules.entries)))
        }
        return list
    }
}

/// A 64-bit word as 8 bytes, big-endian: it does not fit the numbers of CBOR here.
func eightBytes(_ word: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
}
