// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Parking
import Places
import Protocol
import Text
import Venues

/// Finds where a car stands: the position of a street, of a building, of this computer, and the
/// address that is nearest to a position.
///
/// A street is looked for in the imported venues, the driver's own records and the imported
/// gazetteers, in this order; only then, and only if `geocode.url` is set, on the internet.
struct ParkWhere {
    /// What was found, and what the driver should know about it.
    struct Found {
        var at: Venue.Point?
        var by: KnownPlace?
        var near: NearPlace?
        /// Where this computer is, if it was asked.
        var here: DevicePosition?
        var remarks: [String] = []

        /// Members for scripts, beside those of the record.
        var json: [String: JSON?] {
            [
                "found": by?.json, "near": near?.json, "here": here?.json,
                "remarks": remarks.isEmpty ? nil : .array(remarks.map(JSON.string)),
            ]
        }
    }

    private let call: Invocation
    private let imported: ImportedPlaces
    private let sources: [[KnownPlace]]

    /// Reads what is known; `book` are the driver's own records.
    init(_ call: Invocation, _ book: ParkingBook) {
        self.call = call
        imported = ImportedPlaces(PlaceShelf(call.place))
        sources = [imported.venues, book.places, imported.gazetteers]
    }

    private var geocoder: OnlineGeocoder? {
        OnlineGeocoder(call.config, environment: call.session.environment)
    }

    private var faults: [String] {
        imported.faults.map { "\($0.what): \($0.why ?? "")." }
    }

    // MARK: The position of a street

    /// Where a street is, or the building with that code if there is no street. `line` is the
    /// command that a driver is told to try, without `--street`. Throws `ambiguous`.
    func street(
        _ street: String?, building: String? = nil, line: String
    ) throws(UserError) -> Found {
        var found = Found()
        guard let street else {
            guard let by = building.flatMap({ imported.building($0) }) else { return found }
            found.take(by)
            return found
        }
        switch PlaceSearch.find(street, in: sources) {
        case .one(let by): found.take(by)
        case .several(let places): throw Self.ambiguous(street, places, line)
        case .none:
            found.remarks = faults
            guard let geocoder else {
                found.remarks.append("Nothing here knows where that street is.")
                return found
            }
            try ask(geocoder, street, line, &found)
        }
        return found
    }

    private func ask(
        _ geocoder: OnlineGeocoder, _ street: String, _ line: String, _ found: inout Found
    ) throws(UserError) {
        let learns = "\(geocoder.base) was asked, and learns your internet address and the street"
        switch geocoder.find(street) {
        case .failed(let why): found.remarks.append("\(learns), but \(why).")
        case .found(let places):
            let known = places.map { KnownPlace($0, .online(geocoder.base)) }
            // Pieces of one street are not several.
            let far = known.filter { place in
                known[0].named.at.distance(to: place.named.at) > PlaceSearch.reach
            }
            if !far.isEmpty { throw Self.ambiguous(street, known, line) }
            found.remarks.append(known.isEmpty ? "\(learns); it does not know it." : "\(learns).")
            if let first = known.first { found.take(first) }
        }
    }

    /// The list of those that fit, with a line that takes the first of them.
    private static func ambiguous(
        _ street: String, _ places: [KnownPlace], _ line: String
    ) -> UserError {
        let first = places[0].named
        let isUnique = places.dropFirst().allSatisfy { $0.named.text != first.text }
        let isOnline = if case .online = places[0].source { true } else { false }
        let advice =
            isUnique && first.city != nil && !isOnline
            ? "--street \(ShellWord.quoted(first.text))"
            : "--street \(ShellWord.quoted(street)) --at=\(first.at.link.dropFirst(4))"
        return UserError(
            .ambiguous, "\"\(visible(street, cells: 60))\" is in several places",
            why: places.map { "\($0.words) at \($0.named.at.text)" }.joined(separator: "; "),
            advice: "\(line) \(advice)")
    }

    // MARK: Where this computer is

    /// The position of this computer and the nearest address. Only the first of them is there, and
    /// is no place for a car, if it is rough. Throws `usage` and `failed`.
    func here() throws(UserError) -> Found {
        let here = try device()
        var found = Found(at: here.at, near: near(here.at), here: here)
        guard !here.isRough else {
            return Found(
                here: here, remarks: ["You are at \(here.at.text), \(here.words ?? "")."])
        }
        var words = found.near.map { "You are \($0.words)." }
        if words == nil, let geocoder { words = ask(geocoder, here.at, &found) }
        found.remarks.append(
            words ?? "You are at \(here.at.text); no address within "
                + "\(Int(PlaceSearch.reach)) m is known here.")
        if let words = here.words { found.remarks.append("Your position is known \(words).") }
        return found
    }

    /// The longest time for the agent's program to ask GeoClue, which has a shorter one itself.
    private static let patience = TimeSpan.seconds(30)

    private func device() throws(UserError) -> DevicePosition {
        let environment = call.session.environment
        if let said = try DevicePosition.ofProgram(call.config, environment: environment) {
            return said
        }
        let answer = try Errand(.position, call.place).ask(patience: Self.patience)
        guard let report = try? PositionReport(told: answer),
            let said = DevicePosition(
                latitude: report.latitude, longitude: report.longitude, accuracy: report.accuracy)
        else { throw .unreadable("it is no position") }
        return said
    }

    private func ask(
        _ geocoder: OnlineGeocoder, _ at: Venue.Point, _ found: inout Found
    ) -> String? {
        let learns = "\(geocoder.base) was asked, and learns your internet address and position"
        switch geocoder.name(of: at) {
        case .failed(let why):
            found.remarks.append("\(learns), but \(why).")
            return nil
        case .found(let places):
            found.remarks.append("\(learns).")
            let known = places.map { KnownPlace($0, .online(geocoder.base)) }
            found.near = PlaceSearch.nearest(to: at, in: [known])
            return found.near.map { "You are \($0.words)." }
        }
    }

    /// The nearest address that is known here; nobody is asked.
    func near(_ point: Venue.Point?) -> NearPlace? {
        point.flatMap { PlaceSearch.nearest(to: $0, in: sources) }
    }
}

extension ParkWhere.Found {
    fileprivate mutating func take(_ place: KnownPlace) {
        at = place.named.at
        by = place
        remarks.append("The position is that of \(place.words).")
    }
}
