// SPDX-License-Identifier: Apache-2.0
import Text
import Venues

/// What the words of a venue name: its places, and groups of places.
struct BookingNames: Hashable, Sendable {
    /// What a name stands for.
    enum Meaning: Hashable, Sendable {
        /// One place.
        case place(VenuePlace)
        /// Any place of a group.
        case group(Venue.Group)
        /// A place that nobody books.
        case notBooked(VenuePlace)
    }

    private struct Name: Hashable, Sendable {
        let words: [String]
        let meaning: Meaning
    }

    private let names: [Name]
    /// Places that are booked, in the order of the file.
    let places: [VenuePlace]

    init(_ venue: Venue) {
        places = venue.places.filter { $0.mode == .granted }
        var names: [Name] = []
        // A place comes before a group of its name, which it may be all of.
        for place in venue.places {
            let meaning: Meaning = place.mode == .granted ? .place(place) : .notBooked(place)
            names.append(Name(words: Self.words(place.name), meaning: meaning))
        }
        for group in venue.groups where places.contains(where: { $0.group == group.key }) {
            for text in Set([group.name, group.key]).sorted() {
                names.append(Name(words: Self.words(text), meaning: .group(group)))
            }
        }
        self.names = names
        longest = names.map(\.words.count).max() ?? 0
    }

    /// Words of a name, split where ``BookingToken/split(_:)`` does.
    private static func words(_ name: String) -> [String] {
        BookingToken.folded(name).unicodeScalars
            .split { $0.properties.isWhitespace || $0 == "," }.map { String($0) }
    }

    /// The places that a meaning stands for.
    func places(_ meaning: Meaning) -> [VenuePlace] {
        switch meaning {
        case .place(let place): [place]
        case .group(let group): places.filter { $0.group == group.key }
        case .notBooked: []
        }
    }

    /// The longest name, in words.
    let longest: Int

    /// What is called exactly so, of places first.
    func exact(_ words: [String]) -> Meaning? {
        if words.count == 1, words[0].hasPrefix("#"),
            let place = DateWords.digits(words[0].dropFirst()).flatMap(numbered)
        {
            return place
        }
        return names.first { $0.words == words }?.meaning
    }

    private func numbered(_ id: Int) -> Meaning? {
        names.lazy.compactMap { name -> Meaning? in
            switch name.meaning {
            case .place(let place): place.id == id ? name.meaning : nil
            case .notBooked(let place): place.id == id ? name.meaning : nil
            case .group: nil
            }
        }.first
    }

    /// Whether a text is a name as it stands.
    func isName(_ text: String) -> Bool { exact(Self.words(text)) != nil }

    /// What has a name of which these are a part, from the begin of a word on. If all of it is one
    /// group, that group; a number alone is no part of a name.
    func part(_ words: [String]) -> [Meaning] {
        let text = words.joined(separator: " ")
        guard text.utf8.count >= 2,
            text.unicodeScalars.contains(where: \.properties.isAlphabetic)
        else { return [] }
        var found: [Meaning] = []
        for name in names where !found.contains(name.meaning) {
            let isPart = name.words.indices.contains { start in
                name.words[start...].joined(separator: " ").hasPrefix(text)
            }
            if isPart { found.append(name.meaning) }
        }
        let groups = found.filter { meaning in
            if case .group = meaning { true } else { false }
        }
        guard groups.count == 1 else { return found }
        // Its places are called after it.
        let isOneGroup = found.allSatisfy { meaning in
            places(meaning).allSatisfy { places(groups[0]).contains($0) }
        }
        return isOneGroup ? groups : found
    }

    /// Names for suggestions.
    var all: [String] { names.map { $0.words.joined(separator: " ") } }

    /// `Tennis, Basketball and Piraat`: groups, and places of none, for a list.
    func list(_ venue: Venue) -> String {
        var parts: [String] = []
        for place in places {
            let group = venue.groups.first { $0.key == place.group }?.name
            let name = group ?? place.name
            if !parts.contains(name) { parts.append(name) }
        }
        let shown = parts.prefix(8).map { visible($0, cells: 30) }
        return shown.joined(separator: ", ") + (parts.count > 8 ? " and more" : "")
    }
}
