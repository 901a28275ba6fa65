// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent profile`.
package enum ProfileWord: String, Subword {
    case set, clear, delete

    /// The fields, in the order in which they are shown.
    package static let fields = ["name", "mail", "phone", "plate"]

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .set: "seatagent profile set plate AB12CDE"
        case .clear: "seatagent profile clear phone"
        case .delete: "seatagent profile delete"
        }
    }
}
