// SPDX-License-Identifier: Apache-2.0
import FuzzKit

extension FuzzTarget {
    /// The text of passes has a small program of its own too.
    static let passes = [
        FuzzTarget(name: "boarding", longest: 1024, run: BoardingTarget.run)
    ]
}
