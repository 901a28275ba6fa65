// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Who finds room to ask, when strangers with free keys take all they can get.
@Suite struct SwapRoomTests {
    /// The desk of traveller 0, whose logs stand still while others ask.
    private struct Crowd {
        var desk: Desk
        var context: SwapContext
        var thread: UInt64 = 0

        init(_ count: Int) {
            desk = Desk(count, me: 0)
            context = desk.context
        }

        mutating func say(_ message: SwapMessage, from peer: Int) -> SwapEffects {
            desk.swaps.handle(
                .message(message, from: desk.key(peer)), context, at: desk.now,
                random: &desk.random)
        }

        /// ASK of a traveller, in a thread of its own.
        @discardableResult
        mutating func ask(_ peer: Int, _ contract: Contract? = nil) -> SwapEffects {
            thread += 1
            let contract = contract ?? desk.pair(peer, asks: 0, nonce: UInt8(thread % 251))
            let ask = Ask(
                thread: ThreadID(high: 7, low: thread), contract: contract.bytes, note: "",
                expires: 86_400, head: desk.head(desk.key(peer)))
            return say(.ask(ask), from: peer)
        }

        mutating func wish(_ event: SwapEvent) -> Result<Int, SwapRefusal>? {
            desk.swaps.handle(event, context, at: desk.now, random: &desk.random).reply
        }

        /// Travellers with their open requests.
        var open: [Int] {
            let askers = desk.swaps.records.filter { !$0.stage.isOver && $0.role.isIncoming }
                .map { $0.asker(desk.key(0)) }
            return desk.travellers.indices.map { index in
                askers.count { $0 == desk.key(index) }
            }
        }
    }

    /// Legs between a stranger, this passenger and a third, with a seat that nobody ever claimed.
    private func madeUp(_ desk: Desk, _ peer: Int, _ nonce: UInt8, asks: Bool) -> Contract {
        let token = Token(Traveller.primitives.sha256([UInt8(peer), nonce]))
        let none = Slot(token: token, producer: Producer(claim: token))
        let (me, they) = (desk.travellers[0], desk.travellers[peer])
        return asks
            ? .of([(desk.slots[0], from: me, to: they), (none, from: they, to: me)], nonce: nonce)
            : .of([(none, from: they, to: me), (desk.slots[0], from: me, to: they)], nonce: nonce)
    }

    @Test func thirtyTwoKeysWithSeatsThatDoNotExistFillNothing() throws {
        var crowd = Crowd(34)
        var heard = 0
        for peer in 1...32 {
            let contracts = (0..<12).map { madeUp(crowd.desk, peer, $0, asks: $0 % 2 == 0) }
            for count in 0..<264 {
                let contract = contracts[count % 12]
                guard count % 2 == 1 else {
                    heard += crowd.ask(peer, contract).notices.count
                    continue
                }
                crowd.thread += 1
                let proposal = Proposal(
                    thread: ThreadID(high: 8, low: crowd.thread), revision: 1,
                    contract: contract.bytes, note: "", expires: 86_400)
                heard += crowd.say(.propose(proposal), from: peer).notices.count
            }
        }
        #expect(heard == 0 && crowd.desk.swaps.records.isEmpty)
        #expect(crowd.desk.swaps.early <= Limits.earlyRequests)
        // An honest stranger is heard, and who was besieged may ask.
        #expect(crowd.ask(33).whats == [.requested])
        let legs = crowd.desk.pair(0, asks: 33).legs
        #expect(crowd.wish(.ask(legs, note: "", expires: nil)) == .success(1))
        let other = crowd.desk.pair(0, asks: 5).legs
        _ = crowd.wish(.cancel(1))
        #expect(crowd.wish(.ask(other, note: "", expires: nil)) == .success(2))
    }

    @Test func realSeatsFillTheShareOfStrangersAndNoMore() throws {
        var crowd = Crowd(36)
        for _ in 0..<Limits.requestsPerPeer {
            for peer in 1...32 { crowd.ask(peer) }
        }
        let strangers = Limits.requestsOfStrangers
        #expect(crowd.open.reduce(0, +) == strangers)
        // The own user has room.
        let legs = crowd.desk.pair(0, asks: 33).legs
        #expect(crowd.wish(.ask(legs, note: "", expires: nil)) == .success(strangers + 1))
        // Who is new takes the place of one who has more, and the newest of it goes.
        let before = crowd.desk.swaps.records.last { $0.stage == .requested }
        let effects = crowd.ask(34)
        #expect(effects.all == "row expired 1; row requested 1; say expired; say requested")
        #expect(effects.records.first?.number == before?.number)
        // Of as much evidence and as many requests, whoever came first stays.
        for _ in 0..<3 { crowd.ask(34) }
        #expect(crowd.ask(34) == SwapEffects())
        #expect(crowd.open.reduce(0, +) == strangers)
        // Who is verified is heard without anybody going, as long as there is room.
        crowd.desk.trust = Trust(me: crowd.desk.key(0), verified: [crowd.desk.key(35)])
        crowd.context = crowd.desk.context
        #expect(crowd.ask(35).whats == [.requested])
        #expect(crowd.open.reduce(0, +) == strangers + 1)
    }

    @Test func theLeastEvidenceGoes() throws {
        // Long linked: 1 to 24. A stranger, one who is vouched for, one of the party, one verified.
        var crowd = Crowd(29)
        crowd.desk.settled = Array(1...24)
        let keys = (25...28).map { crowd.desk.key($0) }
        let seat = try #require(Seat("27A"))
        crowd.desk.trust = Trust(
            me: crowd.desk.key(0), verified: [keys[3]], party: [keys[2]],
            vouches: [Trust.Vouch(key: keys[1], seat: seat, count: 1)])
        crowd.context = crowd.desk.context
        for _ in 0..<Limits.requestsPerPeer {
            for peer in 1...24 { #expect(crowd.ask(peer).whats == [.requested]) }
        }
        #expect(crowd.open.reduce(0, +) == Limits.requests)
        #expect(crowd.ask(25) == SwapEffects())
        for peer in 26...28 {
            #expect(crowd.ask(peer).whats == [.expired, .requested])
            #expect(crowd.open[peer] == 1)
        }
        #expect(crowd.open.reduce(0, +) == Limits.requests)
        // Whoever is vouched for goes before the party, and the party before who is verified.
        crowd.desk.settled = []
        crowd.desk.trust = Trust(
            me: crowd.desk.key(0), verified: (1...24).map(crowd.desk.key), party: [keys[2]],
            vouches: [Trust.Vouch(key: keys[1], seat: seat, count: 1)])
        crowd.context = crowd.desk.context
        for gone in [28, 26, 27] {
            let peer = try #require(crowd.open.firstIndex { (1..<8).contains($0) })
            #expect(crowd.ask(peer).whats == [.expired, .requested])
            #expect(crowd.open[gone] == 0)
        }
    }

    /// Whoever was asked by this user may ask for the very same at that moment.
    @Test func whomTheUserAskedIsNoStranger() throws {
        var crowd = Crowd(35)
        for _ in 0..<4 {
            for peer in 1...32 { crowd.ask(peer) }
        }
        let legs = crowd.desk.pair(0, asks: 34).legs
        _ = crowd.wish(.ask(legs, note: "", expires: nil))
        #expect(crowd.ask(34).whats.first == .withdrawn)
        #expect(crowd.open.reduce(0, +) == Limits.requestsOfStrangers + 1)
        #expect(crowd.ask(33).whats == [.expired, .requested])
    }

    /// A yes, and a request that the log holds a vote on, are nobody's to push out.
    @Test func whatTheUserSaidYesToStays() throws {
        var crowd = Crowd(20)
        crowd.desk.away = [1]
        crowd.context = crowd.desk.context
        crowd.ask(1)
        #expect(crowd.wish(.accept(1, override: false)) == .success(1))
        for _ in 0..<7 { crowd.ask(1) }
        for peer in 2...19 {
            for _ in 0..<Limits.requestsPerPeer { crowd.ask(peer) }
        }
        #expect(crowd.open.reduce(0, +) == Limits.requestsOfStrangers)
        #expect(crowd.desk.stage(1) == .agreed)
        #expect(crowd.open[1] < 8)
    }

    /// What is over the limits of one key is refused before its contract is looked at.
    @Test func whoAskedTooOftenIsNotReadAnyMore() throws {
        var crowd = Crowd(3)
        for _ in 0..<Limits.requestsPerPeer { crowd.ask(1) }
        let ask = try crowd.desk.ask(crowd.desk.pair(1, asks: 0, nonce: 99), from: 1)
        #expect(crowd.desk.swaps.ignores(ask, from: crowd.desk.key(1), at: crowd.desk.now))
        #expect(!crowd.desk.swaps.ignores(ask, from: crowd.desk.key(2), at: crowd.desk.now))
        let contract = crowd.desk.ring([1, 2, 0])
        let prepare = try crowd.desk.prepare(contract)
        #expect(crowd.desk.swaps.ignores(prepare, from: crowd.desk.key(2), at: crowd.desk.now))
        // What is known is heard.
        let again = Ask(
            thread: ThreadID(high: 7, low: 1), contract: [], note: "", expires: 1,
            head: crowd.desk.head(crowd.desk.key(1)))
        #expect(
            !crowd.desk.swaps.ignores(.ask(again), from: crowd.desk.key(1), at: crowd.desk.now))
    }
}

/// Requests that come before the logs they rest on.
@Suite struct EarlyRequestTests {
    /// Traveller 1 asked traveller 0, at whose desk nothing is known of a seat of traveller 1.
    private func early(_ count: Int = 2, expires: Int = 600) throws -> (Desk, Contract) {
        var desk = Desk(count, me: 0)
        desk.missing[1] = 2
        let contract = desk.pair(1, asks: 0)
        #expect(desk.say(try desk.ask(contract, from: 1, expires: expires), from: 1).all == "")
        #expect(desk.swaps.early == 1 && desk.swaps.records.isEmpty)
        return (desk, contract)
    }

    @Test func aRequestWaitsForTheLogsItRestsOn() throws {
        var (desk, _) = try early()
        _ = desk.wait(60)
        #expect(desk.put(.logsChanged).all == "")
        desk.missing = [:]
        #expect(desk.put(.logsChanged).all == "row requested 1; say requested")
        #expect(desk.swaps.early == 0)
        // It stands from when it came.
        #expect(desk.wait(539).all == "")
        #expect(desk.wait(1).all == "row expired 1; say expired")
    }

    @Test func aRingWaitsAsWell() throws {
        var desk = Desk(3, me: 0)
        desk.missing[2] = 2
        let ring = desk.ring([1, 2, 0])
        #expect(desk.say(try desk.proposal(ring), from: 1).all == "")
        desk.missing = [:]
        #expect(desk.put(.logsChanged).all == "row invited 1; say requested")
    }

    @Test func whatIsTakenBackOrOverIsNotShownLater() throws {
        for end in ["withdrawn", "unlinked", "late"] {
            var (desk, _) = try early(expires: 60)
            switch end {
            case "withdrawn":
                let thread = try require(ThreadID(Array(repeating: 9, count: 16)))
                let taken = SwapMessage.withdraw(Withdraw(thread: thread, reason: .cancelled))
                #expect(!desk.swaps.ignores(taken, from: desk.key(1), at: desk.now))
                // Not by another, and not another one.
                #expect(desk.swaps.ignores(taken, from: desk.key(0), at: desk.now))
                let other = Withdraw(thread: ThreadID(high: 1, low: 2), reason: .cancelled)
                #expect(desk.swaps.ignores(.withdraw(other), from: desk.key(1), at: desk.now))
                _ = desk.say(taken, from: 1)
            case "unlinked": _ = desk.put(.unlinked(desk.key(1)))
            default: _ = desk.wait(60)
            }
            desk.missing = [:]
            #expect(desk.put(.logsChanged).all == "", "\(end)")
            #expect(desk.swaps.early == 0)
        }
    }

    @Test func theSameRequestWaitsOnceAndSoManyOfOneKey() throws {
        var (desk, contract) = try early()
        _ = desk.say(try desk.ask(contract, from: 1), from: 1)
        #expect(desk.swaps.early == 1)
        for number in 10...30 {
            let other = desk.pair(1, asks: 0, nonce: UInt8(number))
            _ = desk.say(try desk.ask(other, from: 1, thread: UInt8(number)), from: 1)
            #expect(desk.swaps.early <= Limits.requestsPerPeer)
        }
        desk.missing = [:]
        #expect(desk.put(.logsChanged).whats.count == Limits.requestsPerPeer)
    }

    /// Whoever has most that wait loses the oldest of it: nobody's one request
    /// makes place for a crowd's.
    @Test func manyKeysDoNotPushOutOneRequestThatWaits() throws {
        var (desk, _) = try early(42)
        for peer in 2...41 { desk.missing[peer] = 2 }
        let context = desk.context
        for number in 0..<Limits.requestsPerPeer {
            for peer in 2...41 {
                let contract = desk.pair(peer, asks: 0, nonce: UInt8(number))
                let ask = try desk.ask(contract, from: peer, thread: UInt8(number * 30 + 9))
                _ = desk.swaps.handle(
                    .message(ask, from: desk.key(peer)), context, at: desk.now,
                    random: &desk.random)
            }
        }
        #expect(desk.swaps.early == Limits.earlyRequests)
        desk.missing[1] = nil
        #expect(desk.put(.logsChanged).whats == [.requested])
    }

    /// Another contract on the table is looked at as a request is.
    @Test func aRevisionNeedsSeatsThatThereAre() throws {
        var (desk, contract) = try Desk.ready(3)
        let other = desk.travellers[0].claim("9F")
        desk.missing[0] = 3
        desk.slots[0] = other
        let revised = desk.ring([0, 1, 2], nonce: 3)
        #expect(desk.say(try desk.proposal(revised, revision: 2), from: 0).all == "")
        #expect(desk.stage() == .ready && desk.swaps.records[0].contract == contract)
        desk.missing = [:]
        #expect(desk.put(.logsChanged).all == "row invited 2; say countered")
        desk.travellers[0].retract(other)
        contract = desk.ring([0, 1, 2], nonce: 4)
        #expect(desk.say(try desk.proposal(contract, revision: 3), from: 0).all == "")
        #expect(desk.swaps.records[0].contract == revised)
    }

    /// What is on the table already waits for nothing, nor does what comes when it is over.
    @Test func onlyWhatIsNewWaits() throws {
        var (desk, contract) = try Desk.ready(3)
        desk.missing[0] = 2
        _ = desk.say(try desk.proposal(contract, revision: 2), from: 0)
        #expect(desk.swaps.early == 0)
        _ = desk.put(.decline(1, note: "no"))
        #expect(desk.stage() == .declined)
        let revised = desk.ring([0, 1, 2], nonce: 3)
        _ = desk.say(try desk.proposal(revised, revision: 2), from: 0)
        #expect(desk.swaps.early == 0)

        var (other, counter) = try Desk.countered(3)
        other.missing[1] = 3
        _ = other.say(try other.counter(counter), from: 1)
        #expect(other.swaps.early == 0)
    }
}
