// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// What a stranger's picture is read for.
package enum PassPurpose: Hashable, Sendable {
    /// The flights of a boarding pass, as seen on that day.
    case pass(on: FlightDate)
    /// The link on the sign at a venue's door.
    case venue

    /// The command line of the process that reads it.
    package var arguments: [String] {
        switch self {
        case .pass(let day): ["--on", day.text]
        case .venue: ["--venue"]
        }
    }

    /// Reads ``arguments``; `nil` for anything else.
    package init?(_ arguments: [String]) {
        if arguments == ["--venue"] {
            self = .venue
        } else if arguments.count == 2, arguments[0] == "--on",
            let day = FlightDate(arguments[1])
        {
            self = .pass(on: day)
        } else {
            return nil
        }
    }

    /// What is wrong with a picture that does not hold it.
    package var code: ErrorCode {
        switch self {
        case .pass: .badPass
        case .venue: .badVenue
        }
    }

    /// What to try then.
    package var advice: String {
        switch self {
        case .pass: "seatagent help board"
        case .venue: "seatagent help venue"
        }
    }

    /// What the picture should show.
    package var wanted: String {
        switch self {
        case .pass: "a boarding pass"
        case .venue: "a venue's sign"
        }
    }
}
