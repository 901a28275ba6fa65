// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text
import Venues

/// What was understood so far of what somebody wants to book.
struct BookingDraft: Sendable {
    /// What keeps words from being a booking.
    enum Slip: Error, Hashable {
        /// Nobody knows that word.
        case unknown
        /// It is a part of several names.
        case several([BookingNames.Meaning])
        /// Nobody books that place.
        case notBooked(VenuePlace)
        /// More places than one line may have.
        case tooManyPlaces
        /// So many of a place are never had at once.
        case count(Int)
        /// These are not said.
        case missing([Need])
        /// The calendar has no such day.
        case noSuchDay
        /// It is another day of the week.
        case weekday(VenueDay)
        /// It ends before it begins.
        case order
        /// The place is had by the day.
        case noTime(VenuePlace)
        /// Its end and its length do not fit.
        case twoLengths
        /// Nobody has anything for so long.
        case tooLong
        /// The clock shows a day without a number.
        case noToday
    }

    /// What a booking needs.
    enum Need: Int, CaseIterable, Hashable, Sendable {
        case place, day, time
    }

    /// A name, and how many of it.
    private struct Named: Sendable {
        let meaning: BookingNames.Meaning
        var count: Int?
    }

    private let offered: OfferedPeriods
    private let names: BookingNames
    /// The minute of now by the venue's clocks.
    private let now: Int
    private var named: [Named] = []
    private var count: Int?
    private var day: DateWords.Day?
    private var lastDay: DateWords.Day?
    /// Whether both days are of one month.
    private var isOneMonth = false
    private var clock: TimeWords.Clock?
    private var endClock: TimeWords.Clock?
    private var length: Int?

    init(_ offered: OfferedPeriods, _ names: BookingNames, at now: UTCTime) {
        self.offered = offered
        self.names = names
        self.now = offered.clock.minute(at: now)
    }

    /// The places that were named.
    var places: [VenuePlace] { named.flatMap { names.places($0.meaning) } }

    /// The length that was said, for lines to try.
    var minutes: Int? { length }

    // MARK: Word by word

    /// Takes the next part; the slip that keeps it from being taken.
    mutating func take(_ part: BookingPhrase.Part) -> Slip? {
        switch part {
        case .name(.notBooked(let place)): return .notBooked(place)
        case .name(let meaning):
            guard named.count < BookingReader.most else { return .tooManyPlaces }
            named.append(Named(meaning: meaning, count: count))
            count = nil
        case .several(let meanings): return .several(meanings)
        case .count(let number, let isBehind):
            guard Limits.bookingCount.contains(number), count == nil else { return .count(number) }
            if isBehind, let last = named.indices.last, named[last].count == nil {
                named[last].count = number
            } else {
                count = number
            }
        case .day(let day): self.day = day
        case .lastDay(let day): lastDay = day
        case .days(let first, let last): (day, lastDay, isOneMonth) = (first, last, true)
        case .clock(let clock): self.clock = clock
        case .endClock(let clock): endClock = clock
        case .length(let minutes): length = minutes
        case .filling: break
        case .unknown: return .unknown
        }
        return nil
    }

    // MARK: All of it

    /// What it comes to: for each name the places that it stands for.
    func spots() -> Result<[[BookingSpot]], Slip> {
        let missing = self.missing
        guard missing.isEmpty else { return .failure(.missing(missing)) }
        var named = self.named
        if let count {
            // `Piraat 2x`: behind the last name.
            guard let last = named.indices.last, named[last].count == nil else {
                return .failure(.count(count))
            }
            named[last].count = count
        }
        var parts: [[BookingSpot]] = []
        for one in named {
            var spots: [BookingSpot] = []
            var slip: Slip?
            for place in names.places(one.meaning) {
                do throws(Slip) {
                    spots.append(
                        BookingSpot(place, try period(of: place), count: one.count ?? 1))
                } catch {
                    slip = slip ?? error
                }
            }
            guard !spots.isEmpty else { return .failure(slip ?? .missing([.place])) }
            parts.append(spots)
        }
        return .success(parts)
    }

    /// What is not said. Without a place, a time is missing if all places want one.
    var missing: [Need] {
        let places = named.isEmpty ? names.places : self.places
        let wantsTime = !places.isEmpty && places.contains(where: \.hasTimes)
        return Need.allCases.filter { need in
            switch need {
            case .place: named.isEmpty
            case .day: day == nil
            case .time:
                wantsTime && (clock == nil || lastDay != nil && endClock == nil)
                    && (!named.isEmpty || places.allSatisfy(\.hasTimes))
            }
        }
    }

    private func period(of place: VenuePlace) throws(Slip) -> Period {
        guard let day = try begin(place), let periods = place.periods else { throw .noToday }
        if !place.hasTimes, clock != nil || endClock != nil { throw .noTime(place) }
        let start = day.number * Limits.minutesOfDay + (clock?.from ?? 0)
        let typed = try typedLength(place, day, start)
        if let typed, let length, typed != length { throw .twoLengths }
        let minutes = typed ?? length ?? periods.shortest
        guard place.hasTimes || minutes % Limits.minutesOfDay == 0 else { throw .noTime(place) }
        guard let period = OfferedPeriods.period(start, minutes) else { throw .tooLong }
        return period
    }

    /// The day on which it begins. A day of the week is the next one, if it has begun today.
    private func begin(_ place: VenuePlace) throws(Slip) -> VenueDay? {
        guard let day, let today = OfferedPeriods.day(of: now) else { return nil }
        let found = try Self.resolve(day, today)
        if case .weekday = day, found == today {
            let start = today.number * Limits.minutesOfDay + (place.hasTimes ? clock?.from ?? 0 : 0)
            if start <= now { return found.adding(7) }
        }
        return found
    }

    /// The length by its end, if that was said.
    private func typedLength(
        _ place: VenuePlace, _ day: VenueDay, _ start: Int
    ) throws(Slip) -> Int? {
        guard let lastDay else {
            guard let clock, let to = clock.to else { return nil }
            guard to != clock.from else { throw .order }
            return to - clock.from + (to < clock.from ? Limits.minutesOfDay : 0)
        }
        let last = try resolveLast(lastDay, day)
        guard place.hasTimes else {
            guard last >= day else { throw .order }
            return (last.number - day.number + 1) * Limits.minutesOfDay
        }
        guard clock?.to == nil else { throw .twoLengths }
        let end = last.number * Limits.minutesOfDay + (endClock?.from ?? 0)
        guard end > start else { throw .order }
        return end - start
    }

    /// The last day: the next such one from the first on, unless it was said from today on.
    private func resolveLast(
        _ day: DateWords.Day, _ first: VenueDay
    ) throws(Slip) -> VenueDay {
        if case .ahead = day, let today = OfferedPeriods.day(of: now) {
            return try Self.resolve(day, today)
        }
        if isOneMonth, case .date(let number, let month, nil, _) = day {
            let year = first.date.year
            return try Self.resolve(
                .date(day: number, month: month, year: year, weekday: nil), first)
        }
        return try Self.resolve(day, first)
    }

    private static func resolve(
        _ day: DateWords.Day, _ today: VenueDay
    ) throws(Slip) -> VenueDay {
        do throws(DateWords.Fault) {
            return try DateWords.resolve(day, today: today)
        } catch {
            switch error {
            case .noSuchDay: throw .noSuchDay
            case .weekday(let day): throw .weekday(day)
            }
        }
    }

    // MARK: A line near it

    /// The minute that was meant, as far as it was said: noon for a day alone, the next such time
    /// for a time alone.
    var wanted: Int? {
        guard let today = OfferedPeriods.day(of: now) else { return nil }
        let from = clock.map(\.from)
        if let day, let found = try? Self.resolve(day, today) {
            return found.number * Limits.minutesOfDay + (from ?? 12 * 60)
        }
        guard let from else { return nil }
        let start = today.number * Limits.minutesOfDay + from
        return start > now ? start : start + Limits.minutesOfDay
    }
}
