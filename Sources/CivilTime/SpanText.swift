// SPDX-License-Identifier: Apache-2.0
/// Lengths of time as people write and read them.
package enum SpanText {
    /// Seconds in `90s`, `10m`, `48h`, `2d` or a plain number of seconds; `nil` for anything else
    /// and for more than ten years.
    package static func seconds(_ text: some StringProtocol) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        var digits = text[...]
        var unit = 1
        if let last = digits.last, let known = units[last] {
            unit = known
            digits = digits.dropLast()
        }
        guard 1...9 ~= digits.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let count = Int(digits)
        else { return nil }
        let seconds = count * unit
        return seconds <= 10 * 366 * 86_400 ? seconds : nil
    }

    /// `2 d 3 h`, `3 h 12 min`, `12 min 5 s`, `5 s`: the two largest units that are not zero.
    package static func words(_ seconds: Int64) -> String {
        let left = max(seconds, 0)
        let parts = [
            (left / 86_400, "d"), (left / 3600 % 24, "h"), (left / 60 % 60, "min"),
            (left % 60, "s"),
        ]
        guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
        return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            .joined(separator: " ")
    }

    /// `2 min 5 s ago`, or `just now`.
    package static func ago(_ seconds: Int64) -> String {
        seconds < 3 ? "just now" : "\(words(seconds)) ago"
    }

    /// `8:41`, `1:02:03`: time left, to the second.
    package static func clock(_ seconds: Int64) -> String {
        let left = max(seconds, 0)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let minutes = left / 60 % 60
        let hours = left / 3600
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(left % 60))"
    }
}
