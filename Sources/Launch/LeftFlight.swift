// SPDX-License-Identifier: Apache-2.0
package import Profile
package import Protocol
package import Text
package import Trips

/// What of a flight's file goes along to the flight that takes its place: the agent's program reads
/// it, since commands are not linked with the database.
package struct LeftFlight: Hashable, Sendable {
    /// What goes along.
    package var moved: MovedTrip
    /// Words of the wish that name seats of the aircraft, and passengers who are not known.
    package var leftOut: [String] = []
    /// Whether something was said of the people in the seats.
    package var hasNeeds = false

    /// Nothing goes along from `flight`.
    package init(_ flight: FlightName) { moved = MovedTrip(from: flight) }

    /// The answer through the pipe.
    package var json: JSON {
        [
            "moved": moved.json, "left_out": .array(leftOut.map(JSON.string)),
            "needs": .bool(hasNeeds),
        ]
    }

    private init?(json: JSON) {
        guard let moved = json["moved"].flatMap({ MovedTrip(json: $0) }) else { return nil }
        self.moved = moved
        leftOut = (json["left_out"]?.list ?? []).compactMap(\.text)
        hasNeeds = json["needs"] == .bool(true)
    }

    /// What goes along from `trip`: of its files, of what waits at home, and of what its agent
    /// never took along itself. Throws what people should be told.
    package static func read(
        _ trip: Trip, _ files: [KeptFlight], _ place: ProfilePlace
    ) throws(UserError) -> LeftFlight {
        var left = LeftFlight(trip.flight)
        // The file of the own number before those of partners.
        let own = files.filter { $0.flight == trip.flight }
        for file in own + files.filter({ $0.flight != trip.flight }) {
            var errand = Errand(.moving, place)
            errand.path = file.path
            guard let told = LeftFlight(json: try errand.ask()) else {
                throw UserError(
                    .file, "what goes along from that flight cannot be read", why: file.path)
            }
            left.add(told)
        }
        let home = try HomeParty.waiting(in: place, for: trip)
        left.moved.party = left.moved.party ?? home?.secret ?? trip.moved?.party
        // What waits still is more than what an agent has said of it.
        if let wish = trip.moved?.wish {
            left.moved.wish = wish
            left.leftOut = []
        }
        left.moved.wish?.said = nil
        return left
    }

    private mutating func add(_ other: LeftFlight) {
        moved.party = moved.party ?? other.moved.party
        if moved.wish == nil {
            moved.wish = other.moved.wish
            leftOut += other.leftOut
        }
        hasNeeds = hasNeeds || other.hasNeeds
    }
}

extension HomeParty {
    /// The code that waits for this trip; `nil` if there is none, or it is for another flight or
    /// for whichever comes next.
    package static func waiting(
        in place: ProfilePlace, for trip: Trip
    ) throws(UserError) -> HomeParty? {
        guard let home = try waiting(in: place), let flight = home.flight, trip.isCalled(flight)
        else { return nil }
        return home
    }
}
