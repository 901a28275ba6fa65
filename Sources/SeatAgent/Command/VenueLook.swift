// SPDX-License-Identifier: Apache-2.0
import Aviation
import Bookings
import CivilTime
import ControlAPI
import System
import Text
import Venues
import Wording

/// `seatagent venue show` and `map`.
struct VenueLook {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// What the clocks of a venue show; `nil` if this machine does not know its zone.
    static func now(_ venue: Venue) -> LocalMinute? {
        TimeZoneRules.named(venue.zone)?.clock(at: SystemClock.utc())
    }

    // MARK: Show

    /// Prints a venue, a place of it, or a day.
    func show(_ word: String, part: String? = nil) throws(UserError) -> ExitCode {
        switch try VenueSource(call).find(word) {
        case .cabin(let cabin): return draw(cabin)
        case .unnamed(let known):
            guard part == nil else { throw VenueSource.wordless(known) }
            return call.finish(
                known.facts,
                [
                    known.slug, "Its operator's words are not here yet: open it there.", "",
                    "  operator   \(known.runBy.tag)", "  volume     \(known.kind.rawValue)",
                ])
        case .venue(let venue, let signed):
            let text = VenueText(venue, now: Self.now(venue), signed: signed)
            let status = status(of: signed)
            guard let part else {
                let counts =
                    (status.map { VenueDoor.counts(venue, $0) } ?? [])
                    + (status == nil ? [] : desk(of: signed))
                let next = next(venue)
                return call.finish(
                    JSON.object(present: [
                        "venue": venue.json, "state": text.state.map(JSON.string),
                        "today": text.today.map(JSON.string),
                        "people": status.map { .array($0.places.map { JSON($0) }) },
                        "next": next?.json,
                    ]).adding(signed?.facts ?? [:]),
                    text.lines + (counts.isEmpty ? [] : ["", "Now"] + counts.map { "  " + $0 })
                        + (next.map { ["", "Next: \(Self.words($0))"] } ?? []))
            }
            if let date = FlightDate(part) {
                if venue.hasBookings, let known = agent(of: signed),
                    let meant = try date.venueDay.map({ (day) throws(UserError) in
                        try known.of(day)
                    }),
                    let day = try VenueDayLook(
                        call, try DeskArrival(call, meant).agent(), on: date)
                {
                    return day.show(date, text.lines(date))
                }
                let days = VenueDays(venue)
                return call.finish(
                    .object(present: [
                        "date": .string(date.text),
                        "hours": .array(days.spans(on: date).map { .string($0.text) }),
                        "reason": days.reason(on: date).map(JSON.string),
                    ]), text.lines(date))
            }
            let place = try venue.named(
                part, advice: "seatagent venue show \(ShellWord.quoted(word))")
            let people = place.mode == .counted ? status?.people(at: place.id) : nil
            return call.finish(
                .object(present: [
                    "place": place.json, "state": text.state(of: place).map(JSON.string),
                    "people": people.map { .int($0) },
                ]),
                text.lines(place)
                    + (people.map { ["Now: \(CheckCommand.free($0, place))."] } ?? []))
        }
    }

    /// What the agent of a venue of the list counts; `nil` if none runs.
    private func status(of signed: SignedVenue?) -> VenueStatus? {
        guard let agent = agent(of: signed), let status = try? agent.status() else { return nil }
        // Yesterday's agent counts nobody of today.
        return (try? agent.name())?.volume.text == status.volume ? status : nil
    }

    /// The user's next booking there; `nil` for none, and while their list is sealed.
    private func next(_ venue: Venue) -> BookingItem? {
        (try? BookingHistory.read(call.place))?.upcoming(at: SystemClock.utc(), of: venue.slug)
    }

    /// `Tennis 2, Sat 5 Dec 2026 18:00-20:00, code K7Q2M5XA`.
    private static func words(_ next: BookingItem) -> String {
        visible(next.spot.words(today: nil), cells: 60)
            + (next.code.map { ", code \($0.text)" } ?? "")
    }

    /// The agent of a venue of the list; `nil` for any other file.
    private func agent(of signed: SignedVenue?) -> VenueAgent? {
        guard let signed, let list = try? KnownVenues.read(call.place),
            let known = list.find(signed.venue.slug), known.runBy == signed.runBy
        else { return nil }
        return try? VenueAgent(call, known)
    }

    /// Whether the desk of a venue is about, where there is one.
    private func desk(of signed: SignedVenue?) -> [String] {
        guard let agent = agent(of: signed), agent.venue.hasBookings,
            let page = try? BookingPage(agent)
        else { return [] }
        return [DeskStateText.short(page.sight, page.offered.clock, at: page.now)] + page.alarms
            + announcement(page)
    }

    /// What the desk said last, and when.
    private func announcement(_ page: BookingPage) -> [String] {
        guard let desk = page.facts.desk, let text = desk.says else { return [] }
        let time = desk.said?.time.map { page.agent.time($0) + " " } ?? ""
        return ["the desk says: \(time)\(visible(text, cells: 300))"]
    }

    /// A cabin is drawn as on a flight.
    private func draw(_ cabin: CabinVenue) -> ExitCode {
        let picture = SeatPicture(
            marks: [:], cabin: cabin.cabin, ascii: call.ascii, hasLegend: false)
        return call.finish(cabin.json, ["\(cabin.name): \(cabin.cabin.name)"] + picture.upright)
    }

    // MARK: Map

    /// Draws the places of a venue.
    func map(_ word: String) throws(UserError) -> ExitCode {
        switch try VenueSource(call).find(word) {
        case .cabin(let cabin): return draw(cabin)
        case .unnamed(let known): throw VenueSource.wordless(known)
        case .venue(let venue, _):
            let text = VenueText(venue, now: Self.now(venue))
            guard let map = VenueMap(venue) else {
                throw UserError(
                    .nothingFound, "no place of \(venue.name) has coordinates",
                    why: venue.at.map { "the venue itself is at \($0.link)" }
                        ?? "at of a place is missing: [52.3681, 4.8889]",
                    advice: "seatagent venue show \(ShellWord.quoted(word))")
            }
            let spots = map.spots.map { spot in
                JSON.object(present: [
                    "number": .int(spot.number), "id": .int(spot.place.id),
                    "name": .string(spot.place.name),
                    "address": spot.place.address.map(JSON.string),
                    "geo": spot.place.at.map { .string($0.link) }, "column": .int(spot.column),
                    "row": .int(spot.row),
                    "state": text.state(of: spot.place).map(JSON.string),
                ])
            }
            let drawn = map.lines(ascii: call.ascii) { text.state(of: $0) }
            return call.finish(
                .object(present: [
                    "venue": .string(venue.slug), "spots": .array(spots),
                    "columns": .int(map.columns), "rows": .int(map.rows),
                    "metres": .double(map.scale), "state": text.state.map(JSON.string),
                    "today": text.today.map(JSON.string),
                ]),
                text.heading + (text.today.map { ["Today: \($0)"] } ?? []) + [""] + drawn)
        }
    }
}

extension Venue {
    /// The place of that number, name, or part of a name. Throws `no-such-place` and `ambiguous`.
    func named(_ word: String, advice: String) throws(UserError) -> VenuePlace {
        if let place = Int(word).flatMap({ place($0) }) { return place }
        let small = word.lowercased()
        if let place = places.first(where: { $0.name.lowercased() == small }) { return place }
        let found = places.filter { $0.name.lowercased().contains(small) }
        if let place = found.first, found.count == 1 { return place }
        guard found.isEmpty else {
            throw UserError(
                .ambiguous, "\"\(visible(word, cells: 40))\" is part of several names",
                why: found.prefix(6).map { "\($0.id) \($0.name)" }.joined(separator: ", "),
                advice: advice)
        }
        let near = Suggestions.nearest(to: word, among: places.map(\.name))
        throw UserError(
            .noSuchPlace, "\(name) has no place \"\(visible(word, cells: 40))\"",
            why: near.map { "the nearest is \($0)" }, advice: advice)
    }
}
