// SPDX-License-Identifier: Apache-2.0
/// What agents in a venue say of its words, of the stays and asks of its people (docs/protocol.md
/// section 31), and to its desk (section 32). All types are odd, and an agent of a flight ignores
/// them.
package enum VenueMessage: Hashable, Sendable {
    /// FORM: what somebody tells the desk, and nobody else.
    case form(ThreadID, VenueForm)
    /// FORM_ACK: what the desk makes of it.
    case formAck(ThreadID, FormState, text: String)
    /// VENUE_MARK: which words the sender has.
    case mark(PageMark)
    /// VENUE: the words.
    case page(VenuePage)
    /// STATEMENT: one, the sender's own or another's.
    case statement(VenueStatement)
    /// STATEMENTS: the digest of each bucket of stays that the sender keeps, 64 of them.
    case digests([Bytes32])
    /// STATEMENTS: what the sender keeps in a part of one bucket. What it wants is what is newer.
    case marks(StayList)
    /// ASKS: the digest of each bucket of asks and answers.
    case askDigests([Bytes32])
    /// ASKS: what the sender keeps in a part of one bucket. What it wants is the rest.
    case askMarks(AskList)

    var type: FrameType {
        switch self {
        case .form: .form
        case .formAck: .formAck
        case .mark: .venueMark
        case .page: .venue
        case .statement: .statement
        case .digests, .marks: .statements
        case .askDigests, .askMarks: .asks
        }
    }

    /// What of it may cost a signature, or a row on the disk.
    var entryCount: Int {
        switch self {
        case .page, .statement, .form, .formAck: 1
        case .mark, .digests, .marks, .askDigests, .askMarks: 0
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .form(let id, let form):
            writer.array(3)
            id.write(to: &writer)
            form.writeMembers(to: &writer)
        case .formAck(let id, let state, let text):
            writer.array(3)
            id.write(to: &writer)
            writer.uint(state.rawValue)
            writer.text(text)
        case .mark(let mark):
            writer.array(2)
            writer.uint(mark.revision)
            writer.bytes32(mark.hash)
        case .page(let page): page.write(to: &writer)
        case .statement(let statement): statement.write(to: &writer)
        case .digests(let digests), .askDigests(let digests):
            writer.array(digests.count)
            for digest in digests { writer.bytes32(digest) }
        case .marks(let list): list.write(to: &writer)
        case .askMarks(let list): list.write(to: &writer)
        }
    }

    static func readForm(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        try reader.array(3)
        return .form(try ThreadID.read(&reader), try VenueForm(members: &reader))
    }

    static func readFormAck(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        try reader.array(3)
        let id = try ThreadID.read(&reader)
        guard let state = FormState(rawValue: try reader.uint(max: FormState.unknown.rawValue))
        else { throw DecodeError(.badValue, at: reader.offset) }
        return .formAck(id, state, text: try reader.text(max: Limits.formAnswer))
    }

    static func readMark(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        try reader.array(2)
        let revision = try reader.uint(in: 0...Limits.venueRevisions.upperBound)
        return .mark(PageMark(revision: revision, hash: try reader.bytes32()))
    }

    static func readStatements(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        if let digests = try digests(&reader) { return .digests(digests) }
        return .marks(try StayList(members: &reader))
    }

    static func readAsks(_ reader: inout CBORReader) throws(DecodeError) -> VenueMessage {
        if let digests = try digests(&reader) { return .askDigests(digests) }
        return .askMarks(try AskList(members: &reader))
    }

    /// The digests, or `nil` behind the head of a list.
    private static func digests(_ reader: inout CBORReader) throws(DecodeError) -> [Bytes32]? {
        let start = reader.offset
        let count = try reader.array(4...Limits.stayBuckets)
        guard count == Limits.stayBuckets else {
            guard count == 4 else { throw DecodeError(.badValue, at: start) }
            return nil
        }
        var digests: [Bytes32] = []
        for _ in 0..<count { digests.append(try reader.bytes32()) }
        return digests
    }
}
