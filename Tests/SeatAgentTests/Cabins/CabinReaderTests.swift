// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Aviation
@testable import SeatAgent
@testable import Text

@Suite("Layouts of strangers")
struct CabinReaderTests {
    /// Six rows of six seats.
    static let sample: JSON = [
        "version": 1, "id": "mine", "name": "Mine", "type": "any", "source": ["me"],
        "checkedOn": "2026-11-21", "sure": "unverified", "cabins": [part([:])],
    ]

    static func part(_ more: [String: JSON]) -> JSON {
        JSON.object(["class": "economy", "rows": ["1-6"], "blocks": ["ABC", "DEF"]]).adding(more)
    }

    private func fault(_ more: [String: JSON]) -> String {
        do throws(CabinFault) {
            _ = try CabinLayout(json: Self.sample.adding(more))
            return ""
        } catch {
            return error.sentence
        }
    }

    private func rowFault(_ more: [String: JSON]) -> String {
        fault(["cabins": [Self.part(more)]])
    }

    @Test("What is said is read, and written in one form however it was written")
    func forms() throws {
        let plain = try CabinLayout(
            json: Self.sample.adding([
                "cabins": [Self.part(["except": ["2": ["AC", ""], "3": ["ABC", "DEF"]]])],
                "exitRows": ["2-3"], "noWindow": ["6A"],
            ]))
        let other = try CabinLayout(
            json: Self.sample.adding([
                "cabins": [
                    Self.part(["rows": [1, "2-4", 5, 6], "except": ["2": ["AC", ""]]])
                ],
                "exitRows": [3, "2A", "2C"], "noWindow": ["6A", "6a"], "note": [],
                "operator": .null, "bulkhead": [],
            ]))
        #expect(plain == other && plain.bytes == other.bytes)
        #expect(plain.json["exitRows"] == [2, 3])
        #expect(plain.row(of: try #require(Seat("2C")))?.columns == [0, 2])
        #expect(plain.sections[0].except.count == 1)
    }

    @Test("Rows rise, from 1 to 255, and are not too many")
    func rows() {
        #expect(rowFault(["rows": [0]]).hasPrefix("cabins[0].rows: rows are written as"))
        #expect(rowFault(["rows": ["1-256"]]).contains("from 1 to 255"))
        #expect(rowFault(["rows": ["2-1"]]).contains("from 1 to 255"))
        #expect(rowFault(["rows": ["+1-2"]]).contains("from 1 to 255"))
        #expect(rowFault(["rows": [3, 3]]).contains("row 3 does not come after"))
        #expect(rowFault(["rows": ["1-5", "4-9"]]).contains("row 4 does not come after"))
        #expect(rowFault(["rows": []]).contains("there is no row"))
        #expect(rowFault(["rows": ["1-101"]]).contains("more than 100 rows"))
        #expect(rowFault(["rows": ["1-100"]]) == "")
        #expect(rowFault(["rows": [255]]) == "")
        #expect(rowFault(["rows": 7]).contains("a list"))
        let twice = fault(["cabins": [Self.part([:]), Self.part(["rows": [6]])]])
        #expect(twice == "cabins[1].rows: row 6 does not come after the one before")
        let many = fault(["cabins": .array((1...9).map { Self.part(["rows": [.int($0)]]) })])
        #expect(many == "cabins: 1 to 8 of them are wanted")
    }

    @Test("Letters rise, each once, between the same aisles everywhere")
    func letters() {
        #expect(rowFault(["blocks": ["ABB"]]).contains("B does not come after"))
        #expect(rowFault(["blocks": ["ABC", "CDE"]]).contains("C does not come after"))
        #expect(rowFault(["blocks": ["abc"]]).contains("A to Z"))
        #expect(rowFault(["blocks": ["ÄB"]]).contains("A to Z"))
        #expect(rowFault(["blocks": ["ABC", ""]]).contains("a block has no letters"))
        #expect(rowFault(["blocks": []]).contains("1 to 4 blocks"))
        #expect(rowFault(["blocks": ["A", "B", "C", "D", "E"]]).contains("1 to 4 blocks"))
        #expect(rowFault(["blocks": ["ABCDEFGHIJKLM"]]).contains("more than 12 seats"))
        #expect(rowFault(["blocks": [1]]).contains("letters in"))
        let moved = fault([
            "cabins": [Self.part([:]), Self.part(["rows": [9], "blocks": ["AB", "CD"]])]
        ])
        #expect(moved == "cabins[1].blocks: C is on another side of an aisle elsewhere")
        let aisles = fault([
            "cabins": [Self.part([:]), Self.part(["rows": [9], "blocks": ["A", "D", "F"]])]
        ])
        #expect(aisles == "cabins[1].blocks: it has other aisles than cabins[0]")
    }

    @Test("Rows that lack seats are rows, and lack them from their own blocks")
    func except() {
        #expect(rowFault(["except": ["7": ["A", ""]]]).contains("7 is no row"))
        #expect(rowFault(["except": ["01": ["A", ""], "1": ["B", ""]]]).contains("no row"))
        #expect(rowFault(["except": ["1": ["A"]]]).contains("2 blocks are wanted"))
        #expect(rowFault(["except": ["1": ["AD", ""]]]).contains("D is not in that block"))
        #expect(rowFault(["except": ["1": ["", ""]]]).contains("left out of rows"))
        #expect(rowFault(["except": [["1"]]]).contains("an object"))
    }

    @Test("Seats that are known for something are there")
    func features() {
        #expect(
            fault(["exitRows": .array(Array(repeating: .string("2-3"), count: 500))])
                == "exitRows: it names seats again and again")
        #expect(fault(["exitRows": [7]]) == "exitRows: there is no row 7")
        #expect(fault(["bulkhead": ["1G"]]) == "bulkhead: there is no seat 1G")
        #expect(fault(["noWindow": ["1-9"]]) == "noWindow: there is no row 9")
        #expect(fault(["nearToilet": [true]]).contains("are wanted"))
        #expect(fault(["extraLegroom": 3]).contains("a list"))
    }

    @Test("Texts are there, short, and harmless on a terminal; a typing mistake is not ignored")
    func texts() {
        #expect(fault(["version": 2]) == "version: this program reads version 1")
        for id in ["", "A", "1a", "../x", "a.b", "é", String(repeating: "a", count: 41)] {
            #expect(fault(["id": .string(id)]).hasPrefix("id: "), "\(id)")
        }
        #expect(fault(["name": "\u{1B}[2J"]).contains("cannot be seen"))
        #expect(fault(["name": .string(String(repeating: "ä", count: 41))]).contains("82 bytes"))
        #expect(fault(["name": " "]).contains("a text"))
        #expect(fault(["type": 3]).contains("a text"))
        #expect(fault(["source": []]).contains("1 to 8 lines"))
        #expect(fault(["note": ["\u{202E}"]]) == "note[0]: it has characters that cannot be seen")
        #expect(fault(["checkedOn": "yesterday"]).contains("a date"))
        #expect(fault(["sure": "very"]).contains("\"stated\""))
        #expect(fault(["exitRow": [1]]).contains("nothing is called exitRow; the nearest is"))
        #expect(rowFault(["class": "cattle"]).contains("\"economy\""))
        #expect(rowFault(["row": [1]]).contains("nothing is called row"))
    }

    @Test("What is no JSON says the line, and what is too large is not read")
    func bytes() throws {
        #expect(throws: CabinFault(place: "line 3", why: "a colon is missing")) {
            try CabinLayout.read(Array("{\n\n \"id\" 3}".utf8))
        }
        #expect(throws: CabinFault.self) { try CabinLayout.read([]) }
        let large = Array(repeating: UInt8(ascii: " "), count: CabinLimits.bytes + 1)
        #expect(throws: CabinFault.self) { try CabinLayout.read(large) }
        // Few bytes that are many as one line.
        let items = JSON.array(Array(repeating: "1-100", count: 1))
        let rows = Self.part(["rows": ["1-100"], "blocks": ["ABCDEF", "GHIJKL"]])
        let wide = Self.sample.adding(["cabins": [rows], "bulkhead": items, "exitRows": items])
        let layout = try CabinLayout(json: wide)
        #expect(layout.seats.count == 1200)
        #expect(CabinCommand.line(layout, isOwn: false).contains("1200  "))
    }
}
