// SPDX-License-Identifier: Apache-2.0
import Terminal
package import Wording

extension Style {
    /// The style of a seat with that mark.
    package init(_ mark: SeatMark) {
        self =
            switch mark {
            case .empty: .dim
            case .aboard: .active
            case .away: .inactive
            case .offers: .available
            case .wants: .wanted
            case .asks: .alert
            case .disputed: .doubtful
            case .me: .own
            }
    }

    /// The style of a seat in a swap that was found.
    init(_ mark: PlanPicture.Mark) {
        self =
            switch mark {
            case .party: .own
            case .moves: .wanted
            case .others: .active
            case .nobody: .dim
            }
    }
}
