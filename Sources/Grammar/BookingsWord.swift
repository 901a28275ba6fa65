// SPDX-License-Identifier: Apache-2.0
package import Text

/// The second word of `seatagent bookings`, where it is no number or code.
package enum BookingsWord: String, Subword {
    case cancel, give, pay, swap, propose, requests, accept, decline, withdraw, wish, match

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .cancel: "seatagent bookings cancel 3"
        case .give: "seatagent bookings give 3 bo"
        case .pay: "seatagent bookings pay 3"
        case .swap: "seatagent bookings swap 3 'Tennis 1' sat 19:00"
        case .propose: "seatagent bookings propose 3:bo K7Q2M5XA:cy Q2C4HX3R:me"
        case .requests: "seatagent bookings requests"
        case .accept: "seatagent bookings accept 1"
        case .decline: "seatagent bookings decline 1"
        case .withdraw: "seatagent bookings withdraw 1"
        case .wish: "seatagent bookings wish 3 tennis sat 17-21"
        case .match: "seatagent bookings match"
        }
    }

    /// That words are missing, or are too many.
    package var incomplete: UserError {
        let wanted =
            switch self {
            case .cancel: "the number or the code of a booking"
            case .give: "a booking, and who gets it"
            case .pay: "a booking"
            case .swap: "a booking of yours, and what you want for it"
            case .propose: "bookings, each with who gets it"
            case .requests, .match: "nothing behind it"
            case .wish: "a booking of yours, and what you would take for it"
            case .accept, .decline, .withdraw: "the number of a request"
            }
        return UserError(
            .usage, "bookings \(rawValue) wants \(wanted)", advice: sampleLine)
    }
}

/// The third word of `seatagent desk members`.
package enum MembersWord: String, Subword {
    case `import`, move, change, forget, find
}

/// The second word of `seatagent desk`.
package enum DeskWord: String, Subword {
    case up, open, away, requests, grant, refuse, admit, book, block, close, paid, arrived
    case handed, returned, late, members, report, slip, say, backup, restore

    /// A command line that works.
    package var sampleLine: String {
        switch self {
        case .up: "seatagent desk up rec"
        case .open: "seatagent desk open"
        case .away: "seatagent desk away"
        case .requests: "seatagent desk requests"
        case .grant: "seatagent desk grant K7Q2M5XA"
        case .refuse: "seatagent desk refuse K7Q2M5XA"
        case .admit: "seatagent desk admit K7Q2M5XA"
        case .book: "seatagent desk book tennis tomorrow 18:00 1h"
        case .block: "seatagent desk block tennis tomorrow 18:00 1h"
        case .close: "seatagent desk close K7Q2M5XA"
        case .paid: "seatagent desk paid K7Q2M5XA"
        case .arrived: "seatagent desk arrived K7Q2M5XA"
        case .handed: "seatagent desk handed K7Q2M5XA"
        case .returned: "seatagent desk returned K7Q2M5XA"
        case .late: "seatagent desk late K7Q2M5XA +2h"
        case .members: "seatagent desk members"
        case .report: "seatagent desk report"
        case .slip: "seatagent desk slip K7Q2M5XA"
        case .say: "seatagent desk say 'Court 3 is wet until 18:00'"
        case .backup: "seatagent desk backup --to rec-backup"
        case .restore: "seatagent desk restore rec --from rec-backup"
        }
    }

    /// How many words stand behind it.
    package var count: ClosedRange<Int> {
        switch self {
        case .up, .restore: 0...1
        case .open, .away, .requests, .backup: 0...0
        case .grant, .admit, .close, .arrived, .handed, .returned, .slip: 1...1
        case .refuse: 1...1
        case .paid: 1...2
        case .late: 2...3
        case .book, .block, .say: 1...16
        case .members: 0...4
        case .report: 0...1
        }
    }

    /// Its options, beside `--venue`.
    package var options: [String] {
        switch self {
        case .up:
            [
                "key-file", "name", "port", "peer", "interface", "no-mdns", "instead", "begin",
                "yes",
            ]
        case .open: ["restored"]
        case .book: ["for", "member", "mail", "override"]
        case .block: ["for-note"]
        case .close: ["reason", "spent"]
        case .admit: ["class"]
        case .refuse: ["for-note"]
        case .paid: ["by"]
        case .report: ["csv"]
        case .backup: ["to"]
        case .restore: ["from", "yes"]
        case .away, .requests, .grant, .arrived, .handed, .returned, .late, .members, .slip, .say:
            []
        }
    }
}
