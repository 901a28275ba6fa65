// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import Text

/// What somebody says of themselves who wants to be taken in.
package struct GuestWish: Codable, Hashable, Sendable {
    /// What others shall see.
    package let name: String
    /// Their seat, as on the boarding pass; `nil` in a venue, where nobody has one.
    package let seat: String?
    /// The code of those they travel with.
    package let party: String?
    /// Whether they say that they were here before.
    package let isBack: Bool
    /// The code that the host read out to them, as they typed it.
    package let code: String?

    /// Reads it; whoever comes into a venue says neither seat nor party. Throws `bad-request`,
    /// `no-such-seat` or `name-refused`.
    init(_ arguments: [String: JSON], inVenue: Bool = false) throws(UserError) {
        let typed = arguments["name"]?.text ?? ""
        do throws(UserError) {
            name = try PassengerName.check(typed, advice: "")
        } catch {
            // A command line helps nobody who has a phone.
            throw UserError(error.code, error.what, why: error.why)
        }
        isBack = arguments["back"]?.flag ?? false
        code = arguments["code"]?.text
        guard !inVenue else {
            (seat, party) = (nil, nil)
            return
        }
        seat = try Self.seat((arguments["seat"]?.text ?? "").uppercased())
        let code = arguments["party"]?.text ?? ""
        party = code.isEmpty ? nil : code
        guard code.utf8.count <= 200 else {
            throw UserError(.badRequest, "this code is too long")
        }
    }

    private static func seat(_ seat: String) throws(UserError) -> String {
        let row = seat.utf8.prefix { 48...57 ~= $0 }.count
        guard 1...3 ~= row, seat.utf8.count == row + 1, let letter = seat.utf8.last,
            65...90 ~= letter, Seat(seat) != nil
        else {
            throw UserError(
                .noSuchSeat, "\"\(seat.prefix(8))\" is no seat", why: "a seat is a row and a letter"
            )
        }
        return seat
    }
}
