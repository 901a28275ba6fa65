// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Any set of seats: the columns of each row that a label can name.
package struct SeatGrid: Hashable, Sendable {
    /// Bit n is column n; the index is the number of the row, and 0 is no row.
    private var rows: [Int]

    private init(rows: [Int]) { self.rows = rows }

    /// No seat.
    package static let none = SeatGrid(rows: [Int](repeating: 0, count: 256))
    /// Every seat that a label can name.
    package static let all = SeatGrid(rows: [0] + [Int](repeating: SeatSet.allColumns, count: 255))

    /// These seats.
    package init(_ seats: some Sequence<Seat>) {
        self = .none
        for seat in seats { rows[Int(seat.row)] |= 1 << Int(seat.column) }
    }

    /// Columns of some rows, both from 1 to 255.
    package init(rows: ClosedRange<Int>, columns: Int = SeatSet.allColumns) {
        self = .none
        for row in rows.clamped(to: 1...255) { self.rows[row] = columns & SeatSet.allColumns }
    }

    /// Whether there is none.
    package var isEmpty: Bool { rows.allSatisfy { $0 == 0 } }

    /// How many there are.
    package var count: Int { rows.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Seats of either.
    package func union(_ other: SeatGrid) -> SeatGrid {
        SeatGrid(rows: zip(rows, other.rows).map { $0 | $1 })
    }

    /// Seats of both.
    package func intersection(_ other: SeatGrid) -> SeatGrid {
        SeatGrid(rows: zip(rows, other.rows).map { $0 & $1 })
    }

    /// All other seats.
    package var others: SeatGrid {
        SeatGrid(rows: zip(rows, Self.all.rows).map { $1 & ~$0 })
    }

    /// These seats as blocks, as few as two ways to cut find; a seat that is not among the `real`
    /// ones may be inside a block. No seats come to no blocks.
    package func blocks(real: SeatGrid) -> [SeatSet.Block] {
        let needed = intersection(real).rows
        let allowed = union(real.others).rows
        let byRow = Self.runs(needed, allowed)
        let byColumn = Self.stripes(needed, allowed)
        return (byColumn.count < byRow.count ? byColumn : byRow).sorted()
    }

    /// Consecutive rows that one set of columns fits.
    private static func runs(_ needed: [Int], _ allowed: [Int]) -> [SeatSet.Block] {
        var blocks: [SeatSet.Block] = []
        var run: (columns: Int, allowed: Int, first: Int, last: Int)?
        func close() {
            guard let run else { return }
            blocks.append(
                SeatSet.Block(columns: run.columns, first: run.first, last: run.last))
        }
        for row in 1..<needed.count {
            if let old = run {
                let (columns, all) = (old.columns | needed[row], old.allowed & allowed[row])
                if columns & ~all == 0 {
                    run = (columns, all, old.first, needed[row] == 0 ? old.last : row)
                    continue
                }
                close()
                run = nil
            }
            if needed[row] != 0 { run = (needed[row], allowed[row], row, row) }
        }
        close()
        return blocks
    }

    /// Columns that have the same runs of rows.
    private static func stripes(_ needed: [Int], _ allowed: [Int]) -> [SeatSet.Block] {
        var stripes: [(rows: [SeatSet.Block], columns: Int)] = []
        for column in 0..<26 {
            let bit = 1 << column
            let rows = runs(needed.map { $0 & bit }, allowed.map { $0 & bit })
                .map { SeatSet.Block(columns: 1, first: $0.first, last: $0.last) }
            guard !rows.isEmpty else { continue }
            if let index = stripes.firstIndex(where: { $0.rows == rows }) {
                stripes[index].columns |= bit
            } else {
                stripes.append((rows, bit))
            }
        }
        return stripes.flatMap { stripe in
            stripe.rows.map {
                SeatSet.Block(columns: stripe.columns, first: $0.first, last: $0.last)
            }
        }
    }
}

extension SeatGrid {
    /// Every seat of the layout.
    package init(_ cabin: CabinLayout) { self.init(cabin.seats) }

    /// The seats of the layout for which `holds` is true.
    package init(_ cabin: CabinLayout, where holds: (SeatPlace) -> Bool) {
        self.init(cabin.seats.filter { holds(cabin.kind(of: $0)) })
    }
}

extension CabinLayout {
    /// The seats for which `holds` is true; `nil` if there are none, or more blocks of them than a
    /// wish has.
    package func set(where holds: (SeatPlace) -> Bool) -> SeatSet? {
        SeatSet(SeatGrid(self, where: holds).blocks(real: SeatGrid(self)))
    }
}
