// SPDX-License-Identifier: Apache-2.0
extension JSON {
    /// A text for people who edit it: members in the order of `keys`, others behind them by name;
    /// whatever fits into a line of `width` characters stands on one. Ends with a line end.
    package func page(keys: [String], width: Int) -> String {
        var page = JSONPage(keys: keys, width: width)
        page.write(self, before: "", behind: "", depth: 0, isWhole: true)
        return page.text
    }
}

private struct JSONPage {
    let keys: [String]
    let width: Int
    var text = ""

    mutating func write(
        _ value: JSON, before: String, behind: String, depth: Int, isWhole: Bool = false
    ) {
        let start = String(repeating: "  ", count: depth) + before
        let line = spaced(value)
        if !isWhole, start.count + line.count + behind.count <= width {
            text += start + line + behind + "\n"
            return
        }
        switch value {
        case .array(let items) where !items.isEmpty:
            text += start + "[\n"
            for (index, item) in items.enumerated() {
                let comma = index < items.count - 1 ? "," : ""
                write(item, before: "", behind: comma, depth: depth + 1)
            }
            text += String(repeating: "  ", count: depth) + "]" + behind + "\n"
        case .object(let members) where !members.isEmpty:
            text += start + "{\n"
            let sorted = sorted(members)
            for (index, member) in sorted.enumerated() {
                let comma = index < sorted.count - 1 ? "," : ""
                write(
                    member.value, before: JSON.string(member.key).line + ": ", behind: comma,
                    depth: depth + 1)
            }
            text += String(repeating: "  ", count: depth) + "}" + behind + "\n"
        case .null, .bool, .int, .double, .string, .array, .object:
            text += start + line + behind + "\n"
        }
    }

    private func sorted(_ members: [String: JSON]) -> [(key: String, value: JSON)] {
        func rank(_ key: String) -> Int { keys.firstIndex(of: key) ?? keys.count }
        return members.sorted { left, right in
            rank(left.key) != rank(right.key)
                ? rank(left.key) < rank(right.key)
                : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }
    }

    /// A value on one line, with a blank after each comma and colon.
    private func spaced(_ value: JSON) -> String {
        switch value {
        case .array(let items): "[" + items.map(spaced).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + sorted(members).map { JSON.string($0.key).line + ": " + spaced($0.value) }
                .joined(separator: ", ") + "}"
        case .null, .bool, .int, .double, .string: value.line
        }
    }
}
