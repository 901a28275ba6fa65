// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ControlAPI
@testable import Text

@Suite("Values as JSON")
struct JSONCodingTests {
    private struct Inner: Codable, Hashable {
        var deepName: String
    }

    private struct Sample: Codable, Hashable {
        var needsAnswer: Bool
        var count: Int
        var left: String?
        @OrNull var shown: String?
        @IfTrue var marked: Bool
        var list: [Int]
        @Flat var inner: Inner
        var raw: JSON
    }

    private let sample = Sample(
        needsAnswer: false, count: -3, left: nil, shown: nil, marked: false, list: [1, 2],
        inner: Inner(deepName: "x"), raw: ["Any": .null])

    @Test("Members are null or left out as their type says, and stand in the order of their bytes")
    func written() {
        #expect(
            JSON(sample).line == "{\"count\":-3,\"deep_name\":\"x\",\"list\":[1,2],"
                + "\"needs_answer\":false,\"raw\":{\"Any\":null},\"shown\":null}")
        var other = sample
        (other.left, other.shown, other.marked) = ("l", "s", true)
        let json = JSON(other)
        #expect(json["left"] == "l" && json["shown"] == "s" && json["marked"] == true)
        #expect(JSON(Done()) == [:])
    }

    @Test("What was written is read again, patiently and strictly")
    func again() throws {
        #expect(try Sample(told: JSON(sample)) == sample)
        #expect(try Sample(asked: JSON(sample)) == sample)
        let more = JSON(sample).adding(["of_the_future": [1]])
        #expect(try Sample(told: more) == sample)
    }

    @Test("An answer may lack members; a question may lack flags and lists only")
    func missing() throws {
        let empty = try Sample(told: [:])
        #expect(empty.count == 0 && empty.list.isEmpty && empty.inner.deepName.isEmpty)
        #expect(try Sample(told: ["count": .null]).count == 0)
        let rest: JSON = ["count": 1, "deep_name": "x", "raw": 1]
        #expect(try Sample(asked: rest).list.isEmpty)
        #expect(try Sample(asked: rest.adding(["list": .null])).list.isEmpty)
        #expect(throws: JSONFault(path: ["count"], wanted: "a whole number")) {
            try Sample(asked: ["deep_name": "x"])
        }
    }

    @Test("A fault names its place and what is wanted there")
    func faults() {
        #expect(throws: JSONFault(path: ["list", "1"], wanted: "a whole number")) {
            try Sample(told: ["list": [1, "2"]])
        }
        #expect(throws: JSONFault(path: ["count"], wanted: "a whole number")) {
            try Sample(told: ["count": .double(1.5)])
        }
        #expect(throws: JSONFault(path: [], wanted: "an object")) { try Sample(told: "x") }
        let fault = JSONFault(path: ["list", "\u{1B}"], wanted: "a string")
        #expect(fault.sentence == "list.\u{FFFD} is not a string")
    }

    @Test("A word of a newer program is kept, and is none of the list")
    func words() throws {
        let told: Word<RequestState> = try Word(told: "of-the-future")
        #expect(told.known == nil && JSON(told) == "of-the-future" && told != .open)
        #expect(try Word<RequestState>(told: "open") == .open)
    }

    @Test("The members of a type are known with their words")
    func members() throws {
        let members = try Sample.members()
        #expect(
            members.map(\.path) == [
                ["needs_answer"], ["count"], ["left"], ["shown"], ["marked"], ["list"],
                ["deep_name"], ["raw"],
            ])
        let states = try SwapRequest.members().first { $0.path == ["state"] }?.words
        #expect(states == RequestState.allCases.map(\.rawValue))
    }

    private struct Words: Codable, Hashable {
        var byName: [String: [Int]]
        @OrNull var more: [String: String]?
        var rest: [String: [String: Bool]]?
    }

    @Test("Keys that are somebody's words are written and read as they are")
    func wordsAsKeys() throws {
        let sample = Words(
            byName: ["Bo": [1], "bo": [2], "aB_C": []], more: ["Zoë": "É"],
            rest: ["A": ["B": true]])
        let line =
            "{\"by_name\":{\"Bo\":[1],\"aB_C\":[],\"bo\":[2]},"
            + "\"more\":{\"Zoë\":\"É\"},\"rest\":{\"A\":{\"B\":true}}}"
        #expect(JSON(sample).line == line)
        #expect(try Words(told: try JSON(line: line)) == sample)
        #expect(try Words(asked: try JSON(line: line)) == sample)
        #expect(JSON(["Bo": 1]).line == "{\"Bo\":1}")
        #expect(try [String: Int](told: ["Bo": 1]) == ["Bo": 1])
        #expect(throws: JSONFault(path: ["by_name", "Bo", "0"], wanted: "a whole number")) {
            try Words(asked: ["by_name": ["Bo": ["x"]]])
        }
        #expect(throws: JSONFault(path: ["by_name"], wanted: "an object")) {
            try Words(asked: [:])
        }
        #expect(try Words(told: [:]).byName.isEmpty)
    }

    @Test("An object's members are known with what stands there and whether they may be missing")
    func objects() throws {
        let objects = try PeerNews.objects()
        #expect(objects.map(\.name) == ["PeerNews", "Person", "Evidence", "HostPerson"])
        let first = objects[0].members
        #expect(first.map(\.name) == ["change", "who", "was", "name", "id"])
        #expect(first.map(\.mayLack) == [false, false, true, true, true])
        #expect(first[0].kind == .word("PeerChange", PeerChange.allCases.map(\.rawValue)))
        #expect(first[1].kind == .object("Person") && first[2].kind == .text)
        let person = Dictionary(uniqueKeysWithValues: objects[1].members.map { ($0.name, $0.kind) })
        #expect(person["seats"] == .list(.form("seat")) && person["me"] == .ifTrue)
        #expect(person["away_since"] == .form("date"))
        #expect(objects[2].members.map(\.name) == ["verified", "party", "vouched", "own"])
        let peer = try Peer.objects()
        #expect(peer[0].members.map(\.name).prefix(3) == ["key", "tag", "name"])
        #expect(
            peer[0].members.first { $0.name == "misdeed" }?.kind == .orNull(.object("Conviction")))
        #expect(peer.contains { $0.name == "Conviction.Record" })
    }
}
