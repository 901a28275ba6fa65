// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

@testable import Aviation

/// Wishes in words: what is read is written and read as the same, what is not comes with a wish
/// that is, and seats are what others can read.
///
/// Input: the rows of two own seats, the text.
enum WishesTarget {
    private static let cabins = [CabinLayout.standard] + CabinLayout.bundled

    static func run(_ input: [UInt8]) -> Verdict {
        guard input.count >= 2 else { return .refused }
        let mine = input[..<2].compactMap { Seat(row: Int($0), column: Int($0) % 6) }
        let text = String(decoding: input.dropFirst(2), as: UTF8.self)
        let choices: [WishChoice]
        do throws(WishFault) {
            choices = try WishReader.read(text)
        } catch {
            hold((try? WishReader.read(error.better)) != nil, "a better wish that is none")
            hold(error.what.utf8.count < 300, "a long complaint")
            return .refused
        }
        hold(1...Limits.ranks ~= choices.count, "too many wishes")
        // What is written has one form, though quotes in names may go.
        let form = WishWords.text(choices)
        guard form.utf8.count <= Limits.wishWords else { return .accepted }
        let again = try? WishReader.read(form)
        hold(again.map(WishWords.text) == form, "a wish that reads as another")
        let seats = WishSeats(
            cabin: cabins[text.utf8.count % cabins.count], mine: mine,
            seats: { _ in Array(mine.prefix(1)) })
        for choice in choices {
            guard let set = try? seats.set(choice) else { continue }
            hold(SeatSet(set.blocks) == set, "blocks that nobody reads")
            for block in WishWords.text(set).split(separator: " ") {
                hold(WishWords.block(block) != nil, "a block that is written and not read")
            }
        }
        return .accepted
    }
}
