/// A day of the calendar, as a flight departs on it.
struct FlightDate: Hashable, Comparable, Sendable {
    /// Days from 1970-01-01.
    let days: Int64

    private init(days: Int64) { self.days = days }

    /// Reads `2026-03-05`; `nil` for anything else, and for years outside of 1970...9900, so that
    /// every date near it has four digits too.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, let time = RFC3339.parse("\(text)T00:00:00Z") else {
            return nil
        }
        self.init(days: time.seconds / 86_400)
        guard 1970...9900 ~= year else { return nil }
    }

    /// Day `day` of `year`, from 1; `nil` where the year has no such day.
    init?(year: Int64, day: Int) {
        let length = RFC3339.length(of: 2, in: year) == 29 ? 366 : 365
        guard 1...length ~= day else { return nil }
        self.init(days: RFC3339.days(year: year, month: 1, date: 1) + Int64(day) - 1)
    }

    /// The year.
    var year: Int64 { RFC3339.civil(days: days).0 }

    /// 1 for the first of January.
    var dayOfYear: Int { Int(days - RFC3339.days(year: year, month: 1, date: 1)) + 1 }

    /// `2026-03-05`.
    var text: String {
        let (year, month, date) = RFC3339.civil(days: days)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(year)-\(two(month))-\(two(date))"
    }

    /// So many days later.
    func adding(_ count: Int64) -> FlightDate { FlightDate(days: days + count) }

    static func < (left: FlightDate, right: FlightDate) -> Bool { left.days < right.days }
}

/// A pass names the day of the year and not the year.
extension FlightDate {
    /// A pass may be looked at so long after its flight; covers time zones too.
    private static let lookBack: Int64 = 2
    /// No pass is for a flight so far away; more than a leap year, so that day 366 is found in one.
    private static let farthest: Int64 = 370

    /// The first day number `day` of its year from this date on; `nil` where neither this year nor
    /// the next has it near enough.
    private func next(_ day: Int) -> FlightDate? {
        for candidate in [year, year + 1] {
            guard let date = FlightDate(year: candidate, day: day), date >= self else { continue }
            return date.days - days <= Self.farthest ? date : nil
        }
        return nil
    }

    /// The date of issue from `YDDD`, the last digit of the year and the day: the latest such year
    /// that is not after `reference`. `nil` where that is no date.
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
