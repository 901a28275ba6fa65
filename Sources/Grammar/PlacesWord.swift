// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent places`.
package enum PlacesWord: String, Subword {
    case `import`, forget

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .import: "seatagent places import montreal.csv"
        case .forget: "seatagent places forget montreal"
        }
    }
}
