// SPDX-License-Identifier: Apache-2.0
/// How full a place of a venue is, in words.
package enum StayText {
    /// `34 of 120 free`; `full, 121 of 120` where more are there than it has places.
    package static func free(_ people: Int, of count: Int) -> String {
        people >= count ? "full, \(people) of \(count)" : "\(count - people) of \(count) free"
    }

    /// `4 within reach`: the other agents of the venue.
    package static func reach(_ linked: Int) -> String {
        linked == 0 ? "nobody within reach yet" : "\(linked) within reach"
    }
}
