// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Protocol
package import Text

/// Where the user was and for how long: their own list, which goes on beyond the day of a venue and
/// which nobody else reads. A pure value; `ActivityFile` stores it.
package struct ActivityBook: Hashable, Sendable {
    /// One stay.
    package struct Item: Hashable, Sendable {
        /// The venue's own name: `uva`.
        package let venue: String
        /// The number of the place in its file.
        package let place: Int
        /// Its name then.
        package let name: String
        /// When it began.
        package let since: UTCTime
        /// When it ended; `nil` as long as it goes on.
        package var until: UTCTime?
        /// When the place closes, and the stay ends if nobody ends it before.
        package fileprivate(set) var closes: UTCTime?
        /// Minutes by which the venue's clocks are ahead of UTC then.
        package let offset: Int

        /// A stay that began at `since`.
        package init(
            venue: String, place: Int, name: String, since: UTCTime, until: UTCTime? = nil,
            closes: UTCTime?, offset: Int
        ) {
            self.venue = venue
            self.place = place
            self.name = name
            self.since = since
            self.until = until
            self.closes = closes
            self.offset = offset
        }

        /// Whether both tell of one stay.
        func isSame(as other: Item) -> Bool {
            venue == other.venue && since == other.since && place == other.place
        }

        /// When it ended, said or by itself; `nil` while it goes on at `now`.
        package func end(at now: UTCTime) -> UTCTime? {
            if let until { return until }
            return closes.flatMap { $0 <= now ? $0 : nil }
        }

        /// Whether the place ended it, because nobody said that they left.
        package func isClosed(at now: UTCTime) -> Bool { until == nil && end(at: now) != nil }

        /// How long it took so far, in seconds.
        package func seconds(at now: UTCTime) -> Int64 {
            max(0, (end(at: now) ?? now).seconds - since.seconds)
        }

        /// The date on which it began, by the clocks of the venue.
        package var date: FlightDate? {
            FlightDate("1970-01-01")?.adding((since.seconds + Int64(offset) * 60) / 86_400)
        }
    }

    /// Newest first.
    package private(set) var items: [Item] = []

    /// More than a year of somebody who comes and goes twice a day.
    package static let limit = 1000

    /// Nothing yet.
    package init() {}

    /// The stay that goes on at `now` in that venue.
    package func open(in venue: String, at now: UTCTime) -> Item? {
        items.first { $0.venue == venue && $0.end(at: now) == nil }
    }

    /// Notes a stay, or what is new of it. The oldest goes where the list is full.
    package mutating func note(_ news: Item) {
        var item = news
        // Whoever tells of it later may know less: an end that was known stays.
        if let old = items.first(where: { $0.isSame(as: news) }) {
            item.until = news.until ?? old.until
            item.closes = news.closes ?? old.closes
        }
        items.removeAll { $0.isSame(as: item) }
        let place = items.firstIndex { $0.since <= item.since }
        items.insert(item, at: place ?? items.count)
        if items.count > Self.limit { items.removeLast() }
    }

    /// The stays that began on one of those days.
    package func items(from first: FlightDate, through last: FlightDate) -> [Item] {
        items.filter { item in item.date.map { first <= $0 && $0 <= last } ?? false }
    }
}

// MARK: The file

extension ActivityBook {
    private static let keys = ["version", "stays"]

    /// As it is stored.
    package var json: JSON {
        ["version": .int(1), "stays": .array(items.map(\.json))]
    }

    /// Reads what was stored. Throws ``FormFault`` for the first fault.
    package init(json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the list")
        guard try form.number("version", 1...1) == 1 else { return }
        let list = try form.needed("stays").list ?? []
        guard list.count <= Self.limit else {
            throw form.fault("stays", "more than \(Self.limit) are not kept")
        }
        for (index, item) in list.enumerated() {
            items.append(try Item(item, at: "stays[\(index)]"))
        }
    }
}

extension ActivityBook.Item {
    private static let keys = [
        "venue", "place", "name", "since", "until", "closes", "offset",
    ]

    /// As it is stored, and as scripts read it.
    package var json: JSON {
        JSON.object(present: [
            "venue": .string(venue), "place": .int(place), "name": .string(name),
            "since": .string(RFC3339.text(since)), "until": until.map { .string(RFC3339.text($0)) },
            "closes": closes.map { .string(RFC3339.text($0)) }, "offset": .int(offset),
        ])
    }

    init(_ item: JSON, at place: String) throws(FormFault) {
        let form = try FormReader(item, Self.keys, at: place)
        func time(_ key: String) throws(FormFault) -> UTCTime? {
            guard form[key] != nil else { return nil }
            guard let time = RFC3339.parse(try form.text(key, bytes: 40)) else {
                throw form.fault(key, "a date as 2026-12-05T09:12:00Z is wanted")
            }
            return time
        }
        guard let since = try time("since") else {
            throw form.fault("since", "it is missing")
        }
        self.init(
            venue: try form.text("venue", bytes: 24), place: try form.number("place", 1...4095),
            name: try form.text("name", bytes: 200), since: since, until: try time("until"),
            closes: try time("closes"), offset: try form.number("offset", -1560...1560))
    }
}
