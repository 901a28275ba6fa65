// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What can go wrong at a meeting point (docs/meet.md section 7). The first eight are a broker's,
/// the next three a passenger's, and the last is somebody who knows the flight and vandalises.
package enum MeetFault: Int, CaseIterable, Sendable {
    case empties, outage, frozen, withholds, forksViews, shuffles, drops, refuses
    case offline, away, oldDisk, vandal

    /// What it is called on the command line.
    package var name: String { "\(self)" }

    /// The fault of that name.
    package init?(_ name: String) {
        guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }

    /// In how many of a hundred seeds it can happen, when nothing else is asked for.
    package var usual: Int {
        switch self {
        case .empties, .outage, .away, .vandal: 40
        case .withholds, .forksViews, .shuffles, .drops, .offline: 30
        case .frozen, .refuses: 20
        case .oldDisk: 10
        }
    }
}

/// Something that is wrong in the simulator itself, so that a test sees the checks fail. Mail that
/// somebody does not get is none of it: sessions over tunnels bring the same.
package enum MeetSabotage: Sendable {
    /// What one passenger leaves at the second home gets lost without a word.
    case losesBoxes
    /// The checks do not hear that anybody had a session.
    case hearsNobody
    /// One passenger never visits their second home.
    case skipsVisits
    /// One passenger gets none of another's entries by mail.
    case keepsBack
    /// What people ask for themselves is not noted as a yes of theirs.
    case forgetsYes
    /// A hostile key is that of an honest passenger.
    case stealsKey
}

/// What one seed makes of a meeting point, chosen by a generator of its own.
struct MeetProfile {
    /// Brokers of the pool.
    let brokers: Int
    /// Seconds before everything heals.
    let seconds: Int
    /// When people begin to board; `nil` where all stay at home.
    let boards: Int?
    /// Whether no two are ever online together before that.
    let isInTurns: Bool
    let hasTunnels: Bool
    /// Whether brokers are in reach of those aboard, of a hundred of them.
    let reach: Int
    /// UTC at the start of the world.
    let starts: Int64
    let faults: [MeetFault]

    init(seed: UInt64, _ options: SimOptions, mayEndAtHome: Bool) {
        var random = SeededRandom(seed: seed &* 0x2545_F491 &+ 11)
        brokers = 2 + Int(random.next() % 2)
        let spans = [60...240, 60...240, 240...900, 240...900, 900...2400]
        let home = Int.random(in: spans[Int(random.next() % 5)], using: &random)
        let aboard = Int.random(in: 20...60, using: &random) * (options.days ? 4 : 1)
        seconds = options.seconds ?? home + aboard
        let staysAtHome = random.next() % 5 < 2
        isInTurns = random.next() % 5 == 0
        hasTunnels = random.next() % 8 > 0 || options.days
        reach = [0, 0, 50, 100][Int(random.next() % 4)]
        let lot = Int64(random.next() % UInt64(seconds + 600))
        let tomorrow: Int64 = 20_834 * 86_400
        starts = random.next() % 5 < 2 ? tomorrow - lot : tomorrow - 43_200
        var faults: [MeetFault] = []
        for fault in MeetFault.allCases {
            let lot = Int.random(in: 0..<100, using: &random)
            if lot < options.meetFaults[fault] ?? 0 { faults.append(fault) }
        }
        self.faults = faults
        // What an old copy of a disk lacks may be with others alone, and they leave only their own
        // logs: it comes back where agents speak with each other.
        let isAtHome = staysAtHome && mayEndAtHome && !faults.contains(.oldDisk)
        boards = isAtHome ? nil : seconds * home / (home + aboard)
    }
}
