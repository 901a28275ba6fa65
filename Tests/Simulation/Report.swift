// SPDX-License-Identifier: Apache-2.0
import Protocol

/// A rule that did not hold.
package struct Failure: Sendable {
    package let seed: UInt64
    /// Which rule: I1 to I8, durable, liveness ...
    package let rule: String
    /// What was seen.
    package let text: String
    /// When, in simulated time.
    package let milliseconds: Int
}

/// What came of a seed.
package struct Outcome: Sendable {
    package let seed: UInt64
    /// Of all events and effects, in order.
    package let digest: UInt64
    package let failure: Failure?
    package let totals: Totals
    package let trace: [String]
    /// The logs of a host at the end, where they were asked for.
    package let kept: Kept?
}

/// Counts over one seed or many.
package struct Totals: Sendable {
    package var seeds = 0
    package var events = 0
    /// Host-time, in nanoseconds.
    package var agentTime: Int64 = 0
    package var starts = 0
    package var links = 0
    package var circuits = 0
    package var asked = 0
    package var committed = 0
    package var aborted = 0
    package var declined = 0
    package var expired = 0
    package var stranded = 0
    /// Yeses to several that stood for more than two minutes, and came true.
    package var stood = 0
    /// Applied contracts that did not stay so, each with somebody proven guilty.
    package var rollbacks = 0
    package var convicted = 0
    /// Betrayals that an honest passenger had said yes to.
    package var plots = 0
    /// Honest keys that an old copy of their log made fork: nobody reached knew the rest.
    package var unlucky = 0
    /// Suggestions of a cabin that honest people stood by to the end.
    package var suggested = 0
    /// Lines that companions read.
    package var partyLines = 0
    /// Times that people looked for swaps, proposed what was found, and sat there in the end.
    package var searches = 0, planned = 0, seated = 0
    /// Yeses of honest agents that were held against what their users said.
    package var signed = 0
    /// What liars did about wishes and plans.
    package var lies = 0
    package var folds = 0
    package var comparisons = 0
    /// Bytes on one connection at most.
    package var maxQueue = 0
    /// Things noted in the agenda at most.
    package var maxAgents = 0
    /// Seconds from the end of all faults to rest, at most.
    package var slowestHeal = 0
    package var faults = [Int](repeating: 0, count: FaultKind.allCases.count)
    /// At meeting points: events, connections, tunnels, entries that came from boxes, messages
    /// kept back, yeses of those asked, each out of a session, and seeds with one.
    package var meetEvents = 0, greetings = 0, tunnels = 0, mailed = 0, kept = 0, heard = 0
    package var meets = 0
    /// Of whole days: deeds of hostile keys, entries that they signed, pairs of a party of whom one
    /// boards and knows the other by then, swaps committed before that and behind it.
    package var sieges = 0, hostile = 0, parted = 0, found = 0, atHome = 0, aboard = 0
    package var days = 0
    package var meetFaults = [Int](repeating: 0, count: MeetFault.allCases.count)

    package init() {}

    /// Adds those of another seed.
    package mutating func add(_ more: Totals) {
        seeds += more.seeds
        events += more.events
        agentTime += more.agentTime
        starts += more.starts
        links += more.links
        circuits += more.circuits
        asked += more.asked
        committed += more.committed
        aborted += more.aborted
        declined += more.declined
        expired += more.expired
        suggested += more.suggested
        partyLines += more.partyLines
        searches += more.searches
        planned += more.planned
        seated += more.seated
        signed += more.signed
        lies += more.lies
        stranded += more.stranded
        stood += more.stood
        rollbacks += more.rollbacks
        convicted += more.convicted
        plots += more.plots
        unlucky += more.unlucky
        folds += more.folds
        comparisons += more.comparisons
        maxQueue = max(maxQueue, more.maxQueue)
        maxAgents = max(maxAgents, more.maxAgents)
        slowestHeal = max(slowestHeal, more.slowestHeal)
        for index in faults.indices { faults[index] += more.faults[index] }
        meets += more.meets
        meetEvents += more.meetEvents
        greetings += more.greetings
        tunnels += more.tunnels
        mailed += more.mailed
        kept += more.kept
        heard += more.heard
        days += more.days
        sieges += more.sieges
        hostile += more.hostile
        parted += more.parted
        found += more.found
        atHome += more.atHome
        aboard += more.aboard
        for index in meetFaults.indices { meetFaults[index] += more.meetFaults[index] }
    }

    mutating func finish(_ world: SimWorld) {
        seeds = 1
        meets = world.meets == nil ? 0 : 1
        days = world.day == nil ? 0 : 1
        maxAgents = world.hosts.count
    }

    /// `loss 12, reset 3`: the faults that happened.
    package var faultText: String {
        FaultKind.allCases.filter { faults[$0.rawValue] > 0 }
            .map { "\($0.name) \(faults[$0.rawValue])" }.joined(separator: ", ")
    }

    /// The same of meeting points, and what happened there.
    private var meetText: String {
        let faults = MeetFault.allCases.filter { meetFaults[$0.rawValue] > 0 }
            .map { "\($0.name) \(meetFaults[$0.rawValue])" }.joined(separator: ", ")
        return "meeting points: \(meetEvents) events, \(greetings) connections, "
            + "\(tunnels) ends of tunnels, \(mailed) entries came, \(kept) messages kept back, "
            + "\(heard) yeses in a session; \(faults)"
    }

    private var dayText: String {
        "whole days: \(days), \(found) of \(parted) companions found before boarding, swaps "
            + "\(atHome) at home and \(aboard) aboard, \(sieges) deeds of hostile keys with "
            + "\(hostile) entries"
    }

    /// Whole hours that all agents together lived.
    package var agentHours: Int { Int(agentTime / 3_600_000_000_000) }

    /// What a person reads at the end.
    package var summary: [String] {
        [
            "\(seeds) seeds, \(events) events, \(agentHours) agent-hours, \(starts) starts, "
                + "\(links) connections, \(circuits) through a third agent",
            "swaps: \(asked) asked, \(committed) committed, \(aborted) aborted, "
                + "\(declined) declined or withdrawn, \(expired) expired, \(stranded) stranded, "
                + "\(stood) long yeses came true",
            "plans: \(searches) searches, \(planned) proposed, \(seated) people moved by one, "
                + "\(lies) lies about wishes and plans; \(signed) signatures, each meant",
            "cheats: \(plots) plots, \(convicted) convicted, \(rollbacks) swaps undone, "
                + "each with its culprit named; \(unlucky) old copies forked",
            "checked: \(folds) folds made anew, \(comparisons) maps compared; "
                + "most bytes waiting on a connection \(maxQueue), "
                + "most agents \(maxAgents), slowest recovery \(slowestHeal) s",
            "faults: \(faultText)",
        ] + (meets > 0 ? [meetText] : []) + (days > 0 ? [dayText] : [])
    }
}
