// SPDX-License-Identifier: Apache-2.0
package import Aviation
import ControlAPI
import Profile
package import Protocol
package import Text
import Trips

/// Seats in words, by the agent's layout.
extension CabinLayout {
    /// The layout in an agent's answer; `nil` if there is none or it is of a later version.
    package init?(told json: JSON) {
        guard let layout = try? CabinLayout(json: json) else { return nil }
        self = layout
    }

    /// `14C (aisle)`, `16A (window, exit row)`; only the seat if nothing is known about it.
    package func described(_ seat: String) -> String {
        words(seat).map { "\(seat) (\($0))" } ?? seat
    }

    /// `window, exit row`; `nil` for a seat that the layout does not have.
    package func words(_ seat: String) -> String? { Seat(seat).flatMap { kind(of: $0).words } }

    /// `window`, `middle` or `aisle`; `nil` for a seat that the layout does not have.
    package func word(_ seat: String) -> String? { Seat(seat).flatMap { kind(of: $0).word } }
}

extension ControlClient {
    /// The layout by which the agent draws the cabin; the standard one if the agent is too old to
    /// say.
    package func cabin() throws(UserError) -> CabinLayout {
        do throws(UserError) {
            return CabinLayout(told: try ask(Op.Cabin()).cabin) ?? .standard
        } catch {
            guard error.code == .unknownOperation else { throw error }
            return .standard
        }
    }
}

extension CabinLayout {
    /// What to tell the user about seats that the layout does not have, and that are seats all the
    /// same.
    package func remarks(on seats: [Seat]) -> [String] {
        let missing = seats.filter { !contains($0) }.map(\.text)
        guard !missing.isEmpty else { return [] }
        let verb = missing.count == 1 ? "is" : "are"
        return [
            "\(missing.joined(separator: " and ")) \(verb) not in the layout \(id), where "
                + "\(extent): seatagent cabins"
        ]
    }
}
