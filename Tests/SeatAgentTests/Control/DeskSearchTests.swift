// SPDX-License-Identifier: Apache-2.0
@testable import Wording
import Testing

@testable import CivilTime
@testable import Protocol
@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Transport

@Suite("The desk: searching")
struct DeskSearchTests {
    @Test("Lines say who, when and where, as the events of log do")
    func lines() throws {
        var voyage = try Voyage()
        try voyage.add(.chat(text: "a window?", replyTo: nil), by: voyage.bo)
        let entry = try #require(voyage.logs.log(of: voyage.bo.key)?.entries.last)
        let host = FakeHost(FakeNode(voyage))
        let id = try #require(ThreadID(Array(repeating: 1, count: 16)))
        let sent = DirectMessage(
            id: id, peer: voyage.bo.key, outgoing: true, text: "my window",
            at: UTCTime(seconds: 60), state: .acknowledged)
        var received = sent
        received.outgoing = false
        received.state = .received
        host.found = [
            .chat(entry, seen: UTCTime(seconds: 0)), .message(sent), .message(received),
        ]
        let result = try #require(host.result("search", ["text": "window"]))
        let items = try #require(result["items"]?.list)
        #expect(items.map { $0["where"] } == ["all", "to", "from"])
        #expect(items.map { $0["event"] } == ["chat", "message", "message"])
        #expect(items.map { $0["text"] } == ["a window?", "my window", "my window"])
        #expect(items.map { $0["at"] }.first == "1970-01-01T00:00:00Z")
        #expect(items.allSatisfy { $0["who"]?["name"] == "bo" })
        #expect(result["more"] == false)
        #expect(host.result("search", ["text": "window", "limit": 2])?["more"] == true)
        #expect(items.allSatisfy { SearchCommand.line($0, nil, ascii: false) != nil })
    }

    @Test("A day stands before the lines of another day, and of no other")
    func days() throws {
        let event: JSON = [
            "event": "chat", "at": "2026-11-22T12:00:00Z", "who": ["name": "bo"], "text": "hi",
        ]
        let today = try #require(LocalDay(UTCTime(seconds: 1_795_348_800)))
        #expect(today.text == "2026-11-22")
        let plain = EventText(event: event).line
        #expect(SearchCommand.line(event, today, ascii: false) == plain)
        let later = LocalDay(UTCTime(seconds: 1_795_348_800 + 86_400 * 3))
        #expect(SearchCommand.line(event, later, ascii: false) == "2026-11-22 " + (plain ?? ""))
    }

    @Test("What has no words is refused")
    func refused() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        #expect(host.refusal("search", ["text": "?"])?.code == .emptyText)
        #expect(host.refusal("search")?.code == .badRequest)
    }
}
