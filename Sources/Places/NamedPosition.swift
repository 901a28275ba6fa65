// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// A street with its number, or another name, and where it is.
package struct NamedPosition: Hashable, Sendable {
    /// `12 Main St`.
    package let name: String
    /// The city, where it is known.
    package let city: String?
    /// Where it is.
    package let at: Venue.Point

    /// A name with its position; both texts are safe for a terminal.
    package init(_ name: String, city: String? = nil, at: Venue.Point) {
        self.name = name
        self.city = city
        self.at = at
    }

    /// `12 Main St, Springfield`: what finds this one among others.
    package var text: String { name + (city.map { ", \($0)" } ?? "") }
}

/// Who knows a position.
package enum PlaceSource: Hashable, Sendable {
    /// The file of a venue, by its name.
    case venue(String)
    /// An earlier record of the driver's own, by its number.
    case record(Int)
    /// An imported gazetteer, by its name.
    case gazetteer(String)
    /// A geocoder on the internet, by its address.
    case online(String)

    /// `imported: montreal`, for the end of a sentence.
    package var words: String {
        switch self {
        case .venue(let name): "venue \(visible(name, cells: 60))"
        case .record(let number): "record \(number)"
        case .gazetteer(let name): "imported: \(name)"
        case .online(let base): base
        }
    }

    /// The kind, as scripts see it.
    package var kind: String {
        switch self {
        case .venue: "venue"
        case .record: "record"
        case .gazetteer: "gazetteer"
        case .online: "online"
        }
    }
}

/// A named position, and who knows it.
package struct KnownPlace: Hashable, Sendable {
    package let named: NamedPosition
    package let source: PlaceSource

    /// What `source` knows.
    package init(_ named: NamedPosition, _ source: PlaceSource) {
        self.named = named
        self.source = source
    }

    /// `12 Main St, Springfield (imported: montreal)`.
    package var words: String { "\(visible(named.text, cells: 80)) (\(source.words))" }

    /// For scripts.
    package var json: JSON {
        .object(present: [
            "by": .string(source.kind), "source": .string(source.words),
            "name": .string(named.name), "city": named.city.map(JSON.string),
            "at": .string(named.at.text),
        ])
    }
}

extension Venue {
    /// Where the venue and its places are, called by their addresses, else by their names.
    package var positions: [NamedPosition] {
        let own = at.map { [NamedPosition(address ?? name, at: $0)] } ?? []
        return own
            + places.compactMap { place in
                place.at.map { NamedPosition(place.address ?? place.name, at: $0) }
            }
    }
}
