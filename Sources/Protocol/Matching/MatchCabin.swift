// SPDX-License-Identifier: Apache-2.0
/// Where seats are, as plain values: the core knows no aeroplane, so whoever asks says what is
/// beside what, and what is sold where.
package struct MatchCabin: Hashable, Sendable {
    /// What a seat is.
    package enum Kind: Int, Hashable, Sendable {
        /// Between two others.
        case middle
        /// Beside an aisle.
        case aisle
        /// At the wall.
        case window
    }

    /// A row as it is sold and drawn.
    package struct Row: Hashable, Sendable {
        /// Its number, 1...255.
        package let number: Int
        /// Columns between aisles or walls, from left to right.
        package let blocks: [[UInt8]]
        /// What is sold there: nobody moves from one class to another.
        package let compartment: Int
        /// A part of the cabin that people call better the lower its number is.
        package let section: Int
        /// Columns on the way from an exit to the aisle.
        package let exits: [UInt8]

        /// A row; `exits` may be empty.
        package init(
            number: Int, blocks: [[UInt8]], compartment: Int = 0, section: Int = 0,
            exits: [UInt8] = []
        ) {
            self.number = number
            self.blocks = blocks
            self.compartment = compartment
            self.section = section
            self.exits = exits
        }
    }

    /// One seat of it.
    package struct Place: Hashable, Sendable {
        /// The seat.
        package let seat: Seat
        /// Its row, counted from the nose: row 14 may follow row 12.
        package let row: Int
        /// How many seats of its row are to the left.
        package let index: Int
        /// How many letters of the cabin are to the left.
        package let across: Int
        /// Its block, counted from the left.
        package let block: Int
        /// Window, aisle or middle.
        package let kind: Kind
        /// What is sold there.
        package let compartment: Int
        /// The part of the cabin.
        package let section: Int
        /// On the way from an exit to the aisle.
        package let isExit: Bool

        /// Whether nobody and no aisle is between them.
        package func touches(_ other: Place) -> Bool {
            row == other.row && block == other.block && abs(index - other.index) == 1
        }

        /// Whether no aisle is between them: a grown-up reaches a child there.
        package func reaches(_ other: Place) -> Bool {
            row == other.row && block == other.block && index != other.index
        }

        /// Whether they are side by side, if only over the aisle, or one is before the other and
        /// at most one letter to the side.
        package func isNear(_ other: Place) -> Bool {
            if row == other.row { return abs(index - other.index) == 1 }
            return abs(row - other.row) == 1 && abs(across - other.across) <= 1
        }
    }

    /// All seats, sorted by seat.
    package let places: [Place]

    /// A cabin of these rows, from the nose on. Rows with a number that was there before, and
    /// columns that are no letter, are left out.
    package init(_ rows: [Row]) {
        let letters = rows.flatMap { $0.blocks.joined() }.sortedOnce(by: <)
        var places: [Place] = []
        var numbers: [Int] = []
        for row in rows where !numbers.contains(row.number) {
            let depth = numbers.count
            numbers.append(row.number)
            let last = row.blocks.joined().count - 1
            var index = 0
            for (block, columns) in row.blocks.enumerated() {
                for (offset, column) in columns.enumerated() {
                    defer { index += 1 }
                    guard let seat = Seat(row: row.number, column: Int(column)) else { continue }
                    let isEdge =
                        offset == 0 && block > 0
                        || offset == columns.count - 1 && block < row.blocks.count - 1
                    let isWall = index == 0 || index == last
                    places.append(
                        Place(
                            seat: seat, row: depth, index: index,
                            across: letters.partitionPoint { $0 < column }, block: block,
                            kind: isWall ? .window : isEdge ? .aisle : .middle,
                            compartment: row.compartment, section: row.section,
                            isExit: row.exits.contains(column)))
                }
            }
        }
        self.places = places.sortedOnce { $0.seat < $1.seat }
    }

    /// What is known of `seat`; `nil` if the cabin does not have it. O(log n).
    package func place(of seat: Seat) -> Place? {
        places.position(of: seat, by: \.seat).map { places[$0] }
    }
}
