// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("Words of a booking")
struct BookingWordsTests {
    /// A line typed on Tuesday, 1 December 2026 at 10:30, and what it books.
    static let courts: [(String, String)] = [
        (
            "tennis 5 dec 18:00 2h",
            "Tennis 1, Sat 5 Dec 18:00-20:00 | Tennis 2, Sat 5 Dec 18:00-20:00"
        ),
        ("'Tennis 2' sat 18-20", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("tennis 2 sat 18-20", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("Tennis 2, Sat 5 Dec 18:00-20:00", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("tennis 2 tomorrow 9:00", "Tennis 2, Wed 2 Dec 09:00-10:00"),
        ("tennis 2 tue 18:00", "Tennis 2, Tue 1 Dec 18:00-19:00"),
        ("tennis 2 tue 9:00", "Tennis 2, Tue 8 Dec 09:00-10:00"),
        ("tennis 2 today 18:00", "Tennis 2, Tue 1 Dec 18:00-19:00"),
        ("basketball dec 5 11:00", "Basketball, Sat 5 Dec 11:00-12:00"),
        ("badminton a sat at 6pm for 90 min", "Badminton A, Sat 5 Dec 18:00-19:30"),
        ("Badminton B on saturday from 18 to 20", "Badminton B, Sat 5 Dec 18:00-20:00"),
        ("'#11' 2026-12-05 18:00-19:00", "Badminton A, Sat 5 Dec 18:00-19:00"),
        ("tennis 2 dec 5 18:00", "Tennis 2, Sat 5 Dec 18:00-19:00"),
        ("tennis 2 dec 18:00", "Tennis 1, Wed 2 Dec 18:00-19:00 | Tennis 2, Wed 2 Dec 18:00-19:00"),
        ("tennis 2 5. dec. 18:00 1h30", "Tennis 2, Sat 5 Dec 18:00-19:30"),
        ("tennis 2 5th december 2026 18:00 1 h 30 min", "Tennis 2, Sat 5 Dec 18:00-19:30"),
        ("tennis 2 sat 5 dec 18:00 1.5h", "Tennis 2, Sat 5 Dec 18:00-19:30"),
        ("tennis 2 sat 18 2h", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("tennis 2 1 mar 18:00", "Tennis 2, Mon 1 Mar 18:00-19:00"),
        ("tennis 2 30 nov 18:00", "Tennis 2, Tue 30 Nov 18:00-19:00"),
        ("tennis 2 29 feb 18:00", "Tennis 2, Tue 29 Feb 18:00-19:00"),
        ("tennis 2 29 nov 2026 18:00", "Tennis 2, Sun 29 Nov 2026 18:00-19:00"),
        ("'tennis 2 sat 18-20'", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("TENNIS 2 SAT 18–20", "Tennis 2, Sat 5 Dec 18:00-20:00"),
        ("tennis 2 fri 23:00-1:00", "Tennis 2, Fri 4 Dec 23:00-01:00"),
        ("tennis 2 fri 22-24", "Tennis 2, Fri 4 Dec 22:00-24:00"),
        (
            "basketball 'badminton a' sat 18:00",
            "Basketball, Sat 5 Dec 18:00-19:00 + Badminton A, Sat 5 Dec 18:00-19:00"
        ),
        (
            "basketball and tennis 2 sat 18:00 2h",
            "Basketball, Sat 5 Dec 18:00-20:00 + Tennis 2, Sat 5 Dec 18:00-20:00"
        ),
        ("basket sat 18:00", "Basketball, Sat 5 Dec 18:00-19:00"),
    ]

    @Test("Courts by the hour", arguments: courts)
    func hours(_ line: String, _ wanted: String) throws {
        #expect(try BookingScene(.courts).words(line) == wanted)
    }

    static let castles: [(String, String)] = [
        ("Piraat 12 jun", "Piraat, Sat 12 Jun"),
        ("'Piraat' 12 jun", "Piraat, Sat 12 Jun"),
        ("'Kasteel XL' 12-14 jun", "Kasteel XL, Sat 12 Jun to Mon 14 Jun"),
        ("kasteel xl 12 to 14 jun", "Kasteel XL, Sat 12 Jun to Mon 14 Jun"),
        ("xl 12 jun to 14 jun", "Kasteel XL, Sat 12 Jun to Mon 14 Jun"),
        ("xl sat 12 jun to mon 14 jun", "Kasteel XL, Sat 12 Jun to Mon 14 Jun"),
        ("Piraat 12 jun 3 days", "Piraat, Sat 12 Jun to Mon 14 Jun"),
        ("Piraat sat to mon", "Piraat, Sat 5 Dec to Mon 7 Dec"),
        ("2 x Piraat 12 jun", "2 x Piraat, Sat 12 Jun"),
        ("Piraat x2 12 jun", "2 x Piraat, Sat 12 Jun"),
        ("Piraat 12 jun 2x", "2 x Piraat, Sat 12 Jun"),
        ("2x Piraat and Kasteel XL 12 jun", "2 x Piraat, Sat 12 Jun + Kasteel XL, Sat 12 Jun"),
        ("Piraat 30 dec 3d", "Piraat, Wed 30 Dec to Fri 1 Jan"),
        // Today has begun, so a Tuesday is the next one.
        ("Piraat tue", "Piraat, Tue 8 Dec"),
    ]

    @Test("Castles by the day", arguments: castles)
    func days(_ line: String, _ wanted: String) throws {
        #expect(try BookingScene(.rental).words(line) == wanted)
    }

    @Test("Bays at any minute, for more than a day too")
    func bays() throws {
        let scene = try BookingScene(.parking)
        #expect(try scene.words("bays today 14:07 4h") == "Visitor bays, Tue 1 Dec 14:07-18:07")
        let day = "Visitor bays, Tue 1 Dec 14:10 to Wed 2 Dec 14:10"
        #expect(try scene.words("bays today 14:10 1d") == day)
        #expect(try scene.words("bays today 14:10 24h") == day)
        #expect(try scene.words(day) == day)
        #expect(
            try scene.words("visitor bays tomorrow 0:00 1 d")
                == "Visitor bays, Wed 2 Dec 00:00 to Thu 3 Dec 00:00")
    }

    @Test("A group that is a place too, and names that look like other words, are what they say")
    func names() throws {
        func court(_ id: Int, _ name: String) -> JSON {
            VenueFiles.court(["id": .int(id), "name": .string(name), "max": 240])
        }
        let names = [
            "Sat", "5 Dec", "18:00", "Court of Kings", "Bob's \"Best\"", "A, B", "x2", "Hall",
            "Hall 2",
            "for the 2h", "to", "#3", "'t Hof", "Één",
        ]
        let places = names.enumerated().map { court($0.offset + 1, $0.element) }
        let scene = try BookingScene([
            "places": .array(places), "hours": ["Mo-Su": "00:00-24:00"],
        ])
        let period = try #require(
            Period(day: try venueDay("2026-12-05"), from: 18 * 60, minutes: 120))
        for place in scene.venue.places {
            let spot = BookingSpot(place, period)
            let words = scene.reader.words(spot)
            #expect(try scene.reader.read([words]).parts.map(\.spots) == [[spot]], "\(words)")
            // As a shell would split it.
            let line = scene.reader.line(spot)
            guard !line.contains("\\") else { continue }
            let typed = try BookingScene.tried(line)
            #expect(try scene.reader.read(typed).parts.map(\.spots) == [[spot]], "\(line)")
        }
        #expect(
            scene.reader.words(BookingSpot(scene.venue.places[3], period)).hasPrefix("Court of"))
    }

    /// A venue with all kinds of places.
    private func mixed() throws -> BookingScene {
        let places: [JSON] = [
            VenueFiles.court(["max": 480]),
            VenueFiles.court([
                "id": 3, "name": "Bay 5", "grain": 1, "count": 9, "lengths": [30, 90, 1440, 2880],
            ]),
            VenueFiles.court([
                "id": 4, "name": "Tent, large", "grain": 1440, "max": 14_400, "count": 1000,
            ]),
            VenueFiles.court(["id": 5, "name": "Boat", "grain": 720, "min": 1440, "max": 4320]),
        ]
        return try BookingScene([
            "places": .array(places), "hours": ["Mo-Su": "00:00-24:00"], "volume": "year",
        ])
    }

    @Test("What is printed is read as the same, whatever it is")
    func printed() throws {
        let scene = try mixed()
        let today = try #require(scene.reader.today)
        var random = SeededRandom(seed: 8)
        for _ in 0..<400 {
            let place = scene.venue.places[Int.random(in: 0..<4, using: &random)]
            let periods = try #require(place.periods)
            let length = Int.random(in: 1...12, using: &random) * periods.grain
            let minutes =
                periods.lengths.isEmpty
                ? max(length, periods.shortest) : periods.lengths[length % periods.lengths.count]
            let day = try #require(today.adding(Int.random(in: 0...800, using: &random)))
            let steps = max(1440 / periods.grain, 1)
            let from = Int.random(in: 0..<steps, using: &random) * periods.grain % 1440
            let count = place.id == 4 ? Int.random(in: 1...1000, using: &random) : 1
            let period = try #require(Period(day: day, from: from, minutes: minutes))
            let spot = BookingSpot(place, period, count: count)
            let words = scene.reader.words(spot)
            #expect(try scene.reader.read([words]).parts.map(\.spots) == [[spot]], "\(words)")
            let typed = try BookingScene.tried(scene.reader.line(spot))
            #expect(try scene.reader.read(typed).parts.map(\.spots) == [[spot]], "\(typed)")
        }
    }

    @Test("Of a group the first that is free is chosen, and two of it are two places")
    func choices() throws {
        let scene = try BookingScene(.courts)
        let wish = try scene.reader.read(["tennis", "sat", "18:00"])
        #expect(wish.choices { _ in true }.map(\.place) == [1])
        #expect(wish.choices { $0.place == 2 }.map(\.place) == [2])
        #expect(wish.choices { _ in false }.map(\.place) == [1])
        let both = try scene.reader.read(["tennis", "tennis", "sat", "18:00"])
        #expect(both.choices { _ in true }.map(\.place) == [1, 2])
        #expect(both.choices { $0.place == 2 }.map(\.place) == [2, 1])
    }

    @Test("Random words are read or refused, quickly, and complaints come with a line that works")
    func random() throws {
        let words = [
            "tennis", "2", "sat", "5", "dec", "18:00", "18-20", "2h", "x2", "to", "-", "for",
            "Piraat",
            "'", "\"", ",", "#1", "2026", "1h30", "30", "feb", "31", "24:00", "6pm", "b", "12-14",
            "é",
            "basket", "badminton a", "99", "tomorrow", "999999", "x", "0",
        ]
        let scene = try BookingScene(.courts)
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            let count = Int.random(in: 1...9, using: &random)
            let line = (0..<count).map { _ in words[Int.random(in: words.indices, using: &random)] }
            do throws(UserError) {
                let wish = try scene.reader.read(line)
                #expect(wish.parts.allSatisfy { !$0.spots.isEmpty })
            } catch {
                try scene.works(error)
            }
        }
        // The same word again and again has many readings.
        let many = [String](repeating: "tennis 2 5 dec", count: 16)
        #expect(throws: UserError.self) { try scene.reader.read(many) }
    }
}
