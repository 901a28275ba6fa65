// SPDX-License-Identifier: Apache-2.0
import Aviation
package import Profile
package import Protocol
import System
package import Text

extension CabinLayout {
    /// Stores the choice for a trip of the passenger's list; `false` if the flight is not in the
    /// list.
    @discardableResult
    package func keep(
        for flight: FlightName, _ place: ProfilePlace, patience: TimeSpan = ChangeLock.patience
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
