// SPDX-License-Identifier: Apache-2.0
import Text

/// Findings for hosts of guests who have a phone and no agent.
extension DoctorFacts {
    /// Whether phones come through this machine's firewall, as far as its rules tell.
    var pageFinding: Finding {
        guard let page else {
            return Finding(.page, .skipped, "no page is served to phones")
        }
        let wanted =
            "phones need TCP port \(page.port), and others "
            + "\(page.guests.lowerBound) to \(page.guests.upperBound) for your guests"
        guard !connected.isEmpty else {
            return Finding(.page, .skipped, "there is no network in which phones could be")
        }
        guard case .rules(let rules) = firewall else {
            return Finding(
                .page, .skipped, wanted,
                why: "whether the firewall lets them pass is not known",
                advice: firewall == .unreadable ? advice.rules : nil)
        }
        var isUnclear = false
        for port in [page.port] + Array(page.guests) {
            switch verdict(onConnectionsTo: port, rules) {
            case .accepted: break
            case .unclear: isUnclear = true
            case .dropped(let place):
                let whose =
                    port == page.port ? "where phones get the page" : "where guests are met"
                return Finding(
                    .page, .warn,
                    "this machine's firewall drops connections to TCP port \(port), \(whose)",
                    why: wanted, advice: advice.open(port, "tcp", at: place, in: rules))
            }
        }
        guard !isUnclear else {
            return Finding(
                .page, .skipped, "the firewall's rules are more than this program understands",
                why: wanted, advice: advice.rules)
        }
        return Finding(
            .page, .ok,
            "the firewall lets phones in at TCP port \(page.port), and others to your guests")
    }

    /// Whether this machine makes a network of its own, in which nothing keeps phones apart.
    var hotspotFinding: Finding {
        switch hotspot {
        case .runs(let name):
            Finding(
                .hotspot, .ok,
                "this machine runs a hotspot" + (name.map { " on \(visible($0, cells: 20))" } ?? "")
                    + ": phones can join it")
        case .none: Finding(.hotspot, .ok, "this machine runs no hotspot")
        case .unknown:
            Finding(
                .hotspot, .skipped, "no program here says whether this machine runs a hotspot",
                why: "NetworkManager does not answer, and hostapd is not installed")
        }
    }
}
