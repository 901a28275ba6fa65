// SPDX-License-Identifier: Apache-2.0
import CivilTime

/// A pass names the day of the year but not the year.
extension FlightDate {
    /// How many days after its flight a pass may be read; covers time zones too.
    private static let lookBack: Int64 = 2
    /// No pass is for a flight further ahead than this. More than a leap year, so that day 366 can
    /// be found.
    private static let farthest: Int64 = 370

    /// The first day with number `day` in its year, from this date on; `nil` if neither this year
    /// nor the next has it near enough.
    private func next(_ day: Int) -> FlightDate? {
        for candidate in [year, year + 1] {
            guard let date = FlightDate(year: candidate, day: day), date >= self else { continue }
            return date.days - days <= Self.farthest ? date : nil
        }
        return nil
    }

    /// The date of issue from `YDDD`, the last digit of the year and the day: the latest such year
    /// that is not after `reference`. `nil` if that is not a date.
    static func issue(_ text: [UInt8], _ part: Range<Int>, reference: FlightDate) -> FlightDate? {
        guard part.count == 4, text[part].allSatisfy(\.isDigit), let number = text.number(in: part)
        else { return nil }
        let latest = reference.adding(lookBack)
        for year in (latest.year - 10...latest.year).reversed()
        where year % 10 == Int64(number / 1000) {
            guard let date = FlightDate(year: year, day: number % 1000) else { return nil }
            if date <= latest { return date }
        }
        return nil
    }

    /// The date of a flight on day `day` of a year.
    ///
    /// `issued` is the date of issue, `earlier` the date of the flight before it on the same pass.
    static func flight(
        _ day: Int, issued: FlightDate?, reference: FlightDate, earlier: FlightDate?
    ) -> FlightDate? {
        let first = issued.map { $0.adding(-1) } ?? reference.adding(-lookBack)
        return (earlier.map { max($0, first) } ?? first).next(day)
    }
}
