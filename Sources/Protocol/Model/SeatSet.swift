// SPDX-License-Identifier: Apache-2.0
/// Seats as blocks of columns and rows: the form of a wish on the wire, which a reader understands
/// without knowing its words.
public struct SeatSet: Hashable, Sendable {
    /// Columns of some rows.
    public struct Block: Hashable, Comparable, Sendable {
        /// Bit n is column n (0 for A); not 0.
        public let columns: Int
        /// The first row.
        public let first: Int
        /// The last row, not before the first.
        public let last: Int

        /// A block; whether it is one is judged by the set.
        public init(columns: Int, first: Int, last: Int) {
            self.columns = columns
            self.first = first
            self.last = last
        }

        /// Orders by first row, then columns.
        public static func < (left: Block, right: Block) -> Bool {
            (left.first, left.columns) < (right.first, right.columns)
        }
    }

    /// All columns that a seat may have, A to Z.
    public static let allColumns = 1 << 26 - 1

    /// Every seat.
    public static let all = SeatSet(
        unchecked: [Block(columns: allColumns, first: 1, last: 255)])

    /// Sorted by first row, then columns, without a seat that two of them have; 1 to 16.
    public let blocks: [Block]

    /// A set of these blocks; `nil` if they are not what ``blocks`` wants.
    public init?(_ blocks: [Block]) {
        guard 1...Limits.seatBlocks ~= blocks.count,
            zip(blocks, blocks.dropFirst()).allSatisfy(<)
        else { return nil }
        for (index, block) in blocks.enumerated() {
            guard 1...Self.allColumns ~= block.columns, block.first >= 1,
                block.first <= block.last, block.last <= 255,
                blocks[..<index].allSatisfy({
                    $0.last < block.first || $0.columns & block.columns == 0
                })
            else { return nil }
        }
        self.blocks = blocks
    }

    /// One seat.
    public init(_ seat: Seat) {
        blocks = [
            Block(columns: 1 << Int(seat.column), first: Int(seat.row), last: Int(seat.row))
        ]
    }

    /// All seats before `row`; `nil` if there are none.
    public init?(before row: Int) {
        guard 2...255 ~= row else { return nil }
        blocks = [Block(columns: Self.allColumns, first: 1, last: row - 1)]
    }

    private init(unchecked blocks: [Block]) { self.blocks = blocks }

    /// Blocks of one row each, sorted, not empty; more of them than a wish on the wire has.
    init(rows: [Block]) { blocks = rows }

    /// Whether `seat` is one of them.
    public func contains(_ seat: Seat) -> Bool {
        blocks.contains { block in
            block.first...block.last ~= Int(seat.row)
                && block.columns & 1 << Int(seat.column) != 0
        }
    }
}
