// SPDX-License-Identifier: Apache-2.0
import Protocol
package import Text

/// Writes a layout: one line for peers, and a text with the same members for people.
extension CabinLayout {
    /// The whole layout in its only form: equal layouts give equal JSON.
    package var json: JSON {
        var members: [String: JSON?] = [
            "version": .int(CabinReader.version), "id": .string(id), "name": .string(name),
            "operator": airline.map(JSON.string), "type": .string(type),
            "source": .array(source.map(JSON.string)), "checkedOn": .string(checkedOn),
            "sure": .string(sure.rawValue),
            "note": note.isEmpty ? nil : .array(note.map(JSON.string)),
            "cabins": .array(sections.map(\.json)),
        ]
        for feature in Feature.allCases {
            members[feature.rawValue] = features[feature].map { .array(items($0)) }
        }
        return .object(present: members)
    }

    /// The same as the bytes of one line, at most ``CabinLimits/bytes``.
    package var bytes: [UInt8] { Array(json.line.utf8) }

    /// Complete rows as numbers, other seats by label.
    private func items(_ seats: Set<Seat>) -> [JSON] {
        rows.flatMap { row -> [JSON] in
            let all = row.columns.compactMap { Seat(row: row.number, column: Int($0)) }
            let some = all.filter(seats.contains)
            return some == all ? [.int(row.number)] : some.map { .string($0.text) }
        }
    }

    /// The text of its file: one member a line, in the order of the documentation.
    package var text: String {
        let all = json
        let lines = CabinReader.keys.compactMap { key -> String? in
            guard let value = all[key] else { return nil }
            switch key {
            case "source", "note":
                let texts = (value.list ?? []).map { "    " + $0.line }
                return "  \"\(key)\": [\n" + texts.joined(separator: ",\n") + "\n  ]"
            case "cabins":
                let parts = sections.map { "    {\n\($0.text)\n    }" }
                return "  \"cabins\": [\n" + parts.joined(separator: ",\n") + "\n  ]"
            default: return "  \"\(key)\": " + Section.spaced(value)
            }
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
}

extension CabinLayout.Section {
    fileprivate var json: JSON {
        .object(present: [
            "class": .string(compartment.rawValue), "rows": .array(ranges),
            "blocks": Self.letters(blocks),
            "except": except.isEmpty
                ? nil
                : .object(
                    Dictionary(
                        except.map { (String($0.key), Self.letters($0.value)) },
                        uniquingKeysWith: { $1 })),
        ])
    }

    /// `[1, "3-12"]`.
    private var ranges: [JSON] {
        var parts: [ClosedRange<Int>] = []
        for row in rows {
            if let last = parts.last, last.upperBound == row - 1 {
                parts[parts.count - 1] = last.lowerBound...row
            } else {
                parts.append(row...row)
            }
        }
        return parts.map { part in
            part.count == 1
                ? .int(part.lowerBound) : .string("\(part.lowerBound)-\(part.upperBound)")
        }
    }

    private static func letters(_ blocks: [[UInt8]]) -> JSON {
        .array(blocks.map { .string(String(decoding: $0.map { 65 + $0 }, as: UTF8.self)) })
    }

    fileprivate var text: String {
        let all = json
        var lines = CabinReader.sectionKeys.filter { $0 != "except" }.compactMap { key in
            all[key].map { "      \"\(key)\": " + Self.spaced($0) }
        }
        if !except.isEmpty {
            let rows = except.sorted { $0.key < $1.key }.map { row, blocks in
                "        \"\(row)\": " + Self.spaced(Self.letters(blocks))
            }
            lines.append("      \"except\": {\n" + rows.joined(separator: ",\n") + "\n      }")
        }
        return lines.joined(separator: ",\n")
    }

    /// A value on one line, with a blank after each comma of a list.
    fileprivate static func spaced(_ value: JSON) -> String {
        guard let list = value.list else { return value.line }
        return "[" + list.map(\.line).joined(separator: ", ") + "]"
    }
}
