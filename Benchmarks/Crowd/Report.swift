// SPDX-License-Identifier: Apache-2.0
/// What was measured: times in nanoseconds, sizes in bytes.
struct Measures {
    var before = 0
    var written = 0
    var links = 0
    var catchUpTime = 0
    var catchUpSpent = 0
    var catchUpLongest = 0
    var catchUpBytes = 0
    var spent = 0
    var longest = 0
    var bytesIn = 0
    var bytesOut = 0
    var fresh = Scale()
    var full = Scale()
    var ownMap = 0
}

/// One line a number, with its limit beside it where it has one.
struct Report {
    private struct Line {
        let what: String
        let value: Double
        let unit: String
        let limit: Double?
    }

    private let title: String
    private let lines: [Line]

    init(_ measures: Measures) {
        let span = Double(Crowd.span)
        let seconds = 1e9
        let mega = 1e6
        title =
            "\(Crowd.passengers) passengers, \(measures.before) entries before and "
            + "\(measures.written) within \(Crowd.span) s, \(measures.links) links"
        lines = [
            Line(
                what: "resident memory", value: Double(measures.full.resident) * 1024 / mega,
                unit: "MB", limit: 150),
            Line(
                what: "  at its peak", value: Double(measures.full.peak) * 1024 / mega,
                unit: "MB", limit: 150),
            Line(
                what: "  of it bytes of entries", value: Double(measures.full.bytes) / mega,
                unit: "MB", limit: nil),
            Line(
                what: "processor for the traffic of 10.3",
                value: Double(measures.spent) / seconds / span * 100, unit: "% of a core",
                limit: 10),
            Line(
                what: "  longest turn", value: Double(measures.longest) / mega, unit: "ms",
                limit: 250),
            Line(
                what: "  traffic in", value: Double(measures.bytesIn) * 8 / span / 1000,
                unit: "kbit/s", limit: nil),
            Line(
                what: "  traffic out", value: Double(measures.bytesOut) * 8 / span / 1000,
                unit: "kbit/s", limit: nil),
            Line(
                what: "late joiner: until all is there",
                value: Double(measures.catchUpTime) / seconds, unit: "s", limit: 30),
            Line(
                what: "  processor", value: Double(measures.catchUpSpent) / seconds, unit: "s",
                limit: 20),
            Line(
                what: "  longest turn", value: Double(measures.catchUpLongest) / mega, unit: "ms",
                limit: 250),
            Line(
                what: "  received", value: Double(measures.catchUpBytes) / mega, unit: "MB",
                limit: nil),
            Line(
                what: "one fold of all logs", value: Double(measures.full.fold) / mega,
                unit: "ms", limit: 250),
        ]
    }

    var isGood: Bool { lines.allSatisfy { $0.value <= $0.limit ?? $0.value } }

    func show() {
        print(title)
        for line in lines {
            let limit = line.limit.map { "   limit \(Int($0))" } ?? ""
            let mark = line.value <= line.limit ?? line.value ? "" : "   OVER"
            print(pad(line.what, 44) + left(line.value) + " " + line.unit + limit + mark)
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// One digit behind the point, nine characters wide.
    private func left(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let text = "\(tenths / 10).\(tenths % 10)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
