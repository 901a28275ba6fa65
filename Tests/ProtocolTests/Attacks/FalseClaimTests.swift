// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Somebody claims a seat that is another's (docs/protocol.md section 15), against whole cores: ada
/// in 14C, bo in 12A, and a liar.
@Suite struct FalseClaimTests {
    private let seat: Seat

    init() throws { seat = try #require(Seat("12A")) }

    /// ada, bo, and whoever claims 12A too, after bo or before.
    private func cabin(liarFirst: Bool = false) throws -> (World, ada: Int, bo: Int, liar: Int) {
        var world = World()
        try world.add("14C")
        let one = try world.add("12A")
        world.run(seconds: 5)
        let other = try world.add("12A")
        world.run(seconds: 10)
        return (world, 0, liarFirst ? other : one, liarFirst ? one : other)
    }

    private func verify(_ world: inout World, _ one: Int, _ other: Int) {
        world.wish(one, .verify(world.key(other)))
        world.run(seconds: 3)
        world.wish(other, .verify(world.key(one)))
        world.run(seconds: 3)
        world.wish(one, .compared(isSame: true))
        world.wish(other, .compared(isSame: true))
        world.run(seconds: 3)
        #expect(world.hosts[one].node.assurance(of: world.key(other)) == .verified)
    }

    private func place(_ world: World, seenBy index: Int) throws -> SeatView.Place {
        try #require(world.hosts[index].node.seatView.place(seat))
    }

    private func ask(
        _ world: inout World, _ one: Int, from: PeerKey? = nil, override: Bool = false
    ) -> Result<IntentReply, Refusal>? {
        world.wish(
            one,
            .swap(
                take: seat, give: nil, note: "", expires: nil, override: override, from: from))
    }

    /// bo says yes, and both hold what the other had.
    private func expectSwap(_ world: inout World, _ ada: Int, _ bo: Int) throws {
        world.run(seconds: 3)
        let request = try #require(world.hosts[bo].node.swaps.records.last)
        #expect(
            world.wish(bo, .accept(request.number, override: false))
                == .success(.request(request.number)), "my own seat is mine to give")
        world.run(seconds: 5)
        #expect(world.stage(ada) == .committed && world.stage(bo) == .committed)
        #expect(world.seats(ada) == ["12A"] && world.seats(bo) == ["14C"])
    }

    /// The way out that needs nothing but to know whom one talks to.
    @Test func aDisputedSeatIsSwappedWithWhoIsNamed() throws {
        var (world, ada, bo, liar) = try cabin()
        let both = [world.key(bo), world.key(liar)].sorted()
        #expect(try place(world, seenBy: ada).holding == .disputed(both))
        let refused = Result<IntentReply, Refusal>.failure(.disputed(seat, both))
        #expect(ask(&world, ada) == refused)
        #expect(ask(&world, ada, override: true) == refused, "it must be said whose it is")
        #expect(ask(&world, ada, from: world.key(bo)) == refused, "it must be said knowingly")
        #expect(
            ask(&world, ada, from: world.key(bo), override: true) == .success(.request(1)))
        try expectSwap(&world, ada, bo)
    }

    @Test func whoIsVerifiedHoldsTheSeatAndTheLiarIsARemark() throws {
        var (world, ada, bo, liar) = try cabin()
        verify(&world, ada, bo)
        let place = try place(world, seenBy: ada)
        #expect(place.holding == .held(world.key(bo)))
        #expect(place.remarks.map(\.token.holder) == [world.key(liar)])
        #expect(ask(&world, ada) == .success(.request(1)))
        try expectSwap(&world, ada, bo)
        // It is so after the swap: 12A is ada's by the claim of bo, whose evidence stays.
        #expect(
            world.hosts[ada].node.verified.map(\.key) == [world.key(bo)], "a swap voids nothing")
        #expect(try self.place(world, seenBy: ada).holding == .held(world.key(ada)))
    }

    /// When a claim was first heard of is shown and decides nothing.
    @Test func aLiarWhoClaimedFirstGainsNothing() throws {
        var (world, ada, bo, liar) = try cabin(liarFirst: true)
        let both = [world.key(bo), world.key(liar)].sorted()
        #expect(try place(world, seenBy: ada).holding == .disputed(both))
        let node = world.hosts[ada].node
        let heard = try place(world, seenBy: ada).claims.map { claim in
            (claim.token.holder, node.heard(claim.token.token)?.seconds ?? 0)
        }
        let early = try #require(heard.min { $0.1 < $1.1 })
        #expect(early.0 == world.key(liar), "and people see it")
        verify(&world, ada, bo)
        #expect(try place(world, seenBy: ada).holding == .held(world.key(bo)))
        #expect(ask(&world, ada) == .success(.request(1)))
        try expectSwap(&world, ada, bo)
    }

    /// Who was verified in one seat and then claims another's is as good as nobody for both.
    @Test func aVerifiedLiarWhoClaimsASecondSeatIsVoid() throws {
        var world = World()
        for seat in ["14C", "12A", "20F"] { try world.add(seat) }
        world.run(seconds: 10)
        verify(&world, 0, 2)
        world.wish(2, .claim(seat, dependant: false))
        world.run(seconds: 10)
        let node = world.hosts[0].node
        #expect(node.verified.isEmpty && node.assurance(of: world.key(2)) == .claimed)
        let both = [world.key(1), world.key(2)].sorted()
        #expect(node.seatView.place(seat)?.holding == .disputed(both))
        #expect(
            world.hosts[0].notices.contains { notice in
                if case .unverified(let known) = notice { return known.key == world.key(2) }
                return false
            })
    }

    /// The liar talked a verified passenger into a vouch: that outweighs bo's bare claim, until I
    /// compare numbers with bo myself; and bo can be named at any time.
    @Test func aVouchForALiarYieldsToMyOwnEyes() throws {
        var (world, ada, bo, liar) = try cabin()
        let voucher = try world.add("30A")
        world.run(seconds: 10)
        verify(&world, ada, voucher)
        verify(&world, voucher, liar)
        world.wish(voucher, .vouch(world.key(liar)))
        world.run(seconds: 5)
        #expect(try place(world, seenBy: ada).holding == .held(world.key(liar)))
        #expect(try place(world, seenBy: ada).claims.map(\.assurance) == [.vouched(1), .claimed])
        // For bo, who knows neither, there is nothing to it.
        #expect(try place(world, seenBy: bo).holding == .held(world.key(bo)))
        var other = world
        #expect(
            ask(&other, ada, from: other.key(bo), override: true) == .success(.request(1)))
        try expectSwap(&other, ada, bo)
        verify(&world, ada, bo)
        #expect(try place(world, seenBy: ada).holding == .held(world.key(bo)))
        // To block the voucher takes the vouch away too.
        other = world
        other.wish(ada, .block(other.key(voucher), true))
        #expect(try place(other, seenBy: ada).claims.map(\.assurance) == [.verified, .claimed])
    }

    @Test func aBlockedLiarIsARemark() throws {
        var (world, ada, bo, liar) = try cabin()
        world.wish(ada, .block(world.key(liar), true))
        let place = try place(world, seenBy: ada)
        #expect(place.holding == .held(world.key(bo)))
        #expect(place.remarks.map(\.token.holder) == [world.key(liar)])
        #expect(world.hosts[ada].notices.contains(.map), "who watches is told")
        #expect(ask(&world, ada) == .success(.request(1)))
        try expectSwap(&world, ada, bo)
    }

    /// Names are worth nothing: evidence is of the key.
    @Test func aLiarWithTheSameNameHasNoEvidence() throws {
        var (world, ada, bo, liar) = try cabin()
        verify(&world, ada, bo)
        world.wish(liar, .rename("p\(bo)"))
        world.run(seconds: 10)
        let node = world.hosts[ada].node
        #expect(node.passenger(world.key(liar))?.name == node.passenger(world.key(bo))?.name)
        #expect(node.assurance(of: world.key(liar)) == .claimed)
        #expect(try place(world, seenBy: ada).holding == .held(world.key(bo)))
    }

    /// A lid is closed, and somebody claims the seat: it stays whose it was,
    /// however long that lasts.
    @Test func absenceAndTimeGiveASeatToNobody() throws {
        var world = World()
        for seat in ["14C", "12A", "20F"] { try world.add(seat) }
        world.run(seconds: 10)
        verify(&world, 0, 1)
        world.kill(1)
        world.run(seconds: 60)
        world.wish(2, .claim(seat, dependant: false))
        world.run(seconds: 4 * 3600)
        let place = try place(world, seenBy: 0)
        #expect(!world.hosts[0].node.isLinked(world.key(1)))
        #expect(place.holding == .held(world.key(1)))
        #expect(place.remarks.map(\.token.holder) == [world.key(2)])
    }

    /// The party's source comes with parties: here it is given to the core.
    @Test func oneOfMyPartyOutweighsAVouchedLiar() throws {
        var (world, ada, bo, liar) = try cabin()
        let voucher = try world.add("30A")
        world.run(seconds: 10)
        verify(&world, ada, voucher)
        verify(&world, voucher, liar)
        world.wish(voucher, .vouch(world.key(liar)))
        world.run(seconds: 5)
        world.hosts[ada].setup.party = [world.key(bo)]
        world.kill(ada)
        world.restart(ada)
        world.run(seconds: 10)
        #expect(world.hosts[ada].node.assurance(of: world.key(bo)) == .party)
        #expect(try place(world, seenBy: ada).claims.map(\.assurance) == [.party, .vouched(1)])
        #expect(ask(&world, ada) == .success(.request(1)))
        try expectSwap(&world, ada, bo)
    }

    /// Somebody watches, and claims the seat as soon as it is asked for, and
    /// both seats before each vote.
    @Test func aClaimBetweenConsentAndVoteEndsNothing() throws {
        var world = World()
        for seat in ["14C", "12A", "20F", "21F"] { try world.add(seat) }
        world.run(seconds: 10)
        #expect(ask(&world, 0) == .success(.request(1)))
        world.wish(2, .claim(seat, dependant: false))
        world.run(seconds: 3)
        #expect(
            try place(world, seenBy: 0).holding
                == .disputed([world.key(1), world.key(2)].sorted()), "and people see it")
        let mine = try #require(Seat("14C"))
        // ada's lid is closed: bo's yes waits, and the other liar knows of it.
        world.kill(0)
        world.run(seconds: 1)
        world.wish(1, .accept(1, override: false))
        #expect(world.stage(1) == .agreed)
        world.wish(3, .claim(mine, dependant: false))
        world.run(seconds: 3)
        world.restart(0)
        world.run(seconds: 30)
        #expect(world.stage(0) == .committed && world.stage(1) == .committed)
        #expect(world.seats(0) == ["12A"] && world.seats(1) == ["14C"])
    }

    /// 22 keys claim nine seats each: each honest seat is claimed by two or more. Whom I verified
    /// can be asked as ever, all others by name, and nobody is stopped from giving what is theirs.
    @Test func twentyTwoKeysCannotKillACabin() throws {
        var people = (0..<40).map { Traveller(UInt8($0 + 1)) }
        var slots: [Slot] = []
        for index in people.indices { slots.append(people[index].claim("\(index + 1)A")) }
        var liars = (0..<22).map { Traveller(UInt8($0 + 100)) }
        for index in liars.indices {
            for seat in 0..<9 { _ = liars[index].claim("\((index * 9 + seat) % 40 + 1)A") }
        }
        let fold = Fold.fold(Known((people + liars).map(\.log)))
        let trust = Trust(me: people[0].key, verified: [people[1].key])
        let context = SwapContext(
            fold: fold, logs: LogSet.of((people + liars).flatMap(\.log)), window: nil,
            blocked: [], canAppend: true, acknowledged: 0, trust: trust, linked: [])
        for index in 1..<40 {
            let seat = try #require(Seat("\(index + 1)A"))
            let key = people[index].key
            let contract = Contract.of([
                (slots[0], from: people[0], to: people[index]),
                (slots[index], from: people[index], to: people[0]),
            ])
            func fault(_ one: Int, override: Bool) -> VoteFault? {
                var context = context
                context.trust = one == 0 ? trust : Trust(me: key, verified: [people[0].key])
                return VoteCheck(
                    contract: contract, me: people[one].key, override: override,
                    isConsented: false, locks: []
                ).fault(context)
            }
            if index == 1 {
                #expect(try fold.tradable(seat, trust).get().holder == key)
                #expect(fault(0, override: false) == nil)
            } else {
                guard case .failure(.disputed(seat, let keys)) = fold.tradable(seat, trust) else {
                    Issue.record("\(seat.text) is not disputed")
                    continue
                }
                #expect(keys.count > 4 && keys.contains(key))
                let named = fold.tradable(seat, from: key, override: true, trust)
                #expect(try named.get().holder == key)
                #expect(fault(0, override: false) == .disputed(slots[index].token))
                #expect(fault(0, override: true) == nil)
            }
            #expect(fault(index, override: false) == nil)
        }
    }
}
