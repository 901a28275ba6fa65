// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol
import ProtocolTestKit
import Testing

@testable import Rendezvous

/// One tunnel: its frames in every order, and what ends it (docs/meet.md section 8).
@Suite("A tunnel") struct TunnelTests {
    private static let primitives: any Primitives = {
        guard let primitives = SodiumPrimitives() else { preconditionFailure("no libsodium") }
        return primitives
    }()
    private let now = Instant.zero + .seconds(100)

    /// Both ends, after the answer.
    struct Pair {
        var opener: Tunnel
        var asked: Tunnel
    }

    static func pair(_ number: UInt8) throws -> PageKey {
        try require(PageKey(seed: [UInt8](repeating: number, count: 32)))
    }

    static func opening(
        to: PeerKey = FakeSigner(2).key, boxKey: Bytes32? = nil,
        at time: UTCTime = .init(seconds: 9)
    ) throws -> (opening: TunnelOpening, bytes: [UInt8]) {
        let ends = TunnelOpening.Ends(
            from: FakeSigner(1).key, own: try pair(1), to: to,
            boxKey: try boxKey ?? pair(2).key)
        let id = try require(TunnelID([UInt8](repeating: 7, count: 16)))
        return try require(
            TunnelOpening.make(id, ends, fresh: try pair(3), at: time, primitives))
    }

    static func read(_ bytes: [UInt8]) throws -> TunnelOpening? {
        let key = try pair(1).key
        return TunnelOpening(bytes, to: FakeSigner(2).key, own: try pair(2), primitives) {
            $0 == FakeSigner(1).key ? key : nil
        }
    }

    private func frames(_ output: [Tunnel.Output]) -> [[UInt8]] {
        output.compactMap { if case .send(let frame) = $0 { frame } else { nil } }
    }

    private func bytes(_ output: [Tunnel.Output]) -> [UInt8] {
        output.flatMap { one -> [UInt8] in if case .bytes(let bytes) = one { bytes } else { [] } }
    }

    private func end(_ output: [Tunnel.Output]) -> TunnelEnd? {
        if case .ended(let reason) = output.last { reason } else { nil }
    }

    private func deliver(
        _ frame: [UInt8], _ tunnel: inout Tunnel, at time: Instant? = nil
    ) throws -> [Tunnel.Output] {
        let place = try require(TunnelFrame.place(frame))
        return tunnel.take(frame, seq: place.seq, at: time ?? now)
    }

    private func open() throws -> Pair {
        let made = try Self.opening()
        let read = try require(try Self.read(made.bytes))
        #expect(read == made.opening)
        var pair = Pair(
            opener: Tunnel(made.opening, isOpener: true, at: now, Self.primitives),
            asked: Tunnel(read, isOpener: false, at: now, Self.primitives))
        let answer = pair.asked.welcome()
        #expect(answer.last == .began)
        #expect(try deliver(frames(answer)[0], &pair.opener) == [.began])
        return pair
    }

    private func send(_ bytes: [UInt8], _ tunnel: inout Tunnel) -> [[UInt8]] {
        tunnel.write(bytes)
        var all: [[UInt8]] = []
        while tunnel.hasMore { all += frames(tunnel.flush(at: now)) }
        return all
    }

    @Test func bytesGoBothWaysInOrder() throws {
        var pair = try open()
        let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        var got: [UInt8] = []
        pair.opener.write(long)
        var turns = 0
        while got.count < long.count {
            turns += 1
            try #require(turns < 100)
            for frame in frames(pair.opener.flush(at: now)) {
                let output = try deliver(frame, &pair.asked)
                got += bytes(output)
                for back in frames(output) { _ = try deliver(back, &pair.opener) }
            }
        }
        #expect(got == long)
        let back = send([1, 2, 3], &pair.asked)
        #expect(bytes(try deliver(back[0], &pair.opener)) == [1, 2, 3])
        let farewell = pair.asked.end(.closed)
        #expect(end(try deliver(frames(farewell)[0], &pair.opener)) == .closed)
    }

    /// All ways in which up to six of four frames come: lost, twice, and in every order.
    @Test func inWhateverOrderFramesComeTheBytesAreABeginningOfThem() throws {
        var pair = try open()
        let all = (1...4).flatMap { send([UInt8($0)], &pair.opener) }
        #expect(all.count == 4)
        let fresh = pair.asked
        for length in 1...6 {
            for code in 0..<(1 << (2 * length)) {
                let order = (0..<length).map { code >> (2 * $0) & 3 }
                var tunnel = fresh
                var got: [UInt8] = []
                for number in order { got += bytes(try deliver(all[number], &tunnel)) }
                // What follows without a gap.
                let whole = (0..<4).first { !order.contains($0) } ?? 4
                #expect(got == (0..<whole).map { UInt8($0 + 1) }, "\(order)")
                let hasGap = order.contains { $0 > whole }
                let late = tunnel.tick(at: now + TunnelLimits.gap)
                #expect(end(late) == (hasGap ? .lost : nil), "\(order)")
            }
        }
    }

    @Test func whatNobodyButTheOtherEndWroteIsNothing() throws {
        var pair = try open()
        let frame = send([1, 2, 3], &pair.opener)[0]
        for place in frame.indices {
            for bit in 0..<8 {
                var bent = frame
                bent[place] ^= 1 << bit
                guard let (id, seq) = TunnelFrame.place(bent), id == pair.asked.id else { continue }
                #expect(pair.asked.take(bent, seq: seq, at: now).isEmpty)
            }
        }
        for count in frame.indices {
            let short = Array(frame.prefix(count))
            guard let (_, seq) = TunnelFrame.place(short) else { continue }
            #expect(pair.asked.take(short, seq: seq, at: now).isEmpty)
        }
        // Not even a frame of the other direction.
        #expect(try deliver(frame, &pair.opener).isEmpty)
        #expect(bytes(try deliver(frame, &pair.asked)) == [1, 2, 3])
        #expect(try deliver(frame, &pair.asked).isEmpty)
    }

    @Test func anOpenThatIsBentOrForSomebodyElseIsNothing() throws {
        let bytes = try Self.opening().bytes
        #expect(TunnelOpening.sizes.contains(bytes.count))
        for place in bytes.indices {
            var bent = bytes
            bent[place] ^= 1
            #expect(try Self.read(bent) == nil, "byte \(place)")
            #expect(try Self.read(Array(bytes.prefix(place))) == nil)
        }
        #expect(try Self.read(bytes + [0]) == nil)
        #expect(try Self.read(try Self.opening(to: FakeSigner(3).key).bytes) == nil)
        #expect(try Self.read(try Self.opening(boxKey: Self.pair(4).key).bytes) == nil)
        // A box key of small order, with which everybody agrees.
        let ends = TunnelOpening.Ends(
            from: FakeSigner(1).key, own: try Self.pair(1), to: FakeSigner(2).key, boxKey: .zero)
        let made = TunnelOpening.make(
            try require(TunnelID([UInt8](repeating: 7, count: 16))), ends,
            fresh: try Self.pair(3), at: UTCTime(seconds: 9), Self.primitives)
        #expect(made == nil)
    }

    @Test func nobodyOpensInAnothersName() throws {
        // Somebody with a pair of their own, who says that they are the first passenger.
        let ends = TunnelOpening.Ends(
            from: FakeSigner(1).key, own: try Self.pair(5), to: FakeSigner(2).key,
            boxKey: try Self.pair(2).key)
        let made = try require(
            TunnelOpening.make(
                try require(TunnelID([UInt8](repeating: 7, count: 16))), ends,
                fresh: try Self.pair(3), at: UTCTime(seconds: 9), Self.primitives))
        #expect(try Self.read(made.bytes) == nil)
    }

    @Test func anOpenCountsOnceAndInItsMinute() throws {
        var gate = OpeningGate(at: now)
        let opening = try Self.opening(at: UTCTime(seconds: 1000)).opening
        func admits(_ instant: Instant, _ clock: Int64, _ gate: inout OpeningGate) -> Bool {
            gate.answer(opening, at: Moment(instant: instant, utc: UTCTime(seconds: clock)))
                == .taken
        }
        let early = Moment(instant: now, utc: UTCTime(seconds: 900))
        var refusing = gate
        #expect(refusing.answer(opening, at: early) == .clock(100))
        // Its one answer was given, with a key and a nonce that must not come again.
        #expect(refusing.answer(opening, at: early) == .dropped)
        #expect(!admits(now, 1000, &refusing))
        for clock in [Int64(939), 1061] {
            var stranger = gate
            #expect(!admits(now, clock, &stranger))
        }
        #expect(admits(now, 1060, &gate))
        #expect(
            gate.answer(opening, at: Moment(instant: now, utc: UTCTime(seconds: 1200)))
                == .dropped)
        #expect(!admits(now + .seconds(5), 1060, &gate))
        var other = OpeningGate(at: now)
        #expect(admits(now, 940, &other))
        #expect(!admits(now + .seconds(119), 1060, &other))
    }

    @Test func whatTheOtherEndMayNotDoEndsIt() throws {
        // More in flight than the window.
        var pair = try open()
        var output: [Tunnel.Output] = []
        let piece = TunnelBody.data([UInt8](repeating: 0, count: TunnelLimits.piece))
        let keys = try Self.opening().opening.keys
        func forge(_ body: TunnelBody, _ seq: UInt32, back: Bool = false) throws -> [UInt8] {
            try require(
                TunnelFrame.seal(
                    body, pair.asked.id, seq: seq, key: back ? keys.back : keys.there,
                    Self.primitives))
        }
        // Early ones fill what is set aside for them, and no more.
        for seq in UInt32(2)...6 { output += try deliver(try forge(piece, seq), &pair.asked) }
        #expect(end(output) == .lost)
        pair = try open()
        #expect(end(try deliver(try forge(.took(1), 1), &pair.asked)) == .lost)
        pair = try open()
        #expect(end(try deliver(try forge(.ready, 1), &pair.asked)) == .lost)
        pair = try open()
        #expect(end(try deliver(try forge(.ready, 2, back: true), &pair.opener)) == .lost)
    }

    @Test func waitsEnd() throws {
        let made = try Self.opening()
        var lonely = Tunnel(made.opening, isOpener: true, at: now, Self.primitives)
        #expect(lonely.nextDeadline == now + .seconds(10))
        #expect(lonely.tick(at: now + .milliseconds(9999)).isEmpty)
        #expect(end(lonely.tick(at: now + .seconds(10))) == .notReached)
        #expect(lonely.nextDeadline == nil)
        var pair = try open()
        #expect(pair.opener.tick(at: now + .milliseconds(119_999)).isEmpty)
        #expect(end(pair.opener.tick(at: now + .seconds(120))) == .spent)
        pair = try open()
        #expect(pair.opener.drop() == [.ended(.lost)])
        #expect(pair.opener.end(.closed).isEmpty)
    }

    @Test func fourMebibytesAreEnough() throws {
        var pair = try open()
        pair.opener.write([UInt8](repeating: 1, count: TunnelLimits.bytes + 1))
        var last: TunnelEnd?
        for _ in 0..<1000 where last == nil {
            let output = pair.opener.flush(at: now)
            last = end(output)
            for frame in frames(output) {
                for back in frames(try deliver(frame, &pair.asked)) {
                    _ = try deliver(back, &pair.opener)
                }
            }
        }
        #expect(last == .spent)
        #expect(pair.asked.isOver)
    }

    @Test(
        arguments: [
            [0x80], [0x81, 2], [0x82, 1, 0], [0x81, 0], [0x81, 5], [0x82, 2, 0x40],
            [0x82, 3, 0], [0x82, 3, 0x1A, 0, 1, 0, 1], [0x82, 4, 7], [0x81, 1, 0],
            [0x82, 2, 0x41], [0x82, 2, 0x59, 0x3C, 1], [],
        ] as [[UInt8]])
    func aBodyThatNoAgentWritesIsRefused(_ bytes: [UInt8]) {
        #expect(throws: DecodeError.self) { try TunnelBody(decoding: bytes) }
    }

    @Test(
        arguments: [
            .ready, .data([1]), .data([UInt8](repeating: 9, count: TunnelLimits.piece)), .took(1),
            .took(TunnelLimits.window),
        ] + TunnelEnd.allCases.map { TunnelBody.end($0) })
    func aBodyIsReadAsItIsWritten(_ body: TunnelBody) throws {
        #expect(try TunnelBody(decoding: body.encoded) == body)
        #expect(TunnelFrame.sizes.contains(TunnelFrame.header + 16 + body.encoded.count))
    }
}
