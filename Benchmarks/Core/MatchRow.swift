// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import ProtocolTestKit

/// Row 13: who could change seats with whom, for one scattered party after the other.
enum MatchRow {
    static func measure(rounds: Int) {
        measure("match.small", people: 192, rounds: rounds * 4)
        Sample.print("match.memory", Double(peak()), "MB")
        measure("match.large", people: 850, rounds: rounds)
        Sample.print("match.memory-large", Double(peak()), "MB")
    }

    private static func measure(_ name: String, people: Int, rounds: Int) {
        var plan = SeatedCabin.FlightPlan()
        plan.people = people
        plan.wishing = 100
        var made = 0
        for seed in 0..<UInt64(rounds) {
            let (flight, parties) = SeatedCabin.flight(seed: seed, plan)
            let wanted = 2 + made % 3
            let party = parties.first { party in
                party.count == wanted && party.allSatisfy { !flight.people[$0].ranks.isEmpty }
            }
            guard let party else { continue }
            made += 1
            let cabin = flight.own(party)
            let (common, own) = (cabin.common, cabin.own)
            let (time, matcher) = Clock.measure { Matcher(common: common, own: own) }
            Sample.print(name, time, per: 1, "ms", 1e6)
            let share = 100 * Double(matcher.planSteps) / Double(MatchSteps.plan)
            Sample.print(name + ".steps", share, "%")
            Sample.print(name + ".found", Double(matcher.proposals.count), "proposals")
        }
        guard made > 0 else { fail("no party to match") }
    }

    /// For callgrind: claims among 192 people with wishes, each folded, and what a search looks at.
    static func countClaim() {
        var cabin = Core.cabin(192)
        for author in cabin.authors.indices {
            guard cabin.talk(1, by: author) != nil else { fail("no wish") }
        }
        var logs = cabin.logs
        var running = RunningFold()
        running.follow(logs)
        let (wishes, places) = (logs.wishes, MatchCabin(SeatedCabin("ABC DEF", rows: 40).rows))
        let facts = MatchFacts(party: [cabin.authors[0].key])
        for number in 0..<16 {
            guard let seat = Seat(row: 33 + number / 6, column: number % 6),
                let claim = cabin.write(.claim(seat: seat, dependant: false), by: 20 + number)
            else { fail("no claim") }
            logs.restore(claim)
            let scenes = counted {
                running.follow(logs)
                return MatchScenes(running.fold, wishes, facts, cabin: places)
            }
            guard scenes.own.people.count == 193 + number else { fail("not the map meant") }
        }
    }

    /// The most memory that this process has had.
    private static func peak() -> Int {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
            fail("no rusage")
        }
        return usage.ru_maxrss / 1024
    }
}
