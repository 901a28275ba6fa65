// SPDX-License-Identifier: Apache-2.0
package import Text
package import Venues

/// Looks for a street among what is known. A pure function: no file, no network.
package enum PlaceSearch {
    /// What was found.
    package enum Answer: Hashable, Sendable {
        case none
        case one(KnownPlace)
        /// More than one fits, each elsewhere; at most ``listed`` of them.
        case several([KnownPlace])
    }

    /// Places in a list of those that fit.
    package static let listed = 8
    /// How far an address may be from a position to be called by, in metres.
    package static let reach = 200.0

    /// Looks for `street`, which may end with a comma and a city, in one source after the other;
    /// the first that knows it counts. Where none has these words as they are, those whose names
    /// contain them fit.
    package static func find(_ street: String, in sources: [[KnownPlace]]) -> Answer {
        let query = Query(street)
        for fits in [query.isExactly, query.isPart] {
            for source in sources {
                let answer = answer(source.filter { fits($0.named) })
                if answer != .none { return answer }
            }
        }
        return .none
    }

    /// One, none or several of those that fit: equal positions are one.
    static func answer(_ fitting: [KnownPlace]) -> Answer {
        var found: [KnownPlace] = []
        for place in fitting where !found.contains(where: { $0.named.at == place.named.at }) {
            found.append(place)
            if found.count == listed { break }
        }
        guard let first = found.first else { return .none }
        return found.count == 1 ? .one(first) : .several(found)
    }

    /// The place that is nearest to a position, within ``reach``; the first source counts among
    /// equals.
    package static func nearest(
        to point: Venue.Point, in sources: [[KnownPlace]]
    ) -> NearPlace? {
        var best: NearPlace?
        for place in sources.joined() {
            let metres = place.named.at.distance(to: point)
            guard metres <= reach, metres < best?.metres ?? .infinity else { continue }
            best = NearPlace(place: place, metres: metres)
        }
        return best
    }
}

/// A place by which a position is called.
package struct NearPlace: Hashable, Sendable {
    package let place: KnownPlace
    /// How far away it is.
    package let metres: Double

    /// `80 m from 12 Main St (record 1)`.
    package var words: String { "\(Venue.Point.length(metres)) from \(place.words)" }

    /// For scripts.
    package var json: JSON { place.json.adding(["metres": .double(metres.rounded())]) }
}

/// What a driver typed, as words that compare.
private struct Query {
    private let whole: StreetWords
    /// What stands before and behind the last comma, if both have words.
    private let parts: (street: StreetWords, city: StreetWords)?

    init(_ text: String) {
        whole = StreetWords(text)
        guard let comma = text.lastIndex(of: ",") else {
            parts = nil
            return
        }
        let street = StreetWords(text[..<comma])
        let city = StreetWords(text[text.index(after: comma)...])
        parts = street.words.isEmpty || city.words.isEmpty ? nil : (street, city)
    }

    func isExactly(_ place: NamedPosition) -> Bool {
        guard !whole.words.isEmpty else { return false }
        let name = StreetWords(place.name)
        if name == whole { return true }
        guard let city = place.city.map({ StreetWords($0) }) else { return false }
        if let parts, name == parts.street, city == parts.city { return true }
        // The same without a comma, wherever the house number stands.
        return (name.words + city.words).sorted() == whole.words.sorted()
    }

    func isPart(_ place: NamedPosition) -> Bool {
        let name = StreetWords(place.name)
        if name.contain(whole) { return true }
        guard let parts, let city = place.city.map({ StreetWords($0) }) else { return false }
        return city == parts.city && name.contain(parts.street)
    }
}
