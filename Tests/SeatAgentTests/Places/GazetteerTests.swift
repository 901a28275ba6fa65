// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Places
@testable import Text
@testable import Venues

@Suite("Gazetteers")
struct GazetteerTests {
    private static let header = "name,lat,lon,city\n"

    private func read(_ text: String) throws(FormFault) -> [NamedPosition] {
        try Gazetteer(csv: Array(text.utf8)).places
    }

    /// What is wrong with a file; empty for nothing.
    private func fault(_ bytes: [UInt8]) -> String {
        do throws(FormFault) {
            _ = try Gazetteer(csv: bytes)
            return ""
        } catch {
            return error.sentence
        }
    }

    private func fault(_ text: String) -> String { fault(Array(text.utf8)) }

    private func at(_ text: String) throws -> Venue.Point { try #require(Venue.Point(text)) }

    @Test("Rows are read, with quotes, either line end, columns in any order, and no city")
    func rows() throws {
        let here = try at("45.5,-73.5")
        let right = [
            "name,lat,lon,city\r\n12 Main St,45.5,-73.5,Montreal\r\n":
                [NamedPosition("12 Main St", city: "Montreal", at: here)],
            "\u{FEFF}NAME, lat,lon\n\n\"A \"\"B\"\", C\",45.5,-73.5":
                [NamedPosition("A \"B\", C", at: here)],
            "city,lon,name,lat\n ,-73.5, Rue  Émile ,45.5\n\"\",-73.5,x,45.500000000000001\n":
                [NamedPosition("Rue Émile", at: here), NamedPosition("x", at: here)],
        ]
        for (text, places) in right.sorted(by: { $0.key < $1.key }) {
            #expect(try read(text) == places, "\(text)")
        }
    }

    @Test("What is kept reads as the same places")
    func keeps() throws {
        let text = Self.header + "\"A \"\"B\"\", C\",-0.0000001,180,\"D, E\"\nstraße 5,1,2,\n"
        let gazetteer = try Gazetteer(csv: Array(text.utf8))
        #expect(try Gazetteer(csv: Array(gazetteer.csv.utf8)) == gazetteer)
    }

    @Test("What is wrong is named with its line")
    func faults() {
        let wrong = [
            ("", "line 1: the header name,lat,lon,city is missing"),
            ("\n\n", "line 1: the header name,lat,lon,city is missing"),
            (Self.header, "line 1: no place follows the header"),
            ("12 Main St,1,2,x\n", "line 1: no column is called \"12 main st\"; the header is"),
            ("name,lat\nx,1\n", "line 1: the column lon is missing"),
            ("name,lat,lon,lat\n", "line 1: the column lat is there twice"),
            (Self.header + "a,1,2,b\nc,1,2\n", "line 3: it has 3 fields, and the header 4"),
            (Self.header + "a,91,2,b\n", "line 2: \"91,2\" is no position; degrees north"),
            (Self.header + "a,1e1,2,b\n", "line 2: \"1e1,2\" is no position"),
            (Self.header + "a,\"1,5\",2,b\n", "line 2: \"1,5,2\" is no position"),
            (Self.header + " ,1,2,b\n", "line 2, name: it is empty"),
            (Self.header + "a\u{1B}[2J,1,2,b\n", "line 2, name: it has characters that cannot"),
            (Self.header + "\"a\nb\",1,2,b\n", "line 2, name: it has characters that cannot"),
            (Self.header + "\"a\n\nb\",1,2,b\nc\n", "line 2, name: it has characters"),
            (Self.header + "a\"b,1,2,b\n", "line 2: a field with a quote has quotes around it"),
            (Self.header + "\"a\"b,1,2,b\n", "line 2: a comma or the end of the line is wanted"),
            (Self.header + "x,1,2,b\n\"a,1,2,b\n", "line 3: the quotes are never closed"),
            (Self.header + "a,1,2,b\rc,1,2,b", "line 2: a lone carriage return ends no line"),
            (
                Self.header + String(repeating: "a", count: 121) + ",1,2,b\n",
                "line 2, name: it has 121 bytes, 120 are allowed"
            ),
            (
                Self.header + String(repeating: "a", count: 1100) + ",1,2,b\n",
                "line 2: it has more than 1024 bytes"
            ),
        ]
        for (text, words) in wrong {
            #expect(fault(text).hasPrefix(words), "\(text.prefix(60)): \(fault(text))")
        }
        #expect(fault(Array(Self.header.utf8) + [0xFF, 44, 49, 44, 50, 44]).contains("not UTF-8"))
    }

    @Test("A file holds so many places and bytes, no more")
    func limits() {
        let row = "a,1,2,\n"
        let full = Self.header + String(repeating: row, count: Gazetteer.limit)
        #expect(fault(full) == "")
        #expect(
            fault(full + row) == "line \(Gazetteer.limit + 2): \(Gazetteer.limit) places are "
                + "allowed in one file")
        #expect(
            fault([UInt8](repeating: 10, count: Gazetteer.fileLimit + 1))
                == "the file: it has \(Gazetteer.fileLimit + 1) bytes, "
                + "\(Gazetteer.fileLimit) are allowed")
    }
}
