// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Protocol
import System
package import Text

/// The code of a party that was made, or handed over, while no agent ran: it waits in a file of its
/// own for the next agent that starts, which takes it along.
package struct HomeParty: Hashable, Sendable {
    /// The secret.
    package let secret: PartySecret
    /// The flight that it is for; `nil` for whichever comes next.
    package let flight: FlightName?

    /// A party for `flight`, or for the next one.
    package init(_ secret: PartySecret, flight: FlightName? = nil) {
        self.secret = secret
        self.flight = flight
    }

    private static func path(_ place: ProfilePlace) -> String { place.dataDirectory + "/party" }

    /// What waits; `nil` for nothing. Throws `file` if it cannot be read, or is no code.
    package static func waiting(in place: ProfilePlace) throws(UserError) -> HomeParty? {
        guard let bytes = try PrivateFile.read(path(place)) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard case .party(let secret, let flight)? = try? SeatLink(text) else {
            throw UserError(
                .file, "\(path(place)) holds no code of a party",
                why: "something else wrote it, or it was damaged",
                advice: "seatagent party leave")
        }
        return HomeParty(secret, flight: flight)
    }

    /// Keeps it. Throws `file`.
    package func keep(in place: ProfilePlace) throws(UserError) {
        try PrivateFile.makeDirectory(place.dataDirectory)
        let line = SeatLink.party(secret, flight: flight).text + "\n"
        try PrivateFile.write(Array(line.utf8), to: Self.path(place), durably: true)
    }

    /// Forgets what waits. Throws `file`.
    package static func forget(in place: ProfilePlace) throws(UserError) {
        let path = path(place)
        guard unlink(path) == 0 || errno == ENOENT else {
            throw PrivateFile.failed("deleted", path)
        }
    }
}
