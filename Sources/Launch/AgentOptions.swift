// SPDX-License-Identifier: Apache-2.0
package import Aviation
import CivilTime
package import Profile
package import Protocol
package import System
package import Text
package import Trips

/// The checked options of `up` and `agent`, by which an agent runs.
package struct AgentOptions: Hashable, Sendable {
    /// The profile's places and name.
    package let place: ProfilePlace
    /// Seats to claim; the first is the passenger's own.
    package let seats: [Seat]
    /// The passenger's name, at most 48 bytes.
    package let name: String
    /// The flight; the practice flight if none is named.
    package let flight: FlightName
    /// The venue that people gather in instead of a flight; then there are no seats.
    package let venue: VenueStart?
    /// The same flight under partners' numbers, at most `Trip.aliasLimit`.
    package let aliases: [FlightName]
    /// The name of the cabin layout; `nil` if none was chosen.
    package let cabin: String?
    /// That layout, or the standard one if it can no longer be read.
    package let layout: CabinLayout
    /// The cabin code, lower case and without separators; `nil` for an open flight.
    package let code: String?
    /// When seats may be swapped; `nil` for always.
    package let window: SelectionWindow?
    /// How long before departure swaps open, and the source for that.
    package let opening: SeatOpening
    /// The network interface to use; `nil` for all.
    package let interface: String?
    /// TCP port to listen on; 0 lets the kernel choose.
    package let port: UInt16
    /// Addresses to dial, whatever mDNS finds.
    package let peers: [Address]
    /// Whether mDNS is used.
    package let mdns: Bool
    /// Where people of the flight meet before it; `nil` for nowhere.
    package let meet: MeetAddress?
    /// Whether it runs in a terminal or under a service supervisor; otherwise `up` started it.
    package var foreground: Bool
    /// Seconds after its last view has gone at which it leaves; `nil` for never.
    package var linger: Int?
    /// Whether to make a key in place of a lost one.
    package var isRenewing = false
    /// What becomes of an earlier start; `nil` to leave all as it is.
    package var earlier: EarlierChoice?
    /// The file for the secrets of its connections; `nil` for none.
    package var keylog: String?
    /// Whether nobody reads at its terminal what it says of its start.
    package var isQuiet = false

    /// What people gather for.
    package var gathering: GatheringName { venue.map { .venue($0.name) } ?? .flight(flight) }

    /// The name of the profile.
    package var profile: ProfileName { place.profile }
    /// The directory of keys and flights.
    package var dataDirectory: String { place.dataDirectory }
    /// Path of the control socket.
    package var socketPath: String { place.socket.path }

    /// Checks `values`, the options as typed by name. Throws `usage` or `no-such-seat`.
    package init(
        _ values: [String: [String]], place: ProfilePlace, foreground: Bool
    ) throws(UserError) {
        self.place = place
        self.foreground = foreground
        flight = try Self.flight(values["flight"]?.last)
        venue = try VenueStart(values)
        aliases = try Self.aliases(values["alias"] ?? [], of: flight)
        cabin = values["cabin"]?.last ?? Self.chosen(for: flight, place)
        layout = Self.layout(cabin, place)
        // The layout chosen for the practice flight is its cabin; for other flights it may be
        // wrong.
        let isMadeUp = flight.isPractice && values["cabin"] != nil
        seats =
            venue == nil ? try Self.seats(values["seat"] ?? [], in: isMadeUp ? layout : nil) : []
        name = try Self.name(values["name"]?.last)
        code = try values["code"]?.last.map { (text) throws(UserError) in
            try CabinCode.check(text)
        }
        let own = try Self.lead(values)
        opening = SeatOpening(own: own, carrier: flight.carrier)
        window = try Self.window(values, opening)
        interface = values["interface"]?.last
        port = try Self.port(values["port"]?.last)
        var peers: [Address] = []
        for text in values["peer"] ?? [] { peers.append(try Self.peer(text)) }
        self.peers = peers
        mdns = values["no-mdns"] == nil
        meet = try Self.meet(values["meet"]?.last, venue)
    }

    /// The options that are kept for a restart.
    package static let kept =
        [
            "seat", "name", "flight", "alias", "code", "departs", "arrives", "opens-before",
            "interface", "port", "peer", "no-mdns", "cabin", "meet",
        ] + VenueStart.options

    /// A start that works.
    package static let upLine = "seatagent up --seat 14C --name ada"

    /// Turns the meeting point of the settings off.
    package static let noMeeting = "off"

    // MARK: One option each

    private static func meet(
        _ text: String?, _ venue: VenueStart?
    ) throws(UserError) -> MeetAddress? {
        guard let text, text != noMeeting else { return nil }
        guard venue == nil else {
            throw UserError(
                .usage, "a meeting point is for flights", why: "people of a venue meet there",
                advice: "seatagent help venue")
        }
        return try MeetAddress(parsing: text)
    }

    /// Reads seats separated by commas or blanks, which must be in `cabin` if that is certain to be
    /// the aeroplane's. Throws `usage`, `no-such-seat` or `too-many-claims`.
    package static func seats(
        _ texts: [String], in cabin: CabinLayout? = nil
    ) throws(UserError) -> [Seat] {
        var seats: [Seat] = []
        for text in texts.flatMap(SeatText.pieces) {
            let seat = try SeatText.parse(text, in: cabin, advice: upLine)
            if !seats.contains(seat) { seats.append(seat) }
        }
        guard !seats.isEmpty else {
            throw UserError(
                .usage, "your seat is not known", why: "--seat says which one is yours",
                advice: upLine)
        }
        guard seats.count <= Limits.liveClaims else {
            let most = seats.prefix(Limits.liveClaims).map(\.text).joined(separator: ",")
            throw UserError(
                .tooManyClaims, "\(seats.count) seats are too many",
                why: "one passenger speaks for at most \(Limits.liveClaims)",
                advice: "seatagent up --seat \(most)")
        }
        return seats
    }

    private static func name(_ text: String?) throws(UserError) -> String {
        // Not the login name: the passenger decides what others learn.
        guard let text else { return PassengerName.standard }
        return try PassengerName.check(text, advice: upLine)
    }

    private static func flight(_ text: String?) throws(UserError) -> FlightName {
        guard let text else { return .practice }
        return try FlightText.read(text).flight
    }

    private static func aliases(
        _ texts: [String], of flight: FlightName
    ) throws(UserError) -> [FlightName] {
        guard !texts.isEmpty else { return [] }
        guard !flight.isPractice else {
            throw UserError(
                .usage, "the practice flight has no other numbers",
                why: "--alias is a partner's number of the flight that --flight names",
                advice: upLine)
        }
        let line =
            "seatagent up \(flight.text) --seat 14C --alias \(FlightAlias.sample(flight))"
        return try FlightAlias.read(texts, of: flight, advice: line).map(\.flight)
    }

    /// The layout of the trip in the passenger's list; a damaged list must not stop an agent.
    private static func chosen(for flight: FlightName, _ place: ProfilePlace) -> String? {
        let book = try? TripBook.read(place)
        return book?[flight]?.cabin
    }

    /// The layout, or the standard one: a damaged layout must not stop an agent.
    private static func layout(_ id: String?, _ place: ProfilePlace) -> CabinLayout {
        id.flatMap { try? CabinShelf(place).find($0) } ?? .standard
    }

    /// Seconds. An arrival in another year is a typing mistake, and would keep the flight's key
    /// until then.
    private static let longestFlight: Int64 = 72 * 3600

    private static let departsLine = upLine + " --departs 2026-11-22T14:05:00Z"

    /// How long before departure swaps open, as typed, in seconds. Throws `usage`.
    private static func lead(_ values: [String: [String]]) throws(UserError) -> Int64? {
        guard let text = values["opens-before"]?.last else { return nil }
        guard let seconds = SpanText.seconds(text) else {
            throw UserError(
                .usage, "\"\(text)\" is not a length of time",
                why: "it is a number with s, m, h or d", advice: departsLine + " --opens-before 48h"
            )
        }
        return Int64(seconds)
    }

    private static func window(
        _ values: [String: [String]], _ opening: SeatOpening
    ) throws(UserError) -> SelectionWindow? {
        let line = departsLine
        func date(_ option: String) throws(UserError) -> UTCTime? {
            guard let text = values[option]?.last else { return nil }
            guard let date = RFC3339.parse(text) else {
                throw UserError(
                    .usage, "\"\(text)\" is not a date and time",
                    why: "--\(option) wants it as in 2026-11-22T14:05:00Z or with +02:00",
                    advice: line)
            }
            return date
        }
        let departs = try date("departs")
        let arrives = try date("arrives")
        guard let departs else {
            guard arrives == nil, opening.source != .own else {
                throw UserError(
                    .usage, "the departure is not known",
                    why: "--arrives and --opens-before count from it", advice: line)
            }
            return nil
        }
        if let arrives, arrives.seconds - departs.seconds > longestFlight {
            throw UserError(
                .usage, "no flight takes that long",
                why: "it arrives more than three days after it departs", advice: line)
        }
        if let arrives, arrives <= departs {
            throw UserError(.usage, "the flight arrives before it departs", advice: line)
        }
        return SelectionWindow(departs: departs, lead: opening.lead, arrives: arrives)
    }

    private static func port(_ text: String?) throws(UserError) -> UInt16 {
        guard let text else { return 0 }
        guard let port = UInt16(text) else {
            throw UserError(
                .usage, "\"\(text)\" is not a port", why: "ports go from 0 (any) to 65535",
                advice: upLine + " --port 7711")
        }
        return port
    }

    /// Reads `192.0.2.1:4000`. Throws `usage` with `line`, before an address that works, to try.
    package static func peer(
        _ text: String, line: String = upLine + " --peer "
    ) throws(UserError) -> Address {
        do throws(AddressError) {
            return try Address(parsing: text)
        } catch {
            let why =
                switch error {
                case .noPort: "a colon and the port stand after it"
                case .port: "ports go from 1 to 65535"
                case .host: "it is an IPv4 or IPv6 address; names are not looked up"
                case .interface(let name): "there is no interface \(name)"
                }
            throw UserError(
                .usage, "\"\(text)\" is not an address", why: why,
                advice: line + "127.0.0.1:7711")
        }
    }
}

/// A code spoken in the cabin, which keeps others out of the flight's records (docs/protocol.md
/// section 2).
package enum CabinCode {
    /// The least number of Base32 characters: 30 bits, a few processor-years to guess.
    static let shortest = 6

    /// The code in the form that is hashed: lower case, without blanks and hyphens. Throws `usage`.
    package static func check(
        _ text: String, advice: String = "seatagent up --seat 14C --name ada --code k7q2m5"
    ) throws(UserError) -> String {
        let code = text.lowercased().filter { $0 != " " && $0 != "-" }
        let isBase32 = code.unicodeScalars.allSatisfy {
            "abcdefghijklmnopqrstuvwxyz234567".unicodeScalars.contains($0)
        }
        guard isBase32, code.count >= shortest, code.count <= 64 else {
            throw UserError(
                .usage, "that is no cabin code",
                why: "it has \(shortest) or more of the letters a to z and the digits 2 to 7",
                advice: advice)
        }
        return code
    }
}
