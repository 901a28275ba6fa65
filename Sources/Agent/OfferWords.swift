// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text

/// Offers as objects. On the wire, a wish is seats: this agent chooses the words for them by the
/// layout that it draws, and shows seats without a word as seats.
enum OfferWords {
    /// The offer in `wish`; no seats if it is taken back.
    static func offer(_ wish: Wish, _ fold: SeatFold, _ cabin: CabinLayout) -> SeatOffer {
        let seats = wish.offered.compactMap { fold.token($0)?.seat }.sorted()
        return SeatOffer(
            seats: seats, wants: wish.ranks.map { want($0, for: seats, cabin) }, note: wish.note)
    }

    /// `any`, `window`, `aisle`, `front` of `seats`, a seat, or blocks of seats: `1-10AF,12A`.
    static func want(_ rank: SeatSet, for seats: [Seat], _ cabin: CabinLayout) -> SeatWish {
        if rank == .all { return .any }
        if rank == seats.first.flatMap({ SeatSet(before: Int($0.row)) }) { return .front }
        if rank == cabin.set(where: \.window) { return .window }
        if rank == cabin.set(where: \.aisle) { return .aisle }
        return .seats(rank.blocks.map(text).joined(separator: ","))
    }

    private static func text(_ block: SeatSet.Block) -> String {
        let rows = block.first == block.last ? "\(block.first)" : "\(block.first)-\(block.last)"
        guard block.columns != SeatSet.allColumns else { return rows }
        let letters = (0..<26).filter { block.columns & 1 << $0 != 0 }
        return rows + letters.map { String(Unicode.Scalar(UInt8(65 + $0))) }.joined()
    }

    /// The seats that a word means for a passenger who offers `seats`. Throws `no-such-seat` or
    /// `too-long`.
    static func rank(
        _ word: String, for seats: [Seat], _ cabin: CabinLayout
    ) throws(UserError) -> SeatSet {
        switch SeatWish(text: word) {
        case .any: return .all
        case .window: return try set(cabin.set(where: \.window), word)
        case .aisle: return try set(cabin.set(where: \.aisle), word)
        case .front:
            guard let first = seats.min() else { return .all }
            guard let set = SeatSet(before: Int(first.row)) else {
                throw UserError(
                    .noSuchSeat, "no seat is further forward than \(first.text)",
                    advice: "seatagent offer --for window")
            }
            return set
        case .seats:
            return SeatSet(try SeatText.parse(word, advice: "seatagent offer --for window"))
        }
    }

    private static func set(_ set: SeatSet?, _ word: String) throws(UserError) -> SeatSet {
        guard let set else {
            throw UserError(
                .tooLong, "\"\(word)\" cannot be said in this cabin",
                why: "its \(word) seats are none, or in more than \(Limits.seatBlocks) blocks",
                advice: "seatagent offer --for any")
        }
        return set
    }
}

extension CabinLayout {
    /// The seats for which `holds` is true, as blocks of consecutive rows; `nil` if there are none,
    /// or too many blocks. A row that the cabin does not have may be inside a block.
    func set(where holds: (SeatPlace) -> Bool) -> SeatSet? {
        var blocks: [SeatSet.Block] = []
        for row in rows.sorted(by: { $0.number < $1.number }) {
            var columns = 0
            for column in row.columns {
                let seat = Seat(row: row.number, column: Int(column))
                if let seat, holds(kind(of: seat)) { columns |= 1 << Int(column) }
            }
            let first = blocks.last.flatMap { $0.columns == columns ? $0.first : nil }
            if first != nil { blocks.removeLast() }
            blocks.append(
                SeatSet.Block(columns: columns, first: first ?? row.number, last: row.number))
        }
        return SeatSet(blocks.filter { $0.columns != 0 })
    }
}
