// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent host`.
package enum HostWord: String, Subword {
    case on, poster, guests, remove, off

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .on: "seatagent host on"
        case .poster: "seatagent host poster poster.svg"
        case .guests: "seatagent host guests"
        case .remove: "seatagent host remove mia"
        case .off: "seatagent host off"
        }
    }
}
