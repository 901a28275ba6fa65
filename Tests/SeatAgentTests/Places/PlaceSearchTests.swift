// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Places
@testable import Text
@testable import Venues

@Suite("Streets that are known")
struct PlaceSearchTests {
    private static func place(
        _ name: String, _ city: String? = nil, at text: String, _ source: PlaceSource
    ) throws -> KnownPlace {
        KnownPlace(
            NamedPosition(name, city: city, at: try #require(Venue.Point(text))), source)
    }

    @Test(
        "P3: case, blanks, marks, signs and common forms do not count",
        arguments: [
            ("12 Main St", "12 MAIN street"), ("12 Main St", " 12  main st. "),
            ("12 Main St", "Main Street 12"), ("Hauptstraße 5", "HAUPTSTR. 5"),
            ("Rue Émile-Zola 3", "3 rue emile zola"), ("O'Connell St", "oconnell street"),
            ("St. James Ave", "Saint James Avenue"), ("Kerkstraat 1b", "1B Kerkstr"),
            ("N Park Blvd", "North Park Boulevard"), ("12-14 High Rd", "High Road 12 14"),
        ])
    func same(_ left: String, _ right: String) {
        #expect(StreetWords(left) == StreetWords(right))
        #expect(!StreetWords(left).words.isEmpty)
    }

    @Test("P3: other numbers, other names and other orders are other streets")
    func other() {
        let pairs = [
            ("12 Main St", "1 Main St"), ("12 Main St", "12 Main Rd"), ("1 Main St", "11 Main St"),
            ("Park Lane", "Lane Park"), ("12", "21"),
        ]
        for (left, right) in pairs {
            #expect(StreetWords(left) != StreetWords(right), "\(left) \(right)")
        }
        #expect(StreetWords(" ., ").words.isEmpty)
        #expect(!StreetWords("12 Main St").contain(StreetWords(" ., ")))
    }

    @Test("P3: the first source that knows a street counts, as it is before in part")
    func order() throws {
        let venue = try Self.place("12 Main St", at: "1,1", .venue("A"))
        let record = try Self.place("12 main street", at: "2,2", .record(7))
        let list = try Self.place("12 Main St", "Gent", at: "3,3", .gazetteer("x"))
        let long = try Self.place("12 Main St North", at: "4,4", .venue("A"))
        func find(_ street: String, _ sources: [[KnownPlace]]) -> PlaceSearch.Answer {
            PlaceSearch.find(street, in: sources)
        }
        #expect(find("12 main st", [[venue], [record], [list]]) == .one(venue))
        #expect(find("12 main st", [[long], [record], [list]]) == .one(record))
        #expect(find("12 main st, gent", [[venue], [record], [list]]) == .one(list))
        #expect(find("12 main st gent", [[venue], [record], [list]]) == .one(list))
        #expect(find("main st", [[], [], [list]]) == .one(list))
        // The house number counts, wherever it stands among the words of a longer name.
        #expect(find("12 main st", [[long], [], []]) == .one(long))
        #expect(find("11 main st", [[long], [], []]) == .none)
        #expect(find("12", [[long], [], []]) == .none)
        #expect(find("13 main st", [[venue], [record], [list]]) == .none)
        #expect(find("12 main st, aalst", [[], [], [list]]) == .none)
        #expect(find(" , ", [[venue], [record], [list]]) == .none)
    }

    @Test("P3: several that fit are a list, and equal positions are one")
    func several() throws {
        let gent = try Self.place("Main St", "Gent", at: "51,3", .gazetteer("x"))
        let aalst = try Self.place("Main St", "Aalst", at: "50.9,4", .gazetteer("x"))
        let twin = try Self.place("Main Street", "Gent", at: "51,3", .gazetteer("y"))
        #expect(PlaceSearch.find("main st", in: [[gent, aalst]]) == .several([gent, aalst]))
        #expect(PlaceSearch.find("main st, aalst", in: [[gent, aalst]]) == .one(aalst))
        #expect(PlaceSearch.find("main st", in: [[gent, twin]]) == .one(gent))
        let many = try (0..<20).map {
            try Self.place("\($0) Long Rd", at: "\($0),0", .gazetteer("x"))
        }
        #expect(PlaceSearch.find("long rd", in: [many]) == .several(Array(many.prefix(8))))
    }

    @Test("P3: the nearest address counts, within 200 m and no farther")
    func nearest() throws {
        let near = try Self.place("A", at: "45.5017,-73.5", .record(1))
        let nearer = try Self.place("B", at: "45.501,-73.5", .gazetteer("x"))
        let point = try #require(Venue.Point("45.5,-73.5"))
        let found = try #require(PlaceSearch.nearest(to: point, in: [[near], [nearer]]))
        #expect(found.place == nearer && abs(found.metres - 111) < 1)
        #expect(found.words == "110 m from B (imported: x)")
        #expect(PlaceSearch.nearest(to: point, in: [[near]])?.place == near)
        let far = try Self.place("C", at: "45.5019,-73.5", .record(1))
        #expect(PlaceSearch.nearest(to: point, in: [[far], []]) == nil)
    }

    @Test("P3: venues are called by address, else by name")
    func venues() throws {
        let tower = try #require(VenueExample.parking.venue)
        let study = try #require(VenueExample.study.venue)
        let courts = try #require(VenueExample.courts.venue)
        #expect(tower.positions.map(\.name) == ["12 Main St"])
        #expect(
            study.positions.map(\.name)
                == ["Singel 425", "Nieuwe Achtergracht 166", "Science Park 904"])
        #expect(courts.positions.map(\.name) == [courts.name])
    }

    @Test("P3: a program's position is one line of two angles, nothing else")
    func device() throws {
        let here = try #require(Venue.Point("45.5017,-73.5673"))
        for text in [
            "45.5017,-73.5673", "45.5017 -73.5673\n", "45.5017, -73.5673\r\n",
            "  45.5017   -73.5673 ", "45.50170000000000001,-73.5673",
        ] {
            #expect(DevicePosition.read(Array(text.utf8)) == here, "\(text)")
        }
        for text in [
            "", "\n", "45.5017", "45.5017,-73.5673\n\n", "45.5017,-73.5673,12", "91,0", "a b",
            "45.5017,-73.5673 ok", "lat 45.5 lon 3", "45.5017;-73.5673", "nan nan", "1,,2",
            String(repeating: " ", count: 200) + "1 2",
        ] {
            #expect(DevicePosition.read(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(DevicePosition.read([0xFF, 32, 0x31]) == nil)
    }

    @Test("P3: what a geocoder is asked, and what it may answer")
    func online() throws {
        #expect(
            OnlineGeocoder.searchURL("https://g.example", "12 \"Main\" St&x=1, Gént")
                == "https://g.example/search?format=jsonv2&limit=8&q=12%20%22Main%22%20St%26x%3D1"
                + "%2C%20G%C3%A9nt")
        let point = try #require(Venue.Point("45.5,-73.0000001"))
        #expect(
            OnlineGeocoder.reverseURL("https://g.example", point)
                == "https://g.example/reverse?format=jsonv2&lat=45.5&lon=-73.0000001")
        let right: JSON = [
            "lat": "45.5", "lon": "-73.00000019", "display_name": "12, Main\u{1B} St",
            "place_id": 9,
        ]
        let read = try OnlineGeocoder.read(right)
        #expect(read.at == point && !read.name.contains("\u{1B}"))
        for wrong: JSON in [
            .null, [], ["lat": 45.5, "lon": -73.5, "display_name": "x"],
            ["lat": "91", "lon": "0", "display_name": "x"], ["lat": "1", "lon": "2"],
            ["lat": "1", "lon": "2", "display_name": " "],
        ] {
            #expect(throws: FormFault.self) { try OnlineGeocoder.read(wrong) }
        }
    }

    @Test("Imported files are called by what they are called, in small letters")
    func names() {
        let names = [
            ("/tmp/Montreal.csv", "montreal"), ("a b (2).csv", "a-b-2"), ("../x.y.csv", "x"),
            (".csv", "places"), ("Gént.csv", "g-nt"), ("--.csv", "places"),
            (String(repeating: "a", count: 99), String(repeating: "a", count: 40)),
        ]
        for (path, name) in names { #expect(PlaceShelf.name(of: path) == name) }
    }
}
