// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Text

@Suite("Airlines that are known by name")
struct AirlineTests {
    @Test("Each designator is well formed and stands for one airline")
    func designators() {
        #expect(Airlines.all.count >= 60)
        #expect(Set(Airlines.all.map(\.code)).count == Airlines.all.count)
        #expect(Set(Airlines.all.map(\.icao)).count == Airlines.all.count)
        for airline in Airlines.all {
            #expect(airline.code.utf8.count == 2 && airline.icao.utf8.count == 3)
            #expect((try? FlightNumber.read(airline.code + "1"))?.airline == airline)
            #expect((try? FlightNumber.read(airline.icao + "1"))?.airline == airline)
            #expect(!airline.name.isEmpty)
        }
    }

    @Test("A family is known by one of its own", arguments: Airline.Family.allCases)
    func families(_ family: Airline.Family) {
        #expect(Airlines.named(family.rawValue)?.family == family)
        #expect(Airlines.named(family.rawValue)?.key == family.rawValue)
    }

    @Test("Windows say what was read, and nothing where nothing was")
    func windows() {
        #expect(Airlines.named("FR")?.checkIn?.opens == 24...24)
        #expect(Airlines.named("RYS")?.checkIn == .ryanair)
        #expect(Airlines.named("FR")?.checkIn?.sure == .stated)
        #expect(Airlines.named("W4")?.checkIn?.sure == .conflicting)
        #expect(Airlines.named("U2")?.checkIn?.opens == 720...720)
        #expect(Airlines.named("VY")?.checkIn?.opens == 24...168)
        #expect(Airlines.named("KL")?.checkIn?.opens == 30...30)
        #expect(Airlines.named("LX")?.checkIn?.closes == nil)
        for code in ["LS", "HV", "EW", "TP", "PC", "6E", "FZ"] {
            #expect(Airlines.named(code) != nil && Airlines.named(code)?.checkIn == nil)
        }
    }

    @Test("A hint is at most one edit away")
    func hints() throws {
        #expect(Airlines.near("RYN")?.code == "RYR")
        #expect(Airlines.near("2U")?.code == "U2")
        #expect(Airlines.near("IV") == nil)
        var found = 0
        for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
            for second in "AEIRYZ" {
                for code in "RYZ".map({ String([first, second, $0]) }) {
                    guard let near = Airlines.near(code) else { continue }
                    found += 1
                    #expect(Suggestions.distance(code, near.code) == 1)
                }
            }
        }
        #expect(found > 20)
    }
}
