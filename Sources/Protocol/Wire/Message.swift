// SPDX-License-Identifier: Apache-2.0
/// Every message of a session (docs/protocol.md section 5). Entries inside are bytes still: they
/// are judged by the log.
///
/// Payloads of more than 32 bytes are indirect, so that the small ones, of which there are
/// many, are cheap to hand on.
package enum Message: Hashable, Sendable {
    indirect case hello(Hello)
    case helloAck(HelloAck)
    indirect case frontier(FrontierMessage)
    case want(Want)
    case entries(EntryBatch)
    case forkProof(first: [UInt8], second: [UInt8])
    case have([Have])
    case lazy
    case peerExchange([PeerHint])
    case ping(Int)
    case pong(Int)
    indirect case propose(Proposal)
    indirect case ask(Ask)
    indirect case ready(Ready)
    indirect case decline(Decline)
    case withdraw(Withdraw)
    case prepare(Prepare)
    case vote(VoteMessage)
    case certificate(Certificate)
    case query(ContractID)
    indirect case status(Status)
    case directMessage(id: ThreadID, text: String)
    case directAck(id: ThreadID)
    indirect case verify(VerifyMessage)
    indirect case relay(RelayMessage)
    indirect case layout(LayoutMessage)
    case close(code: Int, text: String)
}

/// HELLO: versions, process and membership proofs (docs/protocol.md section 6). No name, no seat.
package struct Hello: Hashable, Sendable {
    /// Lowest and highest minor version spoken.
    package var minors: ClosedRange<Int>
    /// Version of the fold's rules.
    package var foldVersion: Int
    /// 8 random bytes of this process.
    package var boot: UInt64
    /// Number of this connection within the process, growing.
    package var connection: Int
    /// Largest frame accepted, in bytes.
    package var maxFrame: Int
    /// TCP port the peer listens on.
    package var port: UInt16
    /// 1...4 proofs of 16 bytes: the flight and its aliases.
    package var proofs: [[UInt8]]
    /// Bits that only add: ``onDemand``; unknown ones mean nothing.
    package var features: Int

    /// A passenger waits for this connection: it ends when it is idle, and is not one of the mesh.
    package static let onDemand = 1

    /// What an agent says of itself when a session begins.
    package init(
        minors: ClosedRange<Int>, foldVersion: Int, boot: UInt64, connection: Int, maxFrame: Int,
        port: UInt16, proofs: [[UInt8]], features: Int
    ) {
        self.minors = minors
        self.foldVersion = foldVersion
        self.boot = boot
        self.connection = connection
        self.maxFrame = maxFrame
        self.port = port
        self.proofs = proofs
        self.features = features
    }
}

/// HELLO_ACK: the minor version chosen and which of the other's proofs matched.
package struct HelloAck: Hashable, Sendable {
    /// The highest common minor.
    package var minor: Int
    /// Index in the other's proofs, 0...3.
    package var matched: Int

    /// The minor version that both speak, and which proof matched.
    package init(minor: Int, matched: Int) {
        self.minor = minor
        self.matched = matched
    }
}

/// A place in somebody's log: sequence number and the first 8 bytes of the entry's id.
package struct FrontierItem: Hashable, Sendable {
    /// Whose log.
    package var author: PeerKey
    /// Number of entries known, 1...4096.
    package var seq: Int
    /// First 8 bytes of the head's id, big-endian.
    package var head8: UInt64
    /// Smallest forked sequence number known; 0 for none.
    package var fork: Int

    /// The head of the log of `author`, and where it forked.
    package init(author: PeerKey, seq: Int, head8: UInt64, fork: Int) {
        self.author = author
        self.seq = seq
        self.head8 = head8
        self.fork = fork
    }
}

/// FRONTIER: digest first, the full list when digests differ (docs/protocol.md section 11).
package struct FrontierMessage: Hashable, Sendable {
    /// SHA-256 over the sorted list.
    package var logs: Bytes32
    /// Digest of the map at that frontier.
    package var map: Bytes32
    /// Sorted by author; `nil` in the short form.
    package var items: [FrontierItem]?
    /// Only what changed since the sender's last list on this connection: who is not named did not.
    package var isPartial: Bool

    /// Digests of logs and map; `items` where the logs are listed.
    package init(logs: Bytes32, map: Bytes32, items: [FrontierItem]?, isPartial: Bool = false) {
        self.logs = logs
        self.map = map
        self.items = items
        self.isPartial = isPartial
    }
}

/// WANT: ranges of logs, answered within a budget of bytes.
package struct Want: Hashable, Sendable {
    /// A stretch of one log, ends included.
    package struct Stretch: Hashable, Sendable {
        /// Whose log.
        package var author: PeerKey
        /// First sequence number.
        package var from: Int
        /// Last sequence number.
        package var through: Int

        /// The entries of `author` from one position through another.
        package init(author: PeerKey, from: Int, through: Int) {
            self.author = author
            self.from = from
            self.through = through
        }
    }
    /// Bytes of entries that may come, at most 256 KiB.
    package var budget: Int
    /// At most 64 stretches.
    package var stretches: [Stretch]

    /// Asks for these stretches, up to `budget` bytes.
    package init(budget: Int, stretches: [Stretch]) {
        self.budget = budget
        self.stretches = stretches
    }
}

/// ENTRIES: pushed, or the answer to a WANT in slices.
package struct EntryBatch: Hashable, Sendable {
    /// Why they come.
    package enum Kind: Int, Sendable {
        /// New ones, unasked, against the push credit.
        case push = 0
        /// A slice of an answer.
        case answer = 1
        /// The last slice of an answer.
        case last = 2
    }
    /// Why they come.
    package var kind: Kind
    /// Whole entries; at most 16 KiB together unless it is one entry.
    package var entries: [[UInt8]]

    /// Entries, and why they come.
    package init(kind: Kind, entries: [[UInt8]]) {
        self.kind = kind
        self.entries = entries
    }
}

/// HAVE: a log has grown; nothing is sent until it is wanted.
package struct Have: Hashable, Sendable {
    /// Whose log.
    package var author: PeerKey
    /// Its length here.
    package var seq: Int

    /// Says that the log of `author` is known through `seq`.
    package init(author: PeerKey, seq: Int) {
        self.author = author
        self.seq = seq
    }
}

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
