// SPDX-License-Identifier: Apache-2.0
/// Which numbers of a page came already: each is taken once (docs/page.md section 2).
///
/// Two tabs of one browser count together and may overtake each other, so numbers may come out of
/// order, up to 63 behind the highest one.
package struct NumberWindow: Hashable, Sendable {
    /// Numbers behind the highest one that are still told apart.
    package static let size: UInt64 = 64

    /// The highest number that came; 0 before the first.
    package private(set) var highest: UInt64 = 0
    /// Bit `n` is set if `highest - n` came.
    private var seen: UInt64 = 0

    /// No number came yet.
    package init() {}

    /// Whether a number comes for the first time; it counts as one that came then. 0 never does.
    package mutating func take(_ number: UInt64) -> Bool {
        guard number > 0 else { return false }
        if number > highest {
            let step = number - highest
            seen = step < Self.size ? seen << step | 1 : 1
            highest = number
            return true
        }
        let age = highest - number
        guard age < Self.size, seen & 1 << age == 0 else { return false }
        seen |= 1 << age
        return true
    }
}
