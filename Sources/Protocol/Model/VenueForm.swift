// SPDX-License-Identifier: Apache-2.0
/// What somebody tells the desk of a venue about themselves (docs/protocol.md section 32). It goes
/// to the desk alone, in a session, and is in no log and no statement.
public struct VenueForm: Hashable, Sendable {
    /// What it is for.
    public enum Kind: Int, CaseIterable, Hashable, Sendable {
        /// To become a member.
        case join = 1
        /// To park: a car, and whom it visits.
        case permit
        /// To have the desk forget all that forms of this key said.
        case erase
        /// To have this key for a number that the member has already.
        case newKey
    }

    /// An answer to one question of the venue.
    public struct Field: Hashable, Sendable {
        /// Which question, 0...255.
        public let number: Int
        /// At most 254 bytes. Hostile text.
        public let text: String

        /// The answer to question `number`.
        public init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// What it is for, 1...15; ``kind`` where that is known here.
    public let number: Int
    /// Answers sorted by their number, each once, at most 16.
    public let fields: [Field]

    /// What it is for; `nil` for something of later agents.
    public var kind: Kind? { Kind(rawValue: number) }

    /// A form; `nil` for one that nobody would read.
    public init?(_ kind: Kind, _ fields: [Field]) {
        guard fields.allSatisfy({ 0...Limits.formField ~= $0.number }) else { return nil }
        self.init(number: kind.rawValue, fields: fields.sorted { $0.number < $1.number })
        guard (try? VenueForm(decoding: encoded)) == self else { return nil }
    }

    /// A form of this kind of which nothing else is known.
    init(number: Int, fields: [Field]) {
        self.number = number
        self.fields = fields
    }

    /// Reads what ``encoded`` gives. Throws ``DecodeError`` for all else.
    public init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(2)
        try self.init(members: &reader)
        try reader.finish()
    }

    /// Its bytes, as they are kept on a disk.
    public var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + 64 * fields.count)
        writer.array(2)
        writeMembers(to: &writer)
        return writer.bytes
    }

    func writeMembers(to writer: inout CBORWriter) {
        writer.uint(number)
        writer.array(fields.count)
        for field in fields {
            writer.array(2)
            writer.uint(field.number)
            writer.text(field.text)
        }
    }

    init(members reader: inout CBORReader) throws(DecodeError) {
        number = try reader.uint(in: Limits.formKinds)
        var fields: [Field] = []
        for _ in 0..<(try reader.array(0...Limits.formFields)) {
            try reader.array(2)
            let start = reader.offset
            let number = try reader.uint(max: Limits.formField)
            if let last = fields.last, last.number >= number {
                throw DecodeError(.notSorted, at: start)
            }
            fields.append(Field(number: number, text: try reader.text(max: Limits.formText)))
        }
        self.fields = fields
    }
}

/// Which form: who sent it, and the number that they gave it.
public struct FormKey: Hashable, Sendable {
    /// Who sent it.
    public let peer: PeerKey
    /// Chosen by them, 16 bytes.
    public let id: ThreadID

    /// Form `id` of `peer`.
    public init(peer: PeerKey, id: ThreadID) {
        self.peer = peer
        self.id = id
    }
}

/// What a desk makes of a form.
public enum FormState: Int, CaseIterable, Hashable, Sendable {
    /// It is on the desk's disk, and nobody has decided.
    case kept = 0
    /// Yes.
    case admitted
    /// No.
    case refused
    /// The desk does not know what to do with such a form.
    case unknown
}

/// A form on the disk of whoever sent it, or of the desk.
public struct FormRecord: Hashable, Sendable {
    /// Which form.
    public let key: FormKey
    /// What it says. At a desk that has decided it, no fields: it may have to forget them.
    public var form: VenueForm
    /// When it was written or came, by the local clock.
    public let at: UTCTime
    /// What the desk makes of it; `nil` while it is not known to have it.
    public var state: FormState?
    /// What the desk says to that, at most 200 bytes.
    public var text: String

    /// A form.
    public init(key: FormKey, form: VenueForm, at: UTCTime, state: FormState?, text: String) {
        self.key = key
        self.form = form
        self.at = at
        self.state = state
        self.text = text
    }

    /// Whether nobody has decided it.
    public var isOpen: Bool { state == nil || state == .kept }
}
