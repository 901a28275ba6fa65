// SPDX-License-Identifier: Apache-2.0
/// What agents in a venue say of its words and of the stays of its people (docs/protocol.md section
/// 31). All types are odd, and an agent of a flight ignores them.
package enum VenueMessage: Hashable, Sendable {
    /// VENUE_MARK: which words the sender has.
    case mark(PageMark)
    /// VENUE: the words.
    case page(VenuePage)
    /// STATEMENT: one stay, the sender's own or another's.
    case statement(VenueStatement)
    /// STATEMENTS: the digest of each bucket that the sender keeps, 64 of them.
    case digests([Bytes32])
    /// STATEMENTS: what the sender keeps in one bucket, of the smallest authors, sorted. What it
    /// wants is what is newer.
    case marks(bucket: Int, [StayMark])

    var type: FrameType {
        switch self {
        case .mark: .venueMark
        case .page: .venue
        case .statement: .statement
        case .digests, .marks: .statements
        }
    }

    /// What of it may cost a signature.
    var entryCount: Int {
        switch self {
        case .page, .statement: 1
        case .mark, .digests, .marks: 0
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .mark(let mark):
            writer.array(2)
            writer.uint(mark.revision)
            writer.bytes32(mark.hash)
        case .page(let page): page.write(to: &writer)
        case .statement(let statement): statement.write(to: &writer)
        case .digests(let digests):
            writer.array(digests.count)
            for digest in digests { writer.bytes32(digest) }
        case .marks(let bucket, let marks):
            writer.array(2)
            writer.uint(bucket)
            writer.array(marks.count)
            for mark in marks { writer.bytes(mark.bytes) }
        }
    }

    static func readMark(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        try reader.array(2)
        let revision = try reader.uint(in: 0...Limits.venueRevisions.upperBound)
        return .mark(PageMark(revision: revision, hash: try reader.bytes32()))
    }

    static func readStatements(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        let start = reader.offset
        let count = try reader.array(2...Limits.stayBuckets)
        if count == Limits.stayBuckets {
            var digests: [Bytes32] = []
            for _ in 0..<count { digests.append(try reader.bytes32()) }
            return .digests(digests)
        }
        guard count == 2 else { throw DecodeError(.badValue, at: start) }
        let bucket = try reader.uint(in: 0...Limits.stayBuckets - 1)
        var marks: [StayMark] = []
        for _ in 0..<(try reader.array(0...Limits.stayMarks)) {
            let start = reader.offset
            guard let mark = StayMark(try reader.bytes(68...68)),
                mark.bucket == bucket
            else { throw DecodeError(.badValue, at: start) }
            if let last = marks.last, last.author >= mark.author {
                throw DecodeError(.notSorted, at: start)
            }
            marks.append(mark)
        }
        return .marks(bucket: bucket, marks)
    }
}
