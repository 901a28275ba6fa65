// SPDX-License-Identifier: Apache-2.0
@testable import View
@testable import Wording
import Testing

@testable import Profile
@testable import Protocol
@testable import SeatAgent
@testable import Text

@Suite("Names that look alike, and names that alarm")
struct NameTests {
    @Test(
        "Names that people take for each other have one skeleton",
        arguments: [
            ("ada", "ADA"), ("ada", "аda"), ("ada", "àdá"), ("ada", "ａｄａ"), ("ada", "𝐚𝐝𝐚"),
            ("ada", "a d a"), ("ada", "a.d.a"), ("ada", "@da"), ("bo", "b0"), ("bo", "bо"),
            ("bo", "βο"), ("lily", "1i1y"), ("lily", "IiIy"), ("marna", "rnama"), ("will", "vvill"),
            ("ada", "ⓐⓓⓐ"), ("ada", "🅐🅓🅐"), ("cox", "сох"), ("ada", "a\u{301}da"),
        ])
    func alike(_ one: String, _ other: String) {
        #expect(NameSkeleton(one) == NameSkeleton(other))
    }

    @Test(
        "Names that people tell apart have not",
        arguments: [("ada", "bo"), ("ada", "adam"), ("ana", "anna"), ("座席", "座"), ("🐟", "🐠")])
    func apart(_ one: String, _ other: String) {
        #expect(NameSkeleton(one) != NameSkeleton(other))
    }

    @Test("Every name that a peer takes has a skeleton")
    func hostile() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 41) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(NameSkeleton(String(scalar)).text.unicodeScalars.count <= 8)
        }
    }

    @Test(
        "Nobody is called what alarms, in whatever letters",
        arguments: [
            "crew", "The Captain", "C A P T A I N", "сaptain", "ＣＲＥＷ", "air-marshal", "b0mb",
            "Cabin Crew 2", "SeatAgent", "p1lot",
        ])
    func alarming(_ name: String) {
        #expect(throws: UserError.self) {
            try PassengerName.check(name, advice: "seatagent rename ada")
        }
    }

    @Test(
        "Names of people are names",
        arguments: [
            "Allan", "Mel", "To", "Andrew", "Al Stewart", "Crewe", "ada l.", "passenger", "Пётр",
            "座", "Bo 2",
        ])
    func harmless(_ name: String) throws {
        #expect(try PassengerName.check(name, advice: "seatagent rename ada") == name)
    }

    @Test(
        "Nobody is called what reads as a seat, a tag or a word for others",
        arguments: ["12A", "14 c", "all", "ALL", "a l l", "Me", "everyone", "#c2d9", "/me", "you"])
    func reserved(_ name: String) {
        let error = #expect(throws: UserError.self) {
            try PassengerName.check(name, advice: "seatagent rename ada")
        }
        #expect(error?.code == .nameRefused)
        #expect(error?.why != nil)
    }

    @Test("Whom an agent of another make calls all is shown with the tag, and meant by it only")
    func called() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let tag = host.node.passengers[1].key.shortTag
        for name in ["all", "14C", "me"] {
            host.node.passengers[1].name = name
            let who = host.result("who", ["who": "12A"])
            #expect(who?["reserved"] == true)
            #expect(WhoText.short(who) == "\(name) \(tag) (a passenger)")
            // 14C is ada's seat: the word means her, whoever is called so.
            if name == "14C" {
                #expect(host.result("who", ["who": .string(name)])?["me"] == true)
                continue
            }
            let error = host.refusal("msg", ["who": .string(name), "text": "psst"])
            #expect(error?.code == .ambiguous)
            #expect(error?.advice == "seatagent msg '\(tag)' \"hi\"")
        }
        #expect(host.performed.isEmpty)
    }

    @Test("Both who look alike are marked, and not who has left or gave no name")
    func marked() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        host.node.passengers[2].name = "B0"
        func mark(_ seat: String) -> JSON? {
            host.result("who", ["who": .string(seat)])?["confusable"]
        }
        #expect(mark("12A") == true)
        #expect(mark("20F") == true)
        #expect(mark("14C") == nil)
        #expect(WhoText.short(host.result("who", ["who": "12A"])).hasSuffix(" (look-alike)"))
        host.node.passengers[2].hasLeft = true
        #expect(mark("12A") == nil)
        host.node.passengers[2].hasLeft = false
        host.node.passengers[1].name = "passenger"
        host.node.passengers[2].name = "passenger"
        #expect(mark("12A") == nil)
    }

    @Test("A look-alike name is refused while its owner is aboard, and the way out works")
    func refused() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let error = host.refusal("rename", ["name": "BО"])
        #expect(error?.code == .nameRefused)
        #expect(error?.advice == "seatagent rename passenger-14c")
        #expect(host.performed.isEmpty)
        #expect(host.refusal("rename", ["name": "captain"])?.code == .nameRefused)
        #expect(host.refusal("rename", ["name": "ada"])?.code != .nameRefused)
    }

    @Test("A peer who calls themselves captain all the same is shown as a passenger")
    func captain() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        host.node.passengers[1].name = "Captain"
        let who = host.result("who", ["who": "12A"])
        #expect(who?["alarming"] == true)
        #expect(WhoText.short(who).hasSuffix(" (a passenger)"))
    }
}
