// SPDX-License-Identifier: Apache-2.0
package import CivilTime
import Protocol
import Text

/// A venue in words, as its clocks show `now`.
package struct VenueText: Sendable {
    private let venue: Venue
    /// `nil` if this machine does not know the zone.
    private let now: LocalMinute?
    /// `nil` for a file that nobody signed.
    private let signed: SignedVenue?

    /// The words for a venue, as seen at that moment of its own clocks, and whose they are.
    package init(_ venue: Venue, now: LocalMinute?, signed: SignedVenue? = nil) {
        self.venue = venue
        self.now = now
        self.signed = signed
    }

    // MARK: All of a venue

    /// The page of the venue.
    package var lines: [String] {
        var lines = heading
        lines += Wrapping.lines(venue.about ?? "", cells: 90).filter { !$0.isEmpty }
        lines.append("")
        lines += rows(facts)
        lines += ["", "Places"] + places
        if venue.places.contains(where: { $0.mode == .granted }) {
            lines += ["", "Who may book"] + venue.classes.flatMap(words)
            lines += ["", "Bookings"] + rows(rules)
        }
        if let terms = venue.terms {
            lines += ["", "Terms"] + Wrapping.lines(terms, cells: 88).map { "  " + $0 }
        }
        return lines
    }

    /// Its name, and whether it is open now.
    package var heading: [String] {
        ["\(venue.name)  (\(venue.slug))"] + (state.map { ["It is \($0)."] } ?? [])
    }

    /// `Tu 2026-11-24 08:30-22:00  (fair)`; `nil` if nobody here knows what its clocks show.
    package var today: String? { today(VenueDays(venue)) }

    private func today(_ days: VenueDays) -> String? {
        now.map { now in
            let why = days.reason(on: now.date).map { "  (\($0))" } ?? ""
            return "\(Weekday(now.date).short) \(now.date.text) \(hours(days, now.date))\(why)"
        }
    }

    /// `open until 22:00`; `nil` if nobody here knows what its clocks show.
    package var state: String? { opening(VenueDays(venue)) }

    /// The same for one of its places.
    package func state(of place: VenuePlace) -> String? {
        opening(VenueDays(place, of: venue))
    }

    private func opening(_ days: VenueDays) -> String? {
        now.map { days.state(at: $0).words(today: $0.date) }
    }

    private var facts: [(String, String)] {
        var facts: [(String, String?)] = [
            ("address", venue.address), ("position", venue.at?.text), ("phone", venue.phone),
            ("web", venue.web), ("building", venue.building), ("clocks", venue.zone),
        ]
        if let today { facts.append(("today", today)) }
        facts.append(("hours", venue.hours.text))
        for (date, day) in venue.closed.sorted(by: { $0.key < $1.key }) where !isOver(date) {
            facts.append(("closed", "\(Weekday(date).short) \(date.text) \(day.text)"))
        }
        for (date, day) in venue.open.sorted(by: { $0.key < $1.key }) where !isOver(date) {
            facts.append(("open", "\(Weekday(date).short) \(date.text) \(day.text)"))
        }
        if let signed {
            facts.append(("signed", "revision \(signed.revision), by \(signed.runBy.tag)"))
        }
        return facts.compactMap { name, value in value.map { (name, $0) } }
    }

    private func isOver(_ date: FlightDate) -> Bool { now.map { date < $0.date } ?? false }

    /// A table; a name that comes again stands there once.
    private func rows(_ rows: [(String, String)]) -> [String] {
        rows.enumerated().map { index, row in
            let isAgain = index > 0 && rows[index - 1].0 == row.0
            return "  " + padded(isAgain ? "" : row.0, to: 11) + row.1
        }
    }

    // MARK: Places

    /// A line for each place.
    private var places: [String] {
        let names = venue.places.map { cellWidth($0.name) }.max() ?? 0
        let counts = venue.places.map { count($0).count }.max() ?? 0
        return venue.places.map { place in
            let number = String(place.id)
            let more = [
                place.hours == nil ? nil : opening(VenueDays(place, of: venue)),
                place.periods?.words, place.address, place.card ? "card needed" : nil,
            ].compactMap(\.self)
            return "  " + String(repeating: " ", count: max(4 - number.count, 0)) + number + "  "
                + padded(place.name, to: names + 2) + padded(count(place), to: counts + 2)
                + more.joined(separator: ", ")
        }
    }

    /// `120 places`, `2 of 2 hall`, `4 of them`.
    private func count(_ place: VenuePlace) -> String {
        if !place.uses.isEmpty {
            return place.uses.map { "\($0.amount) x \($0.unit)" }.joined(separator: ", ")
        }
        switch place.mode {
        case .counted: return "\(place.count) places"
        case .granted, .noted: return place.count == 1 ? "" : "\(place.count) of it"
        }
    }

    /// The page of one place.
    package func lines(_ place: VenuePlace) -> [String] {
        let days = VenueDays(place, of: venue)
        var facts: [(String, String?)] = [
            ("group", venue.groups.first { $0.key == place.group }?.name),
            ("count", count(place).isEmpty ? nil : count(place)),
            ("address", place.address ?? venue.address),
            ("position", (place.at ?? venue.at)?.text),
            ("today", today(days)), ("hours", (place.hours ?? venue.hours).text),
            ("periods", place.periods?.words),
            ("card", place.card ? "needed to get in" : nil), ("note", place.note),
            ("who", place.classes.isEmpty ? nil : place.classes.joined(separator: ", ")),
        ]
        if let turnover = place.periods?.turnover, turnover > 0 {
            facts.append(("turnover", "\(Self.span(turnover)) between two bookings"))
        }
        return ["\(place.name)  (\(venue.name))"]
            + (opening(days).map { ["It is \($0)."] } ?? []) + [""]
            + rows(facts.compactMap { name, value in value.map { (name, $0) } })
    }

    // MARK: A day

    /// The hours of a date, of the venue and of places with others.
    package func lines(_ date: FlightDate) -> [String] {
        let all = VenueDays(venue)
        let why = all.reason(on: date).map { "  (\($0))" } ?? ""
        var lines = [
            "\(venue.name)  \(Weekday(date).short) \(date.text)", hours(all, date) + why,
        ]
        for place in venue.places where place.hours != nil {
            lines.append("  \(place.name): \(hours(VenueDays(place, of: venue), date))")
        }
        return lines
    }

    private func hours(_ days: VenueDays, _ date: FlightDate) -> String {
        let spans = days.spans(on: date)
        return spans.isEmpty ? "closed" : spans.map(\.text).joined(separator: ", ")
    }

    // MARK: What applies

    private func words(_ one: VenueClass) -> [String] {
        var looks: [String] = []
        if let mail = one.mail { looks.append("e-mail like \(mail.text)") }
        if let number = one.number { looks.append("number like \(number.text)") }
        switch one.proof {
        case .roster: looks.append("on the venue's list")
        case .card: looks.append("with a card")
        case .word: looks.append("by their own word")
        case nil: break
        }
        if looks.isEmpty { looks.append(venue.classes.count == 1 ? "everybody" : "all others") }
        return ["  \(one.name): " + looks.joined(separator: ", ")]
            + one.quota.map { "      at most " + $0.words(in: venue) } + ["      " + price(one)]
    }

    private func price(_ one: VenueClass) -> String {
        guard let price = one.price, let money = venue.money else { return "free" }
        switch price {
        case .hour(let amount): return MoneyText.words(amount, money.currency) + " an hour"
        case .day(let amount): return MoneyText.words(amount, money.currency) + " a day"
        }
    }

    private var rules: [(String, String)] {
        let rules = venue.rules
        let join =
            switch rules.join {
            case .open: "nobody has to join"
            case .form: "with a form that goes to the desk only"
            case .card: "at the counter, with a card"
            }
        let swaps =
            switch rules.swaps {
            case .none: "not between people"
            case .sameClass: "within your class"
            case .all: "with everybody"
            }
        let parts: [(String, String?)] = [
            ("join", join), ("ahead", rules.ahead.map { "up to \($0) days" }),
            ("notice", rules.notice.map { "at least \(Self.span($0)) before the start" }),
            ("give back", rules.cancel.map { "up to \(Self.span($0)) before the start" }),
            ("come", rules.arrive.map { "within \(Self.span($0)) of the start" }),
            ("swap", swaps), ("waiting", rules.waiting ? "there is a waiting list" : nil),
            ("together", rules.together.map { "at most \($0) at one time" }),
            ("pay", venue.money.flatMap(words)),
        ]
        return parts.compactMap { name, value in value.map { (name, $0) } }
    }

    private func words(_ money: VenueMoney) -> String? {
        guard let minutes = money.payBy else { return nil }
        return minutes < 0
            ? "at least \(Self.span(-minutes)) before the start"
            : "within \(Self.span(minutes)) of the booking"
    }

    fileprivate static func span(_ minutes: Int) -> String {
        minutes == 0 ? "0 min" : SpanText.words(Int64(minutes) * 60)
    }
}

extension VenueClass.Quota {
    /// `4 h and 1 booking of Tennis a day`.
    package func words(in venue: Venue) -> String {
        let parts = [
            minutes.map(VenueText.span),
            bookings.map { $0 == 1 ? "1 booking" : "\($0) bookings" },
        ].compactMap(\.self)
        let group = venue.groups.first { $0.key == self.group }.map { " of \($0.name)" } ?? ""
        return parts.joined(separator: " and ") + group + " a day"
    }
}

extension OpeningHours {
    /// `Mo-Fr 08:00-22:00; Sa,Su 10:00-18:00`.
    package var text: String {
        groups.map { "\($0.days) \($0.hours)" }.joined(separator: "; ")
    }
}

extension VenuePlace.Periods {
    /// `1 h to 4 h`, `1 h, 4 h or 12 h`.
    package var words: String {
        if let last = lengths.last {
            let others = lengths.dropLast().map(VenueText.span).joined(separator: ", ")
            return others.isEmpty ? VenueText.span(last) : "\(others) or \(VenueText.span(last))"
        }
        guard let most else { return "from \(VenueText.span(shortest))" }
        return most == shortest
            ? VenueText.span(most) : "\(VenueText.span(shortest)) to \(VenueText.span(most))"
    }
}

extension Venue.Point {
    /// `52.3681, 4.8889`.
    package var text: String { "\(Self.text(north)), \(Self.text(east))" }

    /// `geo:52.3681,4.8889` (RFC 5870).
    package var link: String { "geo:\(Self.text(north)),\(Self.text(east))" }

    /// Degrees with as many decimals as there are.
    private static func text(_ parts: Int) -> String {
        let size = Int(parts.magnitude)
        let digits = String(size % unit)
        var decimals = String(repeating: "0", count: 7 - digits.count) + digits
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return (parts < 0 ? "-" : "") + "\(size / unit)" + (decimals.isEmpty ? "" : "." + decimals)
    }
}
