// SPDX-License-Identifier: Apache-2.0
package import Text

/// The doctor's result about one thing.
package struct Finding: Hashable, Sendable {
    /// The result.
    enum State: String, Sendable {
        case ok
        /// Not as it should be, but others can still be met.
        case warn
        /// Keeps others from being met.
        case bad
        /// It could not be examined.
        case skipped
    }

    /// The things examined, in the order of the report.
    enum Name: String, CaseIterable, Sendable {
        // Of a network:
        case interfaces
        case vpn
        case multicast
        case avahi
        case ownRegistration = "own-registration"
        case computerName = "computer-name"
        case othersHeard = "others-heard"
        case agentsSeen = "agents-seen"
        case tcp
        case isolation
        case firewall
        case page
        case hotspot
        case clock
        case agent
        // Of a meeting point:
        case meetName = "meet-name"
        case meetReach = "meet-reach"
        case meetTLS = "meet-tls"
        case meetLogin = "meet-login"
        case meetFeatures = "meet-features"
        case meetStore = "meet-store"
        case meetWide = "meet-wide"
        case meetLoop = "meet-loop"

        /// Those that `doctor` looks at.
        static let ofNetwork = Array(allCases.prefix { $0 != .meetName })
        /// Those that `meet check` looks at.
        static let ofMeetingPoint = Array(allCases.drop { $0 != .meetName })
    }

    let name: Name
    let state: State
    /// One plain line; begins in lower case, no full stop.
    let what: String
    /// Why, if it is known.
    var why: String?
    /// A command that works as printed, if there is one.
    var advice: String?

    init(
        _ name: Name, _ state: State, _ what: String, why: String? = nil, advice: String? = nil
    ) {
        self.name = name
        self.state = state
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// The object of `--json`.
    var json: JSON {
        .object(present: [
            "name": .string(name.rawValue), "state": .string(state.rawValue),
            "what": .string(what), "why": why.map(JSON.string), "try": advice.map(JSON.string),
        ])
    }

    /// `bad   tcp   nobody answers`, then why and what to try.
    var lines: [String] {
        var lines = [
            padded(state == .skipped ? "skip" : state.rawValue, to: 6)
                + padded(name.rawValue, to: 18) + visible(what)
        ]
        if let why { lines.append("        why: " + visible(why)) }
        if let advice { lines.append("        try: " + visible(advice)) }
        return lines
    }
}

/// The one thing that keeps agents apart, or none.
package enum Cause: String, CaseIterable, Sendable {
    /// Others are here and can be reached.
    case well
    /// The network works and nobody else runs an agent.
    case alone
    /// No other machine is heard at all.
    case nobodyHeard = "nobody-heard"
    /// No interface is connected.
    case noNetwork = "no-network"
    /// There is no interface but the loopback.
    case onlyLoopback = "only-loopback"
    /// avahi-daemon does not work.
    case noAvahi = "no-avahi-daemon"
    /// Multicast does not get through, so nobody is found.
    case noMulticast = "no-multicast"
    /// Traffic for neighbours goes into a tunnel.
    case vpn
    /// This machine's firewall.
    case firewall
    /// Another machine's firewall.
    case firewallThere = "firewall-there"
    /// The network keeps its clients apart.
    case isolated
    /// Agents were announced, but nothing listens there.
    case refused
    /// The clock is wrong.
    case clock

    /// Whether this keeps others from being met.
    var isTrouble: Bool {
        switch self {
        case .well, .alone: false
        case .nobodyHeard, .noNetwork, .onlyLoopback, .noAvahi, .noMulticast, .vpn, .firewall,
            .firewallThere, .isolated, .refused, .clock:
            true
        }
    }
}

/// All findings, and the conclusion.
package struct Diagnosis: Hashable, Sendable {
    /// In the order of ``Finding/Name``.
    package let findings: [Finding]
    /// What keeps agents apart.
    package let cause: Cause
    /// The cause in one plain line.
    package let what: String
    /// Why.
    package let why: String?
    /// What to do about it.
    package let advice: String?

    private var verdict: Verdict {
        Verdict(
            findings: findings, cause: cause.rawValue, isTrouble: cause.isTrouble, what: what,
            why: why, advice: advice)
    }

    /// The error for scripts; `nil` if nothing is wrong.
    package var error: UserError? { verdict.error }

    /// The result of `--json`.
    package var json: JSON { verdict.json }

    /// The report for people.
    package var lines: [String] { verdict.lines }
}

/// What an examination comes to, in the form in which people and scripts get it.
package struct Verdict: Hashable, Sendable {
    /// In the order of ``Finding/Name``.
    let findings: [Finding]
    /// One word for what is wrong.
    package let cause: String
    /// Whether it keeps others from being met.
    package let isTrouble: Bool
    /// The cause in one plain line.
    package let what: String
    /// Why.
    package let why: String?
    /// What to do about it.
    package let advice: String?

    /// The error for scripts; `nil` if nothing is wrong.
    package var error: UserError? {
        guard isTrouble else { return nil }
        return UserError(.networkTrouble, what, why: why, advice: advice)
    }

    /// The result of `--json`.
    package var json: JSON {
        .object(present: [
            "cause": .string(cause), "what": .string(what),
            "why": why.map(JSON.string), "try": advice.map(JSON.string),
            "findings": .array(findings.map(\.json)),
        ])
    }

    /// The report for people.
    package var lines: [String] {
        var lines = findings.flatMap(\.lines)
        lines += ["", "Cause: \(visible(what)) (\(cause))"]
        if let why { lines.append("  why: " + visible(why)) }
        if let advice { lines.append("  try: " + visible(advice)) }
        return lines
    }
}
