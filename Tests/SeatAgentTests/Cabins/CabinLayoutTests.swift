// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Text

@Suite("Layouts that come with the program")
struct CabinLayoutTests {
    @Test("The files and the program hold the same layouts, in the one form")
    func files() throws {
        #expect(CabinFiles.all.count == 8)
        #expect(CabinFiles.all.map(\.text) == BundledCabins.texts.map { $0 + "\n" })
        for (id, text) in CabinFiles.all {
            let layout = try CabinLayout.read(Array(text.utf8))
            #expect(layout.id == id)
            #expect(layout.text == text)
            #expect(try CabinLayout.read(layout.bytes) == layout)
            #expect(CabinLayout.named(id) == layout)
            #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
        }
        #expect(CabinLayout.bundled.count == 8)
        #expect(CabinLayout.bundled.first == .standard)
    }

    @Test(
        "As many seats as their sources say",
        arguments: [
            ("standard", 192), ("ryanair-737-800", 189), ("ryanair-737-8-200", 197),
            ("easyjet-a319", 156), ("easyjet-a320", 186), ("easyjet-a321neo", 235),
            ("klm-e190", 100), ("lufthansa-a350-900", 293),
        ])
    func counts(id: String, count: Int) {
        #expect(bundled(id).id == id)
        #expect(bundled(id).seats.count == count)
        #expect(Set(bundled(id).seats).count == count)
    }

    @Test("Compartments of the wide one have as many seats as it is sold with")
    func compartments() {
        let layout = bundled("lufthansa-a350-900")
        let places = layout.seats.map { layout.kind(of: $0).compartment }
        #expect(places.count { $0 == .business } == 48)
        #expect(places.count { $0 == .premium } == 21)
        #expect(places.count { $0 == .economy } == 224)
        #expect(layout.aisles == 2)
        #expect(layout.columns.map { String($0.letter) }.joined() == "ABCDEGHJK")
    }

    @Test("Window, middle and aisle come from the row, not from the letter")
    func words() throws {
        func word(_ id: String, _ seat: String) throws -> String? {
            bundled(id).kind(of: try #require(Seat(seat))).word
        }
        for (letter, kind) in zip("ABCDEF", ["window", "middle", "aisle", "aisle", "middle"]) {
            #expect(try word("standard", "14\(letter)") == kind)
        }
        #expect(try word("standard", "14F") == "window")
        #expect(try word("standard", "33A") == nil)
        #expect(try word("ryanair-737-800", "33A") == "window")
        #expect(try word("ryanair-737-800", "13A") == nil)
        #expect(try word("ryanair-737-800", "1D") == nil)
        // C is an aisle seat, D too, and there is no middle.
        #expect(try word("klm-e190", "4C") == "aisle")
        #expect(try word("klm-e190", "4D") == "aisle")
        #expect(try word("klm-e190", "4F") == "window")
        #expect(try word("klm-e190", "4B") == nil)
        // The same letters two aisles apart.
        for (letter, kind) in [
            ("A", "window"), ("B", "middle"), ("C", "aisle"), ("D", "aisle"), ("E", "middle"),
            ("G", "aisle"), ("H", "aisle"), ("J", "middle"), ("K", "window"),
        ] {
            #expect(try word("lufthansa-a350-900", "30\(letter)") == kind)
        }
        #expect(try word("lufthansa-a350-900", "3C") == "aisle")
        #expect(try word("lufthansa-a350-900", "3E") == nil)
        #expect(try word("lufthansa-a350-900", "27A") == nil)
    }

    @Test("A seat at a door: the wall is the wall, the next seat is not")
    func doors() throws {
        let layout = bundled("ryanair-737-8-200")
        let beside = layout.kind(of: try #require(Seat("28B")))
        #expect(beside.exists && !beside.window && !beside.aisle && beside.middle && beside.exit)
        let behind = layout.kind(of: try #require(Seat("29A")))
        #expect(behind.window && behind.noWindow && behind.exit && behind.extraLegroom)
        #expect(behind.words == "window, no window there, exit row, extra legroom")
        #expect(!layout.contains(try #require(Seat("28A"))))
        // Nobody sits between D and the aisle, nor between it and the wall.
        let alone = layout.kind(of: try #require(Seat("32D")))
        #expect(alone.aisle && !alone.window)
    }

    @Test("Whoever sits between an exit and the aisle sits in the exit row")
    func exits() throws {
        let layout = try CabinLayout(json: CabinReaderTests.sample.adding(["exitRows": ["2A"]]))
        func isExit(_ seat: String) throws -> Bool {
            layout.kind(of: try #require(Seat(seat))).exit
        }
        #expect(try isExit("2A") && isExit("2B") && isExit("2C"))
        #expect(try !isExit("2D") && !isExit("1A"))
        #expect(layout.neighbours(of: try #require(Seat("2B"))).map(\.text) == ["2A", "2B", "2C"])
        #expect(layout.neighbours(of: try #require(Seat("9B"))).isEmpty)
    }

    @Test("A seat alone between wall and aisle is both")
    func alone() throws {
        let part: JSON = ["class": "first", "rows": [1], "blocks": ["A", "DG", "K"]]
        let layout = try CabinLayout(json: CabinReaderTests.sample.adding(["cabins": [part]]))
        let place = layout.kind(of: try #require(Seat("1K")))
        #expect(place.window && place.aisle && !place.middle && place.block == 2)
        #expect(place.words == "window, on the aisle too, first")
    }

    @Test("Where it ends, in words")
    func extent() {
        #expect(bundled("standard").extent == "rows go from 1 to 32, letters from A to F")
        #expect(
            bundled("ryanair-737-800").extent
                == "rows go from 1 to 33 without 13, letters from A to F")
        #expect(
            bundled("lufthansa-a350-900").extent == "rows go from 1 to 42, letters from A to K")
    }
}
