// SPDX-License-Identifier: Apache-2.0
import FuzzKit

extension FuzzTarget {
    /// What only reads text has a small program of its own too.
    static let passes = [
        FuzzTarget(name: "boarding", longest: 1024, run: BoardingTarget.run),
        FuzzTarget(name: "wishes", longest: 512, run: WishesTarget.run),
        FuzzTarget(name: "venues", longest: 4096, run: VenuesTarget.run),
        FuzzTarget(name: "gazetteer", longest: 1024, run: GazetteerTarget.run),
        FuzzTarget(name: "bookings", longest: 256, run: BookingsTarget.run),
        FuzzTarget(name: "roster", longest: 1024, run: RosterTarget.run),
    ]
}
