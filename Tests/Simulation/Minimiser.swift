// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Makes a failing seed smaller: takes faults, deeds, agents and time away, one after the other, as
/// long as it still breaks the same rule.
package struct Minimiser {
    let seed: UInt64
    /// The smallest options found so far.
    package private(set) var options: SimOptions
    /// The rule that is broken; empty for a seed that does not fail.
    package private(set) var rule = ""
    /// Runs so far.
    package private(set) var runs = 0

    /// A minimiser of that seed.
    package init(seed: UInt64, _ options: SimOptions) {
        self.seed = seed
        self.options = options
        rule = SimWorld.run(seed: seed, options).failure?.rule ?? ""
    }

    /// Tries until nothing more can be taken away. Tells `report` of each success.
    package mutating func shrink(_ report: (SimOptions) -> Void) {
        guard !rule.isEmpty else { return }
        let profile = Profile(seed: seed, options)
        for kind in FaultKind.allCases where !profile.has(kind) { options.faults[kind] = 0 }
        for kind in profile.faults { options.faults[kind] = 100 }
        for fault in MeetFault.allCases {
            options.meetFaults[fault] = profile.meet?.faults.contains(fault) == true ? 100 : 0
        }
        options.agents = profile.agents
        options.seconds = profile.seconds
        guard fails(options) else { return }
        for _ in 0..<3 {
            let before = runs
            for kind in FaultKind.allCases where options.faults[kind] != 0 {
                attempt(report) { $0.faults[kind] = 0 }
            }
            for fault in MeetFault.allCases where options.meetFaults[fault] != 0 {
                attempt(report) { $0.meetFaults[fault] = 0 }
            }
            for kind in HumanKind.allCases where options.humans.contains(kind) {
                attempt(report) { $0.humans.remove(kind) }
            }
            for agents in 2..<max(3, options.agents ?? 3) where agents < options.agents ?? 0 {
                attempt(report) { $0.agents = agents }
            }
            shorten(report)
            if runs == before { return }
        }
    }

    private mutating func shorten(_ report: (SimOptions) -> Void) {
        for share in [4, 2, 3] {
            attempt(report) { $0.seconds = max(2, ($0.seconds ?? 30) * share / (share + 1)) }
        }
        for deeds in [1, 2, 3, 5, 8, 13, 21, 34] where deeds < options.deeds {
            let before = options.deeds
            attempt(report) { $0.deeds = deeds }
            if options.deeds < before { return }
        }
    }

    private mutating func attempt(
        _ report: (SimOptions) -> Void, _ change: (inout SimOptions) -> Void
    ) {
        var smaller = options
        change(&smaller)
        guard fails(smaller) else { return }
        options = smaller
        report(options)
    }

    private mutating func fails(_ options: SimOptions) -> Bool {
        runs += 1
        return SimWorld.run(seed: seed, options).failure?.rule == rule
    }
}
