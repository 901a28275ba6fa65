// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import ControlAPI
import Text

/// What people are told about the meeting point.
package enum MeetingText {
    /// The line of `status`, and what stands below it.
    package static func lines(_ facts: MeetingFacts, gated: Bool) -> [String] {
        var lines = [reach(facts)]
        if let trouble = facts.trouble { lines.append(visible(trouble)) }
        if !facts.homes.isEmpty { lines.append(people(facts)) }
        if facts.letters > 0 { lines.append(letters(facts.letters)) }
        if let withheld = withheld(facts) { lines.append(withheld) }
        lines.append(
            "it sees your address, times and sizes, and how many meet; not seats, names or text")
        if !gated { lines.append(note) }
        return lines
    }

    /// What somebody should know who meets without a code.
    package static let note =
        "without --code it can find out the flight, by trying them all, and then read along"

    /// Said once a minute has passed in vain.
    package static func unreachable(since: Stamp) -> String {
        "meeting point unreachable since \(EventText.clock(since)); trying again"
    }

    /// Said after that, when it answers.
    package static let back = "the meeting point is in reach again"

    /// What `up` says of it.
    package static func greeting(_ facts: MeetingFacts) -> String {
        let name = "Meeting point \(visible(facts.name)): "
        guard facts.homes.contains(where: \.up) else {
            let trouble = facts.trouble.map { visible($0) + "; trying again." }
            return name + (trouble ?? "looking for it.")
        }
        return name + people(facts) + "."
    }

    /// The note for somebody who just came without a code.
    package static let warning =
        "Without --code the meeting point can find out the flight, by trying them all, and then"
        + " read along."

    /// Cause `meetWithholds`; `nil` where nothing is missing.
    package static func withheld(_ facts: MeetingFacts) -> String? {
        guard facts.behind > 0 else { return nil }
        let who = facts.behind == 1 ? "1 passenger" : "\(facts.behind) passengers"
        return "others' cards are newer than their boxes for \(who): it may hold records back"
            + " (meetWithholds)"
    }

    /// `meet.example.org, homes m2 up, m7 visited; your 11 records are stored on both`.
    private static func reach(_ facts: MeetingFacts) -> String {
        let name = visible(facts.name)
        if let since = facts.unreachable {
            return "\(name) is unreachable since \(EventText.clock(since)); trying again"
        }
        guard facts.homes.contains(where: \.up) else { return "looking for \(name)" }
        let homes = facts.homes.map {
            visible($0.broker) + ($0.up ? " up" : " visited now and then")
        }
        return "\(name), \(homes.joined(separator: ", ")); \(stored(facts))"
    }

    private static func stored(_ facts: MeetingFacts) -> String {
        let has = facts.homes.filter { $0.stored != nil }.count
        let records = "your \(facts.entries) record\(facts.entries == 1 ? "" : "s")"
        switch (has, facts.homes.count) {
        case (0, _): return "\(records) not stored yet"
        case (1, 1): return "\(records) stored"
        case (2, _): return "\(records) stored on both"
        default: return "\(records) stored on one so far"
        }
    }

    private static func letters(_ count: Int) -> String {
        "what you left for \(count == 1 ? "1 passenger" : "\(count) passengers") who "
            + "\(count == 1 ? "is" : "are") away waits there"
    }

    private static func people(_ facts: MeetingFacts) -> String {
        guard facts.read || facts.passengers > 0 else { return "reading what others have left" }
        switch facts.passengers {
        case 0: return "nobody else has left records yet"
        case 1: return "1 passenger has left records, \(facts.online) online"
        default:
            return "\(facts.passengers) passengers have left records, \(facts.online) online"
        }
    }
}
