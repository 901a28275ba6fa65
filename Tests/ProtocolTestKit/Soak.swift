// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many rounds of chance a test takes: `make test` some of them, `make soak` all.
package enum Soak {
    /// Whether `make soak` runs the tests.
    package static let isOn = getenv("SEATAGENT_SOAK") != nil

    /// `whole` in `make soak`, and `short` in `make test`.
    package static func rounds(_ whole: Int, short: Int) -> Int { isOn ? whole : short }
}
