// SPDX-License-Identifier: Apache-2.0
import FuzzKit

@testable import Protocol

/// Bytes are read as the seats of a wish if and only if they say blocks as docs/protocol.md section
/// 8 wants them, and what is read has just the seats that they say.
///
/// Input: one byte that chooses what is left out, the seat set.
enum SeatSetsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first else { return .refused }
        let bytes = Array(input.dropFirst())
        let told = seats(bytes)
        guard let set = read(bytes) else {
            hold(told == nil, "a seat set was refused")
            return .refused
        }
        guard let told else { broken("no seat set was taken for one") }

        var writer = CBORWriter()
        EntryCodec.write(set, to: &writer)
        hold(writer.bytes == bytes, "two encodings of one seat set")
        for seat in told.indices {
            hold(set.contains(Self.seat(seat)) == told[seat], "other seats than were said")
        }
        hold(read(Array(bytes.prefix(Int(first) % bytes.count))) == nil, "a part is a whole")
        hold(read(bytes + [first]) == nil, "bytes after the end")

        // Without one of its blocks it is a seat set still, and without those seats.
        let left = Int(first) % set.blocks.count
        var fewer = set.blocks
        let gone = fewer.remove(at: left)
        hold((SeatSet(fewer) == nil) == fewer.isEmpty, "a part of a seat set is none")
        let lost = SeatSet(fewer)
        for seat in told.indices where told[seat] {
            let place = Self.seat(seat)
            let isGone =
                gone.first...gone.last ~= Int(place.row)
                && gone.columns >> Int(place.column) & 1 == 1
            hold(lost?.contains(place) ?? false == !isGone, "a block has another's seats")
        }
        // The same seats again are one too many.
        hold(SeatSet(set.blocks + [gone]) == nil, "a seat that two blocks have")
        return .accepted
    }

    private static func read(_ bytes: [UInt8]) -> SeatSet? {
        var reader = CBORReader(bytes.span.bytes)
        do throws(DecodeError) {
            let set = try EntryCodec.seatSet(&reader)
            try reader.finish()
            return set
        } catch {
            return nil
        }
    }

    /// Which seats `bytes` say, row by row with 26 columns each; `nil` if they are no seat set.
    private static func seats(_ bytes: [UInt8]) -> [Bool]? {
        guard case .array(let blocks)? = try? Tree.read(bytes), 1...16 ~= blocks.count else {
            return nil
        }
        var seats = [Bool](repeating: false, count: 255 * 26)
        var last = (row: 0, columns: 0)
        for block in blocks {
            guard case .array(let parts) = block, parts.count == 3,
                case .number(let columns) = parts[0], case .number(let from) = parts[1],
                case .number(let to) = parts[2],
                columns >= 1, columns < 1 << 26, from >= 1, to >= from, to <= 255,
                (from, columns) > last
            else { return nil }
            last = (from, columns)
            for row in from...to {
                for column in 0..<26 where columns >> column & 1 == 1 {
                    if seats[(row - 1) * 26 + column] { return nil }
                    seats[(row - 1) * 26 + column] = true
                }
            }
        }
        return seats
    }

    private static func seat(_ index: Int) -> Seat {
        guard let seat = Seat(row: index / 26 + 1, column: index % 26) else {
            broken("seat \(index) is none")
        }
        return seat
    }
}
