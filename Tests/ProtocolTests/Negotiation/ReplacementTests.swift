// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What comes in the place of a request that a search found (docs/protocol.md section 16).
@Suite struct ReplacementTests {
    private let terms = Replacements.Terms(
        aim: .together, stands: UTCTime(seconds: 1600), known: ["crew"], patience: .seconds(180))

    /// Request 1, found by a search, stands.
    private func proposed(_ parties: Int = 3) -> (Desk, Replacements) {
        let (desk, _) = Desk.offered(parties)
        var plans = Replacements()
        plans.proposed(1, terms, at: .zero)
        return (desk, plans)
    }

    private func feed(
        _ plans: inout Replacements, _ effects: SwapEffects, isOwn: Bool = false
    ) {
        for notice in effects.notices { plans.keep(notice, by: Traveller(1).key, isOwn: isOwn) }
    }

    private func looks(_ plans: inout Replacements, at second: Int64 = 0) -> Replacements.Plan? {
        let early =
            plans.orders(at: .zero + .seconds(second)) { _ in nil }
            + plans.orders(at: .zero + .seconds(second + 5)) { _ in nil }
        #expect(early.isEmpty)
        let orders = plans.orders(at: .zero + .seconds(second + 6)) { _ in nil }
        guard orders.count == 1, case .look(let plan)? = orders.first else { return nil }
        return plan
    }

    private func decline(_ desk: inout Desk, _ who: Int) throws -> SwapEffects {
        let thread = try require(desk.swaps.records.last).thread
        return desk.say(.decline(Decline(thread: thread, revision: 1, note: "no")), from: who)
    }

    @Test func aNoStartsASearchWithoutWhoeverSaidIt() throws {
        var (desk, plans) = proposed()
        #expect(plans.nextDeadline == .zero + .seconds(180) && !plans.isLooking(1))
        feed(&plans, try decline(&desk, 2))
        #expect(plans.isLooking(1) && plans.nextDeadline == .zero)
        let plan = try #require(looks(&plans))
        #expect(plan.without == [desk.key(2)] && plan.number == 1 && plan.terms == terms)
        // Once.
        #expect(plans.isLooking(1) && plans.nextDeadline == nil && looks(&plans) == nil)
        plans.replaced(plan, by: 2, at: .zero + .seconds(5))
        #expect(!plans.isLooking(1) && plans.before(2) == 1 && plans.before(1) == nil)
        #expect(plans.nextDeadline == .zero + .seconds(185))
    }

    @Test func threeTakeItsPlaceAndNoMore() throws {
        var plans = Replacements()
        plans.proposed(1, terms, at: .zero)
        var desk = Desk(6, me: 0)
        for number in 1...4 {
            _ = desk.put(
                .propose(desk.ring([0, number, 5]).legs, note: "", expires: nil))
            feed(&plans, try decline(&desk, number))
            guard number < 4 else { break }
            let plan = try #require(looks(&plans))
            #expect(plan.without == (1...number).map(desk.key).sorted())
            plans.replaced(plan, by: number + 1, at: .zero)
        }
        #expect(!plans.isLooking(4) && looks(&plans) == nil && plans.nextDeadline == nil)
    }

    @Test func whoeverDoesNotAnswerInTimeIsLeftOut() throws {
        var (desk, plans) = proposed()
        let bo = desk.key(1)
        let standing = Replacements.Standing(missing: [bo])
        #expect(plans.orders(at: .zero + .seconds(179)) { _ in standing }.isEmpty)
        #expect(plans.orders(at: .zero + .seconds(180)) { _ in standing } == [.end(1)])
        #expect(plans.isLooking(1) && plans.why(1) == .unanswered)
        // The user's agent ends it: for all others it is as after a no.
        let ended = desk.put(.replace(1))
        #expect(ended.all == "row withdrawn 1; say withdrawn; send withdraw failed 2")
        #expect(desk.swaps.records[0].hasFailed)
        feed(&plans, ended, isOwn: true)
        #expect(try #require(looks(&plans)).without == [bo])
        // Whoever was out of reach hears the same later.
        #expect(desk.put(.linked(bo)).kinds == ["withdraw failed 1"])
    }

    @Test func whereAllHaveAnsweredItGoesOn() throws {
        var (_, plans) = proposed()
        let all = Replacements.Standing(missing: [])
        #expect(plans.orders(at: .zero + .seconds(200)) { _ in all }.isEmpty)
        #expect(plans.nextDeadline == .zero + .seconds(210))
        // It is being bound.
        #expect(plans.orders(at: .zero + .seconds(210)) { _ in nil }.isEmpty)
        #expect(plans.nextDeadline == .zero + .seconds(220))
    }

    @Test func whatIsBeingBoundIsNotTakenBack() throws {
        var (desk, _) = try Desk.preparing(3)
        #expect(
            desk.put(.replace(1)).reply == .failure(.notYours(desk.swaps.records[0])))
        var (countered, _) = try Desk.countered(3)
        #expect(
            countered.put(.replace(1)).reply == .failure(.notYours(countered.swaps.records[0])))
        var plans = Replacements()
        plans.proposed(1, terms, at: .zero)
        let one = Replacements.Standing(missing: [desk.key(1)])
        _ = plans.orders(at: .zero + .seconds(180)) { _ in one }
        plans.goesOn(1, at: .zero + .seconds(180))
        #expect(!plans.isLooking(1) && plans.nextDeadline == .zero + .seconds(190))
        // Not again in the same turn either, whatever somebody wishes for.
        let unwilling = Replacements.Standing(missing: [desk.key(1)], unwilling: [desk.key(1)])
        #expect(plans.orders(at: .zero + .seconds(189)) { _ in unwilling }.isEmpty)
        #expect(plans.orders(at: .zero + .seconds(190)) { _ in unwilling } == [.end(1)])
    }

    @Test func whoeverHadSaidYesAndGoesOutOfReachHasAnswered() throws {
        var (desk, plans) = proposed()
        let (bo, cy) = (desk.key(1), desk.key(2))
        let both = Replacements.Standing(agreed: [bo], missing: [cy])
        #expect(plans.orders(at: .zero + .seconds(100)) { _ in both }.isEmpty)
        let none = Replacements.Standing(missing: [bo, cy])
        #expect(plans.orders(at: .zero + .seconds(180)) { _ in none } == [.end(1)])
        feed(&plans, desk.put(.replace(1)), isOwn: true)
        #expect(try #require(looks(&plans, at: 180)).without == [cy])
        // As long again as everybody had, and no longer.
        (desk, plans) = proposed()
        let all = Replacements.Standing(agreed: [bo, cy], missing: [])
        let one = Replacements.Standing(agreed: [cy], missing: [bo])
        #expect(plans.orders(at: .zero + .seconds(100)) { _ in all }.isEmpty)
        #expect(plans.orders(at: .zero + .seconds(279)) { _ in one }.isEmpty)
        #expect(plans.orders(at: .zero + .seconds(289)) { _ in one } == [.end(1)])
    }

    @Test func whoeverWishesForSomethingElseIsAskedAgain() throws {
        var (desk, plans) = proposed()
        let standing = Replacements.Standing(
            missing: [desk.key(1), desk.key(2)], unwilling: [desk.key(1)])
        #expect(plans.orders(at: .zero + .seconds(1)) { _ in standing } == [.end(1)])
        #expect(plans.why(1) == .unwanted)
        feed(&plans, desk.put(.replace(1)), isOwn: true)
        #expect(try #require(looks(&plans)).without.isEmpty)
    }

    @Test func theUsersOwnNoEndsIt() throws {
        var (desk, plans) = proposed()
        feed(&plans, desk.put(.cancel(1)), isOwn: true)
        #expect(!plans.isLooking(1) && looks(&plans) == nil)
        var (countered, _) = try Desk.countered(3)
        plans = Replacements()
        plans.proposed(1, terms, at: .zero)
        feed(&plans, countered.put(.decline(1, note: "no")), isOwn: true)
        #expect(!plans.isLooking(1))
    }

    @Test func aSignedNoAndALostSeat() throws {
        var (desk, contract) = try Desk.preparing(3)
        var plans = Replacements()
        plans.proposed(1, terms, at: .zero)
        desk.travellers[2].no(contract)
        feed(&plans, desk.put(.logsChanged))
        #expect(try #require(looks(&plans)).without == [desk.key(2)])
        (desk, plans) = proposed()
        desk.travellers[1].append(.retract(desk.slots[1]))
        feed(&plans, desk.put(.logsChanged))
        #expect(desk.swaps.records[0].lost?.why == .givenUp)
        #expect(try #require(looks(&plans)).without.isEmpty)
        // Whoever gives their own seat up does not want another for it.
        (desk, plans) = proposed()
        desk.travellers[0].append(.retract(desk.slots[0]))
        feed(&plans, desk.put(.logsChanged))
        #expect(desk.stage() == .withdrawn && !plans.isLooking(1))
    }

    @Test func itsOwnTimeAndAnotherSearchEndIt() throws {
        var (desk, plans) = proposed()
        feed(&plans, desk.wait(100))
        #expect(desk.stage() == .expired && !plans.isLooking(1))
        (desk, plans) = proposed()
        feed(&plans, try decline(&desk, 1))
        plans.proposed(7, terms, at: .zero)
        #expect(!plans.isLooking(1) && looks(&plans) == nil)
        (desk, plans) = proposed()
        feed(&plans, try decline(&desk, 1))
        plans.stop()
        #expect(!plans.isLooking(1) && looks(&plans) == nil)
        // Also where the request stands, and only ends later.
        (desk, plans) = proposed()
        plans.stop()
        feed(&plans, try decline(&desk, 1))
        #expect(!plans.isLooking(1) && plans.nextDeadline == nil)
    }

    @Test func whatTheUserSaysMeanwhileBeginsTheSearchAnew() throws {
        var (desk, plans) = proposed()
        feed(&plans, try decline(&desk, 1))
        let plan = try #require(looks(&plans))
        #expect(plans.isWanted(plan))
        plans.wishChanged()
        #expect(!plans.isWanted(plan) && plans.isLooking(1))
        let again = try #require(looks(&plans, at: 10))
        #expect(plans.isWanted(again) && !plans.isWanted(plan))
        plans.replaced(again, by: 2, at: .zero)
        #expect(plans.after(1) == 2 && plans.after(2) == nil)
    }

    /// The user answers it, and what they accept is not taken back by what was wished before.
    @Test func aCounterOfferPutsItIntoTheUsersHands() throws {
        var (desk, plans) = proposed()
        feed(&plans, desk.say(try desk.counter(desk.ring([0, 2, 1], nonce: 4)), from: 1))
        _ = desk.put(.accept(1, override: false))
        #expect(desk.stage() == .offered)
        let unwilling = Replacements.Standing(missing: [desk.key(1)], unwilling: [desk.key(1)])
        #expect(plans.orders(at: .zero + .seconds(500)) { _ in unwilling }.isEmpty)
        #expect(plans.nextDeadline == nil)
    }

    @Test func betweenTwoWhoeverTakesItBackSaidNo() throws {
        var desk = Desk(3, me: 0)
        var plans = Replacements()
        _ = desk.put(.ask(desk.ring([0, 1]).legs, note: "", expires: nil))
        plans.proposed(1, terms, at: .zero)
        let thread = desk.swaps.records[0].thread
        feed(&plans, desk.say(.withdraw(Withdraw(thread: thread, reason: .failed)), from: 1))
        #expect(try #require(looks(&plans)).without == [desk.key(1)])
        // Silence: it is taken back as a user takes it back.
        _ = desk.put(.ask(desk.ring([0, 2]).legs, note: "", expires: nil))
        #expect(desk.put(.replace(2)).kinds == ["withdraw cancelled 1"])
    }

    @Test func whatSomebodyWouldNotTakeAnyMore() throws {
        let desk = Desk(3, me: 0)
        let contract = desk.ring([0, 1, 2])
        let (fold, bo) = (desk.context.fold, desk.key(1))
        func wish(_ ranks: [String], _ asks: Wish.Asks = .anything, offered: Int = 1) -> Wish {
            Wish(
                offered: [desk.slots[offered].token], ranks: ranks.map { SeatedCabin.set($0) },
                asks: asks, tag: ThreadID(high: 1, low: 1))
        }
        // Traveller 1 gives 2A and gets 1A.
        for (wish, isUnwanted) in [
            (nil, false), (wish(["1A"]), false), (wish(["1A 2A"]), false),
            (wish(["9F", "1A"]), false), (wish(["9F"]), true), (wish(["2A", "1A"]), true),
            (wish(["1A"], .nothing), true), (wish([]), false), (wish(["9F"], offered: 2), false),
        ] {
            #expect(contract.legs.isUnwanted(by: bo, wish, fold) == isUnwanted)
        }
        #expect(!contract.legs.isUnwanted(by: Traveller(99).key, wish(["9F"]), fold))
    }
}
