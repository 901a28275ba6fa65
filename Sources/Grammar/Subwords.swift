// SPDX-License-Identifier: Apache-2.0
/// The second word of a command that has several jobs, in the order of its help.
package protocol Subword: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue == String {}

extension Subword {
    /// All of them.
    package static var words: [String] { allCases.map(\.rawValue) }
}

/// The second word of `seatagent config`.
package enum ConfigWord: String, Subword {
    case get, set, unset, edit, path

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .get: "seatagent config get name"
        case .set: "seatagent config set name ada"
        case .unset: "seatagent config unset name"
        case .edit: "seatagent config edit"
        case .path: "seatagent config path"
        }
    }
}

/// The second word of `seatagent cabin`.
package enum CabinWord: String, Subword {
    case show, use, edit, accept, decline, suggestions

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .show: "seatagent cabin show ryanair-737-800"
        case .use: "seatagent cabin use ryanair-737-800"
        case .edit: "seatagent cabin edit mine"
        case .accept: "seatagent cabin accept"
        case .decline: "seatagent cabin decline"
        case .suggestions: "seatagent cabin suggestions"
        }
    }
}

/// The second word of `seatagent flight`.
package enum FlightWord: String, Subword {
    case add, show, change, move, remove
}

/// The second word of `seatagent party`.
package enum PartyWord: String, Subword {
    case show, new, join, invite, yes, no, say, remove, trust, leave

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .show: "seatagent party show"
        case .new: "seatagent party new"
        case .join: "seatagent party join aaaa-aaaa-aaaa-aaaa-a"
        case .invite: "seatagent party invite"
        case .yes: "seatagent party yes 14B"
        case .no: "seatagent party no 14B"
        case .say: "seatagent party say \"galley in five\""
        case .remove: "seatagent party remove 14B"
        case .trust: "seatagent party trust on"
        case .leave: "seatagent party leave"
        }
    }
}
