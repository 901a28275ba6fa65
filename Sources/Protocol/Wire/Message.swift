// SPDX-License-Identifier: Apache-2.0
/// Every message of a session (docs/protocol.md section 5). Entries inside are bytes still: they
/// are judged by the log.
///
/// Its case, its type and what it writes stand here, or with the family that it belongs to:
/// ``SwapMessage``, ``VerifyMessage``, ``RelayMessage``, ``LayoutMessage``, ``VenueMessage``. Its
/// number, its traits and its reader stand with ``FrameType``. Whoever takes it is the third to
/// name it, and nobody else does (`MessageNameTests`).
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
    indirect case summary(SummaryMessage)
    case peerChange([PeerHint])
    case ping(Int)
    case pong(Int)
    case directMessage(id: ThreadID, text: String)
    case directAck(id: ThreadID)
    case swap(SwapMessage)
    indirect case verify(VerifyMessage)
    indirect case relay(RelayMessage)
    indirect case layout(LayoutMessage)
    indirect case venue(VenueMessage)
    case close(code: Int, text: String)

    /// The frame type of this message.
    package var type: FrameType {
        switch self {
        case .hello: .hello
        case .helloAck: .helloAck
        case .frontier: .frontier
        case .want: .want
        case .entries: .entries
        case .forkProof: .forkProof
        case .have: .have
        case .lazy: .lazy
        case .peerExchange: .peerExchange
        case .summary: .summary
        case .peerChange: .peerChange
        case .ping: .ping
        case .pong: .pong
        case .directMessage: .directMessage
        case .directAck: .directAck
        case .swap(let message): message.type
        case .verify(let message): message.type
        case .relay(let message): message.type
        case .layout(let message): message.type
        case .venue(let message): message.type
        case .close: .close
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .hello(let hello): hello.write(to: &writer)
        case .helloAck(let ack): ack.write(to: &writer)
        case .frontier(let frontier): frontier.write(to: &writer)
        case .want(let want): want.write(to: &writer)
        case .entries(let batch): batch.write(to: &writer)
        case .forkProof(let first, let second):
            writer.array(2)
            writer.bytes(first)
            writer.bytes(second)
        case .have(let haves): Have.write(haves, to: &writer)
        case .lazy: writer.array(0)
        case .peerExchange(let hints), .peerChange(let hints):
            PeerHint.write(hints, to: &writer)
        case .summary(let summary): summary.write(to: &writer)
        case .ping(let number), .pong(let number):
            writer.array(1)
            writer.uint(number)
        case .directMessage(let id, let text):
            writer.array(2)
            id.write(to: &writer)
            writer.text(text)
        case .directAck(let id):
            writer.array(1)
            id.write(to: &writer)
        case .swap(let message): message.write(to: &writer)
        case .verify(let message): message.write(to: &writer)
        case .relay(let message): message.write(to: &writer)
        case .layout(let message): message.write(to: &writer)
        case .venue(let message): message.write(to: &writer)
        case .close(let code, let text):
            writer.array(2)
            writer.uint(code)
            writer.text(text)
        }
    }

    /// What is in it that may cost a signature, or a row on the disk as an entry does.
    var entryCount: Int {
        switch self {
        case .entries(let batch): batch.entries.count
        case .swap(let message): message.entryCount
        case .venue(let message): message.entryCount
        case .forkProof: 2
        case .layout, .directMessage, .directAck: 1
        case .hello, .helloAck, .frontier, .summary, .want, .have, .lazy, .peerExchange,
            .peerChange, .ping, .pong, .verify, .relay, .close:
            0
        }
    }
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
    /// Bits that only add: ``onDemand``, ``changes``; unknown ones mean nothing.
    package var features: Int

    /// A passenger waits for this connection: it ends when it is idle, and is not one of the mesh.
    package static let onDemand = 1
    /// Reads SUMMARY and PEX_CHANGE, which agents without this bit ignore.
    package static let changes = 2

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
    /// Number of entries known, 1...4096; in a venue up to 32768.
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
