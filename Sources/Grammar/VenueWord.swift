// SPDX-License-Identifier: Apache-2.0
/// The second word of `seatagent venue`.
package enum VenueWord: String, Subword {
    case find, new, check, sign, add, show, map, qr, open, join, announce, leave, forget

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .find: "seatagent venue find"
        case .new: "seatagent venue new rec.json"
        case .check: "seatagent venue check rec.json"
        case .sign: "seatagent venue sign rec.json"
        case .add: "seatagent venue add rec.venue"
        case .show: "seatagent venue show rec.json"
        case .map: "seatagent venue map rec.json"
        case .qr: "seatagent venue qr rec"
        case .open: "seatagent venue open uva"
        case .join: "seatagent venue join rec"
        case .announce: "seatagent venue announce uva"
        case .leave: "seatagent venue leave uva"
        case .forget: "seatagent venue forget rec"
        }
    }

    /// What stands behind it.
    package var wanted: String {
        switch self {
        case .new, .sign: "file"
        case .check, .show, .map, .qr, .open, .join, .announce, .leave, .forget: "venue"
        case .add: "file, link or picture"
        case .find: ""
        }
    }

    /// How many words stand behind it.
    package var count: ClosedRange<Int> {
        switch self {
        case .find: 0...0
        case .show: 1...2
        case .new, .check, .sign, .add, .map, .qr, .open, .join, .announce, .leave, .forget: 1...1
        }
    }

    /// Its options.
    package var options: [String] {
        switch self {
        case .find: ["interface"]
        case .new: ["like"]
        case .sign: ["revision", "out", "key-file"]
        case .add, .forget: ["yes"]
        case .qr: ["svg"]
        case .open: ["plain", "name", "port", "peer", "interface", "no-mdns"]
        case .show: ["follow"]
        case .join: ["name", "mail", "number", "suite"]
        case .announce: ["off", "key-file"]
        case .check, .map, .leave: []
        }
    }
}

/// A word of `seatagent friend` in the place of an address.
package enum FriendWord: String, CaseIterable {
    case allow, hide
}
