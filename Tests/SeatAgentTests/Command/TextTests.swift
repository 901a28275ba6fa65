// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import View
@testable import Wording
import Protocol
import Testing

@testable import SeatAgent
@testable import Text
@testable import Trips

private let ada: JSON = ["name": "ada", "tag": "#aaaa", "key": "a", "seats": ["14C"], "me": true]
private let bo: JSON = ["name": "bo", "tag": "#bbbb", "key": "b", "seats": ["12A"]]
private let cy: JSON = ["name": "cy", "tag": "#cccc", "key": "c", "seats": ["20F"]]

private func request(_ more: [String: JSON]) -> RequestText {
    let base: JSON = [
        "number": 1, "state": "open", "needs_answer": false, "note": "", "by": ada, "with": [bo],
        "left": 521,
        "moves": [
            ["seat": "12A", "from": bo, "to": ada], ["seat": "14C", "from": ada, "to": bo],
        ],
    ]
    return RequestText(request: base.adding(more))
}

@Suite("Words for people")
struct TextTests {
    @Test("Requests in both directions")
    func requests() {
        #expect(request([:]).sentence == "you ask bo #bbbb (12A) for 12A and give 14C")
        let asked = request(["by": bo, "needs_answer": true, "note": "snacks\nincluded"])
        #expect(
            asked.line() == "1  bo #bbbb (12A) asks for your 14C and gives 12A  "
                + "\"snacks included\"  8:41 left  seatagent accept 1")
        #expect(asked.line(slash: true).hasSuffix("  /accept 1"))
        #expect(
            asked.consent.question
                == "Give your 14C (aisle) to bo #bbbb (12A) and take 12A (window)?")
        #expect(request(["state": "agreed"]).line().hasSuffix("agreed, confirming..."))
        let gone: JSON = ["name": "bo", "tag": "#bbbb", "key": "b", "seats": [], "away": true]
        let ring = request(["state": "agreed", "by": gone, "with": [bo, cy]])
        #expect(ring.agreement == "agreed; waiting for bo #bbbb, who is out of reach")
        #expect(request(["state": "agreed", "by": gone]).agreement == "agreed, confirming...")
    }

    @Test("A swap without an outcome is none of the open ones, and is not left out")
    func counted() {
        func words(_ open: Int, _ stranded: Int) -> String {
            LookCommands.requests(
                RequestCounts(in: open, out: 0, agreed: 0, stranded: stranded))
        }
        #expect(words(0, 0) == "none open" && words(2, 0) == "2 for you, 0 from you")
        #expect(words(0, 1) == "1 without an outcome yet")
        #expect(words(1, 1) == "1 for you, 0 from you, 1 without an outcome yet")
    }

    @Test("Whoever has several seats leaves all of them in one line")
    func moving() throws {
        let seats = ["9A", "9B", "17A", "17B"].compactMap { Seat($0) }
        let me = Person(key: "a", tag: "#aaaa", name: "ada", seats: [], me: true)
        let cy = Person(key: "c", tag: "#cccc", name: "cy", seats: [])
        func step(_ who: Person, _ kind: MovingKind, _ from: Int, _ to: Int?) -> MovingStep {
            MovingStep(who: who, step: kind, from: seats[from], to: to.map { seats[$0] })
        }
        #expect(
            MovingText.lines([
                step(me, .waits, 0, nil), step(me, .waits, 1, nil), step(cy, .moves, 2, 0),
                step(me, .sits, 0, 2), step(me, .sits, 1, 3),
            ]).suffix(3) == [
                "1. you stand up from 9A and 9B and wait in the aisle",
                "2. cy #cccc moves from 17A to 9A", "3. you sit down in 17A and 17B",
            ])
    }

    @Test("The words of a counter-offer stand with whose they are")
    func countered() {
        let theirs = request(["by": bo, "note": "window please", "revised": true])
        #expect(theirs.note == "  bo: \"window please\"")
        #expect(request(["note": "aisle", "revised": true]).note == "  you: \"aisle\"")
        #expect(request(["by": bo, "note": "aisle"]).note == "  \"aisle\"")
        #expect(request(["by": bo, "note": "", "revised": true]).note == "")
    }

    @Test("No column of peers runs into the next one")
    func columns() {
        let long: JSON = [
            "name": .string(String(repeating: "w", count: 24)), "tag": "#dddd", "confusable": true,
            "seats": ["12A", "12B", "12C"], "evidence": ["vouched": 3],
        ]
        let columns = PeerColumns([bo, long])
        for who in [bo, long] {
            let line = columns.line(WhoText.seats(who), WhoText.tagged(who))
            #expect(line.hasPrefix(WhoText.seats(who) + "  "))
            #expect(line.contains(WhoText.tagged(who) + "  "))
            #expect(line.count == columns.line("", "").count)
        }
        #expect(PeerColumns([bo]).line("12A", "bo").count == 40)
    }

    @Test("A line shows when it was said; what to know of that stands before every word of it")
    func saidAt() {
        let line: JSON = [
            "event": "chat", "who": bo, "text": "hi", "at": "2026-11-21T10:02:00Z",
            "said_at": "2026-11-21T09:40:00Z",
        ]
        let clock = EventText.clock("2026-11-21T09:40:00Z")
        #expect(EventText(event: line).line == clock + "  bo (12A)  hi")
        #expect(EventText(event: line.adding(["late": true])).line == clock + " late  bo (12A)  hi")
        #expect(
            EventText(event: line.adding(["clock_ahead": true])).line
                == clock + " clock ahead  bo (12A)  hi")
    }

    @Test("A ring names every seat")
    func ring() {
        let ring = request([
            "by": bo, "with": [bo, cy],
            "moves": [
                ["seat": "12A", "from": bo, "to": cy], ["seat": "14C", "from": ada, "to": bo],
                ["seat": "20F", "from": cy, "to": ada],
            ],
        ])
        #expect(
            ring.sentence == "bo #bbbb (12A) proposes: you give 14C and get 20F, "
                + "bo #bbbb gives 12A and gets 14C, cy #cccc gives 20F and gets 12A")
        #expect(
            ring.swapped == "Swapped: cy is now in 12A, bo in 14C, ada in 20F. "
                + "Receipt 1, signed by all 3, says who stands up when.")
        #expect(
            ring.closing(slash: true).hasSuffix("all 3, says who stands up when: /receipt 1."))
        #expect(
            ring.consent.lines == [
                "bo #bbbb (12A) proposes:", "  you give 14C (aisle) and get 20F (window)",
                "  bo #bbbb gives 12A and gets 14C", "  cy #cccc gives 20F and gets 12A",
            ])
        #expect(ring.consent.question == "Agree?")
        #expect(ring.evidence == ["bo #bbbb and cy #cccc only claim their seats."])
    }

    @Test("The end of a swap reads the same on both sides")
    func swapped() {
        let words = "Swapped: ada is now in 12A, bo in 14C. Receipt 1, signed by both."
        #expect(request(["state": "final"]).swapped == words)
        #expect(request(["state": "final", "by": bo]).swapped == words)
    }

    @Test("A wait that ends without a swap has the exit code of its reason")
    func failures() {
        let declined = request(["state": "declined", "reason": "my wife sits here"]).failure
        #expect(declined?.code.exit == .refused)
        #expect(declined?.why == "my wife sits here")
        #expect(request(["state": "expired"]).failure?.code.exit == .refused)
        #expect(request(["state": "withdrawn"]).failure?.code.exit == .refused)
        #expect(request(["state": "failed"]).failure?.code.exit == .failed)
        for state in ["open", "agreed", "stranded", "final"] {
            #expect(request(["state": .string(state)]).failure == nil)
        }
    }

    @Test("aTwinIsAlikeAfterItsSeatsMoved")
    func aTwinIsAlikeAfterItsSeatsMoved() {
        let before = request([:])
        let (adaThere, boThere) = (ada.adding(["seats": ["12A"]]), bo.adding(["seats": ["14C"]]))
        let after = request([
            "moves": [
                ["seat": "12A", "from": boThere, "to": adaThere],
                ["seat": "14C", "from": adaThere, "to": boThere],
            ]
        ])
        #expect(after.isAlike(before))
        let other = request([
            "moves": [
                ["seat": "12A", "from": cy, "to": ada], ["seat": "14C", "from": ada, "to": cy],
            ]
        ])
        #expect(!other.isAlike(before))
    }

    @Test("Names: harmless, with the tag where another has the same")
    func names() {
        #expect(WhoText.seated(bo) == "bo (12A)")
        #expect(WhoText.short(bo.adding(["ambiguous": true])) == "bo #bbbb")
        #expect(
            WhoText.full(bo.adding(["confusable": true])) == "bo #bbbb (look-alike) (12A)")
        #expect(WhoText.full(bo.adding(["name": "\u{1B}[2J"])) == "\u{FFFD}[2J #bbbb (12A)")
        #expect(WhoText.short(bo.adding(["name": " "])) == "#bbbb")
        #expect(cellWidth(WhoText.short(bo.adding(["name": .string("座".repeated(40))]))) <= 24)
    }

    @Test("Events of every kind make one line, or none")
    func events() {
        func line(_ members: [String: JSON]) -> String? {
            EventText(event: .object(members), slash: true).line?.dropFirst(7).description
        }
        #expect(line(["event": "chat", "who": bo, "text": "hi\nyou"]) == "bo (12A)  hi you")
        #expect(
            line(["event": "message", "who": bo, "text": "x", "state": "received"])
                == "bo (12A) to you: x")
        #expect(
            line([
                "event": "message", "who": bo, "text": "x", "outgoing": true, "state": "gave-up",
            ]) == "to bo (12A): x  !")
        #expect(
            line(["event": "offer", "who": bo, "seats": ["12A"], "wants": ["aisle"], "note": ""])
                == "* bo offers 12A (window) for an aisle seat")
        #expect(
            line(["event": "offer", "who": bo, "seats": []]) == "* bo takes the offer back")
        #expect(
            line(["event": "seat", "seat": "12A", "holders": [bo, cy]])
                == "* 12A is claimed by bo #bbbb and cy #cccc")
        #expect(line(["event": "seat", "seat": "12A", "holders": []]) == "* 12A is open")
        #expect(
            line(["event": "peer", "change": "away", "who": bo]) == "* bo (12A) is out of reach")
        #expect(line(["event": "ready"]) == nil)
        #expect(line(["event": "of-the-future"]) == nil)
        #expect(EventText.mark("waiting", ascii: false) == "…")
        #expect(EventText.mark("acknowledged", ascii: false) == "✓")
    }

    @Test("Status: the window in words")
    func window() {
        let times: JSON = ["opens": "O", "closes": "C", "seconds": 7140]
        #expect(WindowText.line(.null) == "open at any time")
        #expect(
            WindowText.line(times.adding(["state": "early"])) == "open in 1 h 59 min, at O")
        #expect(
            WindowText.line(times.adding(["state": "open"]))
                == "open for 1 h 59 min more, until C")
        #expect(
            WindowText.line(times.adding(["state": "closed"]))
                == "over since C, 1 h 59 min ago")
    }
}

@Suite("The seat map in letters")
struct SeatPictureTests {
    private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

    @Test("Upright: 32 rows, letters where people are")
    func upright() throws {
        let picture = SeatPicture(
            marks: [try seat("1A"): .aboard, try seat("14C"): .me, try seat("32F"): .disputed],
            ascii: true)
        let lines = picture.upright
        #expect(lines.count == 35)
        #expect(lines[0] == "      A  B  C     D  E  F")
        #expect(lines[1] == "  1   o  .  .     .  .  .")
        #expect(lines[14] == " 14   .  .  @     .  .  .")
        #expect(lines[32] == " 32   .  .  .     .  .  ?")
        #expect(lines[34].contains("@ you"))
    }

    @Test("Lying: as the design has it")
    func lying() throws {
        let picture = SeatPicture(marks: [try seat("1F"): .aboard, try seat("14C"): .me])
        let lines = picture.lying
        #expect(lines[0] == "    1       5        10        15        20        25        30")
        #expect(lines[1].hasPrefix(" F  o · ·"))
        #expect(lines[4] == "  <front")
        #expect(Array(lines[5])[4 + 2 * 13] == "@")
        #expect(lines.allSatisfy { cellWidth($0) <= 80 })
    }

    @Test("Colour changes nothing but colour")
    func colour() throws {
        let plain = SeatPicture(marks: [try seat("14C"): .wants])
        var coloured = plain
        coloured.colour = true
        let stripped = coloured.upright.map { line in
            line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset == 0 ? $0.element : $0.element.drop { $0 != "m" }.dropFirst() }
                .joined()
        }
        #expect(stripped == plain.upright)
    }

    @Test("What a seat is to me")
    func marks() throws {
        func seat(_ text: String, _ holders: JSON...) -> JSON {
            [
                "seat": .string(text), "holders": .array(holders),
                "state": holders.count > 1 ? "disputed" : "held",
            ]
        }
        func other(_ key: String) -> JSON { ["key": .string(key)] }
        let map: JSON = [
            "seats": [
                seat("14C", ada), seat("1A", other("x")), seat("2A", other("offers")),
                seat("3A", other("wants")), seat("4A", other("asks")),
                seat("5A", other("x"), other("y")),
            ]
        ]
        let peers: [JSON] = [
            ["key": "offers", "offer": ["seats": ["2A"], "wants": ["window", "1D"]]],
            ["key": "wants", "offer": ["seats": ["3A"], "wants": ["aisle"]]],
        ]
        let requests: [JSON] = [["needs_answer": true, "with": [["key": "asks"]]]]
        let marks = SeatMarks.marks(map: map, peers: peers, requests: requests)
        let found = marks.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }
        #expect(found.map(\.0) == ["14C", "1A", "2A", "3A", "4A", "5A"])
        #expect(found.map(\.1) == [.me, .aboard, .offers, .wants, .asks, .disputed])
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
