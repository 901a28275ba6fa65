// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// When an agent says yes for its user, and each reason for which it asks them.
@Suite struct AutomaticYesTests {
    private let start = UTCTime(seconds: 1_000_000)

    private func trusting() -> AutomaticYes {
        var automatic = AutomaticYes()
        automatic.trust(true)
        return automatic
    }

    private func request(_ number: UInt8 = 1, of proposer: UInt8 = 1) -> AutomaticYes.Request {
        AutomaticYes.Request(
            contract: ContractID(FakePrimitives().sha256([number])),
            proposer: PeerKey(FakePrimitives().sha256([proposer])), isCompanion: true,
            isKnown: true, isOpen: true, hasWords: false, isWarned: false, fault: nil)
    }

    private func why(
        _ automatic: AutomaticYes, _ request: AutomaticYes.Request, after seconds: Int64 = 0
    ) -> AutomaticYes.Why? {
        var automatic = automatic
        let now = UTCTime(seconds: start.seconds + seconds)
        if case .failure(let why) = automatic.answer(request, at: now) { return why }
        return nil
    }

    @Test("A companion's plan that seats the party better gets a yes, if the user said so")
    func yes() throws {
        #expect(why(trusting(), request()) == nil)
        #expect(why(AutomaticYes(), request()) == .off)
        var off = trusting()
        off.trust(false)
        #expect(why(off, request()) == .off)
    }

    @Test("Each thing that a person has to see is a reason to ask them")
    func reasons() {
        let changes: [(AutomaticYes.Why, (inout AutomaticYes.Request) -> Void)] = [
            (.notCompanion, { $0.isCompanion = false }), (.claimed, { $0.isKnown = false }),
            (.closed, { $0.isOpen = false }), (.words, { $0.hasWords = true }),
            (.warned, { $0.isWarned = true }),
        ]
        for (expected, change) in changes {
            var asked = request()
            change(&asked)
            #expect(why(trusting(), asked) == expected)
        }
        for fault in PartyGain.Fault.allCases {
            var asked = request()
            asked.fault = fault
            #expect(why(trusting(), asked) == .party(fault))
        }
    }

    /// A request that serves the user's public wish, by somebody of whom nothing is known.
    private func served() -> AutomaticYes.Request {
        var asked = request()
        (asked.isCompanion, asked.isKnown, asked.fault) = (false, false, .notBetter)
        (asked.isSafe, asked.isPublic, asked.isOffered) = (true, true, true)
        return asked
    }

    @Test("What serves a public wish gets a yes, if the user said so")
    func serving() throws {
        var automatic = AutomaticYes()
        automatic.serve(true)
        #expect(why(automatic, served()) == nil)
        #expect(why(AutomaticYes(), served()) == .off)
        #expect(why(trusting(), served()) == .notCompanion)
        // What only trust speaks for is none of it.
        #expect(why(automatic, request()) == .claimed)
        let changes: [(AutomaticYes.Why, (inout AutomaticYes.Request) -> Void)] = [
            (.claimed, { $0.isSafe = false }), (.hidden, { $0.isPublic = false }),
            (.notOffered, { $0.isOffered = false }), (.closed, { $0.isOpen = false }),
            (.words, { $0.hasWords = true }), (.warned, { $0.isWarned = true }),
            (.party(.notWished), { $0.wishFault = .notWished }),
        ]
        for (expected, change) in changes {
            var asked = served()
            change(&asked)
            #expect(why(automatic, asked) == expected)
        }
        // Whoever the user trusts learns of a wish that is not public.
        var known = served()
        (known.isPublic, known.isTrusted) = (false, true)
        #expect(why(automatic, known) == nil)
        // Each of the two is enough, and the pace is one.
        automatic.trust(true)
        #expect(why(automatic, served()) == nil && why(automatic, request()) == nil)
        _ = try automatic.answer(served(), at: start).get()
        #expect(why(automatic, request(2)) == .tooSoon)
    }

    @Test("One in an hour for each key, whatever the clock does")
    func pace() throws {
        var automatic = trusting()
        _ = try automatic.answer(request(), at: start).get()
        #expect(why(automatic, request(2)) == .tooSoon)
        #expect(why(automatic, request(2), after: 3599) == .tooSoon)
        #expect(why(automatic, request(2), after: 3600) == nil)
        #expect(why(automatic, request(2), after: -86_400) == .tooSoon)
        #expect(why(automatic, request(2, of: 2)) == nil)
        // What came to nothing counts too: it was tried.
        automatic.forget(request().contract)
        #expect(why(automatic, request(2)) == .tooSoon)
    }

    @Test("What is remembered has a bound, and nothing that counts is forgotten for it")
    func bounded() throws {
        var automatic = trusting()
        for key in 0..<UInt8(Limits.automaticYeses) {
            _ = try automatic.answer(request(key, of: key), at: start).get()
        }
        #expect(why(automatic, request(200, of: 200), after: 3599) == .tooMany)
        let later = UTCTime(seconds: start.seconds + 3600)
        _ = try automatic.answer(request(200, of: 200), at: later).get()
        #expect(automatic.given.count == Limits.automaticYeses)
        #expect(!automatic.spoke(for: request(0).contract))
        #expect(automatic.spoke(for: request(200).contract))
    }

    @Test("The disk has what was said for the user, and what they took back is their own")
    func kept() throws {
        var automatic = trusting()
        automatic.serve(true)
        let one = try automatic.answer(request(), at: start).get()
        let two = try automatic.answer(request(2, of: 2), at: start).get()
        automatic.forget(two.contract)
        let again = try AutomaticYes(automatic.encode())
        #expect(again.trusts && again.serves && again.given == automatic.given)
        #expect(again.spoke(for: one.contract) && !again.spoke(for: two.contract))
        #expect(why(again, request(3)) == .tooSoon)
        #expect(throws: DecodeError.self) { try AutomaticYes(automatic.encode() + [0]) }
        #expect(throws: DecodeError.self) { try AutomaticYes(automatic.encode().dropLast()) }
    }

    @Test("Each offer is looked at once; what the user took back is not given again")
    func once() throws {
        let ring = try Self.aboard()
        var world = ring.world
        var automatic = trusting()
        world.wish(1, .propose(ring.moves, note: "", expires: 7200))
        world.run(seconds: 1)
        #expect(automatic.fresh(world.hosts[0].node.swaps.records).count == 1)
        #expect(automatic.fresh(world.hosts[0].node.swaps.records).isEmpty)
        // Said by hand, and taken back by hand.
        world.wish(0, .accept(1, override: false))
        _ = automatic.fresh(world.hosts[0].node.swaps.records)
        world.wish(0, .cancel(1))
        #expect(world.stage(0) == .invited)
        #expect(automatic.fresh(world.hosts[0].node.swaps.records).isEmpty)
        // Nor if they switch it on anew; what only waits is looked at then.
        var anew = automatic
        anew.trust(false)
        anew.trust(true)
        #expect(anew.fresh(world.hosts[0].node.swaps.records).count == 1)
        automatic.recant(world.hosts[0].node.swaps.records[0].contract.id)
        automatic.trust(false)
        automatic.trust(true)
        #expect(automatic.fresh(world.hosts[0].node.swaps.records).isEmpty)
        // An agent that starts again leaves what waits to its user.
        var other = AutomaticYes()
        #expect(other.fresh(world.hosts[0].node.swaps.records).count == 1)
        // Another contract is another question.
        world.wish(1, .cancel(1))
        world.wish(1, .propose(ring.moves, note: "", expires: 7200))
        world.run(seconds: 1)
        #expect(automatic.fresh(world.hosts[0].node.swaps.records).map(\.number) == [2])
    }

    /// Where the seats are in which everybody sits here.
    static let known = KnownSeats(cabin: MatchCabin(SeatedCabin("ABC DEF", rows: 4).rows))

    /// 0 in 1A and 1 in 2E have a code in common, and 4 has overheard it; 2 and 3 sit side by side.
    /// The moves seat 0 and 1 there.
    static func aboard() throws -> (world: World, moves: [SeatMove]) {
        var world = World()
        for seat in ["1A", "2E", "3B", "3C", "4F"] { try world.add(seat) }
        world.run(seconds: 4)
        let secret = try require(PartySecret(Array(repeating: 1, count: PartySecret.count)))
        for host in [0, 1, 4] { world.wish(host, .party(.join(secret))) }
        world.run(seconds: 6)
        world.wish(0, .party(.yes(world.key(1))))
        world.wish(1, .party(.yes(world.key(0))))
        world.run(seconds: 6)
        let moves = try [("3B", 0), ("1A", 2), ("3C", 1), ("2E", 3)].map { seat, to in
            SeatMove(seat: try require(Seat(seat)), to: world.key(to))
        }
        return (world, moves)
    }
}
