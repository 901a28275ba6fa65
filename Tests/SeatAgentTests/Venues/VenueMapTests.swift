// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Text
@testable import Venues

@Suite("F2: the map of a venue")
struct VenueMapTests {
    private func venue(_ points: [[JSON]]) throws -> Venue {
        let places = points.enumerated().map { index, at in
            VenueFiles.place([
                "id": .int(index + 1), "name": .string("Hall \(index + 1)"), "at": .array(at),
            ])
        }
        return try Venue(json: VenueFiles.least.adding(["places": .array(places)]))
    }

    @Test("F2: numbers stand where the places are, with the list beside them")
    func f2Plan() throws {
        let map = try #require(VenueMap(try VenueFiles.venue(.study)))
        #expect(
            map.lines(ascii: true).map { line in
                var line = line
                while line.last == " " { line.removeLast() }
                return line
            }
                == Self.plan.split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init))
    }

    private static let plan = """
        +---------------------------------------- N -+  1  UB Singel, Singel 425
        |                                            |  2  Law library, Nieuwe
        |                                            |     Achtergracht 166
        |                                            |  3  Science Park, Science Park
        |                                            |     904
        |1                                           |
        |                                            |
        |                                            |
        |              2                             |
        |                                            |
        |                                            |
        |                                            |
        |                                           3|
        |                                            |
        |                                            |
        |                                            |
        |                                            |
        +--------------------------------------------+
         |---------| 1 km
        """

    @Test("F2: a place has the number by which it is checked in at, with room for signs behind it")
    func f2Numbers() throws {
        let places: JSON = [
            VenueFiles.place(["id": 300, "name": "A", "at": [52, 4]]),
            VenueFiles.place(["id": 7, "name": "B", "at": [52, 4.0001]]),
        ]
        let venue = try Venue(json: VenueFiles.least.adding(["places": places]))
        let map = try #require(VenueMap(venue, columns: 20, rows: 5, signs: 2))
        #expect(map.spots.map(\.number) == [300, 7])
        for spot in map.spots { #expect(spot.column + String(spot.number).count + 2 <= 20) }
        #expect(map.lines(ascii: true).contains { $0.contains("300  A") })
        #expect(VenueMap(venue, columns: 9, rows: 5, signs: 2) == nil)
    }

    @Test("F2: the list says of each place whether it is open")
    func f2Open() throws {
        let venue = try VenueFiles.venue(.study)
        let map = try #require(VenueMap(venue))
        // A Friday after the law library has closed.
        let text = VenueText(venue, now: try VenueFiles.at("2026-11-27T20:30"))
        let lines = map.lines(ascii: true) { text.state(of: $0) }
        #expect(lines.contains { $0.hasSuffix("   open until 22:00") })
        #expect(lines.contains { $0.hasSuffix("   closed; opens Mo 2026-11-30") })
        #expect(text.today == "Fr 2026-11-27 08:30-22:00")
        #expect(lines.allSatisfy { cellWidth($0) <= 80 })
    }

    @Test("F2: north is up, east is right, and distances are true to scale")
    func f2Scale() throws {
        // A square of 1113 m, and its middle.
        let map = try #require(
            VenueMap(try venue([[0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01], [0.005, 0.005]])))
        let spots = map.spots
        #expect(spots.map(\.number) == [1, 2, 3, 4, 5])
        #expect(spots[1].row == 0 && spots[0].row == map.rows - 1)
        #expect(spots[0].column == spots[1].column && spots[2].row == spots[1].row)
        #expect(spots[2].column > spots[1].column && spots[3].column == spots[2].column)
        let wide = Double(spots[2].column - spots[1].column) * map.scale
        let high = Double(spots[0].row - spots[1].row) * 2 * map.scale
        #expect(abs(wide - 1113) < 2 * map.scale && abs(high - 1113) < 2 * map.scale)
        #expect(abs(spots[4].row - map.rows / 2) <= 1)
        // Sixty degrees north, degrees of longitude are half as long.
        let north = try #require(VenueMap(try venue([[60, 0], [60.01, 0.02]])))
        let (one, two) = (north.spots[0], north.spots[1])
        let ratio = Double(two.column - one.column) / Double(2 * (one.row - two.row))
        #expect(abs(ratio - 1) < 0.1)
    }

    @Test("F2: places at one point stand beside each other, or say where they are")
    func f2Crowd() throws {
        let map = try #require(VenueMap(try venue(Array(repeating: [52, 4], count: 40))))
        var cells: Set<Int> = []
        for spot in map.spots where spot.beside == nil {
            for index in String(spot.number).indices {
                let offset = String(spot.number).distance(
                    from: String(spot.number).startIndex, to: index)
                #expect(spot.column + offset < map.columns)
                #expect(cells.insert(spot.row * map.columns + spot.column + offset).inserted)
            }
        }
        let named = map.spots.filter { $0.beside != nil }
        #expect(!named.isEmpty && named.count < 40)
        #expect(map.lines().contains { $0.contains("(at ") })
        // Every place stands in the list.
        for spot in map.spots { #expect(map.lines().contains { $0.contains(spot.place.name) }) }
    }

    @Test("F2: both sides of the date line are near, and one place is a plan too")
    func f2Edges() throws {
        let line = try #require(VenueMap(try venue([[0, 179.999], [0, -179.999]])))
        #expect(line.scale < 20 && line.spots[0].column < line.spots[1].column)
        let one = try #require(VenueMap(try venue([[-33.9, 18.4]])))
        #expect(one.lines(ascii: true).count { $0.contains("1") } >= 1)
        #expect(one.lines(ascii: true).allSatisfy { $0.allSatisfy(\.isASCII) })
        let pole = try #require(VenueMap(try venue([[90, 0], [90, 180], [-90, 0]])))
        #expect(pole.spots.count == 3)
    }

    @Test("F2: places without coordinates are named, and a venue without any has no plan")
    func f2Missing() throws {
        let places: JSON = [
            VenueFiles.place(["at": [1, 1]]), VenueFiles.place(["id": 2, "name": "Attic"]),
        ]
        let map = try #require(
            VenueMap(try Venue(json: VenueFiles.least.adding(["places": places]))))
        #expect(map.missing.map(\.name) == ["Attic"])
        #expect(map.lines().contains { $0.contains("Attic") })
        #expect(VenueMap(try Venue(json: VenueFiles.least)) == nil)
    }

    @Test("F2: in a narrow terminal the list stands below")
    func f2Narrow() throws {
        let map = try #require(VenueMap(try VenueFiles.venue(.study)))
        let lines = map.lines(cells: 60)
        #expect(lines.allSatisfy { cellWidth($0) <= 60 })
        #expect(lines.last == "3  Science Park, Science Park 904")
        #expect(map.lines(cells: 80).allSatisfy { cellWidth($0) <= 80 })
    }
}
