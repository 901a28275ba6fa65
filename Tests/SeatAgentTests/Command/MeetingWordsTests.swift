// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text
import Testing

@testable import Wording

@Suite("What people are told of passengers at a meeting point")
struct MeetingWordsTests {
    private func words(
        ago: Int?, awaySince: Int64? = nil, left: Bool = false, reach: Reach = .nowhere
    ) -> [String] {
        let now: Int64 = 100_000
        let presence = ago.map {
            MeetingPresence(
                at: Stamp(UTCTime(seconds: now - Int64($0))), ago: $0, online: $0 < 900)
        }
        let person = Person(
            key: "", tag: "#c2d9", name: "bo", seats: [],
            awaySince: awaySince.map { Stamp(UTCTime(seconds: now - $0)) })
        return ReachText.words(
            Peer(
                person: person, linked: false, blocked: false, forked: false, misdeed: nil,
                left: left, away: true, offer: nil, address: nil, found: nil, oneWay: false,
                reach: Word(reach), through: [], meeting: presence))
    }

    @Test("A card that is younger than a quarter of an hour means that they are there")
    func presence() {
        #expect(words(ago: 899) == ["at the meeting point"])
        #expect(words(ago: 3 * 3600) == ["left records 3 h ago"])
        #expect(words(ago: nil) == ["here, agent away"])
        #expect(words(ago: 60, left: true) == ["has left"])
        #expect(words(ago: 60, reach: .through) == ["within reach through "])
    }

    @Test("Who was met here after they left their records is away since then")
    func met() {
        #expect(words(ago: 3 * 3600, awaySince: 600)[0].hasPrefix("here, agent away since"))
        #expect(words(ago: 3 * 3600, awaySince: 4 * 3600) == ["left records 3 h ago"])
    }

    @Test("The greeting says who left records, or why nobody knows yet")
    func greeting() {
        var facts = MeetingFacts(
            name: "meet.example.org", homes: [], entries: 0, passengers: 0, online: 0, read: false,
            unreachable: nil, trouble: nil)
        let name = "Meeting point meet.example.org: "
        #expect(MeetingText.greeting(facts) == name + "looking for it.")
        facts.trouble = "nothing answers at m2"
        #expect(MeetingText.greeting(facts) == name + "nothing answers at m2; trying again.")
        facts.homes = [.init(broker: "m2", port: 8883, up: true, stored: nil)]
        #expect(MeetingText.greeting(facts) == name + "reading what others have left.")
        (facts.read, facts.passengers, facts.online) = (true, 23, 9)
        #expect(MeetingText.greeting(facts) == name + "23 passengers have left records, 9 online.")
        let words = { MeetingText.lines(facts, gated: true).filter { $0.contains("newer") } }
        #expect(words().isEmpty)
        facts.behind = 2
        #expect(
            words() == [
                "others' cards are newer than their boxes for 2 passengers: it may hold records"
                    + " back (meetWithholds)"
            ])
    }

    @Test("Where a flight is full, it says how many are left out, and what prevents that")
    func full() {
        var facts = reached
        facts.turnedAway = 104
        #expect(
            MeetingText.lines(facts, gated: true).contains(
                "your agent takes no more passengers from there, and leaves out 104: somebody may"
                    + " be making them up, which --code prevents"))
    }

    private let reached = MeetingFacts(
        name: "meet.example.org", homes: [.init(broker: "m2", port: 8883, up: true, stored: nil)],
        entries: 3, passengers: 1, online: 1, read: true, unreachable: nil, trouble: nil)

    @Test("Until all was read there is a sign of it, and none after that")
    func sign() {
        var facts = reached
        #expect(MeetingText.sign(facts) == nil)
        facts.read = false
        #expect(MeetingText.sign(facts) == "reading what others left at the meeting point")
        facts.homes = []
        #expect(MeetingText.sign(facts) == "looking for meet.example.org")
    }

    @Test("Before its time the meeting point says when that is")
    func begins() {
        var facts = reached
        let begins = Stamp(UTCTime(seconds: 1_796_400_000))
        facts.begins = begins
        let day = MeetingText.day(begins)
        #expect(day.hasPrefix("Fri 4 Dec "))
        #expect(MeetingText.greeting(facts) == "Meeting point meet.example.org: from \(day) on.")
        #expect(
            MeetingText.lines(facts, gated: true)[0]
                == "meet.example.org from \(day) on (rendezvous.hours)")
    }

    @Test("Without a mailbox only a card is stored")
    func noMailbox() {
        var facts = reached
        facts.mailbox = false
        facts.homes[0].stored = Stamp(UTCTime(seconds: 9))
        #expect(
            MeetingText.lines(facts, gated: true)[0]
                == "meet.example.org, m2 up; your card stored, and no records")
    }

    @Test("One broker that has the name of the meeting point is named once")
    func oneName() {
        var facts = reached
        facts.homes = [.init(broker: facts.name, port: 8883, up: true, stored: nil)]
        #expect(MeetingText.lines(facts, gated: true)[0].hasPrefix("meet.example.org up; "))
    }

    @Test("A clock that is too far from this one is named, with what is known of it")
    func clocks() {
        var facts = reached
        let bo = Person(key: "", tag: "#c2d9", name: "bo", seats: [])
        facts.clocks = [420, -90, nil].map { MeetingFacts.Clock(who: bo, ahead: $0) }
        let rest = "no swap or message goes between you until both are right"
        #expect(
            Array(MeetingText.lines(facts, gated: true)[2...4]) == [
                "bo #c2d9's clock is \(SpanText.words(420)) ahead of yours: \(rest)",
                "bo #c2d9's clock is \(SpanText.words(90)) behind yours: \(rest)",
                "bo #c2d9's clock and yours are more than a minute apart: \(rest)",
            ])
    }

    @Test("Who is there can be asked: a request goes through the meeting point")
    func asked() {
        let bo = Person(key: "", tag: "#c2d9", name: "bo", seats: [], remote: true)
        #expect(ReachText.waits(bo)?.hasPrefix("bo #c2d9 is at the meeting point") == true)
    }
}
