// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Reads rows, letters and the properties of seats.
extension CabinReader {
    func sections() throws(CabinFault) -> [CabinLayout.Section] {
        let list = try FormReader.list(try form.needed("cabins"), "cabins")
        guard 1...CabinLimits.sections ~= list.count else {
            throw CabinFault(
                place: "cabins", why: "1 to \(CabinLimits.sections) of them are wanted")
        }
        var sections: [CabinLayout.Section] = []
        var last = 0
        var count = 0
        for (index, item) in list.enumerated() {
            let place = "cabins[\(index)]"
            let section = try Self.section(item, place, after: last)
            last = section.rows.last ?? last
            count += section.rows.count
            guard count <= CabinLimits.rows else {
                throw CabinFault(
                    place: place, why: "more than \(CabinLimits.rows) rows in all")
            }
            sections.append(section)
        }
        try Self.checkTogether(sections)
        return sections
    }

    /// Checks that one drawing can hold all sections: the same aisles, and each letter in the same
    /// block.
    private static func checkTogether(_ sections: [CabinLayout.Section]) throws(CabinFault) {
        var blocks: [UInt8: Int] = [:]
        for (index, section) in sections.enumerated() {
            let place = "cabins[\(index)].blocks"
            guard section.blocks.count == sections[0].blocks.count else {
                throw CabinFault(place: place, why: "it has other aisles than cabins[0]")
            }
            for (block, letters) in section.blocks.enumerated() {
                for letter in letters {
                    let other = blocks.updateValue(block, forKey: letter) ?? block
                    guard other == block else {
                        throw CabinFault(
                            place: place,
                            why: "\(name(letter)) is on another side of an aisle elsewhere")
                    }
                }
            }
        }
    }

    private static func section(
        _ json: JSON, _ place: String, after last: Int
    ) throws(CabinFault) -> CabinLayout.Section {
        let form = try FormReader(json, sectionKeys, at: place)
        let compartment: Compartment = try form.word("class")
        let rows = try rows(form["rows"] ?? .null, place + ".rows", after: last)
        let blocks = try blocks(form["blocks"] ?? .null, place + ".blocks")
        guard blocks.allSatisfy({ !$0.isEmpty }) else {
            throw CabinFault(place: place + ".blocks", why: "a block has no letters")
        }
        var except: [Int: [[UInt8]]] = [:]
        let exceptions = form["except"] ?? .object([:])
        guard let list = exceptions.members else {
            throw CabinFault(place: place + ".except", why: "an object in { } is wanted")
        }
        for (key, value) in list.sorted(by: { $0.key < $1.key }) {
            guard let row = number(key), rows.contains(row), except[row] == nil else {
                throw CabinFault(
                    place: place + ".except",
                    why: "\(visible(key, cells: 8)) is no row of this part")
            }
            let left = try self.blocks(value, "\(place).except[\(row)]")
            try check(left, within: blocks, "\(place).except[\(row)]")
            if left != blocks { except[row] = left }
        }
        return CabinLayout.Section(
            compartment: compartment, rows: rows, blocks: blocks, except: except)
    }

    private static func check(
        _ row: [[UInt8]], within blocks: [[UInt8]], _ place: String
    ) throws(CabinFault) {
        guard row.count == blocks.count else {
            throw CabinFault(
                place: place, why: "\(blocks.count) blocks are wanted, empty ones too")
        }
        for (left, all) in zip(row, blocks) {
            guard let other = left.first(where: { !all.contains($0) }) else { continue }
            throw CabinFault(
                place: place, why: "\(name(other)) is not in that block of this part")
        }
        guard row.contains(where: { !$0.isEmpty }) else {
            throw CabinFault(place: place, why: "a row without seats is left out of rows")
        }
    }

    /// `[1, "3-12", "14-33"]`.
    private static func rows(
        _ json: JSON, _ place: String, after last: Int
    ) throws(CabinFault) -> [Int] {
        var rows: [Int] = []
        for item in try FormReader.list(json, place) {
            guard let part = range(item) else {
                throw CabinFault(
                    place: place, why: "rows are written as 7 or \"7-12\", from 1 to 255")
            }
            guard part.lowerBound > rows.last ?? last else {
                throw CabinFault(
                    place: place, why: "row \(part.lowerBound) does not come after the one before")
            }
            rows += Array(part)
        }
        guard !rows.isEmpty else { throw CabinFault(place: place, why: "there is no row") }
        return rows
    }

    /// `["ABC", "DEF"]`: letters from left to right.
    private static func blocks(_ json: JSON, _ place: String) throws(CabinFault) -> [[UInt8]] {
        let list = try FormReader.list(json, place)
        guard 1...CabinLimits.blocks ~= list.count else {
            throw CabinFault(
                place: place, why: "1 to \(CabinLimits.blocks) blocks are wanted, aisles between")
        }
        var blocks: [[UInt8]] = []
        var last: UInt8?
        for item in list {
            guard let text = item.text else {
                throw CabinFault(place: place, why: "letters in \" \" are wanted")
            }
            var block: [UInt8] = []
            for unit in text.utf8 {
                guard 65...90 ~= unit else {
                    throw CabinFault(place: place, why: "seats have letters from A to Z")
                }
                guard last.map({ $0 < unit - 65 }) ?? true else {
                    throw CabinFault(
                        place: place,
                        why: "\(name(unit - 65)) does not come after the letter before: "
                            + "letters rise from left to right, each once")
                }
                last = unit - 65
                block.append(unit - 65)
            }
            blocks.append(block)
        }
        guard blocks.reduce(0, { $0 + $1.count }) <= CabinLimits.abreast else {
            throw CabinFault(place: place, why: "more than \(CabinLimits.abreast) seats in a row")
        }
        return blocks
    }

    private static func name(_ column: UInt8) -> Character {
        Character(Unicode.Scalar(65 + min(column, 25)))
    }

    /// `7` or `"7-12"`, from 1 to 255.
    private static func range(_ json: JSON) -> ClosedRange<Int>? {
        if let row = json.number, 1...255 ~= row { return row...row }
        let ends = (json.text ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]),
            first <= last
        else { return nil }
        return first...last
    }

    /// 1 to 255, digits only.
    private static func number(_ text: some StringProtocol) -> Int? {
        guard 1...3 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(text), 1...255 ~= number
        else { return nil }
        return number
    }

    // MARK: What seats are known for

    func features(
        _ sections: [CabinLayout.Section]
    ) throws(CabinFault) -> [CabinLayout.Feature: Set<Seat>] {
        let bare = CabinLayout(
            id: "", name: "", type: "", source: [], checkedOn: "", sure: .unverified,
            sections: sections)
        let all = bare.seats
        var features: [CabinLayout.Feature: Set<Seat>] = [:]
        for feature in CabinLayout.Feature.allCases {
            var seats: Set<Seat> = []
            // A list that repeats itself is read only up to a limit, because it may come from a
            // peer.
            var rest = 2 * all.count
            for item in try FormReader.list(form[feature.rawValue] ?? [], feature.rawValue) {
                let named = try Self.seats(item, bare, all, feature.rawValue)
                rest -= named.count
                guard rest >= 0 else {
                    throw CabinFault(
                        place: feature.rawValue, why: "it names seats again and again")
                }
                seats.formUnion(named)
            }
            features[feature] = seats
        }
        return features
    }

    /// A row, rows, or a seat as `"16A"`.
    private static func seats(
        _ item: JSON, _ layout: CabinLayout, _ all: [Seat], _ place: String
    ) throws(CabinFault) -> [Seat] {
        if let seat = item.text.flatMap({ Seat($0) }) {
            guard layout.contains(seat) else {
                throw CabinFault(place: place, why: "there is no seat \(seat.text)")
            }
            return [seat]
        }
        guard let range = range(item) else {
            throw CabinFault(
                place: place, why: "rows as 16 or \"16-17\" and seats as \"16A\" are wanted")
        }
        for end in [range.lowerBound, range.upperBound] where layout.index(ofRow: end) == nil {
            throw CabinFault(place: place, why: "there is no row \(end)")
        }
        let start = all.firstIndex { range.lowerBound <= Int($0.row) } ?? all.count
        return Array(all[start...].prefix { Int($0.row) <= range.upperBound })
    }
}
