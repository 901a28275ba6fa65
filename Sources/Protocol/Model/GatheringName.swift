// SPDX-License-Identifier: Apache-2.0
/// What people gather for, with an agent each: a flight, or a volume of a venue.
public enum GatheringName: Hashable, Sendable {
    /// A flight (docs/protocol.md section 2).
    case flight(FlightName)
    /// A volume of a venue (docs/protocol.md section 31).
    case venue(VenueName)

    /// Reads either; no text is both.
    public init?(_ text: some StringProtocol) {
        if let flight = FlightName(text) {
            self = .flight(flight)
        } else if let venue = VenueName(text) {
            self = .venue(venue)
        } else {
            return nil
        }
    }

    /// As people and files name it.
    public var text: String {
        switch self {
        case .flight(let name): name.text
        case .venue(let name): name.text
        }
    }

    /// The canonical text that its key is made from.
    public var canonical: String {
        switch self {
        case .flight(let name): name.canonical
        case .venue(let name): name.canonical
        }
    }

    /// The version of the fold's rules that its id names.
    public var foldVersion: UInt8 {
        switch self {
        case .flight: FlightKey.foldVersion
        case .venue: FlightKey.venueFoldVersion
        }
    }
}
