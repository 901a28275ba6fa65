// SPDX-License-Identifier: Apache-2.0
/// A board of seven columns and six rows, into which two people let stones fall by turns: whoever
/// has four in a row first wins (docs/protocol.md section 18).
package struct FourInARow: Hashable, Sendable {
    /// How many columns there are: A to G.
    package static let columns = 7
    /// How many stones a column holds.
    package static let rows = 6

    /// A place on the board; row 0 is the lowest.
    package struct Place: Hashable, Sendable {
        /// Column 0 to 6.
        package let column: Int
        /// Row 0 to 5.
        package let row: Int

        /// A place.
        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }

        /// `D1`: the lowest of the fourth column.
        package var text: String { letter(column) + "\(row + 1)" }
    }

    /// Why a stone cannot fall there.
    package enum Fault: Error, Hashable, Sendable {
        /// There is no such column.
        case noSuchColumn
        /// Six stones are in it.
        case full
        /// Somebody has won, or all columns are full.
        case over
    }

    /// The columns that were played, the first one by whoever began.
    package private(set) var moves: [Int] = []
    /// The stones in each column, from below; `true` are those of whoever began.
    private var stones = [[Bool]](repeating: [], count: columns)
    /// The places of four or more in a row; empty as long as nobody has won.
    package private(set) var four: [Place] = []

    /// An empty board.
    package init() {}

    /// A board after these moves; `nil` if one of them is not allowed.
    package init?(_ moves: some Collection<Int>) {
        guard moves.count <= Self.columns * Self.rows else { return nil }
        for column in moves {
            guard (try? play(column)) != nil else { return nil }
        }
    }

    /// Whether whoever began plays next.
    package var isFirstNext: Bool { moves.count.isMultiple(of: 2) }

    /// Whether nothing can be played any more.
    package var isOver: Bool {
        !four.isEmpty || moves.count == Self.columns * Self.rows
    }

    /// Whose stone lies there, `true` for whoever began; `nil` if none does.
    package func stone(_ place: Place) -> Bool? {
        guard stones.indices.contains(place.column),
            stones[place.column].indices.contains(place.row)
        else { return nil }
        return stones[place.column][place.row]
    }

    /// The letter of a column.
    package static func letter(_ column: Int) -> String {
        String(UnicodeScalar(UInt8(65 + min(max(column, 0), columns - 1))))
    }

    /// The column of a letter in either case; `nil` for anything else.
    package static func column(_ letter: String) -> Int? {
        let bytes = Array(letter.utf8)
        guard bytes.count == 1 else { return nil }
        let column = Int(bytes[0] | 0x20) - 0x61
        return (0..<columns).contains(column) ? column : nil
    }

    /// Lets a stone of whoever is next fall. Throws why it cannot.
    package mutating func play(_ column: Int) throws(Fault) {
        guard !isOver else { throw .over }
        guard stones.indices.contains(column) else { throw .noSuchColumn }
        guard stones[column].count < Self.rows else { throw .full }
        stones[column].append(isFirstNext)
        moves.append(column)
        four = rowsThrough(Place(column: column, row: stones[column].count - 1))
    }

    /// All places of rows of four or more through that stone.
    private func rowsThrough(_ place: Place) -> [Place] {
        let owner = stone(place)
        func run(_ across: Int, _ up: Int) -> [Place] {
            var found: [Place] = []
            var next = Place(column: place.column + across, row: place.row + up)
            while let other = stone(next), other == owner {
                found.append(next)
                next = Place(column: next.column + across, row: next.row + up)
            }
            return found
        }
        var all: [Place] = []
        for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let others = run(across, up) + run(-across, -up)
            if others.count >= 3 { all += others }
        }
        return all.isEmpty ? [] : [place] + all
    }
}
