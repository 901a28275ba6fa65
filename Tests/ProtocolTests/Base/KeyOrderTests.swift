// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Protocol

@Suite struct KeyOrderTests {
    private func key(_ first: UInt64, _ last: UInt8) -> PeerKey {
        let head = (0..<8).map { UInt8(truncatingIfNeeded: first >> (56 - 8 * $0)) }
        return PeerKey(Bytes32(head + [UInt8](repeating: 0, count: 23) + [last]) ?? .zero)
    }

    /// Evenly spread keys, keys that somebody chose to lie close, and both ends.
    private func keys(_ count: Int, _ random: inout SeededRandom) -> [[PeerKey]] {
        let spread = (0..<count).map { _ in key(UInt64.random(in: 0 ... .max, using: &random), 0) }
        let low = (0..<count).map { key(UInt64($0 / 3), UInt8($0 % 3)) }
        let high = (0..<count).map { key(.max - UInt64($0 / 3), UInt8($0 % 3)) }
        let middle = (0..<count).map { key(1 << 63, UInt8(truncatingIfNeeded: $0)) }
        let mixed = low.prefix(count / 2) + high.prefix(count / 2) + spread.prefix(3)
        return [spread, low, high, middle, Array(mixed)].map { Array(Set($0)).sorted() }
    }

    @Test func aPlaceIsWhereHalvingFindsIt() {
        var random = SeededRandom(seed: 9)
        for count in [0, 1, 2, 3, 7, 25, 192, 1000] {
            for sorted in keys(count, &random) {
                let others = [key(0, 0), key(.max, 255)] + (keys(20, &random).first ?? [])
                for wanted in sorted + others {
                    let place = sorted.place(of: wanted, by: { $0 })
                    #expect(place == sorted.lowerBound(of: wanted, by: { $0 }))
                }
            }
        }
    }

    @Test func noChoiceOfKeysMakesItSlow() {
        var random = SeededRandom(seed: 10)
        for sorted in keys(1000, &random) {
            for wanted in sorted {
                var looks = 0
                _ = sorted.place(of: wanted) {
                    looks += 1
                    return $0
                }
                // Outward and back again: twice the 10 of halving, and the first look.
                #expect(looks <= 22)
            }
        }
    }
}
