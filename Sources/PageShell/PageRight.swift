// SPDX-License-Identifier: Apache-2.0
package import ControlAPI

/// Whose page it is.
package enum PageRight: String, Codable, Hashable, Sendable {
    /// The user of this computer, whose agent it shows.
    case owner
    /// Somebody else, with an agent of their own.
    case guest

    /// Whether an agent is asked this for the page. What is not listed does not exist for it.
    package func may(_ operation: OperationName) -> Bool {
        switch self {
        case .owner: operation.isOfPages && operation != .takeKey
        case .guest: operation.isOfPages && !operation.isOfOwner
        }
    }
}

/// Who was let in with a page.
package struct PagePass: Hashable, Sendable {
    /// Whose it is.
    package let right: PageRight
    /// The number of the guest; `nil` for the user.
    package var guest: Int?

    /// A pass.
    package init(right: PageRight, guest: Int? = nil) {
        self.right = right
        self.guest = guest
    }
}

extension OperationName {
    /// Whether a page may ask it at all: nothing that ends the agent, reads whole logs or writes a
    /// file. The server watches for all pages.
    fileprivate var isOfPages: Bool {
        switch self {
        case .hello, .watch, .export, .stay, .forget, .down, .deskBackup: false
        default: true
        }
    }

    /// Whether it is for the user alone: what reaches into the network, and a venue's desk.
    fileprivate var isOfOwner: Bool {
        switch self {
        case .addPeer, .hosting, .desk, .deskOpen, .deskAway, .deskAnswer, .deskBook, .deskBlock,
            .deskClose, .deskPaid, .deskVisit, .deskLate, .deskMember, .deskMove, .deskDecide,
            .deskBookings:
            true
        default: false
        }
    }

    /// Whether it changes nothing, so that it may be done again and its answer need not be kept.
    package var onlyReads: Bool {
        switch self {
        case .hello, .status, .peers, .seats, .cabin, .suggestions, .needs, .party, .who, .game,
            .search, .log, .together, .match, .requests, .receipt, .venue, .friend, .day, .days,
            .asked,
            .bookings, .bookingSwaps, .bookingRings, .forms, .desk, .deskBookings:
            true
        default: false
        }
    }
}
