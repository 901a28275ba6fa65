// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What can go wrong: see docs/assurance.md, "Simulator". Connections are streams, so what is lost,
/// doubled or overtaken there shows as a delay, as whole frames said again, and as two connections
/// at once.
package enum FaultKind: Int, CaseIterable, Sendable {
    case loss, duplicate, reorder, delay, oneWay, partition, swizzle, slowReader, reset
    case crash, commitCrash, diskFull, restore, clone, clock, byzantine, mdns, flood

    /// What it is called on the command line.
    package var name: String { "\(self)" }

    /// The fault of that name.
    package init?(_ name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// In how many of a hundred seeds it can happen, when nothing else is asked for.
    package var usual: Int {
        switch self {
        case .loss, .reorder, .delay, .reset, .crash, .commitCrash, .byzantine: 35
        case .duplicate, .oneWay, .partition, .swizzle, .slowReader, .clock, .mdns: 25
        case .diskFull, .restore, .flood: 15
        case .clone: 10
        }
    }
}

/// What people do.
package enum HumanKind: Int, CaseIterable, Sendable {
    case swap, ring, cancel, claim, release, rename, chat, message, wish, layout, force, leave
    case accept, decline, counter, party, plan

    /// What it is called on the command line.
    package var name: String { "\(self)" }

    /// The deed of that name.
    package init?(_ name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// How often it is chosen among those that need no occasion.
    var weight: Int {
        switch self {
        case .swap: 40
        case .ring: 10
        case .cancel: 6
        case .claim, .release: 3
        case .rename, .wish: 3
        case .chat: 12
        case .layout: 6
        case .message: 8
        case .party: 5
        case .leave: 1
        case .force, .accept, .decline, .counter, .plan: 0
        }
    }
}

/// How a seed is run.
package struct SimOptions: Sendable {
    /// How many passengers; `nil` lets the seed choose 2 to 24.
    package var agents: Int?
    /// In how many of a hundred seeds each fault can happen.
    package var faults: [FaultKind: Int]
    /// What people do.
    package var humans: Set<HumanKind>
    /// Seconds of trouble before everything heals; `nil` lets the seed choose.
    package var seconds: Int?
    /// Deeds of people at most: a shorter life for a trace.
    package var deeds = Int.max
    /// Whether every seed has plans; else the seed chooses.
    package var plans = false
    /// Whether there is a meeting point: people begin at home.
    package var meet = false
    /// Whether each seed is a whole day with all of it: plans, a meeting point, hostile keys.
    package var days = false
    /// In how many of a hundred seeds each fault of a meeting point can happen.
    package var meetFaults: [MeetFault: Int]
    /// What is made wrong in the simulator.
    package var sabotage: MeetSabotage?
    /// Whether lines for people are kept.
    package var isTraced = false

    /// Whether the logs of a host are kept to the end.
    package var isKept = false

    /// As usual.
    package init() {
        var faults: [FaultKind: Int] = [:]
        for kind in FaultKind.allCases { faults[kind] = kind.usual }
        self.faults = faults
        humans = Set(HumanKind.allCases)
        meetFaults = [:]
        for fault in MeetFault.allCases { meetFaults[fault] = fault.usual }
    }

    /// The options of a command line that differ from the usual ones.
    package var text: String {
        var parts: [String] = []
        if let agents { parts.append("--agents \(agents)") }
        if let seconds { parts.append("--seconds \(seconds)") }
        if deeds != Int.max { parts.append("--deeds \(deeds)") }
        if plans { parts.append("--plans") }
        if meet { parts.append("--meet") }
        if days { parts.append("--days") }
        for fault in MeetFault.allCases where (meet || days) && meetFaults[fault] != fault.usual {
            parts.append("--fault \(fault.name)=\(meetFaults[fault] ?? 0)")
        }
        for kind in FaultKind.allCases where faults[kind] != kind.usual {
            parts.append("--fault \(kind.name)=\(faults[kind] ?? 0)")
        }
        let without = HumanKind.allCases.filter { !humans.contains($0) }.map(\.name)
        if !without.isEmpty { parts.append("--without \(without.joined(separator: ","))") }
        return parts.joined(separator: " ")
    }
}

/// What one seed makes of the options: chosen by a generator of its own, so that taking one fault
/// away leaves the rest as it was.
struct Profile {
    let agents: Int
    let seconds: Int
    let faults: [FaultKind]
    let cheats: Int
    /// Milliseconds between two deeds of people, on average.
    let pace: Int
    /// Whether effects of several events are one transaction.
    let gathers: Bool
    /// Whether people look at their screens once in minutes, so that yeses have to stand.
    let isSlow: Bool
    /// Whether people look for swaps in a cabin with classes and exit rows.
    let hasPlans: Bool
    /// What its meeting point is like; `nil` where there is none.
    let meet: MeetProfile?

    init(seed: UInt64, _ options: SimOptions) {
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 1)
        let draw = Int.random(in: 0..<100, using: &random)
        let spread = Int.random(in: 0..<12, using: &random)
        let chosen =
            switch draw {
            case ..<25: 2
            case ..<61: 3
            case ..<85: 4
            case ..<92: 5
            case ..<97: 6 + spread % 3
            case ..<99: 9 + spread % 4
            default: 13 + spread
            }
        var other = PlanLife.generator(seed)
        let isChosen = options.plans || options.days || other.below(4) == 0
        let count = options.days ? min(chosen, 8) : chosen
        hasPlans =
            isChosen && options.humans.contains(.plan) && 3...12 ~= options.agents ?? max(3, count)
        agents = max(2, options.agents ?? (hasPlans ? max(4 + other.below(4), count) : count))
        let time = Int.random(in: 12...45, using: &random)
        let pause = [250, 600, 1500][Int.random(in: 0..<3, using: &random)] * 4 / min(agents, 8)
        gathers = Int.random(in: 0..<4, using: &random) == 0
        var faults: [FaultKind] = []
        for kind in FaultKind.allCases {
            let lot = Int.random(in: 0..<100, using: &random)
            if lot < options.faults[kind] ?? 0 { faults.append(kind) }
        }
        let many = Int.random(in: 0..<3, using: &random) == 0 ? 1 : 2
        let hasCheats =
            faults.contains(.byzantine) || faults.contains(.flood) || options.days && count > 3
        cheats = hasCheats && agents > 2 ? min(many, agents - 2) : 0
        self.faults = faults
        let lot = Int.random(in: 0..<16, using: &random)
        isSlow = lot == 0 && agents <= 12 && options.seconds ?? 300 >= 200
        // Whom nobody can trust is found out aboard, where everybody speaks with everybody.
        let isTrusty = !faults.contains { [.byzantine, .flood, .clone, .restore].contains($0) }
        meet =
            options.meet || options.days
            ? MeetProfile(seed: seed, options, mayEndAtHome: isTrusty && !options.days) : nil
        seconds =
            meet?.seconds ?? options.seconds
            ?? (isSlow ? 300 : hasPlans ? time + 40 : agents > 12 ? time / 2 : time)
        let deeds = options.days ? 150 : 60
        pace = max((pause + 100) * (isSlow ? 10 : 1), (meet?.seconds ?? 0) * 1000 / deeds)
    }

    /// After how many milliseconds people answer.
    var answers: ClosedRange<Int64> { isSlow ? 1000...200_000 : 100...6000 }

    /// How many seconds a request to one other stands, and a ring.
    var requests: (one: ClosedRange<Int>, ring: Int) {
        isSlow ? (one: 60...300, ring: 290) : (one: 10...60, ring: 60)
    }

    func has(_ kind: FaultKind) -> Bool { faults.contains(kind) }
}
