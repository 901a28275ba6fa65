// SPDX-License-Identifier: Apache-2.0
/// The codecs of the negotiation.
extension Proposal {
    func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.bytes(thread.bytes)
        writer.uint(revision)
        writer.bytes(contract)
        writer.text(note)
        writer.uint(expires)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(5)
        self.init(
            thread: try ThreadID.read(&reader), revision: try reader.uint(in: 1...Limits.revisions),
            contract: try reader.bytes(1...Limits.contract),
            note: try reader.text(max: Limits.note),
            expires: try reader.uint(in: 1...Int(Limits.offerTimeMax.wholeSeconds)))
    }
}

extension Ask {
    func write(to writer: inout CBORWriter) {
        writer.array(5)
        writer.bytes(thread.bytes)
        writer.bytes(contract)
        writer.text(note)
        writer.uint(expires)
        head.write(to: &writer)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(5)
        self.init(
            thread: try ThreadID.read(&reader), contract: try reader.bytes(1...Limits.contract),
            note: try reader.text(max: Limits.note),
            expires: try reader.uint(in: 1...Int(Limits.offerTimeMax.wholeSeconds)),
            head: try LogHead(&reader))
    }
}

extension Ready {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(thread.bytes)
        writer.value(contract)
        head.write(to: &writer)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        self.init(
            thread: try ThreadID.read(&reader), contract: try reader.value(ContractID.self),
            head: try LogHead(&reader))
    }
}

extension LogHead {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.value(author)
        writer.uint(seq)
        writer.value(id)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        self.init(
            author: try reader.value(PeerKey.self),
            seq: try reader.uint(max: Limits.entriesPerAuthor),
            id: try reader.value(EntryID.self))
    }
}

extension Decline {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(thread.bytes)
        writer.uint(revision)
        writer.text(note)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        self.init(
            thread: try ThreadID.read(&reader), revision: try reader.uint(in: 1...Limits.revisions),
            note: try reader.text(max: Limits.note))
    }
}

extension Withdraw {
    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        let thread = try ThreadID.read(&reader)
        guard let reason = Reason(rawValue: try reader.uint(max: 255)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.init(thread: thread, reason: reason)
    }
}

extension Prepare {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(thread.bytes)
        writer.bytes(contract)
        writer.array(heads.count)
        for head in heads { head.write(to: &writer) }
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        let thread = try ThreadID.read(&reader)
        let contract = try reader.bytes(1...Limits.contract)
        var heads: [LogHead] = []
        for _ in 0..<(try reader.array(Limits.parties)) {
            let head = try LogHead(&reader)
            if let last = heads.last, last.author >= head.author {
                throw DecodeError(.notSorted, at: reader.offset)
            }
            heads.append(head)
        }
        self.init(thread: thread, contract: contract, heads: heads)
    }
}

extension Certificate {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(contract)
        writer.byteStrings(votes)
        writer.byteStrings(claims)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        self.init(
            contract: try reader.bytes(1...Limits.contract),
            votes: try reader.byteStrings(Limits.parties),
            claims: try reader.byteStrings(0...Limits.legs.upperBound))
    }
}

extension VoteMessage {
    func write(to writer: inout CBORWriter) {
        writer.array(1)
        writer.byteStrings(entries)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(1)
        self.init(entries: try reader.byteStrings(1...Limits.voteSuffix))
    }
}

extension Status {
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.value(contract)
        writer.byteStrings(votes)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        self.init(
            contract: try reader.value(ContractID.self),
            votes: try reader.byteStrings(0...2 * Limits.parties.upperBound))
    }
}
