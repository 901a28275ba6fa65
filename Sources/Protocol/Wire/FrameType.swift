// SPDX-License-Identifier: Apache-2.0
/// The descriptor of each message: its number (docs/protocol.md section 5), its queue and cost, and
/// how it is read. An unknown odd type is ignored, an unknown even one closes the connection.
package enum FrameType: UInt8, CaseIterable, Sendable {
    case hello = 0
    case helloAck = 2
    case frontier = 4
    case want = 6
    case entries = 8
    case forkProof = 10
    case have = 11
    case lazy = 9
    case peerExchange = 13
    case ping = 14
    case pong = 15
    case verifyStart = 16
    case verifyEnd = 17
    case verifyNonce = 18
    case verifyOpen = 20
    case verifyMAC = 22
    case propose = 24
    case ready = 26
    case decline = 28
    case withdraw = 30
    case prepare = 32
    case vote = 34
    case certificate = 36
    case query = 38
    case status = 40
    case directMessage = 42
    case directAck = 44
    case close = 46
    case ask = 48
    case relayOpen = 49
    case relayReady = 51
    case relayData = 53
    case relayTook = 55
    case relayEnd = 57
    // 59 stands in the vectors as a type that is unknown and ignored.
    case layout = 61
    case layouts = 63
    case form = 65
    case formAck = 67
    case venueMark = 69
    case venue = 71
    case statement = 73
    case statements = 75
    case asks = 77
    case summary = 79
    case peerChange = 81
}

/// What holds for every message of a type, whatever is in it.
package struct MessageTraits: Hashable, Sendable {
    /// Where it waits for its connection (docs/protocol.md section 7).
    package enum Queue: Hashable, Sendable {
        /// Before all others; when they pile up, the connection ends.
        case control
        /// Behind control.
        case messages
        /// Behind everything else, as far as there is capacity.
        case bulk
    }

    /// What its receiver charges it to (docs/protocol.md section 7).
    package enum Cost: Hashable, Sendable {
        /// The session takes it itself.
        case session
        /// Each part of it may cost a signature, or a row on the disk.
        case entries
        /// It is one request.
        case requests
        /// It has limits of its own.
        case free
    }

    /// Where it waits.
    package let queue: Queue
    /// What it is charged to.
    package let cost: Cost
    /// Whether a link made for a purpose is used by it: not what keeps logs and links in order.
    package let isPurposeful: Bool

    fileprivate init(_ queue: Queue, _ cost: Cost, purpose: Bool = false) {
        self.queue = queue
        self.cost = cost
        isPurposeful = purpose
    }
}

extension FrameType {
    /// The traits of messages of this type.
    package var traits: MessageTraits {
        switch self {
        case .hello, .helloAck, .ping, .pong, .close: MessageTraits(.control, .session)
        case .frontier, .summary, .want, .have, .lazy, .peerExchange, .peerChange:
            MessageTraits(.control, .requests)
        // There may be a proof for every author: as control they would end the connection.
        case .entries, .forkProof: MessageTraits(.bulk, .entries)
        // In one queue, so that a digest does not overtake what it is of.
        case .layout, .layouts: MessageTraits(.bulk, .entries)
        case .venueMark, .venue, .statement, .statements, .asks: MessageTraits(.bulk, .entries)
        case .form, .formAck: MessageTraits(.messages, .entries, purpose: true)
        case .verifyStart, .verifyNonce, .verifyOpen, .verifyMAC, .verifyEnd:
            MessageTraits(.control, .requests, purpose: true)
        case .propose, .ask, .ready, .decline, .withdraw, .prepare, .query:
            MessageTraits(.control, .requests, purpose: true)
        case .vote, .certificate, .status: MessageTraits(.control, .entries, purpose: true)
        case .directMessage, .directAck: MessageTraits(.messages, .entries, purpose: true)
        case .relayOpen: MessageTraits(.control, .requests)
        // What a circuit carries has a window of its own; only to open one makes work.
        case .relayReady, .relayTook, .relayEnd: MessageTraits(.control, .free)
        case .relayData: MessageTraits(.bulk, .free)
        }
    }
}

extension FrameType {
    /// Whether agents of a flight do not know it: to them it is an odd type to be ignored.
    package var isOfVenues: Bool {
        switch self {
        case .form, .formAck, .venueMark, .venue, .statement, .statements, .asks: true
        case .hello, .helloAck, .frontier, .summary, .want, .entries, .forkProof, .have, .lazy,
            .peerExchange, .peerChange, .ping, .pong, .verifyStart, .verifyEnd, .verifyNonce,
            .verifyOpen,
            .verifyMAC, .propose, .ready, .decline, .withdraw, .prepare, .vote, .certificate,
            .query, .status, .directMessage, .directAck, .close, .ask, .relayOpen, .relayReady,
            .relayData, .relayTook, .relayEnd, .layout, .layouts:
            false
        }
    }

    /// Whether agents of such a gathering know it.
    func isKnown(under rules: MessageRules) -> Bool { rules == .venue || !isOfVenues }

    /// Reads the payload of a frame of this type, as agents of such a gathering write it.
    func read(
        _ reader: inout CBORReader, _ rules: MessageRules
    ) throws(DecodeError) -> Message {
        switch self {
        case .hello: return .hello(try Hello(&reader))
        case .helloAck: return .helloAck(try HelloAck(&reader))
        case .frontier: return .frontier(try FrontierMessage(&reader, rules))
        case .want: return .want(try Want(&reader, rules))
        case .entries: return .entries(try EntryBatch(&reader))
        case .forkProof:
            try reader.array(2)
            return .forkProof(
                first: try reader.bytes(1...Limits.entry),
                second: try reader.bytes(1...Limits.entry))
        case .have: return .have(try Have.list(&reader, rules))
        case .lazy:
            try reader.array(0)
            return .lazy
        case .peerExchange: return .peerExchange(try PeerHint.list(&reader))
        case .summary: return .summary(try SummaryMessage(&reader))
        case .peerChange: return .peerChange(try PeerHint.list(&reader, atLeast: 0))
        case .ping: return .ping(try Self.number(&reader))
        case .pong: return .pong(try Self.number(&reader))
        case .propose: return .swap(.propose(try Proposal(&reader)))
        case .ask: return .swap(.ask(try Ask(&reader, rules)))
        case .ready: return .swap(.ready(try Ready(&reader, rules)))
        case .decline: return .swap(.decline(try Decline(&reader)))
        case .withdraw: return .swap(.withdraw(try Withdraw(&reader)))
        case .prepare: return .swap(.prepare(try Prepare(&reader, rules)))
        case .vote: return .swap(.vote(try VoteMessage(&reader)))
        case .certificate: return .swap(.certificate(try Certificate(&reader)))
        case .query:
            try reader.array(1)
            return .swap(.query(try reader.value(ContractID.self)))
        case .status: return .swap(.status(try Status(&reader)))
        case .directMessage:
            try reader.array(2)
            return .directMessage(
                id: try ThreadID.read(&reader), text: try reader.text(max: Limits.chatText))
        case .directAck:
            try reader.array(1)
            return .directAck(id: try ThreadID.read(&reader))
        case .close:
            try reader.array(2)
            return .close(
                code: try reader.uint(max: 65_535), text: try reader.text(max: Limits.closeText))
        case .verifyStart: return .verify(try .readStart(&reader))
        case .verifyNonce: return .verify(try .readNonce(&reader))
        case .verifyOpen: return .verify(try .readOpen(&reader))
        case .verifyMAC: return .verify(try .readMAC(&reader))
        case .verifyEnd: return .verify(try .readEnd(&reader))
        case .relayOpen: return .relay(try .readOpen(&reader))
        case .relayReady: return .relay(try .readReady(&reader))
        case .relayData: return .relay(try .readData(&reader))
        case .relayTook: return .relay(try .readTook(&reader))
        case .relayEnd: return .relay(try .readEnd(&reader))
        case .layout: return .layout(try .readSuggestion(&reader))
        case .layouts: return .layout(try .readKnown(&reader))
        case .form: return .venue(try .readForm(&reader))
        case .formAck: return .venue(try .readFormAck(&reader))
        case .venueMark: return .venue(try .readMark(&reader))
        case .venue: return .venue(.page(try VenuePage(&reader)))
        case .statement: return .venue(.statement(try VenueStatement(&reader)))
        case .statements: return .venue(try .readStatements(&reader))
        case .asks: return .venue(try .readAsks(&reader))
        }
    }

    /// PING and PONG.
    private static func number(_ reader: inout CBORReader) throws(DecodeError) -> Int {
        try reader.array(1)
        return try reader.uint()
    }
}
