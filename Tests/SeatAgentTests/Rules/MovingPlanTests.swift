// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation

private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

/// `14C>12A 12A>14C`: whoever sits in the first goes to the second.
private func places(_ text: String) throws -> [Seat: Seat] {
    var places: [Seat: Seat] = [:]
    for pair in text.split(separator: " ") {
        let ends = pair.split(separator: ">").map(String.init)
        places[try seat(ends[0])] = try seat(ends[1])
    }
    return places
}

private func words(_ plan: MovingPlan) -> [String] {
    plan.steps.map { step in
        switch step {
        case .waits(let from): "\(from.text) waits"
        case .moves(let from, let to): "\(from.text) to \(to.text)"
        case .sits(let from, let to): "\(from.text) sits in \(to.text)"
        }
    }
}

@Suite("The order in which to stand up")
struct MovingPlanTests {
    @Test("One waits in the aisle, the others move into the seat that is free")
    func ring() throws {
        let plan = MovingPlan(try places("14C>12C 12C>20D 20D>14C"), cabin: .standard)
        #expect(words(plan) == ["12C waits", "14C to 12C", "20D to 14C", "12C sits in 20D"])
        #expect(plan.most == 2)
    }

    @Test("Who waits is chosen so that few have to stand up to let others pass")
    func window() throws {
        // 14A passes 14B once, and both seats are filled from the window.
        let plan = MovingPlan(try places("14A>20C 20C>14B 14B>14A"), cabin: .standard)
        #expect(words(plan) == ["14A waits", "14B to 14A", "20C to 14B", "14A sits in 20C"])
        #expect(plan.most == 2)
        let other = MovingPlan(try places("14A>14B 14B>20C 20C>14A"), cabin: .standard)
        #expect(words(other).first == "20C waits" && other.most == 2)
    }

    @Test("Rounds that have nothing to do with each other come one after the other")
    func rounds() throws {
        let plan = MovingPlan(
            try places("14C>12A 12A>14C 14D>12B 12B>14D"), cabin: .standard)
        #expect(plan.steps.count == 6)
        #expect(words(plan).filter { $0.hasSuffix("waits") }.count == 2)
    }

    @Test("Who belongs together stands up and sits down together")
    func together() throws {
        let swap = try places("9A>17A 9B>17B 17A>9A 17B>9B")
        let family = try ["9A", "9B"].map(seat)
        let plan = MovingPlan(swap, cabin: .standard, together: [family])
        #expect(
            words(plan) == [
                "17A waits", "9A waits", "9B waits", "17A sits in 9A", "17B to 9B",
                "9A sits in 17A", "9B sits in 17B",
            ])
        #expect(plan.most == 3)
        // Alone, each pair of seats is a round of its own.
        #expect(words(MovingPlan(swap, cabin: .standard)).first == "9A waits")
        // Two families at once, and one whose seats are in two rounds.
        let other = try ["17A", "17B"].map(seat)
        let both = MovingPlan(swap, cabin: .standard, together: [other, family])
        #expect(
            words(both) == [
                "9A waits", "9B waits", "17A to 9A", "17B to 9B", "9A sits in 17A",
                "9B sits in 17B",
            ])
        let far = try places("9A>17A 17A>9A 9B>20B 20B>9B")
        let apart = MovingPlan(far, cabin: .standard, together: [family])
        for (one, next) in zip(words(apart), words(apart).dropFirst())
        where one.hasPrefix("9A") { #expect(next.hasPrefix("9B"), "\(words(apart))") }
    }

    @Test("What is no exchange of seats has no plan")
    func none() throws {
        #expect(MovingPlan([:], cabin: .standard).steps.isEmpty)
        #expect(MovingPlan(try places("14C>12A"), cabin: .standard).steps.isEmpty)
        #expect(MovingPlan(try places("14C>12A 12A>12B"), cabin: .standard).steps.isEmpty)
    }

    @Test("Any plan can be carried out, and no other order needs fewer in the aisle")
    func carriedOut() throws {
        let seats = try ["3A", "3B", "3C", "7D", "7E", "7F", "9C"].map(seat)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let some = Array(seats.shuffled(using: &random).prefix(Int.random(in: 2...7)))
            let places = Dictionary(
                uniqueKeysWithValues: zip(some, some.dropFirst() + some.prefix(1)))
            let plan = MovingPlan(places, cabin: .standard)
            #expect(try most(plan.steps, places) == plan.most)
            // Every order in which one waits, as the plan of the same seats begun elsewhere.
            for start in some {
                var steps = [MovingPlan.Step.waits(from: start)]
                var free = start
                while let next = some.first(where: { places[$0] == free }), next != start {
                    steps.append(.moves(from: next, to: free))
                    free = next
                }
                steps.append(.sits(from: start, to: free))
                #expect(try most(steps, places) >= plan.most)
            }
        }
    }

    /// Carries the steps out; the most in the aisle at a time. Everybody has to end where they
    /// belong, and no seat may be taken when somebody comes.
    private func most(_ steps: [MovingPlan.Step], _ places: [Seat: Seat]) throws -> Int {
        var sits = Dictionary(uniqueKeysWithValues: places.keys.map { ($0, $0) })
        var waiting: Seat?
        var most = 0
        func passes(_ seat: Seat) -> Int {
            // The standard cabin has its aisle between C and D.
            let columns = seat.column < 3 ? (seat.column + 1)..<3 : 3..<seat.column
            return columns.count { column in
                sits.keys.contains { $0.row == seat.row && $0.column == column }
            }
        }
        for step in steps {
            switch step {
            case .waits(let from):
                #expect(waiting == nil)
                waiting = sits.removeValue(forKey: from)
                most = max(most, 1 + passes(from))
            case .moves(let from, let to):
                let leaving = sits.removeValue(forKey: from)
                let who = try #require(leaving)
                most = max(most, 2 + passes(from), 2 + passes(to))
                #expect(sits[to] == nil && places[who] == to)
                sits[to] = who
            case .sits(let from, let to):
                #expect(waiting == from && sits[to] == nil && places[from] == to)
                most = max(most, 1 + passes(to))
                sits[to] = from
                waiting = nil
            }
        }
        #expect(sits.allSatisfy { places[$0.value] == $0.key } && sits.count == places.count)
        return most
    }
}
