// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Wording
@testable import View
import Protocol
import Testing

@testable import SeatAgent
@testable import Terminal
@testable import Text

@Suite("What the agent says, on the screen")
struct ViewFeedTests {
    private func event(_ name: String, _ members: [String: JSON]) -> JSON {
        JSON.object(members).adding(["event": .string(name), "at": "2026-11-21T10:02:00Z"])
    }

    @Test("Own words are marked by how far they have come, in whatever order that is learnt")
    func delivery() {
        var view = Aboard()
        _ = view.hear(Aboard.ada, "first", id: "1")
        view.answer(.say("first"), ["id": "1", "linked": 2])
        view.answer(.say("second"), ["id": "2", "linked": 0])
        _ = view.hear(Aboard.ada, "second", id: "2")
        let marks = view.state.conversations[0].lines.suffix(2).map(\.mark)
        #expect(marks == [.delivered(2), .failed])
        view.message(Aboard.bo, "psst", state: "waiting")
        #expect(view.state.conversations[1].lines.last?.mark == .waiting)
        view.message(Aboard.bo, "psst", state: "acknowledged")
        #expect(view.state.conversations[1].lines.map(\.mark) == [.delivered(1)])
        #expect(view.state.unread == 0)
    }

    @Test("Lines that come while one looks elsewhere are counted and begin at a line")
    func unread() {
        var view = Aboard()
        _ = view.hear(Aboard.bo, "seen")
        view.press(.focus(false))
        _ = view.hear(Aboard.bo, "unseen")
        _ = view.hear(Aboard.ada, "own")
        #expect(view.state.unread == 1)
        view.press(.focus(true))
        #expect(view.state.unread == 0)
        let screen = view.screen
        let new = screen.firstIndex { $0.contains(" new ") }
        let line = screen.firstIndex { $0.hasSuffix("unseen") }
        #expect(new != nil && line == new.map { $0 + 1 })
        view.message(Aboard.bo, "psst")
        view.press(.alt("2"), .alt("1"))
        #expect(!view.screen.contains { $0.contains(" new ") })
    }

    @Test("The history comes once, live lines that overlap it too")
    func history() {
        var view = Aboard()
        _ = view.hear(Aboard.bo, "live", id: "3")
        _ = view.hear(Aboard.bo, "last", id: "4")
        let items: [JSON] = [
            event("peer", ["change": "joined", "who": Aboard.bo]),
            event("peer", ["change": "joined", "who": Aboard.ada]),
            event("seat", ["seat": "12A", "change": "claimed", "who": Aboard.bo]),
            event("chat", ["who": Aboard.bo, "text": "old", "id": "1"]),
            event("chat", ["who": Aboard.bo, "text": "live", "id": "3"]),
        ]
        view.answer(.history, ["items": .array(items)])
        let texts = view.state.conversations[0].lines.map(\.text)
        #expect(texts == ["* bo (12A) joined", "old", "live", "last"])
        _ = view.hear(Aboard.bo, "last", id: "4")
        #expect(view.state.conversations[0].lines.count == 4)
    }

    @Test("The time that a line states is shown, and marked where no words reach")
    func statedTimes() {
        var view = Aboard()
        let said = { (text: String, hour: Int, mark: String?) -> JSON in
            event(
                "chat",
                JSON.object(present: [
                    "who": Aboard.bo, "text": .string(text), "id": .string(text),
                    "said_at": .string("2026-11-21T\(hour):02:00Z"),
                ]).adding(mark.map { [$0: true] } ?? [:]).members ?? [:])
        }
        view.answer(
            .history,
            [
                "items": [
                    said("plain", 10, nil), said("old", 11, "late"), said("x", 12, "clock_ahead"),
                ]
            ])
        let clocks = [10, 11, 12].map { EventText.clock("2026-11-21T\($0):02:00Z") }
        #expect(view.state.conversations[0].lines.map(\.clock) == clocks)
        let rows = view.screen.filter { line in clocks.contains { line.contains($0 + " ") } }
        #expect(rows.map { $0.hasSuffix("late") } == [false, true, false])
        #expect(rows.map { $0.hasSuffix("clock ahead") } == [false, false, true])
        view = Aboard(width: 39)
        view.answer(.history, ["items": [said("old", 11, "late")]])
        #expect(view.screen.contains { $0.contains("bo 12A (late) old") })
    }

    @Test("Links that come and go are told where they mean something")
    func links() {
        var view = Aboard()
        func tell(_ changes: String..., then seconds: Int64) {
            for change in changes {
                _ = view.state.handle(
                    event: event("peer", ["change": .string(change), "who": Aboard.bo]))
            }
            view.state.now = view.state.now + .seconds(seconds)
            view.state.sayAway()
        }
        var texts: [String] { view.state.conversations[0].lines.map(\.text) }
        // Over in a moment: a link that was made twice ended once.
        tell("aboard", "away", then: 2)
        tell("aboard", then: 9)
        #expect(texts.isEmpty)
        tell("away", "away", then: 3)
        tell("aboard", "aboard", then: 9)
        #expect(texts == ["* bo (12A) is out of reach", "* bo (12A) is aboard"])
        // Who left did not go out of reach as well.
        tell("away", then: 1)
        tell("left", then: 9)
        #expect(texts.suffix(1) == ["* bo (12A) has left"] && texts.count == 3)
    }

    @Test("Comparing codes is a question, and n says that they differ")
    func comparing() {
        var view = Aboard()
        let compare = event(
            "verify", ["state": "compare", "code": "4821 - 1093 - 7746", "who": Aboard.dev])
        _ = view.state.handle(event: compare)
        #expect(view.state.question?.sentence.hasPrefix("4821 - 1093 - 7746") == true)
        // A letter that was on its way is no answer.
        #expect(view.press(.letter("y")).isEmpty && view.state.question != nil)
        view.state.now = view.state.now + .seconds(1)
        let no = ViewIntent.ask(op: "compared", arguments: ["same": false], .compared)
        #expect(view.press(.letter("n")) == [no])
        _ = view.state.handle(event: compare)
        _ = view.state.handle(
            event: event("verify", ["state": "ended", "why": "expired", "who": Aboard.dev]))
        #expect(view.state.question == nil)
        view.type("half a line")
        _ = view.state.handle(event: compare)
        #expect(view.state.question == nil)
        #expect(view.screen[9].hasPrefix(" ! 4821 - 1093 - 7746"))
        view.press(.function(5))
        #expect(view.state.question != nil && view.state.editor.text == "half a line")
    }

    @Test("A question that comes by itself waits for the one that stands")
    func twoQuestions() {
        var view = Aboard()
        view.answer(
            .draft(arguments: ["seat": "12A"]), ["who": Aboard.bo, "give": "14C", "take": "12A"])
        _ = view.state.handle(
            event: event("verify", ["state": "compare", "code": "1", "who": Aboard.dev]))
        view.state.now = view.state.now + .seconds(1)
        #expect(
            view.press(.letter("y")) == [
                .ask(op: "swap", arguments: ["seat": "12A", "holder": "key-bo"], .asked)
            ])
        #expect(view.state.question?.comparing == "key-dev")
    }

    @Test("Codes that are compared stay asked until both have answered, whatever others do")
    func stubborn() {
        var view = Aboard()
        let compare: JSON = ["state": "compare", "code": "1 - 2 - 3", "who": Aboard.dev]
        _ = view.state.handle(event: event("verify", compare.members ?? [:]))
        for state in ["asked", "void"] {
            _ = view.state.handle(
                event: event("verify", ["state": .string(state), "who": Aboard.bo]))
        }
        view.state.now = view.state.now + .seconds(1)
        #expect(view.press(.escape).isEmpty && view.state.question == nil)
        view.press(.function(5))
        #expect(view.state.question?.comparing == "key-dev")
        view.answer(.verify, compare)
        #expect(view.state.following.isEmpty)
        // Other numbers: the old ones cannot be said yes to any more.
        view.press(.escape)
        _ = view.state.handle(
            event: event("verify", ["state": "compare", "code": "9 - 9 - 9", "who": Aboard.dev]))
        view.wait()
        #expect(view.state.following.isEmpty)
        #expect(view.state.question?.code == "9 - 9 - 9")
        #expect(
            view.press(.letter("y")) == [
                .ask(
                    op: "compared", arguments: ["same": true, "code": "9 - 9 - 9"], .compared)
            ])
        _ = view.state.handle(event: event("verify", compare.members ?? [:]))
        // The numbers are never cut, however long the name is.
        view.state.size = Grid.Point(x: 60, y: 16)
        #expect(view.screen.joined().contains("1 - 2 - 3"))
    }

    @Test("An agent that goes away takes no word along, and all comes back with it")
    func losing() {
        var view = Aboard()
        view.type("half a line")
        view.state.lost()
        #expect(view.state.editor.text == "half a line")
        #expect(view.screen.contains { $0.contains("The agent has gone") })
        _ = view.state.found()
        view.state.lost("its log is /x/agent.log")
        #expect(view.screen.contains { $0.contains("Why: its log is /x/agent.log.") })
        #expect(view.state.found().count == 4)
        #expect(!view.state.isLost)
    }

    @Test("What was under way when the agent went away is not called unsent")
    func underWay() {
        var view = Aboard()
        _ = view.state.answered(.answered, .failure(view.state.unanswered))
        view.state.lost()
        _ = view.state.found()
        view.answer(.history, ["items": []])
        let notes = view.state.conversations[0].lines.map(\.text)
        #expect(notes.first?.contains("before it answered") == true)
        #expect(notes.last == "The agent answers again." && notes.count == 3)
    }

    @Test("Numbers of the agent that make no sense stop nothing")
    func numbers() {
        var view = Aboard()
        view.state.now = view.state.now + .seconds(90)
        for number in [Int.min, -1, 0, Int.max] {
            #expect(view.state.left(number, since: Instant(nanoseconds: 0)) ?? -1 >= 0)
            #expect(view.state.left(number, since: view.state.now) ?? -1 >= 0)
        }
    }

    @Test("Conversations have an end, and cut lines move the new line along")
    func limits() {
        var conversation = Conversation(key: nil, name: "all")
        let bo = Person(key: "x", tag: "#x", name: "bo", seats: [])
        let line = ChatLine(
            clock: "", content: .chat(ChatNews(who: bo, text: "t", id: "1")))
        for index in 0..<7000 { conversation.append(line, seen: index < 6900) }
        #expect(conversation.lines.count <= 5500)
        #expect(conversation.unread == 100)
        #expect(conversation.firstNew == conversation.lines.count - 100)
    }
}
