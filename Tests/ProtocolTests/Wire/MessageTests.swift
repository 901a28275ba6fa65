// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

/// Reads a frame by the rules of venues, which know every type.
private func decode(_ bytes: [UInt8], limit: Int = Limits.frame) throws -> Message? {
    var decoder = FrameDecoder(limit: limit)
    decoder.append(bytes)
    let frame = try #require(try decoder.next())
    #expect(decoder.waiting == 0)
    return try Message.decode(frame, rules: .venue)
}

@Test func everyMessageComesBack() throws {
    let messages = try MessageSamples.all()
    for message in messages {
        #expect(try decode(message.encode()) == message)
    }
    let kinds = Set(messages.map(\.type))
    #expect(kinds == Set(FrameType.allCases))
}

/// Queue, cost and purpose of every message, as docs/protocol.md section 7 and section 23 have
/// them.
@Test func everyMessageHasItsTraits() {
    func types(_ holds: (MessageTraits) -> Bool) -> String {
        FrameType.allCases.filter { holds($0.traits) }.map { "\($0)" }.joined(separator: " ")
    }
    #expect(types { $0.queue == .messages } == "directMessage directAck form formAck")
    #expect(
        types { $0.queue == .bulk }
            == """
            entries forkProof relayData layout layouts venueMark venue statement statements asks
            """)
    #expect(types { $0.cost == .session } == "hello helloAck ping pong close")
    #expect(types { $0.cost == .free } == "relayReady relayData relayTook relayEnd")
    #expect(
        types { $0.cost == .requests }
            == """
            frontier want have lazy peerExchange verifyStart verifyEnd verifyNonce verifyOpen \
            verifyMAC propose ready decline withdraw prepare query ask relayOpen summary \
            peerChange
            """)
    #expect(
        types(\.isPurposeful)
            == """
            verifyStart verifyEnd verifyNonce verifyOpen verifyMAC propose ready decline withdraw \
            prepare vote certificate query status directMessage directAck ask form formAck
            """)
}

/// 200 000 damaged frames, and a third of them in `make test`: none traps, and what is accepted
/// encodes to the very same bytes.
@Test func damagedMessagesAreRefusedOrExact() throws {
    var random = SeededRandom(seed: 7)
    var accepted = 0
    for message in try MessageSamples.all() {
        let good = message.encode()
        for _ in 0..<Soak.rounds(9000, short: 3000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            var decoder = FrameDecoder(limit: Limits.frame)
            decoder.append(bytes)
            guard let frame = try? decoder.next(),
                let again = try? Message.decode(frame, rules: .venue)
            else { continue }
            accepted += 1
            #expect(again.encode() == frame.bytes)
        }
    }
    #expect(accepted > 100)
}

@Test func unknownTypesGoByParity() throws {
    #expect(try Message.decode(Frame(type: 201, payload: [0xFF])) == nil)
    #expect(try Message.decode(Frame(type: 59, payload: [])) == nil)
    #expect(throws: Message.Fault.unsupported) {
        try Message.decode(Frame(type: 200, payload: []))
    }
}

@Test func lengthsAreCheckedBeforeAnythingGrows() throws {
    func first(_ bytes: [UInt8], limit: Int) -> Result<Frame?, DecodeError> {
        var decoder = FrameDecoder(limit: limit)
        decoder.append(bytes)
        do throws(DecodeError) { return .success(try decoder.next()) } catch {
            return .failure(error)
        }
    }
    #expect(first([0, 0, 0, 0], limit: 4096) == .failure(DecodeError(.tooSmall)))
    #expect(first([0xFF, 0xFF, 0xFF, 0xFF], limit: 4096) == .failure(DecodeError(.tooLarge)))
    #expect(first([0, 0, 0x10, 0x01], limit: 4096) == .failure(DecodeError(.tooLarge)))
    #expect(first([0, 0, 0x10, 0x00], limit: 4096) == .success(nil))
    #expect(first([0, 0, 0], limit: 4096) == .success(nil))
    let frame = Frame(type: 1, payload: [])
    #expect(first([0, 0, 0, 1, 1], limit: 4096) == .success(frame))
}

@Test func framesComeOutOfAnySlicing() throws {
    let stream = try MessageSamples.all().flatMap { $0.encode() }
    for size in [1, 2, 3, 7, 64, 1000] {
        var decoder = FrameDecoder(limit: Limits.frame)
        var found: [Message] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            decoder.append(Array(stream[start..<min(start + size, stream.count)]))
            while let frame = try decoder.next() {
                if let message = try Message.decode(frame, rules: .venue) {
                    found.append(message)
                }
            }
        }
        #expect(found == (try MessageSamples.all()))
    }
}

/// Frames that come apart anywhere, drawn after each piece or after several, read where they lie.
@Test func framesComeApartAnywhere() throws {
    let messages = try MessageSamples.all()
    let stream = messages.flatMap { $0.encode() }
    for seed in 0..<60 {
        var random = SeededRandom(seed: UInt64(seed))
        let most = Int.random(in: 1...400, using: &random)
        var decoder = FrameDecoder(limit: Limits.frame)
        var found: [Message] = []
        var (place, drawn) = (0, 0)
        while place < stream.count {
            let count = min(Int.random(in: 1...most, using: &random), stream.count - place)
            decoder.append(Array(stream[place..<place + count]))
            place += count
            #expect(decoder.waiting == place - drawn)
            guard Int.random(in: 0..<3, using: &random) > 0 || place == stream.count else {
                continue
            }
            while let frame = try decoder.draw() {
                let message = try #require(try decoder.message(frame, rules: .venue))
                drawn += message.encode().count
                #expect(decoder.waiting == place - drawn)
                found.append(message)
                // One frame only, now and then: whole ones wait before what comes next.
                if place < stream.count, Int.random(in: 0..<8, using: &random) == 0 { break }
            }
        }
        #expect(found == messages && decoder.waiting == 0)
    }
}

/// A length that came apart is judged as soon as its four bytes are there.
@Test func lengthsThatCameApartAreChecked() throws {
    for (length, reason) in [
        ([0, 0, 0, 0], DecodeError.Code.tooSmall), ([0, 0, 16, 1], .tooLarge),
    ] {
        for place in 1...3 {
            var decoder = FrameDecoder(limit: 4096)
            decoder.append(Frame(type: 1, payload: [5]).bytes + length[..<place].map { UInt8($0) })
            #expect(try decoder.next() == Frame(type: 1, payload: [5]))
            #expect(try decoder.next() == nil)
            decoder.append(length[place...].map { UInt8($0) })
            #expect(throws: DecodeError(reason)) { try decoder.next() }
        }
    }
}

@Test func listsInMessagesStopAtTheirLimits() throws {
    func isRead(_ message: Message) -> Bool { (try? decode(message.encode())) != nil }
    func want(_ count: Int) -> Message {
        .want(
            Want(
                budget: 1,
                stretches: Array(
                    repeating: Want.Stretch(author: MessageSamples.key, from: 1, through: 1),
                    count: count)))
    }
    #expect(isRead(want(Limits.stretches)))
    #expect(!isRead(want(Limits.stretches + 1)))
    #expect(!isRead(.entries(EntryBatch(kind: .push, entries: [[]]))))
    let many = Array(repeating: [UInt8(1)], count: Limits.entriesPerFrame + 1)
    #expect(!isRead(.entries(EntryBatch(kind: .push, entries: many))))
    #expect(!isRead(.want(Want(budget: Limits.wantBudget + 1, stretches: []))))
}

/// The list of all authors fits into one frame.
@Test func theLongestFrontierFits() throws {
    let items = (0..<Limits.authors).map { number in
        FrontierItem(
            author: PeerKey(
                Bytes32(
                    [UInt8(number >> 8), UInt8(number & 255)] + Array(repeating: 0, count: 30))
                    ?? .zero), seq: 4096, head8: UInt64.max, fork: 4096)
    }
    let message = Message.frontier(FrontierMessage(logs: .zero, map: .zero, items: items))
    #expect(message.encode().count <= Limits.frame + 4)
    #expect(try decode(message.encode()) == message)
}
