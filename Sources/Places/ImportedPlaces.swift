// SPDX-License-Identifier: Apache-2.0
package import Text
import Venues

/// What the imported files of a profile know.
package struct ImportedPlaces: Sendable {
    /// Addresses of the imported venues.
    package private(set) var venues: [KnownPlace] = []
    /// Streets of the gazetteers, file by file.
    package private(set) var gazetteers: [KnownPlace] = []
    /// What is wrong with a file, which then knows nothing.
    package private(set) var faults: [UserError] = []
    private var buildings: [(code: String, place: KnownPlace)] = []

    /// Reads all files of `shelf`.
    package init(_ shelf: PlaceShelf) {
        for item in shelf.items {
            do throws(UserError) {
                add(try shelf.read(item), item.name)
            } catch {
                faults.append(error)
            }
        }
    }

    private mutating func add(_ content: PlaceShelf.Content, _ name: String) {
        switch content {
        case .gazetteer(let gazetteer):
            gazetteers += gazetteer.places.map { KnownPlace($0, .gazetteer(name)) }
        case .venue(let venue):
            let known = venue.positions.map { KnownPlace($0, .venue(venue.name)) }
            venues += known
            if let code = venue.building, venue.at != nil, let own = known.first {
                buildings.append((code, own))
            }
        }
    }

    /// Where the building with that code is.
    package func building(_ code: String) -> KnownPlace? {
        buildings.first { $0.code == code }?.place
    }
}
