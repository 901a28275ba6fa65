// SPDX-License-Identifier: Apache-2.0
import Aviation
package import Profile
package import Protocol
import System
package import Text

extension CabinLayout {
    /// Keeps it for a trip of the passenger's list; `false` where the flight is in no list.
    @discardableResult
    package func keep(
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
