// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import ControlAPI
import Glibc
import Text

/// What people are told about the meeting point.
package enum MeetingText {
    /// The line of `status`, and what stands below it.
    package static func lines(_ facts: MeetingFacts, gated: Bool) -> [String] {
        var lines = [reach(facts)]
        if let trouble = facts.trouble { lines.append(visible(trouble)) }
        if !facts.homes.isEmpty { lines.append(people(facts)) }
        if facts.letters > 0 { lines.append(letters(facts.letters)) }
        if facts.turnedAway > 0 { lines.append(turnedAway(facts.turnedAway)) }
        if let withheld = withheld(facts) { lines.append(withheld) }
        lines += facts.clocks.map(clock)
        let seen = "it sees your address, times and sizes"
        let known = ", and how many meet; not seats, names or text"
        let guessed = "; without --code it can find out the flight and read along"
        lines.append(seen + (gated ? known : guessed))
        return lines
    }

    /// Said once a minute has passed in vain.
    package static func unreachable(since: Stamp) -> String {
        "meeting point unreachable since \(EventText.clock(since)); trying again"
    }

    /// Said after that, when it answers.
    package static let back = "the meeting point is in reach again"

    /// Why nobody may be known yet who is there; `nil` once all was read.
    package static func sign(_ facts: MeetingFacts) -> String? {
        if let begins = facts.begins { return "your agent meets others from \(day(begins)) on" }
        guard facts.homes.contains(where: \.up) else { return "looking for \(visible(facts.name))" }
        return facts.read ? nil : "reading what others left at the meeting point"
    }

    /// What becomes of words that nobody on this network hears; `nil` where there are some who do,
    /// and without a meeting point in reach.
    package static func heard(_ status: AgentStatus) -> String? {
        guard status.linked == 0, let meeting = status.meeting,
            meeting.homes.contains(where: \.up)
        else { return nil }
        let there = status.remote ?? 0
        guard there > 0 else {
            return "No one is within reach: it waits at the meeting point for whoever comes."
        }
        let verb = there == 1 ? "is" : "are"
        return "Said at the meeting point, where \(there) \(verb) now; it waits there for others."
    }

    /// `bo #c2d9's clock is 7 min ahead of yours: ...`.
    private static func clock(_ clock: MeetingFacts.Clock) -> String {
        let who = WhoText.tagged(clock.who)
        let rest = "no swap or message goes between you until both are right"
        guard let ahead = clock.ahead else {
            return "\(who)'s clock and yours are more than a minute apart: \(rest)"
        }
        let span = SpanText.words(Int64(ahead.magnitude))
        return "\(who)'s clock is \(span) \(ahead > 0 ? "ahead of" : "behind") yours: \(rest)"
    }

    /// Somebody makes up passengers, if the flight is not that large.
    private static func turnedAway(_ count: Int) -> String {
        "your agent takes no more passengers from there, and leaves out \(count): somebody may be"
            + " making them up, which --code prevents"
    }

    /// What `up` says of it.
    package static func greeting(_ facts: MeetingFacts) -> String {
        let name = "Meeting point \(visible(facts.name)): "
        if let begins = facts.begins { return name + "from \(day(begins)) on." }
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
        if let begins = facts.begins { return "\(name) from \(day(begins)) on (rendezvous.hours)" }
        if let since = facts.unreachable {
            return "\(name) is unreachable since \(EventText.clock(since)); trying again"
        }
        guard facts.homes.contains(where: \.up) else { return "looking for \(name)" }
        let homes = facts.homes.map {
            visible($0.broker) + ($0.up ? " up" : " visited now and then")
        }
        .joined(separator: ", ")
        // One broker may have the name of the meeting point.
        let isNamed = facts.homes.map(\.broker) == [facts.name]
        return "\(isNamed ? homes : "\(name), \(homes)"); \(stored(facts))"
    }

    /// `Fri 4 Dec 18:00` in local time; `--` without a date.
    static func day(_ date: Stamp) -> String {
        guard let time = date.time else { return "--" }
        var seconds = time_t(time.seconds)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "--" }
        let weekday = weekdays[Int(parts.tm_wday)]
        return "\(weekday) \(parts.tm_mday) \(months[Int(parts.tm_mon)]) \(EventText.clock(date))"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func stored(_ facts: MeetingFacts) -> String {
        let has = facts.homes.filter { $0.stored != nil }.count
        guard facts.mailbox else {
            return has == 0 ? "your card not stored yet" : "your card stored, and no records"
        }
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
