// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// A code or a link that somebody typed or pasted.
package enum PartyCode {
    /// Its secret, and the flight that a link may name. Throws what people are told.
    package static func read(
        _ text: String
    ) throws(UserError) -> (secret: PartySecret, flight: FlightName?) {
        let bare = text.trimmed
        guard SeatLink.begins(bare) else {
            do throws(PartySecret.CodeFault) {
                return (try PartySecret(code: bare), nil)
            } catch {
                throw error.told
            }
        }
        do throws(SeatLink.Fault) {
            guard case .party(let secret, let flight) = try SeatLink(bare) else {
                throw .purpose
            }
            return (secret, flight)
        } catch {
            throw told(error)
        }
    }

    private static func told(_ fault: SeatLink.Fault) -> UserError {
        let advice = "seatagent help party"
        return switch fault {
        case .code(let fault): fault.told
        case .version:
            UserError(
                .badRequest, "that link was made by a newer seatagent",
                why: "this one does not know its form", advice: advice)
        case .purpose:
            UserError(.badRequest, "that link does not lead to a party", advice: advice)
        case .notALink, .tooLong, .form:
            UserError(
                .badRequest, "that is no whole link to a party",
                why: "something is missing, or stands where it does not belong", advice: advice)
        }
    }
}

extension PartySecret.CodeFault {
    fileprivate var told: UserError {
        let why =
            switch self {
            case .character(let character):
                "\"\(visible(String(character), cells: 4))\" is in no code"
            case .count(let count): "it has \(count) characters, and a code has 17"
            case .slip: "a character is mistyped: the last one checks the others"
            }
        return UserError(
            .badRequest, "that is not the code of a party", why: why,
            advice: "seatagent help party")
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
