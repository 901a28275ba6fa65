import Aviation
import Profile
import Protocol
import Text
import Trips

/// Seats in words, as the agent's layout has them.
extension CabinLayout {
    /// The layout in an answer of the agent; `nil` where there is none, or one of a later version.
    init?(told json: JSON?) {
        guard let json, let layout = try? CabinLayout(json: json) else { return nil }
        self = layout
    }

    /// `14C (aisle)`, `16A (window, exit row)`; the seat alone where nothing is known of it.
    func described(_ seat: String) -> String {
        words(seat).map { "\(seat) (\($0))" } ?? seat
    }

    /// `window, exit row`; `nil` for a seat that it does not have.
    func words(_ seat: String) -> String? { Seat(seat).flatMap { kind(of: $0).words } }

    /// `window`, `middle` or `aisle`; `nil` for a seat that it does not have.
    func word(_ seat: String) -> String? { Seat(seat).flatMap { kind(of: $0).word } }
}

extension ControlClient {
    /// The layout by which the agent draws the cabin; the standard one where it is too old to say.
    func cabin() throws(UserError) -> CabinLayout {
        do throws(UserError) {
            return CabinLayout(told: try ask("cabin")["cabin"]) ?? .standard
        } catch {
            guard error.code == .unknownOperation else { throw error }
            return .standard
        }
    }
}

extension CabinLayout {
    /// What the person should know of seats that it does not have: they are seats all the same.
    func remarks(on seats: [Seat]) -> [String] {
        let missing = seats.filter { !contains($0) }.map(\.text)
        guard !missing.isEmpty else { return [] }
        let verb = missing.count == 1 ? "is" : "are"
        return [
            "\(missing.joined(separator: " and ")) \(verb) not in the layout \(id), where "
                + "\(extent): seatagent cabins"
        ]
    }

    /// Keeps it for a trip of the passenger's list; `false` where the flight is in no list.
    @discardableResult
    func keep(
        for flight: FlightName, _ place: ProfilePlace, patience: TimeSpan = TripBook.patience
    ) throws(UserError) -> Bool {
        guard try TripBook.read(place)[flight] != nil else { return false }
        return try TripBook.change(place, patience: patience) { (book) throws(UserError) in
            guard var trip = book[flight] else { return false }
            trip.cabin = id
            book.put(trip)
            return true
        }
    }
}

extension AgentOptions {
    /// What the person should know of the seats and the layout.
    var cabinRemarks: [String] {
        if let cabin, cabin.lowercased() != layout.id {
            return ["The layout \(visible(cabin)) cannot be read: the standard one is drawn."]
        }
        return layout.remarks(on: seats)
    }
}
