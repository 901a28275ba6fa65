// SPDX-License-Identifier: Apache-2.0
// What the messages of negotiations carry, and how it is written and read.

/// A place in a log with the entry's full id.
package struct LogHead: Hashable, Sendable {
    /// Whose log.
    package var author: PeerKey
    /// 0 for an empty log.
    package var seq: Int
    /// The entry there; zero bytes for an empty log.
    package var id: EntryID

    /// The last entry of the log of `author`.
    package init(author: PeerKey, seq: Int, id: EntryID) {
        self.author = author
        self.seq = seq
        self.id = id
    }
}

/// PROPOSE: an offer or a counter-offer, one revision of a thread (docs/protocol.md section 16).
package struct Proposal: Hashable, Sendable {
    /// The negotiation.
    package var thread: ThreadID
    /// 1 for the first; every change is one more.
    package var revision: Int
    /// The contract's bytes.
    package var contract: [UInt8]
    /// A few words, at most 200 bytes.
    package var note: String
    /// Seconds that it stands, counted by each side from when it was sent or came.
    package var expires: Int

    /// Revision `revision` of a proposal that stands for `expires` seconds.
    package init(thread: ThreadID, revision: Int, contract: [UInt8], note: String, expires: Int) {
        self.thread = thread
        self.revision = revision
        self.contract = contract
        self.note = note
        self.expires = expires
    }
}

/// ASK: one passenger asks one other, who coordinates; the asker's consent
/// for as long as it stands.
package struct Ask: Hashable, Sendable {
    /// The negotiation.
    package var thread: ThreadID
    /// The contract's bytes; its coordinator is the receiver.
    package var contract: [UInt8]
    /// A few words, at most 200 bytes.
    package var note: String
    /// Seconds that it stands, counted by each side from when it was sent or came.
    package var expires: Int
    /// The sender's own head.
    package var head: LogHead

    /// A request of one other passenger that stands for `expires` seconds.
    package init(
        thread: ThreadID, contract: [UInt8], note: String, expires: Int, head: LogHead
    ) {
        self.thread = thread
        self.contract = contract
        self.note = note
        self.expires = expires
        self.head = head
    }
}

/// READY: consent to one exact contract, soft.
package struct Ready: Hashable, Sendable {
    /// The negotiation.
    package var thread: ThreadID
    /// The contract consented to.
    package var contract: ContractID
    /// The sender's own head.
    package var head: LogHead

    /// Consent to that contract, with the head of the sender's log.
    package init(thread: ThreadID, contract: ContractID, head: LogHead) {
        self.thread = thread
        self.contract = contract
        self.head = head
    }
}

/// DECLINE: no before anything binds.
package struct Decline: Hashable, Sendable {
    /// The negotiation.
    package var thread: ThreadID
    /// The revision declined.
    package var revision: Int
    /// A few words, usually none.
    package var note: String

    /// A no to that revision.
    package init(thread: ThreadID, revision: Int, note: String) {
        self.thread = thread
        self.revision = revision
        self.note = note
    }
}

/// WITHDRAW: an offer or a READY is taken back.
package struct Withdraw: Hashable, Sendable {
    /// Why.
    package enum Reason: Int, CaseIterable, Sendable {
        /// Its author took it back.
        case cancelled = 0
        /// Its time ran out.
        case expired = 1
        /// Another party said no, or it cannot be made any more.
        case failed = 2
        /// A READY lapsed; the offer stands.
        case lapsed = 3
    }
    /// The negotiation.
    package var thread: ThreadID
    /// Why.
    package var reason: Reason

    /// Ends the thread, for that reason.
    package init(thread: ThreadID, reason: Reason) {
        self.thread = thread
        self.reason = reason
    }
}

/// PREPARE: all consented; here is the contract and the heads to be synced to.
package struct Prepare: Hashable, Sendable {
    /// The negotiation.
    package var thread: ThreadID
    /// The contract's bytes.
    package var contract: [UInt8]
    /// One head a party, sorted by key.
    package var heads: [LogHead]

    /// Asks for votes on the contract, once logs reach `heads`.
    package init(thread: ThreadID, contract: [UInt8], heads: [LogHead]) {
        self.thread = thread
        self.contract = contract
        self.heads = heads
    }
}

/// VOTE: a vote entry, after the entries of the voter's log that the receiver may lack.
package struct VoteMessage: Hashable, Sendable {
    /// Entries of one author in order; the last one is the vote.
    package var entries: [[UInt8]]

    /// The sender's vote, after the entries before it that the receiver may lack.
    package init(entries: [[UInt8]]) {
        self.entries = entries
    }
}

/// CERT: a contract with all yes votes and the claims it rests on.
package struct Certificate: Hashable, Sendable {
    /// The contract's bytes.
    package var contract: [UInt8]
    /// One yes of each party, in the order of the parties.
    package var votes: [[UInt8]]
    /// Claims, sorted by id.
    package var claims: [[UInt8]]

    /// A contract with its votes and the claims that it rests on.
    package init(contract: [UInt8], votes: [[UInt8]], claims: [[UInt8]]) {
        self.contract = contract
        self.votes = votes
        self.claims = claims
    }
}

/// STATUS: the votes on a contract that the sender knows.
package struct Status: Hashable, Sendable {
    /// The contract.
    package var contract: ContractID
    /// Vote entries, at most two a party.
    package var votes: [[UInt8]]

    /// The votes that the sender knows.
    package init(contract: ContractID, votes: [[UInt8]]) {
        self.contract = contract
        self.votes = votes
    }
}

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

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(5)
        self.init(
            thread: try ThreadID.read(&reader), contract: try reader.bytes(1...Limits.contract),
            note: try reader.text(max: Limits.note),
            expires: try reader.uint(in: 1...Int(Limits.offerTimeMax.wholeSeconds)),
            head: try LogHead(&reader, rules))
    }
}

extension Ready {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(thread.bytes)
        writer.value(contract)
        head.write(to: &writer)
    }

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(3)
        self.init(
            thread: try ThreadID.read(&reader), contract: try reader.value(ContractID.self),
            head: try LogHead(&reader, rules))
    }
}

extension LogHead {
    func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.value(author)
        writer.uint(seq)
        writer.value(id)
    }

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(3)
        self.init(
            author: try reader.value(PeerKey.self),
            seq: try reader.uint(max: rules.entries),
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
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.bytes(thread.bytes)
        writer.uint(reason.rawValue)
    }

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

    init(_ reader: inout CBORReader, _ rules: MessageRules) throws(DecodeError) {
        try reader.array(3)
        let thread = try ThreadID.read(&reader)
        let contract = try reader.bytes(1...Limits.contract)
        var heads: [LogHead] = []
        for _ in 0..<(try reader.array(Limits.parties)) {
            let head = try LogHead(&reader, rules)
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
