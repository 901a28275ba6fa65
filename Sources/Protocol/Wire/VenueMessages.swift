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
    /// STATEMENTS: what the sender keeps in a part of one bucket. What it wants is what is newer.
    case marks(StayList)

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
        case .marks(let list): list.write(to: &writer)
        }
    }

    static func readMark(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        try reader.array(2)
        let revision = try reader.uint(in: 0...Limits.venueRevisions.upperBound)
        return .mark(PageMark(revision: revision, hash: try reader.bytes32()))
    }

    static func readStatements(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        let start = reader.offset
        let count = try reader.array(4...Limits.stayBuckets)
        if count == Limits.stayBuckets {
            var digests: [Bytes32] = []
            for _ in 0..<count { digests.append(try reader.bytes32()) }
            return .digests(digests)
        }
        guard count == 4 else { throw DecodeError(.badValue, at: start) }
        return .marks(try StayList(members: &reader))
    }
}
