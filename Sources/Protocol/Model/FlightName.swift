// SPDX-License-Identifier: Apache-2.0
/// A flight as passengers name it: carrier, number, local date at the origin, origin airport.
public struct FlightName: Hashable, Sendable {
    /// Two-character IATA designator, upper case.
    public let carrier: String
    /// 1...9999.
    public let number: Int
    /// Operational suffix, a letter, or empty.
    public let suffix: String
    /// `YYYY-MM-DD`, local at the origin.
    public let date: String
    /// Three-letter IATA code of the origin.
    public let origin: String

    /// The flight everybody is on who names none: for trying things out.
    public static let practice = FlightName(
        carrier: "XX", number: 1, suffix: "", date: "2000-01-01", origin: "XXX")

    /// Whether this is the practice flight.
    public var isPractice: Bool { self == .practice }

    private init(carrier: String, number: Int, suffix: String, date: String, origin: String) {
        self.carrier = carrier
        self.number = number
        self.suffix = suffix
        self.date = date
        self.origin = origin
    }

    /// Reads `XY123/2026-11-22/DUB`; letters of either case, zeros before the number allowed.
    public init?(_ text: some StringProtocol) {
        let parts = text.uppercased().split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let designator = Array(parts[0].utf8)
        guard 3...7 ~= designator.count else { return nil }
        func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte }
        func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
        let code = designator.prefix(2)
        guard code.allSatisfy({ isLetter($0) || isDigit($0) }), code.contains(where: isLetter)
        else { return nil }
        var rest = designator.dropFirst(2)
        var suffix = ""
        if let last = rest.last, isLetter(last) {
            suffix = String(Unicode.Scalar(last))
            rest = rest.dropLast()
        }
        guard 1...4 ~= rest.count, rest.allSatisfy(isDigit) else { return nil }
        let number = rest.reduce(0) { $0 * 10 + Int($1 - 48) }
        guard number > 0, Self.isDate(parts[1]) else { return nil }
        let airport = Array(parts[2].utf8)
        guard airport.count == 3, airport.allSatisfy(isLetter) else { return nil }
        self.init(
            carrier: String(decoding: code, as: UTF8.self), number: number, suffix: suffix,
            date: String(parts[1]), origin: String(parts[2]))
    }

    /// `XY123`.
    public var designator: String { "\(carrier)\(number)\(suffix)" }

    /// `XY123/2026-11-22/DUB`.
    public var text: String { "\(designator)/\(date)/\(origin)" }

    /// The canonical text that the flight key is made from (docs/protocol.md section 2).
    public var canonical: String { "seatswap-flight-v1|\(designator)|\(date)|\(origin)" }

    private static func isDate(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 45, bytes[7] == 45 else { return false }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard 48...57 ~= byte else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            1...12 ~= month, day >= 1
        else { return false }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= lengths[month - 1]
    }
}
