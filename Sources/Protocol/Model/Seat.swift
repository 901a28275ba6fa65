// SPDX-License-Identifier: Apache-2.0
/// A seat as it goes over the wire: row 1...255 and column 0...25, where the column is the letter.
///
/// A log never depends on a cabin layout (docs/protocol.md section 27).
public struct Seat: Hashable, Comparable, Sendable {
    /// Row, 1...255.
    public let row: UInt8
    /// Column, 0 for A ... 25 for Z.
    public let column: UInt8

    /// A seat; `nil` outside rows 1...255 and columns 0...25.
    public init?(row: Int, column: Int) {
        guard 1...255 ~= row, 0...25 ~= column else { return nil }
        self.row = UInt8(row)
        self.column = UInt8(column)
    }

    /// Reads `14C`, `14c`, `05F`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        var row = 0
        var digits = 0
        var column: Int?
        for unit in text.utf8 {
            guard column == nil else { return nil }
            switch unit {
            case 48...57:
                row = row * 10 + Int(unit - 48)
                digits += 1
                guard digits <= 3 else { return nil }
            case 65...90 where digits > 0: column = Int(unit - 65)
            case 97...122 where digits > 0: column = Int(unit - 97)
            default: return nil
            }
        }
        guard let column else { return nil }
        self.init(row: row, column: column)
    }

    /// The letter, `A`...`Z`.
    public var letter: Character { Character(Unicode.Scalar(65 + column)) }

    /// `14C`.
    public var text: String { "\(row)\(letter)" }

    /// Orders by row, then column.
    public static func < (left: Seat, right: Seat) -> Bool {
        left.row != right.row ? left.row < right.row : left.column < right.column
    }
}
