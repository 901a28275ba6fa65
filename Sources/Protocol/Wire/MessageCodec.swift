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
        case .helloAck(let ack):
            writer.array(2)
            writer.uint(ack.minor)
            writer.uint(ack.matched)
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
        case .vote(let vote):
            writer.array(1)
            writer.byteStrings(vote.entries)
        case .certificate(let certificate): certificate.write(to: &writer)
        case .query(let contract):
            writer.array(1)
            writer.value(contract)
        case .status(let status):
            writer.array(2)
            writer.value(status.contract)
            writer.byteStrings(status.votes)
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
        case .helloAck:
            try reader.array(2)
            return .helloAck(
                HelloAck(minor: try reader.uint(max: 255), matched: try reader.uint(max: 3)))
        case .frontier: return .frontier(try FrontierMessage(&reader))
        case .want: return .want(try Want(&reader))
        case .entries: return .entries(try EntryBatch(&reader))
        case .forkProof:
            try reader.array(2)
            return .forkProof(
                first: try reader.bytes(1...Limits.entry),
                second: try reader.bytes(1...Limits.entry))
        case .have: return .have(try Have.list(&reader))
        case .lazy:
            try reader.array(0)
            return .lazy
        case .peerExchange: return .peerExchange(try PeerHint.list(&reader))
        case .ping:
            try reader.array(1)
            return .ping(try reader.uint())
        case .pong:
            try reader.array(1)
            return .pong(try reader.uint())
        case .propose, .ask, .ready, .decline, .withdraw, .prepare, .vote, .certificate, .query,
            .status:
            return try readSwap(type, from: &reader)
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
        case .verifyStart, .verifyNonce, .verifyOpen, .verifyMAC, .verifyEnd:
            return .verify(try VerifyMessage(type, &reader))
        case .relayOpen, .relayReady, .relayData, .relayTook, .relayEnd:
            return .relay(try RelayMessage(type, &reader))
        case .layout, .layouts: return .layout(try LayoutMessage(type, &reader))
        }
    }

    private static func readSwap(
        _ type: FrameType, from reader: inout CBORReader
    ) throws(DecodeError) -> Message {
        switch type {
        case .propose: return .propose(try Proposal(&reader))
        case .ask: return .ask(try Ask(&reader))
        case .ready: return .ready(try Ready(&reader))
        case .decline: return .decline(try Decline(&reader))
        case .withdraw: return .withdraw(try Withdraw(&reader))
        case .prepare: return .prepare(try Prepare(&reader))
        case .vote:
            try reader.array(1)
            return .vote(
                VoteMessage(entries: try reader.byteStrings(1...Limits.voteSuffix)))
        case .certificate: return .certificate(try Certificate(&reader))
        case .query:
            try reader.array(1)
            return .query(try reader.value(ContractID.self))
        case .status:
            try reader.array(2)
            return .status(
                Status(
                    contract: try reader.value(ContractID.self),
                    votes: try reader.byteStrings(0...2 * Limits.parties.upperBound)))
        case .hello, .helloAck, .frontier, .want, .entries, .forkProof, .have, .lazy,
            .peerExchange, .ping, .pong, .verifyStart, .verifyNonce, .verifyOpen, .verifyMAC,
            .verifyEnd, .directMessage, .directAck, .relayOpen, .relayReady, .relayData,
            .relayTook, .relayEnd, .layout, .layouts, .close:
            throw DecodeError(.badValue)
        }
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
