// SPDX-License-Identifier: Apache-2.0
/// Messages to frames and back. Every payload is one CBOR item; HELLO is a map, all others arrays.
extension Message {
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
        case .ping: .ping
        case .pong: .pong
        case .propose: .propose
        case .ask: .ask
        case .ready: .ready
        case .decline: .decline
        case .withdraw: .withdraw
        case .prepare: .prepare
        case .vote: .vote
        case .certificate: .certificate
        case .query: .query
        case .status: .status
        case .directMessage: .directMessage
        case .directAck: .directAck
        case .verify(let message): message.type
        case .relay(let message): message.type
        case .layout(let message): message.type
        case .close: .close
        }
    }

    /// The whole frame, ready for the stream.
    package func encode() -> [UInt8] {
        var out: [UInt8] = []
        encode(onto: &out)
        return out
    }

    /// Appends the whole frame to `out`.
    package func encode(onto out: inout [UInt8]) {
        // Moved, not copied: the writer is the only owner meanwhile.
        var bytes: [UInt8] = []
        swap(&bytes, &out)
        if bytes.isEmpty { bytes.reserveCapacity(256) }
        var writer = CBORWriter(frameType: type.rawValue, after: consume bytes)
        write(to: &writer)
        out = (consume writer).frame()
    }

    /// Why a frame is no message.
    package enum Fault: Error, Hashable, Sendable {
        /// Even and unknown.
        case unsupported
        /// The payload is not what the type says.
        case payload(DecodeError)
    }

    /// Reads a frame; `nil` for an odd type that is unknown: ignored.
    package static func decode(_ frame: Frame) throws(Fault) -> Message? {
        try decode(frame.type, frame.payload.span.bytes)
    }

    /// Reads the payload of a frame of this type, where it lies; `nil` as above.
    package static func decode(_ number: UInt8, _ payload: RawSpan) throws(Fault) -> Message? {
        guard let type = FrameType(rawValue: number) else {
            if number % 2 == 1 { return nil }
            throw .unsupported
        }
        do throws(DecodeError) {
            var reader = CBORReader(payload)
            let message = try read(type, from: &reader)
            try reader.finish()
            return message
        } catch {
            throw .payload(error)
        }
    }

    private func write(to writer: inout CBORWriter) {
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
        case .peerExchange(let hints): PeerHint.write(hints, to: &writer)
        case .ping(let number), .pong(let number):
            writer.array(1)
            writer.uint(number)
        case .propose(let proposal): proposal.write(to: &writer)
        case .ask(let ask): ask.write(to: &writer)
        case .ready(let ready): ready.write(to: &writer)
        case .decline(let decline): decline.write(to: &writer)
        case .withdraw(let withdraw):
            writer.array(2)
            writer.bytes(withdraw.thread.bytes)
            writer.uint(withdraw.reason.rawValue)
        case .prepare(let prepare): prepare.write(to: &writer)
        case .vote(let vote): vote.write(to: &writer)
        case .certificate(let certificate): certificate.write(to: &writer)
        case .query(let contract):
            writer.array(1)
            writer.value(contract)
        case .status(let status): status.write(to: &writer)
        case .directMessage(let id, let text):
            writer.array(2)
            id.write(to: &writer)
            writer.text(text)
        case .directAck(let id):
            writer.array(1)
            id.write(to: &writer)
        case .verify(let message): message.write(to: &writer)
        case .relay(let message): message.write(to: &writer)
        case .layout(let message): message.write(to: &writer)
        case .close(let code, let text):
            writer.array(2)
            writer.uint(code)
            writer.text(text)
        }
    }

    private static func read(
        _ type: FrameType, from reader: inout CBORReader
    ) throws(DecodeError) -> Message {
        switch type {
        case .hello: return .hello(try Hello(&reader))
        case .helloAck: return .helloAck(try HelloAck(&reader))
        case .frontier: return .frontier(try FrontierMessage(&reader))
        case .want: return .want(try Want(&reader))
        case .entries: return .entries(try EntryBatch(&reader))
        case .forkProof: return try readProof(&reader)
        case .have: return .have(try Have.list(&reader))
        case .lazy:
            try reader.array(0)
            return .lazy
        case .peerExchange: return .peerExchange(try PeerHint.list(&reader))
        case .ping: return .ping(try readNumber(&reader))
        case .pong: return .pong(try readNumber(&reader))
        case .propose: return .propose(try Proposal(&reader))
        case .ask: return .ask(try Ask(&reader))
        case .ready: return .ready(try Ready(&reader))
        case .decline: return .decline(try Decline(&reader))
        case .withdraw: return .withdraw(try Withdraw(&reader))
        case .prepare: return .prepare(try Prepare(&reader))
        case .vote: return .vote(try VoteMessage(&reader))
        case .certificate: return .certificate(try Certificate(&reader))
        case .query:
            try reader.array(1)
            return .query(try reader.value(ContractID.self))
        case .status: return .status(try Status(&reader))
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
        }
    }

    private static func readProof(_ reader: inout CBORReader) throws(DecodeError) -> Message {
        try reader.array(2)
        return .forkProof(
            first: try reader.bytes(1...Limits.entry), second: try reader.bytes(1...Limits.entry))
    }

    /// PING and PONG.
    private static func readNumber(_ reader: inout CBORReader) throws(DecodeError) -> Int {
        try reader.array(1)
        return try reader.uint()
    }

    /// What is in it that may cost a signature, or a row on the disk as an entry does.
    var entryCount: Int {
        switch self {
        case .entries(let batch): batch.entries.count
        case .vote(let vote): vote.entries.count
        case .certificate(let whole): whole.votes.count + whole.claims.count
        case .status(let status): status.votes.count
        case .forkProof: 2
        case .layout, .directMessage, .directAck: 1
        case .hello, .helloAck, .frontier, .want, .have, .lazy, .peerExchange, .ping, .pong,
            .propose, .ask, .ready, .decline, .withdraw, .prepare, .query, .verify, .relay, .close:
            0
        }
    }
}

extension HelloAck {
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.uint(minor)
        writer.uint(matched)
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        self.init(minor: try reader.uint(max: 255), matched: try reader.uint(max: 3))
    }
}

extension CBORWriter {
    /// An array of byte strings.
    mutating func byteStrings(_ list: [[UInt8]]) {
        array(list.count)
        for item in list { bytes(item) }
    }
}

extension CBORReader {
    /// An array of entries as byte strings.
    @_lifetime(self: copy self)
    mutating func byteStrings(_ count: ClosedRange<Int>) throws(DecodeError) -> [[UInt8]] {
        var list: [[UInt8]] = []
        for _ in 0..<(try array(count)) { list.append(try bytes(1...Limits.entry)) }
        return list
    }
}

extension ThreadID {
    /// A byte string of 16 bytes.
    static func read(_ reader: inout CBORReader) throws(DecodeError) -> ThreadID {
        let words = try reader.words16()
        return ThreadID(high: words.high, low: words.low)
    }

    /// The same.
    func write(to writer: inout CBORWriter) { writer.words16(high, low) }
}
