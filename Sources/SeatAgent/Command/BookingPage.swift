// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Glibc
import Protocol
import System
import Text
import Venues
import Wording

/// What the agent of a venue knows of bookings, with the words of the venue: what commands about
/// bookings go by.
struct BookingPage {
    let agent: VenueAgent
    /// What is known of the days around now.
    let booked: BookedDays
    let offered: OfferedPeriods
    /// The days of which it is known what is booked.
    private let known: ClosedRange<VenueDay>
    let now: UTCTime

    /// Days of one page: as many as an agent tells at once.
    private static let days = 31

    /// The page of `agent` from a day on; without one from today on.
    init(_ agent: VenueAgent, from day: VenueDay? = nil) throws(UserError) {
        self.agent = agent
        now = SystemClock.utc()
        let name = try agent.name()
        guard let offered = OfferedPeriods(agent.venue, at: now),
            let today = offered.clock.clock(at: now)?.day
        else { throw Self.unread(agent) }
        self.offered = offered
        let rules: BookRules
        do throws(FormFault) {
            rules = try agent.venue.bookRules(for: name.volume)
        } catch {
            throw UserError(
                .notAllowedNow, "nothing is booked at \(visible(agent.venue.name, cells: 40))",
                why: error.sentence, advice: "seatagent venue show \(Self.slug(agent))")
        }
        let first = max(day ?? today, name.volume.first)
        let last = min(first.adding(Self.days - 1) ?? first, name.volume.last)
        let facts = try agent.ask(
            Op.Days(first: DayNumber.text(first), last: DayNumber.text(max(first, last)))
        ).reply
        // What ended before may still be in its turnover, and free days before are near too.
        let earliest = max(first.adding(-Self.days) ?? name.volume.first, name.volume.first)
        var bookings: [BookingFacts] = []
        if earliest < first, let eve = first.adding(-1) {
            bookings = try agent.ask(
                Op.Days(first: DayNumber.text(earliest), last: DayNumber.text(eve))
            ).reply.bookings
        }
        known = min(earliest, first)...max(first, last)
        booked = BookedDays(facts, before: bookings, offered, rules)
    }

    private static func slug(_ agent: VenueAgent) -> String { ShellWord.quoted(agent.venue.slug) }

    private static func unread(_ agent: VenueAgent) -> UserError {
        UserError(
            .badVenue, "the hours of \(agent.venue.slug) cannot be read",
            why: "this machine knows no zone \(visible(agent.venue.zone, cells: 40))",
            advice: "sudo apt-get install tzdata")
    }

    /// The day that the clocks of the venue show. Unlike ``reader`` it costs nothing: lists of
    /// thousands ask for it in each line.
    var today: VenueDay? { offered.clock.clock(at: now)?.day }

    // MARK: Words

    /// Reads and writes what people type, as of this page. Looks at the venues on the disk.
    var reader: BookingReader {
        let (room, known) = (self.room, self.known)
        var reader = BookingReader(offered, at: now) { place, period in
            known.contains(period.day) && room.free(place.id, period) > 0
        }
        reader.namesVenue = agent.isOneOfSeveral
        return reader
    }

    /// What is said of the user's own booking.
    var text: BookingText {
        get throws(UserError) {
            guard let text = BookingText(reader) else { throw Self.unread(agent) }
            return text
        }
    }

    /// What the agent told of these days.
    var facts: BookFacts { booked.facts }

    var room: KnownRoom { booked.room }

    /// What is known of the desk.
    var sight: DeskSight { booked.sight }

    /// What is wrong with it, a sentence each.
    var alarms: [String] { booked.alarms }

    /// The place and period of a booking or an ask; `nil` for one that this program cannot read.
    func spot(_ place: Int?, _ period: PeriodFacts?, count: Int) -> BookingSpot? {
        booked.spot(place, period, count: count)
    }

    /// What the user has used of their quotas on the first day of the page, of a place.
    func quotas(of place: VenuePlace?) -> [DayQuota] { booked.quotas(of: place) }

    /// Whether it is known what is booked that day.
    func knows(_ day: VenueDay) -> Bool { known.contains(day) }

    /// For days so far away that no ledger of them has a number.
    static func beyond(_ spot: BookingSpot, _ agent: VenueAgent) -> UserError {
        UserError(
            .tooFar, "it is too early to book that", why: "no ledger reaches so far",
            advice: "seatagent venue show \(slug(agent))")
    }

    /// Refuses what is not in the days of this ledger: its own is not open yet. Throws `too-far`.
    func refuseOtherVolumes(_ spots: [BookingSpot]) throws(UserError) {
        let volume = try agent.name().volume
        guard let spot = spots.first(where: { $0.period.day > volume.last }) else { return }
        let next = Volume(volume.kind, of: spot.period.day)?.text ?? "a later ledger"
        throw UserError(
            .tooFar, "it is too early to book that",
            why:
                "it is in the ledger of \(next), which is not open yet; that of \(volume.text) "
                + "ends on " + DateWords.text(volume.last, today: today),
            advice: reader.line([agent.venue.place(spot.place)].compactMap(\.self)))
    }

    /// The periods nearest to what was wanted that are free, and to which the reason for which the
    /// desk refused it does not apply.
    func near(_ spot: BookingSpot, after reason: DeskReason? = nil) -> [BookingSpot] {
        let place = agent.venue.place(spot.place)
        var minutes = spot.period.minutes
        var others = { (_: Period) in true }
        if reason == .quota {
            let quotas = quotas(of: place)
            let hasBooking = quotas.allSatisfy { $0.bookings.map { $0.left >= spot.count } ?? true }
            let left = quotas.compactMap(\.minutes).map { $0.left / spot.count }.min() ?? minutes
            if hasBooking, let less = place?.periods?.longest(within: min(left, minutes)) {
                minutes = less
            } else {
                let limit = quotas.compactMap(\.minutes).map { $0.limit / spot.count }.min()
                minutes = place?.periods?.longest(within: min(limit ?? minutes, minutes)) ?? minutes
                others = { $0.day != spot.period.day }
            }
        }
        if reason == .together {
            let own = facts.bookings.filter(\.holder.me).compactMap(\.period.period)
            others = { period in
                !own.contains { $0.start < period.end && period.start < $0.end }
            }
        }
        let places = agent.venue.places.filter { other in
            other.mode == .granted
                && (other.id == spot.place || place?.group != nil && other.group == place?.group)
        }
        let found = offered.nearest(
            3, to: spot.period.start, minutes: minutes, of: places, at: now
        ) { place, period in
            known.contains(period.day) && others(period)
                && room.free(place.id, period) >= spot.count
        }
        return found.map { BookingSpot($0.place, $0.period, count: spot.count) }
    }

    /// The page after a refusal. An answer may come before the entries that it is about: what the
    /// desk says is taken is not offered as free.
    static func after(
        _ reason: DeskReason, to spot: BookingSpot, _ agent: VenueAgent
    ) throws(UserError) -> BookingPage {
        let until = SystemClock.now() + .seconds(3)
        while true {
            let page = try BookingPage(agent, from: spot.period.day)
            let isTaken = page.room.free(spot.place, spot.period) < spot.count
            guard reason == .full || reason == .kept, !isTaken, SystemClock.now() < until else {
                return page
            }
            usleep(100_000)
        }
    }
}

extension AskOutcome {
    /// What was booked.
    var booked: Token? {
        token.flatMap { bytes(hexadecimal: $0) }.flatMap { Bytes32($0) }.map { Token($0) }
    }
}
