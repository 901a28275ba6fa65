// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent venue`.
package enum VenueWord: String, Subword {
    case new, check, show, map

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .new: "seatagent venue new rec.json"
        case .check: "seatagent venue check rec.json"
        case .show: "seatagent venue show rec.json"
        case .map: "seatagent venue map rec.json"
        }
    }
}
