// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent park`.
package enum ParkWord: String, Subword {
    case add, show, change, remove, route, remind, permit

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .add: "seatagent park add B7K2Q --plate AB12CDE --suite 12B --hours 4h"
        case .show: "seatagent park show 1"
        case .change: "seatagent park change 1 --at 45.5017,-73.5673"
        case .remove: "seatagent park remove 1"
        case .route: "seatagent park route 1 --from 45.5088,-73.5542"
        case .remind: "seatagent park remind"
        case .permit: "seatagent park permit 1"
        }
    }
}
