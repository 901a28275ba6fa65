// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import ControlAPI
import Protocol
import Text
import Venues
import Wording

/// A day of a venue as a page shows it: the agent has the words, the zone and the ledger, so a
/// browser needs none of them.
extension ControlDesk {
    func day(_ asked: Op.Day) throws(UserError) -> Work<DaySheet> {
        guard let view = host.node.venueView else { throw noVenue }
        let venue = try words(view)
        let now = host.now.utc
        guard let offered = OfferedPeriods(venue, at: now),
            let today = offered.clock.clock(at: now)?.day
        else {
            throw UserError(
                .badVenue, "the hours of \(venue.slug) cannot be read",
                why: "this machine knows no zone \(visible(venue.zone, cells: 40))",
                advice: "sudo apt-get install tzdata")
        }
        let volume = view.name.volume
        let wanted = try asked.day.map { (text) throws(UserError) in
            try self.days(text, nil).lowerBound
        }
        let day = wanted.flatMap { VenueDay(number: $0) } ?? today
        return .done(
            DaySheetScribe(
                self, offered, volume, day: min(max(day, volume.first), volume.last), now: now
            ).sheet)
    }

    /// What the operator says. Throws `not-now` as long as it is not here.
    private func words(_ view: VenueView) throws(UserError) -> Venue {
        guard let page = view.page else {
            throw UserError(
                .notAllowedNow, "the words of \(view.name.slug) are not here yet",
                why: "they come from another agent there", advice: "seatagent venue")
        }
        do {
            return try Venue(json: try JSON(line: page.bytes))
        } catch {
            throw UserError(
                .badVenue, "the words of \(view.name.slug) cannot be read",
                why: "they are not of a form that this program knows", advice: "seatagent venue")
        }
    }
}

/// Writes the sheet of one day.
private struct DaySheetScribe {
    /// Lengths of a place that are listed.
    private static let lengths = 24
    /// Days before that may still be in their turnover, as many as an agent tells at once.
    private static let before = 31

    private let desk: ControlDesk
    private let offered: OfferedPeriods
    private let volume: Volume
    private let day: VenueDay
    private let now: UTCTime
    /// `nil` where nothing is booked.
    private let booked: BookedDays?

    init(
        _ desk: ControlDesk, _ offered: OfferedPeriods, _ volume: Volume, day: VenueDay,
        now: UTCTime
    ) {
        self.desk = desk
        self.offered = offered
        self.volume = volume
        self.day = day
        self.now = now
        let last = min(day.adding(DayPage.days - 1) ?? day, volume.last)
        let first = max(day.number - Self.before, volume.first.number)
        let earlier = first < day.number ? desk.facts(of: first...day.number - 1).bookings : []
        booked = (try? offered.venue.bookRules(for: volume)).map { rules in
            BookedDays(
                desk.facts(of: day.number...max(day, last).number), before: earlier, offered,
                rules)
        }
    }

    private var venue: Venue { offered.venue }

    var sheet: DaySheet {
        let date = FlightDate(day)
        let days = VenueDays(venue)
        let memberClass = booked?.facts.memberClass
        return DaySheet(
            name: venue.name, day: DayNumber.text(day), first: DayNumber.text(volume.first),
            last: DayNumber.text(volume.last),
            hours: date.map { days.spans(on: $0).map(\.text) } ?? [],
            reason: date.flatMap { days.reason(on: $0) }, desk: booked?.facts.desk,
            alarms: booked?.alarms ?? [],
            className: memberClass.map { venue.memberClass($0).name },
            mustJoin: venue.rules.join != .open && memberClass == nil,
            queues: venue.rules.waiting,
            quotas: (booked?.quotas(of: nil) ?? []).map { quota in
                DaySheet.Left(
                    group: quota.group, minutes: quota.minutes?.left,
                    minutesLimit: quota.minutes?.limit, bookings: quota.bookings?.left,
                    bookingsLimit: quota.bookings?.limit)
            }, tables: tables, own: own, asks: booked?.pending ?? [])
    }

    // MARK: What is free

    private var tables: [DaySheet.Table] {
        guard let booked, booked.facts.desk != nil else { return [] }
        let page = DayPage(offered, on: day, through: volume.last, at: now, booked.marks)
        return page.tables.map { table in
            DaySheet.Table(
                byDay: table.isByDay, columns: table.columns,
                rows: table.rows.map { row in
                    DaySheet.Row(
                        place: row.place.id, name: row.place.name,
                        count: booked.room.count(row.place.id), lengths: lengths(row.place),
                        cells: row.cells.map { cell in
                            DaySheet.Cell(
                                mark: cell.mark.meaning, period: cell.span.map { PeriodFacts($0) },
                                free: cell.stock?.left, isOffered: cell.period != nil)
                        })
                })
        }
    }

    private func lengths(_ place: VenuePlace) -> [DaySheet.Length] {
        guard let periods = place.periods else { return [] }
        var all = periods.lengths
        if all.isEmpty {
            let most = min(periods.most ?? periods.shortest, Limits.periodMinutes.upperBound)
            all = Array(
                stride(
                    from: periods.shortest, through: max(most, periods.shortest), by: periods.grain
                )
                .prefix(Self.lengths))
        }
        return all.prefix(Self.lengths).map { minutes in
            let period = OfferedPeriods.period(day.number * Limits.minutesOfDay, minutes)
            let due = period.flatMap {
                venue.due($0, count: 1, memberClass: booked?.facts.memberClass)
            }
            return DaySheet.Length(minutes: minutes, due: due.map { MoneyFacts($0) })
        }
    }

    // MARK: What is the user's

    private var own: [DaySheet.Own] {
        let scribe = BookingScribe(desk.host.node)
        let terms = BookingTerms(offered)
        return desk.host.node.bookView.bookings(of: desk.host.node.me).compactMap { booking in
            let facts = scribe.booking(booking)
            guard facts.ended == nil, !facts.blocked, let period = facts.period.period,
                offered.clock.time(of: period.end) > now
            else { return nil }
            let code = BookingCode(booking.token)
            return DaySheet.Own(
                token: facts.token, code: code.text,
                name: venue.place(facts.place)?.name ?? "place \(facts.place)",
                period: facts.period, count: facts.count, due: facts.due, paid: facts.paid,
                cancelUntil: clock(terms.cancelUntil(period)), payment: payment(facts, code))
        }
    }

    /// What clocks there show.
    private func clock(_ time: UTCTime) -> String {
        guard let (day, minute) = offered.clock.clock(at: time) else { return "" }
        let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(DayNumber.text(day))T\(parts.joined(separator: ":"))"
    }

    private func payment(_ facts: BookingFacts, _ code: BookingCode) -> DaySheet.Payment? {
        guard let due = facts.due, facts.paid < due.amount, let money = venue.money else {
            return nil
        }
        let payment = BookingPayment(due.due, code, money)
        guard case .iban(let number, let payee)? = money.account else {
            return DaySheet.Payment(payee: nil, iban: nil, link: payment.link ?? payment.payto)
        }
        return DaySheet.Payment(payee: payee, iban: number, link: payment.link)
    }
}
