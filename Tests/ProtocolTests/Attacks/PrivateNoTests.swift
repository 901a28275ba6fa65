// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// A no that a private wish gives for its user, held against a user who does not look: to whoever
/// asks and to whoever watches they are one, but for what docs/protocol.md section 16 names.
@Suite struct PrivateNoTests {
    /// Two lives of one cabin. In `declined` what is asked of 1 is below a private wish of theirs;
    /// in `absent` it is not, and 1 looks at nothing.
    private struct Lives {
        var declined: World
        var absent: World
        /// What 0 and 2 asked, proposed and took back: the bytes of the frames.
        var said: [(from: Int, bytes: [UInt8])] = []

        init() throws {
            var world = World()
            for seat in ["14C", "12A", "20F"] { try world.add(seat) }
            world.run(seconds: 10)
            world.watched = []
            (declined, absent) = (world, world)
            let low = try require(SeatSet([SeatSet.Block(columns: 1, first: 1, last: 9)]))
            declined.wish(
                1, .wish(WishChange(offer: .all, ranks: [low], isPrivate: true)))
            absent.wish(
                1, .wish(WishChange(offer: .all, ranks: [.all], isPrivate: true)))
            run(seconds: 6)
        }

        mutating func each(_ action: (inout World) throws -> Void) rethrows {
            try action(&declined)
            try action(&absent)
            let types: [FrameType] = [.ask, .propose, .withdraw]
            for turn in declined.watched ?? [] where turn.host != 1 {
                for frame in turn.effects.sends.flatMap({ PrivateNoTests.frames($0.bytes) })
                where types.contains(where: { $0.rawValue == frame.type }) {
                    if !said.contains(where: { $0.bytes == frame.bytes }) {
                        said.append((turn.host, frame.bytes))
                    }
                }
            }
        }

        mutating func run(seconds: Int64) { each { $0.run(seconds: seconds) } }

        /// Whoever looks from outside sees no difference.
        var isSame: Bool {
            func seen(_ world: World) -> [Effects.Transmission] {
                (world.watched ?? []).filter { $0.host == 1 }.flatMap(\.effects.sends)
            }
            return seen(declined) == seen(absent) && declined.traffic == absent.traffic
                && [0, 2].allSatisfy { declined.hosts[$0].notices == absent.hosts[$0].notices }
                && [0, 2].allSatisfy {
                    declined.hosts[$0].node.swaps.records == absent.hosts[$0].node.swaps.records
                }
        }
    }

    private static func frames(_ bytes: [UInt8]) -> [Frame] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var frames: [Frame] = []
        while let frame = try? decoder.next() { frames.append(frame) }
        return frames
    }

    private static func tell(_ world: inout World, _ bytes: [UInt8], from host: Int) {
        guard let link = world.link(from: host, to: 1) else { return }
        world.feed(1, .received(link, bytes))
        world.rest()
    }

    private static func ring(_ world: World, _ hosts: [Int]) throws -> [SeatMove] {
        let seats = ["14C", "12A", "20F"]
        return try hosts.enumerated().map { place, host in
            SeatMove(
                seat: try require(Seat(seats[host])),
                to: world.key(hosts[(place + 1) % hosts.count]))
        }
    }

    /// One of the things that somebody does who wants to know.
    private func probe(_ lives: inout Lives, _ random: inout SeededRandom) throws -> Bool {
        let host = random.next() % 2 == 0 ? 0 : 2
        let expires = Int.random(in: 2...90, using: &random)
        let pick = Int(random.next() % 64)
        switch random.next() % 10 {
        case 0, 1, 2:
            let take = try require(Seat("12A"))
            lives.each { world in
                world.wish(host, .swap(take: take, give: nil, note: "", expires: expires))
                world.rest()
            }
            return true
        case 3, 4:
            let order = pick % 2 == 0 ? [host, 1, 2 - host] : [host, 2 - host, 1]
            try lives.each { world in
                let moves = try Self.ring(world, order)
                world.wish(host, .propose(moves, note: "", expires: expires))
                world.rest()
            }
            return true
        case 5:
            let number = lives.declined.hosts[host].node.swaps.records.count
            guard number > 0 else { return false }
            lives.each { world in
                world.wish(host, .cancel(1 + pick % number))
                world.rest()
            }
        case 6 where !lives.said.isEmpty:
            // The same frame again, behind whatever came after it.
            let again = lives.said[pick % lives.said.count]
            lives.each { Self.tell(&$0, again.bytes, from: again.from) }
        case 7:
            let records = lives.declined.hosts[host].node.swaps.records
            guard !records.isEmpty else { return false }
            let contract = records[pick % records.count].contract
            lives.each { world in
                Self.tell(&world, Message.query(contract.id).encode(), from: host)
            }
        case 8:
            lives.each { world in
                world.cut()
                world.heal()
                world.run(seconds: 20)
            }
        default: lives.run(seconds: Int64(1 + pick % 40))
        }
        return false
    }

    @Test func aHundredAnswersDoNotTellANoFromAbsence() throws {
        var asked = 0
        var declined = 0
        for seed in 1...40 as ClosedRange<UInt64> where asked < 120 {
            var random = SeededRandom(seed: seed)
            var lives = try Lives()
            for step in 0..<14 {
                if try probe(&lives, &random) { asked += 1 }
                #expect(lives.isSame, "seed \(seed), step \(step)")
            }
            declined += lives.declined.hosts[1].node.swaps.records.count { $0.stage == .declined }
            let notices = lives.declined.hosts[1].notices
            #expect(!notices.contains { if case .swap = $0 { true } else { false } })
        }
        #expect(asked >= 100 && declined >= 60)
    }

    /// Taken back, and said again: whoever took it back knows, and hears nothing of it.
    @Test func whatWasTakenBackAndSaidAgainIsMetWithSilence() throws {
        var lives = try Lives()
        let take = try require(Seat("12A"))
        lives.each { world in
            world.wish(0, .swap(take: take, give: nil, note: "", expires: 1800))
            world.rest()
            world.wish(0, .cancel(1))
            world.rest()
        }
        #expect(lives.said.count == 2)
        let ask = lives.said[0].bytes
        lives.each { Self.tell(&$0, ask, from: 0) }
        #expect(lives.isSame)
        lives.each { world in
            world.cut()
            world.heal()
            world.run(seconds: 20)
        }
        #expect(lives.isSame)
        #expect(lives.declined.stage(1) == .declined && lives.absent.stage(1) == .withdrawn)
    }

    // MARK: What stays, as section 16 names it

    /// What 0 says by hand, with 1 as who is asked, or with 2 in a ring.
    private static func contract(
        _ world: World, _ ring: [Int], coordinator: Int, nonce: UInt8
    ) throws -> Contract {
        let fold = world.hosts[0].node.fold
        let legs = try ring.indices.map { place in
            let (from, to) = (world.key(ring[place]), world.key(ring[(place + 1) % ring.count]))
            let token = try require(fold.held(by: from).first)
            return Leg(token: token.token, producer: token.producer, from: from, to: to)
        }
        return try require(
            Contract(
                flight: testFlight.id, coordinator: world.key(coordinator),
                nonce: try require(ThreadID(Array(repeating: nonce, count: 16))),
                legs: legs.sorted { $0.token < $1.token }, primitives: FakePrimitives()))
    }

    private static func thread(_ number: UInt8) throws -> ThreadID {
        try require(ThreadID(Array(repeating: 100 + number, count: 16)))
    }

    /// How many answers to a QUERY 1 gave.
    private static func answers(_ world: World) -> Int {
        (world.watched ?? []).filter { $0.host == 1 }.flatMap(\.effects.sends)
            .flatMap { frames($0.bytes) }.count { $0.type == FrameType.status.rawValue }
    }

    /// Of nine requests the last is read only where another of them was declined.
    @Test func theNinthRequestTells() throws {
        var lives = try Lives()
        try lives.each { world in
            for number in 1...9 as ClosedRange<UInt8> {
                let contract = try Self.contract(world, [0, 1], coordinator: 1, nonce: number)
                let head = world.hosts[0].node.logs.head(of: world.key(0))
                let ask = Ask(
                    thread: try Self.thread(number), contract: contract.bytes, note: "",
                    expires: 600, head: head)
                Self.tell(&world, Message.ask(ask).encode(), from: 0)
                let before = Self.answers(world)
                Self.tell(&world, Message.query(contract.id).encode(), from: 0)
                let isRead = number < 9 || world.stage(1) == .declined
                #expect(Self.answers(world) == before + (isRead ? 1 : 0), "\(number)")
            }
        }
        #expect(!lives.isSame)
    }

    /// Of a ring with a second revision a QUERY shows which of the two was read.
    @Test func theSecondRevisionOfARingTells() throws {
        var lives = try Lives()
        var answers: [[Int]] = []
        try lives.each { world in
            let both = [
                try Self.contract(world, [0, 1, 2], coordinator: 0, nonce: 1),
                try Self.contract(world, [0, 1, 2], coordinator: 0, nonce: 2),
            ]
            for (index, contract) in both.enumerated() {
                let proposal = Proposal(
                    thread: try Self.thread(1), revision: 1 + index, contract: contract.bytes,
                    note: "", expires: 600)
                Self.tell(&world, Message.propose(proposal).encode(), from: 0)
            }
            answers.append(
                both.map { contract in
                    let before = Self.answers(world)
                    Self.tell(&world, Message.query(contract.id).encode(), from: 0)
                    return Self.answers(world) - before
                })
        }
        #expect(answers == [[1, 0], [0, 1]])
    }

    /// A link of a partial mesh stays after a declined request was taken back.
    @Test func aLinkThatStaysTells() throws {
        var lives = try Lives()
        let take = try require(Seat("12A"))
        lives.each { world in
            world.wish(0, .swap(take: take, give: nil, note: "", expires: 600))
            world.rest()
            world.wish(0, .cancel(1))
            world.rest()
        }
        let needed = [lives.declined, lives.absent].map { world in
            world.hosts[1].node.neededPeers(at: world.now).contains(world.key(0))
        }
        #expect(needed == [true, false] && lives.isSame)
    }
}
