// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What can go wrong in a venue: see docs/assurance.md, "Simulator". The first five strike anybody,
/// the others the desk, but for somebody who is no desk and writes as if they were, and for hostile
/// keys who want everything.
package enum DeskFault: Int, CaseIterable, Sendable {
    case loss, slow, partition, crash, commitCrash, death, away, restore, rival, fork, voids, liar
    case siege

    /// What it is called on the command line.
    package var name: String { "\(self)" }

    /// The fault of that name.
    package init?(_ name: String) {
        guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }

    /// In how many of a hundred seeds it can happen, when nothing else is asked for.
    var usual: Int {
        switch self {
        case .loss, .slow, .crash, .commitCrash, .death: 50
        case .partition, .away, .voids: 35
        case .restore, .liar: 20
        case .rival, .fork: 10
        case .siege: 0
        }
    }
}

/// Something that is wrong in the simulator itself, so that a test sees the checks fail.
package enum DeskSabotage: Sendable {
    /// One agent counts a booking twice.
    case countsTwice
    /// One agent's book lacks the last booking.
    case lacksOne
    /// A desk comes back from an old copy and grants again, and the checks are not told.
    case forksUnseen
    /// The desk stays away when all is to be well again.
    case staysAway
}

/// How a seed of a venue is run.
package struct DeskOptions: Sendable {
    /// These faults in every seed, and no others; `nil` lets the seed choose.
    package var faults: [DeskFault]?
    /// Things that happen at most: a shorter life for a trace.
    package var deeds = Int.max
    /// Whether each seed is a whole day, most of them with hostile keys.
    package var days = false
    /// Whether lines for people are kept.
    package var isTraced = false
    /// What is made wrong.
    package var sabotage: DeskSabotage?

    /// As usual.
    package init() {}

    /// The options of a command line that differ from the usual ones.
    package var text: String {
        var parts = [days ? "--days" : "--desks"]
        if deeds != Int.max { parts.append("--deeds \(deeds)") }
        if let faults {
            let names = faults.isEmpty ? "none" : faults.map(\.name).joined(separator: ",")
            parts.append("--only \(names)")
        }
        return parts.joined(separator: " ")
    }
}

/// What one seed makes of the options.
struct DeskProfile {
    /// Beside the desk.
    let members: Int
    let deeds: Int
    let faults: [DeskFault]
    /// Milliseconds between two deeds, on average.
    let pace: Int
    /// Of how many members the desk knows number and class.
    let noted: Int

    init(seed: UInt64, _ options: DeskOptions) {
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 7)
        members = Int.random(in: 3...7, using: &random)
        let many = Int.random(in: 30...100, using: &random)
        deeds = min(many, options.deeds)
        pace = [200, 700, 2000][Int.random(in: 0..<3, using: &random)]
        noted = Int.random(in: 0...members, using: &random)
        var chosen: [DeskFault] = []
        for fault in DeskFault.allCases {
            let lot = Int.random(in: 0..<100, using: &random)
            let usual = options.days && fault == .siege ? 75 : fault.usual
            if lot < usual { chosen.append(fault) }
        }
        faults = options.faults ?? chosen
    }
}

/// What came of a seed of a venue.
package struct DeskOutcome: Sendable {
    /// Of all that happened, in order.
    package let digest: UInt64
    package let failure: Failure?
    package let totals: DeskTotals
    package let trace: [String]
}

/// Counts over one venue or many.
package struct DeskTotals: Sendable {
    package var seeds = 0
    package var asks = 0
    /// Asks that became a booking, or ended one; that the desk refused; that wait in the queue.
    package var granted = 0, refused = 0, waiting = 0
    package var mints = 0
    package var voids = 0
    /// Contracts that moved bookings.
    package var swaps = 0
    package var checks = 0
    /// Deliveries of bytes.
    package var arrivals = 0
    /// Ledgers that forked, and venues in which a grant may have been lost.
    package var forks = 0, disturbed = 0
    package var faults = [Int](repeating: 0, count: DeskFault.allCases.count)

    package init() {}

    /// Adds those of another seed.
    package mutating func add(_ more: DeskTotals) {
        seeds += more.seeds
        asks += more.asks
        granted += more.granted
        refused += more.refused
        waiting += more.waiting
        mints += more.mints
        voids += more.voids
        swaps += more.swaps
        checks += more.checks
        arrivals += more.arrivals
        forks += more.forks
        disturbed += more.disturbed
        for index in faults.indices { faults[index] += more.faults[index] }
    }

    /// What a person reads at the end.
    package var summary: [String] {
        let happened = DeskFault.allCases.filter { faults[$0.rawValue] > 0 }
            .map { "\($0.name) \(faults[$0.rawValue])" }.joined(separator: ", ")
        return [
            "\(seeds) venues, \(arrivals) deliveries, \(checks) books checked",
            "asks: \(asks) made, \(granted) done, \(refused) refused, \(waiting) in the queue",
            "books: \(mints) bookings, \(voids) void grants, \(swaps) swaps; "
                + "\(forks) forks, \(disturbed) venues that may lose a grant",
            "faults: \(happened)",
        ]
    }
}
