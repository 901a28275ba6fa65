// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Dates as text: `2026-11-22T10:12:00Z` (RFC 3339), without a formatter and its tables.
package enum RFC3339 {
    private static let day: Int64 = 86_400

    /// The last second whose year has four digits.
    package static let last = UTCTime(seconds: 253_402_300_799)

    /// The date in UTC, to the second.
    package static func text(_ time: UTCTime) -> String {
        let days = floor(time.seconds, day)
        let second = time.seconds - days * day
        let (year, month, date) = civil(days: days)
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(date, 2))T"
            + "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))Z"
    }

    /// Reads `2026-11-22T10:12:00Z`, or with an offset such as `+02:00`, and ignores a fraction.
    /// `nil` for anything else, a leap second included.
    package static func parse(_ text: some StringProtocol) -> UTCTime? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2),
            skip(&rest, "-"), let date = number(&rest, 2), skip(&rest, "T") || skip(&rest, "t"),
            let hour = number(&rest, 2), skip(&rest, ":"), let minute = number(&rest, 2),
            skip(&rest, ":"), let second = number(&rest, 2),
            1...12 ~= month, date >= 1, date <= length(of: month, in: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        if skip(&rest, ".") {
            guard let first = rest.first, isDigit(first) else { return nil }
            rest = rest.drop(while: isDigit)
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        let seconds = days(year: year, month: month, date: date) * day
        return UTCTime(seconds: seconds + hour * 3600 + minute * 60 + second - offset)
    }

    // MARK: Calendar

    /// Proleptic Gregorian date of a day counted from 1970-01-01, by eras of 400 years.
    static func civil(days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468  // days from 0000-03-01
        let era = floor(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            ofYear - (153 * fromMarch + 2) / 5 + 1
        )
    }

    /// Days from 1970-01-01 of a proleptic Gregorian date.
    static func days(year: Int64, month: Int64, date: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floor(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
    }

    /// How many days the month has.
    static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Division that rounds down, for days before 1970.
    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }

    // MARK: Text

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ width: Int) -> Int64? {
        let digits = rest.prefix(width)
        guard digits.count == width, digits.allSatisfy(isDigit) else { return nil }
        rest = rest.dropFirst(width)
        return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, _ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let sign: Int64 = skip(&rest, "+") ? 1 : -1
        guard sign == 1 || skip(&rest, "-"), let hours = number(&rest, 2), skip(&rest, ":"),
            let minutes = number(&rest, 2), hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
