// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Parking
@testable import Places
@testable import Text
@testable import Venues

@Suite("Parked cars")
struct ParkingTests {
    /// What is wrong with a code; empty for nothing.
    private func fault(_ field: ParkingField, _ text: String) -> String {
        do throws(FormFault) {
            _ = try field.code(text)
            return ""
        } catch {
            return error.sentence
        }
    }

    @Test(
        "P2: codes have so many letters and digits, no fewer and no more",
        arguments: [(ParkingField.building, 5, 5), (.plate, 2, 8), (.suite, 2, 5)])
    func p2Bounds(_ field: ParkingField, least: Int, most: Int) throws {
        let letters = "AB12CD34XYZ"
        for count in 0...9 {
            let text = String(letters.prefix(count))
            let wanted =
                least...most ~= count
                ? "" : "\(field.rawValue): it has \(count), and needs \(field.need)"
            #expect(fault(field, text) == wanted, "\(text)")
        }
        #expect(try field.code("ab1cd".prefix(most).lowercased()) == "AB1CD".prefix(most))
        for other in ["ÄB12C", "ab\u{200B}1", "座席1", "A_B1", "AB1\u{1B}", "Ａ1B2C", "ß1234"] {
            #expect(fault(field, other).contains("is neither a letter from A to Z nor a digit"))
            #expect(!fault(field, other).contains("\u{1B}"))
        }
    }

    @Test("P2: blanks and hyphens of a plate do not count, of other codes they do")
    func p2Plate() throws {
        #expect(try ParkingField.plate.code("ab-12 cde") == "AB12CDE")
        #expect(try ParkingField.plate.code(" - a-1 - ") == "A1")
        #expect(fault(.plate, "- -") == "plate: it has 0, and needs 2 to 8 letters and digits")
        #expect(fault(.suite, "12 B").contains("neither"))
        #expect(fault(.building, "B7-2Q").contains("neither"))
    }

    @Test("P2: hours are 1, 4, 12 or 24, nothing else")
    func p2Hours() throws {
        for hours in [1, 4, 12, 24] { #expect(try ParkingField.hours("\(hours)h") == hours) }
        #expect(try ParkingField.hours("4H") == 4)
        for other in ["0h", "2h", "3h", "5h", "13h", "25h", "4", "h", "", "4h ", "-4h", "240m"] {
            #expect(throws: FormFault.self, "\(other)") { try ParkingField.hours(other) }
        }
    }

    @Test("P2: positions have seven decimals and are on the Earth")
    func p2Position() throws {
        let right = [
            "45.5017,-73.5673": (455_017_000, -735_673_000), "90,180": (900_000_000, 1_800_000_000),
            "-90,-180": (-900_000_000, -1_800_000_000), "0.0000001, -0.0000001": (1, -1),
            "+1.5,0": (15_000_000, 0),
        ]
        for (text, parts) in right.sorted(by: { $0.key < $1.key }) {
            let point = try ParkingField.position(text)
            #expect(point.north == parts.0 && point.east == parts.1, "\(text)")
            #expect(try ParkingField.position(point.text) == point)
        }
        for other in [
            "90.0000001,0", "0,180.0000001", "-91,0", "1.00000001,0", "1", "1,2,3", ",", "1,",
            "a,b",
            "1e3,0", "--1,0", "1.,0", ".5,0", "٤٥,1", "1 2,3", "9999,0",
        ] {
            #expect(throws: FormFault.self, "\(other)") { try ParkingField.position(other) }
        }
    }

    private static func record(
        _ number: Int, since: Int64, street: String? = nil, at: String? = nil
    ) -> ParkingRecord {
        ParkingRecord(
            number: number, since: UTCTime(seconds: since), building: "B7K2Q", hours: 4,
            plate: "AB12CDE", suite: "12B", street: street, at: at.flatMap { Venue.Point($0) })
    }

    @Test("P4: the newest stands first, and a number is never given again")
    func p4Order() throws {
        var book = ParkingBook()
        for since in [100, 300, 200, 300] {
            _ = try book.add { Self.record($0, since: Int64(since)) }
        }
        #expect(book.records.map(\.number) == [4, 2, 3, 1])
        book.remove(4)
        let again = try book.add { Self.record($0, since: 50) }
        #expect(again.number == 5)
        #expect(book.records.map(\.number) == [2, 3, 1, 5])
        #expect(throws: UserError.self) { try book.find(4) }
        // The file says all of it.
        #expect(try ParkingBook(json: book.json) == book)
    }

    @Test("P4: time that is left is counted to the minute")
    func p4Left() {
        let record = Self.record(1, since: 0)
        let left = [
            (0, "4:00 left"), (1, "4:00 left"), (60, "3:59 left"), (6600, "2:10 left"),
            (4 * 3600 - 1, "0:01 left"), (4 * 3600, "over"), (9 * 3600, "over"),
        ]
        for (seconds, words) in left {
            #expect(record.left(at: UTCTime(seconds: Int64(seconds))) == words)
        }
    }

    @Test("P4: a list holds so many, and a file that says anything else is refused")
    func p4File() throws {
        var book = ParkingBook()
        for since in 0..<ParkingBook.limit {
            try book.add { Self.record($0, since: Int64(since)) }
        }
        #expect(throws: UserError.self) { try book.add { Self.record($0, since: 0) } }
        let one = ["number": 1, "since": "2026-11-21T10:02:00Z", "building": "B7K2Q"] as JSON
        let whole = one.adding(["hours": 4, "plate": "AB1", "suite": "12"])
        func fault(_ record: JSON, next: JSON = 2) -> String {
            do throws(FormFault) {
                let file: JSON = ["version": 1, "next": next, "records": [record]]
                _ = try ParkingBook(json: file)
                return ""
            } catch {
                return error.sentence
            }
        }
        #expect(fault(whole) == "")
        #expect(fault(one).hasPrefix("records[0].hours"))
        #expect(fault(whole, next: 1).hasPrefix("records[0].number"))
        #expect(fault(whole.adding(["hours": 5])).hasPrefix("records[0].hours"))
        #expect(fault(whole.adding(["plate": "A"])).hasPrefix("plate: it has 1"))
        #expect(fault(whole.adding(["at": "91,0"])).hasPrefix("at: "))
        #expect(fault(whole.adding(["colour": "red"])).contains("nothing is called colour"))
    }

    @Test(
        "P5: distance is right to a percent, and the direction to one of eight",
        arguments: [
            // From Montreal, Amsterdam, Sydney; distances by the ellipsoid of WGS 84.
            ("45.5017,-73.5673", "45.5088,-73.5542", 1293.0, "north-east"),
            ("52.3681,4.8889", "52.3633,4.9116", 1635.0, "east"),
            ("52.3681,4.8889", "48.8566,2.3522", 430_300.0, "south-west"),
            ("-33.8688,151.2093", "51.5074,-0.1278", 16_989_000.0, "north-west"),
            ("0,179.9995", "0,-179.9995", 111.3, "east"), ("0,0", "-1,0", 110_574.0, "south"),
        ])
    func p5Way(_ from: String, _ to: String, metres: Double, wind: String) throws {
        let here = try #require(Venue.Point(from))
        let there = try #require(Venue.Point(to))
        let found = here.distance(to: there)
        #expect(abs(found - metres) < metres / 100, "\(found)")
        #expect(here.way(to: there).hasSuffix(", " + wind), "\(here.way(to: there))")
        #expect(abs(there.distance(to: here) - found) < 0.01)
    }

    @Test("P5: links of a position")
    func p5Links() throws {
        let point = try #require(Venue.Point("45.5017,-73.5673"))
        #expect(point.link == "geo:45.5017,-73.5673")
        #expect(
            point.mapLink == "https://www.openstreetmap.org/?mlat=45.5017&mlon=-73.5673"
                + "#map=18/45.5017/-73.5673")
        #expect(point.way(to: point) == "here")
        for (metres, words) in [(7.0, "10 m"), (80, "80 m"), (994, "990 m"), (1240, "1.2 km")] {
            #expect(Venue.Point.length(metres) == words)
        }
        #expect(Venue.Point.length(9949) == "9.9 km" && Venue.Point.length(12_600) == "13 km")
    }

    @Test("P3: an earlier record knows its street, the newest of equal ones")
    func p3Own() throws {
        var book = ParkingBook()
        try book.add { Self.record($0, since: 1, street: "12 Main St", at: "45.5,-73.5") }
        try book.add { Self.record($0, since: 2, street: "12 main street", at: "45.6,-73.5") }
        try book.add { Self.record($0, since: 3, street: "Other Rd") }
        try book.add { Self.record($0, since: 4, at: "45.7,-73.5") }
        #expect(book.places.map(\.source) == [.record(2)])
        #expect(book.places.map(\.named.name) == ["12 main street"])
    }
}
