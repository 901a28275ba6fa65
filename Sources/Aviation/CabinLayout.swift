// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// The seats of an aeroplane and what is known about them: data with a source and a date, which may
/// come from a file, from the person or from a peer.
///
/// Only a suggestion, never a rule: seats go by their labels everywhere, with or without a layout.
package struct CabinLayout: Hashable, Sendable {
    /// How far a layout can be trusted.
    package enum Sure: String, CaseIterable, Hashable, Sendable {
        /// Sources say so.
        case stated
        /// Sources say some of it; the notes say which part.
        case partly
        /// Nobody has looked.
        case unverified
        /// No real aeroplane looks like this.
        case invented
    }

    /// Rows of one compartment that look the same.
    package struct Section: Hashable, Sendable {
        /// What is sold there.
        package let compartment: Compartment
        /// Their numbers, rising.
        let rows: [Int]
        /// Columns (0 for A) between the walls and the aisles, from left to right.
        let blocks: [[UInt8]]
        /// Rows that lack some of these seats, and the seats that they do have in each block.
        let except: [Int: [[UInt8]]]
    }

    /// One row as it is.
    package struct Row: Hashable, Sendable {
        /// Its number.
        package let number: Int
        /// What is sold there.
        package let compartment: Compartment
        /// Columns of its seats in each block; a block may be empty, the row is not.
        let blocks: [[UInt8]]
        /// The columns at the left and right wall.
        let walls: [UInt8]

        /// All its columns, from left to right.
        package var columns: [UInt8] { blocks.flatMap(\.self) }
    }

    /// A letter of the drawing, and the block that it is in.
    package struct Column: Hashable, Sendable {
        /// 0 for A.
        package let column: UInt8
        /// 0 for the leftmost block; an aisle stands before each other one.
        package let block: Int

        /// The letter.
        package var letter: Character { Character(Unicode.Scalar(65 + column)) }
    }

    /// A property of a set of seats.
    package enum Feature: String, CaseIterable, Hashable, Sendable {
        /// Beside an exit that a passenger would have to open.
        case exit = "exitRows"
        case extraLegroom
        /// At the wall, but without a window.
        case noWindow
        case nearToilet
        /// Behind a wall.
        case bulkhead
    }

    /// Its name on the command line: `ryanair-737-800`.
    package let id: String
    /// Its name for people.
    package let name: String
    /// The airline, if the layout is that of one airline.
    package let airline: String?
    /// The aeroplane.
    package let type: String
    /// The sources.
    package let source: [String]
    /// When they were read: `2026-11` or `2026-11-21`.
    package let checkedOn: String
    /// How far it can be trusted.
    package let sure: Sure
    /// What else is known about it, and what is unknown.
    package let note: [String]
    /// From the nose on.
    package let sections: [Section]
    /// Seats by property.
    package let features: [Feature: Set<Seat>]

    /// All rows, from the nose on.
    package let rows: [Row]
    /// The letters of all rows, from left to right.
    package let columns: [Column]
    /// Where each row stands in `rows`, by its number.
    private let places: [Int: Int]

    /// A layout from values that the reader has checked.
    package init(
        id: String, name: String, airline: String? = nil, type: String, source: [String],
        checkedOn: String, sure: Sure, note: [String] = [], sections: [Section],
        features: [Feature: Set<Seat>] = [:]
    ) {
        self.id = id
        self.name = name
        self.airline = airline
        self.type = type
        self.source = source
        self.checkedOn = checkedOn
        self.sure = sure
        self.note = note
        self.sections = sections
        self.features = features.filter { !$0.value.isEmpty }
        rows = sections.flatMap { section in
            let walls = [section.blocks.first?.first, section.blocks.last?.last].compactMap(\.self)
            return section.rows.map { number in
                Row(
                    number: number, compartment: section.compartment,
                    blocks: section.except[number] ?? section.blocks, walls: walls)
            }
        }
        places = Dictionary(
            rows.enumerated().map { ($0.element.number, $0.offset) }, uniquingKeysWith: { $1 })
        let count = sections.map(\.blocks.count).max() ?? 0
        columns = (0..<count).flatMap { block in
            let letters = sections.flatMap { section in
                section.blocks.indices.contains(block) ? section.blocks[block] : []
            }
            return Set(letters).sorted().map { Column(column: $0, block: block) }
        }
    }

    /// Six seats in each of 32 rows: the layout for whoever chooses none.
    package static let standard = CabinLayout(
        id: "standard", name: "32 rows of six seats", type: "any with one aisle",
        source: ["nobody: it is what is drawn when no layout was chosen"],
        checkedOn: "2026-11", sure: .invented,
        sections: [
            Section(
                compartment: .economy, rows: Array(1...32), blocks: [[0, 1, 2], [3, 4, 5]],
                except: [:])
        ])

    // MARK: Looking things up

    /// The index in `rows` of the row with that number; `nil` if there is none.
    package func index(ofRow number: Int) -> Int? { places[number] }

    /// The row of a seat, even if the row lacks that seat.
    func row(of seat: Seat) -> Row? { places[Int(seat.row)].map { rows[$0] } }

    /// Whether it has that seat.
    package func contains(_ seat: Seat) -> Bool {
        row(of: seat)?.blocks.contains { $0.contains(seat.column) } ?? false
    }

    /// All seats, by row and letter.
    package var seats: [Seat] {
        rows.flatMap { row in
            row.columns.compactMap { Seat(row: row.number, column: Int($0)) }
        }
    }

    /// The seats between the same aisles or walls of a row, from left to right, including this one.
    /// Their passengers can reach each other. Empty for a seat that does not exist.
    func neighbours(of seat: Seat) -> [Seat] {
        let block = row(of: seat)?.blocks.first { $0.contains(seat.column) } ?? []
        return block.compactMap { Seat(row: Int(seat.row), column: Int($0)) }
    }

    /// The number of aisles.
    package var aisles: Int { max((columns.last?.block ?? 0), 0) }

    /// Whether any row is beside an exit.
    package var hasExits: Bool { features[.exit] != nil }

    /// Whether a seat of that row is beside an exit.
    package func isExit(row: Row) -> Bool {
        features[.exit]?.contains { Int($0.row) == row.number } ?? false
    }

    /// `rows go from 1 to 33 without 13, letters from A to F`.
    package var extent: String {
        guard let first = rows.first, let last = rows.last, let left = columns.first,
            let right = columns.last
        else { return "it has no seats" }
        let missing = (first.number...last.number).filter { places[$0] == nil }
        let without =
            missing.isEmpty || missing.count > 3
            ? "" : " without " + missing.map(String.init).joined(separator: " and ")
        return "rows go from \(first.number) to \(last.number)\(without), "
            + "letters from \(left.letter) to \(right.letter)"
    }
}

/// What is sold in a part of the cabin.
package enum Compartment: String, CaseIterable, Hashable, Sendable {
    case first
    case business
    case premium
    case economy

    /// For people.
    package var words: String { self == .premium ? "premium economy" : rawValue }
}
