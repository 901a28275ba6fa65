// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Aviation
@testable import CivilTime
@testable import SeatAgent
@testable import Text

private func read(_ text: String, on date: String = "2026-03-01") throws -> BoardingPass {
    var bytes = Array(text.utf8)
    return try BoardingPass.read(&bytes, on: try #require(FlightDate(date)))
}

/// A pass of one flight: 60 characters, with some of them replaced.
private func pass(
    day: String = "064", seat: String = "017A", flight: String = "0202 ", carrier: String = "FR ",
    class letter: String = "Y", from: String = "DUB", size: String = "00", rest: String = ""
) -> String {
    "M1DOE/JOHN            EABC123 \(from)STN\(carrier)\(flight)\(day)\(letter)\(seat)0042 1"
        + size + rest
}

private func refusal(_ text: [UInt8]) throws -> UserError? {
    var bytes = text
    let reference = try #require(FlightDate("2026-03-01"))
    do throws(UserError) {
        _ = try BoardingPass.read(&bytes, on: reference)
        return nil
    } catch {
        return error
    }
}

/// What comes of a pass of two flights when the second begins like this.
private func second(_ start: String) throws -> BoardingLeg? {
    try read("M2" + pass().dropFirst(2) + start + "DEF456 STNGVAFR 3664 065C012C0002 100").legs.last
}

@Suite("Boarding passes")
struct BoardingTests {
    @Test("There are 44 vectors")
    func count() { #expect(BoardingVector.all.count == 44) }

    @Test("Every vector gives what it must", arguments: BoardingVector.all)
    func vector(_ vector: BoardingVector) throws {
        let reference = try #require(vector.reference)
        var text = vector.text
        guard vector.isValid else {
            let error = try #require(try refusal(text))
            #expect(error.code == .badPass)
            #expect(error.why?.isEmpty == false && error.advice != nil)
            return
        }
        let pass = try BoardingPass.read(&text, on: reference)
        #expect(text.isEmpty)
        #expect(pass.json == vector.result)
    }

    @Test("Fields that are not kept stand where they should", arguments: BoardingVector.all)
    func fields(_ vector: BoardingVector) throws {
        guard vector.isValid else { return }
        let text = vector.text
        let fields = try BoardingFields(text)
        func words(_ part: Range<Int>?) -> String { part.flatMap { text.words(in: $0) } ?? "" }
        let expect = vector.expect
        #expect(words(fields.name) == expect["name"]?.text)
        #expect(words(fields.security) == expect["security"]?["data"]?.text ?? "")
        let reference = try #require(vector.reference)
        let issued = fields.issueDate.flatMap {
            FlightDate.issue(text, $0, reference: reference)
        }
        #expect(issued?.text == expect["issueDate"]?.text)
        for (leg, wanted) in zip(fields.legs, expect["legs"]?.list ?? []) {
            #expect(words(leg.pnr) == wanted["pnr"]?.text)
            #expect(words(leg.number) == wanted["flightNumber"]?.text)
            #expect(words(leg.seat) == wanted["seatRaw"]?.text)
            #expect(words(leg.sequence) == wanted["sequence"]?.text)
            #expect(words(leg.status) == wanted["status"]?.text)
            #expect(text.number(in: leg.day) == wanted["dayOfYear"]?.number)
        }
    }

    @Test(
        "A refusal names the field",
        arguments: [
            ("", "the whole text is empty"),
            ("X1", "the format code (character 1)"),
            ("M", "the number of flights (character 2)"),
            ("M5", "the number of flights (character 2)"),
            ("M1DOE/JOHN", "the whole text has 10 characters"),
            (pass(from: "dub"), "the airport of departure of flight 1 (characters 31 to 33)"),
            (pass(day: "4x9"), "the day of the year of flight 1 (characters 45 to 47)"),
            (pass(day: "   "), "the day of the year of flight 1 (characters 45 to 47)"),
            (pass(size: "0G"), "the size of the optional part of flight 1"),
            ("M2" + pass().dropFirst(2), "the part of flight 2 is missing"),
        ])
    func refusals(text: String, why: String) throws {
        let error = try #require(try refusal(Array(text.utf8)))
        #expect(error.why?.hasPrefix(why) == true, "\(error.why ?? "")")
        // Shifted, any field may hold a name: nothing of the text is told.
        for line in error.lines { #expect(!line.contains("DOE") && !line.contains("ABC123")) }
    }

    @Test("More than 4 KB is refused unread")
    func longest() throws {
        let long = pass(rest: String(repeating: "x", count: BoardingFields.longest - 60))
        #expect(try read(long).warnings == [.trailing])
        #expect(try refusal(Array((long + "x").utf8))?.why?.hasPrefix("the whole text") == true)
    }

    @Test("What stands in the seat field")
    func seats() throws {
        func seat(_ field: String) throws -> SeatField? {
            try read(pass(seat: field)).legs.first?.seat
        }
        #expect(try seat("3C  ") == .seat("3C"))
        #expect(try seat("28C ") == .seat("28C"))
        #expect(try seat("000A") == .other("000A"))
        #expect(try seat("012O") == .other("012O"))
        #expect(try seat("12AB") == .other("12AB"))
        #expect(try seat("012a") == .other("012a"))
        #expect(try seat("1 2A") == .other("1 2A"))
        #expect(try seat("INFT") == .infant)
        #expect(try seat("GATE") == .other("GATE"))
        #expect(try seat("   A") == .other("A"))
        #expect(try read(pass(seat: "\u{1B}[2J")).lines.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test("What some write before a second flight, and parts that are blank")
    func parts() throws {
        let plain = try second("")
        #expect(plain?.flight == "FR3664" && plain?.seat == .seat("12C"))
        #expect(try second("E") == plain)
        #expect(try second("\u{1D}E") == plain)
        let blank = try read("M1" + String(repeating: " ", count: 56) + "00")
        #expect(blank.legs.count == 1 && blank.legs.first?.from == nil)
        #expect(try refusal(Array(("M1" + String(repeating: " ", count: 50)).utf8)) != nil)
        let text = Array(pass(from: "   ").utf8)
        #expect(try refusal(text)?.why?.hasPrefix("the airport of departure") == true)
    }

    @Test(
        "A flight behind the first that is not where it should be is found",
        arguments: [
            ("00", ">5180      B1A              2A13123004911111  "), ("04", "ab"), ("50", "abcd"),
            ("FF", ""), ("00", "x"),
        ])
    func shifted(size: String, between: String) throws {
        let first = "M2" + pass(size: size, rest: between).dropFirst(2)
        let found = try read(first + "DEF456 STNGVAFR 3664 065C012C0002 100")
        #expect(found.legs.map(\.flight) == ["FR202", "FR3664"])
        #expect(found.legs.last?.seat == .seat("12C"))
        #expect(found.legs.last?.date?.text == "2026-03-06")
        #expect(found.warnings.contains(.shiftedLeg) && !found.warnings.contains(.missingLeg))
    }

    @Test(
        "A flight behind the first that cannot be read does not cost the first",
        arguments: [
            ("00", "DEF456 STN"), ("00", ">5180      B1A              2A13123004911111"),
            ("00", "DEF456 stngvaFR 3664 065C012C0002 100"), ("FF", "LX"), ("02", "ab?"),
            ("00", "DEF456 STNGVAFR 3664 4x9C012C0002 100"),
            ("00", "DEF456 STNGVAFR 3664 065C012C0002 1zz"),
        ])
    func kept(size: String, rest: String) throws {
        let found = try read("M2" + pass(size: size, rest: rest).dropFirst(2))
        #expect(found.legs.map(\.flight) == ["FR202"])
        #expect(found.legs.first?.seat == .seat("17A"))
        #expect(found.warnings.contains(.missingLeg) && !found.warnings.contains(.shiftedLeg))
    }

    @Test(
        "A number of flights that is wrong is refused: the text ends where its sizes say",
        arguments: [("00", ""), ("00", "   "), ("02", "ab"), ("00", "^102ab"), ("02", "ab^102cd ")])
    func miscounted(size: String, rest: String) throws {
        for count in ["2", "3", "4"] {
            let text = "M" + count + pass(size: size, rest: rest).dropFirst(2)
            #expect(try refusal(Array(text.utf8))?.why?.contains("of flight 2") == true)
        }
    }

    @Test("Flight numbers, the word of a class, separators, accents, a size that is too long")
    func oddities() throws {
        func flight(_ field: String) throws -> String? {
            let found = try read(pass(flight: field))
            return found.legs.first?.flight
        }
        #expect(try flight("042A ") == "FR42A")
        #expect(try flight("0042A") == "FR42A")
        #expect(try flight("61   ") == "FR61")
        #expect(try flight("00834") == "FR834")
        #expect(try flight(" 834a") == "FR834A")
        #expect(try flight("0000 ") == nil)
        #expect(try flight("12345") == nil)
        #expect(try flight("     ") == nil)
        let business = try read(pass(class: "BUSINESS")).legs.first
        #expect(business?.compartment == "BUSINESS" && business?.seat == .seat("17A"))
        #expect(try read(pass(size: "FF", rest: "LX")).warnings == [.shortVariableField])
        #expect(try read(pass(rest: ">5180")).warnings == [.trailing])
        #expect(try read(pass(carrier: "EZY")).legs.first?.flight == "EZY202")
        #expect(try read(pass(carrier: " SK")).legs.first?.flight == "SK202")
        let strange = try read(pass(carrier: "F-R")).legs.first
        #expect(strange?.carrier == "F-R" && strange?.flight == nil)
        let plain = try read(pass())
        #expect(try read(pass().replacing("DUB", with: "\u{1D}DUB")) == plain)
        #expect(try read(pass().replacing("DOE", with: "DÖ\u{20AC}")) == plain)
    }
}
