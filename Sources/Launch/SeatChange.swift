// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a start changes about what an earlier one left.
package struct SeatChange: Hashable, Sendable {
    /// Seats to take back.
    package var leaves: [Seat] = []
    /// Seats that are claimed for the first time.
    package var adds: [Seat] = []
    /// Whether the passenger said what to do with the earlier seats.
    package var isDecided = false
    /// The new name; `nil` to keep the old one.
    package var name: String?
    /// The old name.
    package var oldName = ""

    /// A change of seats and name against an earlier start; nothing changes unless it is given.
    package init(
        leaves: [Seat] = [], adds: [Seat] = [], isDecided: Bool = false, name: String? = nil,
        oldName: String = ""
    ) {
        self.leaves = leaves
        self.adds = adds
        self.isDecided = isDecided
        self.name = name
        self.oldName = oldName
    }
}
