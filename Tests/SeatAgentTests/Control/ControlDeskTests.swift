// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import ControlAPI
@testable import Wording
@testable import Grammar
@testable import View
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Transport

@Suite("The desk: looking")
struct DeskLookTests {
    @Test("The map is the same for all once the marks of oneself are gone")
    func seats() throws {
        let voyage = try Voyage()
        let ada = FakeHost(FakeNode(voyage))
        let bo = FakeHost(FakeNode(voyage))
        bo.node.me = voyage.bo.key
        for index in bo.node.passengers.indices { bo.node.passengers[index].isMe.toggle() }
        let one = try #require(ada.result("seats"))
        let other = try #require(bo.result("seats"))
        #expect(one != other)
        #expect(withoutMe(one).line == withoutMe(other).line)
        #expect(one["seats"]?.list?.map { $0["seat"] } == ["12A", "14C", "20F"])
        #expect(one["seats"]?.list?.first?["state"] == "held")
    }

    private func withoutMe(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            .object(members.filter { $0.key != "me" }.mapValues(withoutMe))
        case .array(let elements): .array(elements.map(withoutMe))
        case .null, .bool, .int, .double, .string: json
        }
    }

    @Test("The window is told to the second")
    func window() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        #expect(host.result("status")?["window"] == .null)
        host.node.window = SelectionWindow(
            departs: UTCTime(seconds: 100_000), lead: 90_000, arrives: UTCTime(seconds: 120_000))
        func state(_ now: Int64) -> JSON? {
            host.now.utc = UTCTime(seconds: now)
            return host.result("status")?["window"]
        }
        #expect(state(9_999)?["state"] == "early")
        #expect(state(9_999)?["seconds"] == 1)
        #expect(state(10_000)?["state"] == "open")
        #expect(state(119_999)?["state"] == "open")
        #expect(state(120_000)?["state"] == "closed")
        #expect(state(120_000)?["opens"] == "1970-01-01T02:46:40Z")
    }

    @Test("What to do next")
    func next() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        #expect(host.result("status")?["next"] == "seatagent seats")
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)])
        host.node.swapRecords = [
            FakeNode.record(3, contract, role: .participant, stage: .invited)
        ]
        #expect(host.result("status")?["next"] == "seatagent accept 3")
        host.node.swapRecords = []
        #expect(host.result("status")?["alone"] == .null)
        for index in host.node.passengers.indices { host.node.passengers[index].isLinked = false }
        // The agent started at 900.
        for (now, next) in [
            (909, "seatagent peers --wait --timeout 60"), (910, "seatagent doctor"),
        ] {
            host.now = Moment(instant: .zero, utc: UTCTime(seconds: Int64(now)))
            #expect(host.result("status")?["alone"] == .int(now - 900))
            #expect(host.result("status")?["next"] == .string(next))
        }
    }

    @Test("An unknown operation is named with the nearest")
    func unknown() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let error = host.refusal("sawp")
        #expect(error?.code == .unknownOperation)
        #expect(error?.why == "the nearest is \"swap\"")
        #expect(host.refusal("watch", ["events": ["requets"]])?.advice == "seatagent watch request")
        #expect(host.result("watch", ["events": ["chat"]]) == ["chat"])
        #expect(host.result("watch", ["events": []]) == [])
        #expect(host.result("watch")?.list?.count == EventName.allCases.count)
        #expect(host.refusal("say")?.code == .badRequest)
        #expect(host.refusal("log", ["since": "x"])?.code == .badRequest)
    }

    @Test("The log is in the order of time, and a swap stands in it once")
    func log() throws {
        var voyage = try Voyage()
        let commit = try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let host = FakeHost(FakeNode(voyage))
        guard case .commit(let body) = commit.body else { return }
        func item(_ at: Int64, _ who: PeerKey, _ what: TimelineItem.What) -> TimelineItem {
            TimelineItem(at: UTCTime(seconds: at), author: who, id: commit.id, what: what)
        }
        host.node.timeline = [
            item(10, voyage.ada.key, .joined(name: "ada")),
            item(
                20, voyage.bo.key,
                .chat(
                    ChatLine(
                        text: "hi\u{1B}", replyTo: nil, time: UTCTime(seconds: 19), after: []))),
            item(40, voyage.ada.key, .committed(body.contract.id)),
            item(41, voyage.bo.key, .committed(body.contract.id)),
        ]
        host.node.messages = [
            DirectMessage(
                id: body.contract.nonce, peer: voyage.bo.key, outgoing: true, text: "psst",
                at: UTCTime(seconds: 30), state: .waiting)
        ]
        let items = host.result("log")?["items"]?.list ?? []
        #expect(items.map { $0["event"] } == ["peer", "chat", "message", "swap"])
        #expect(
            items.map { EventText(event: $0).line?.dropFirst(7) } == [
                "* ada (12A) joined", "bo (14C)  hi\u{FFFD}", "to bo (14C): psst  …",
                "* a swap is signed: ada \(voyage.ada.key.shortTag) gets 12A, "
                    + "bo \(voyage.bo.key.shortTag) gets 14C",
            ])
        #expect(items[1]["at"] == "1970-01-01T00:00:20Z")
        #expect(items[1]["said_at"] == "1970-01-01T00:00:19Z")
        host.now.utc = UTCTime(seconds: 50)
        #expect(host.result("log", ["since": 15])?["items"]?.list?.count == 1)
        #expect(host.result("log", ["limit": 2])?["items"]?.list?.count == 2)
    }

    @Test("What happened keeps the name and the seat of its time")
    func standing() throws {
        let host = FakeHost(FakeNode(try Voyage()))
        let bo = host.node.passengers[1].key
        let id = try #require(EntryID([UInt8](repeating: 1, count: 32)))
        var item = TimelineItem(
            at: UTCTime(seconds: 1), author: bo, id: id,
            what: .chat(
                ChatLine(text: "hi", replyTo: nil, time: UTCTime(seconds: 1), after: [])))
        func shown(_ name: String, _ seats: [Seat]?) -> String? {
            item.standing = Standing(name: name, seats: seats)
            host.node.timeline = [item]
            let event = host.result("log")?["items"]?.list?.first
            return event.flatMap { EventText(event: $0).words }
        }
        let seat = try #require(Seat("1A"))
        #expect(shown("bo", [seat]) == "bo (1A)  hi")
        #expect(shown("bob", [seat]) == "bob \(bo.shortTag) (1A)  hi")
        #expect(shown("", nil) == "bo (12A)  hi")
        #expect(shown("captain", []) == "captain \(bo.shortTag) (a passenger)  hi")
    }

    @Test("Old messages and requests name those of their time, and what goes on those of now")
    func standingOfOthers() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        let bo = voyage.bo.key
        let id = try #require(EntryID([UInt8](repeating: 1, count: 32)))
        var renamed = TimelineItem(
            at: UTCTime(seconds: 500), author: bo, id: id, what: .renamed("bo"))
        renamed.standing = Standing(name: "robert", seats: [try #require(Seat("1A"))])
        host.node.timeline = [renamed]
        func message(_ byte: UInt8, at: Int64) throws -> DirectMessage {
            DirectMessage(
                id: try #require(ThreadID([UInt8](repeating: byte, count: 16))), peer: bo,
                outgoing: false, text: "psst", at: UTCTime(seconds: at), state: .received)
        }
        host.node.messages = [try message(1, at: 400), try message(2, at: 600)]
        let items = host.result("log")?["items"]?.list ?? []
        let names = items.filter { $0["event"] == "message" }.map { WhoText.seated($0["who"]) }
        #expect(names == ["robert \(bo.shortTag) (1A)", "bo (12A)"])
    }

    @Test("A line that was said before whoever reads came stands where it was said")
    func places() throws {
        let voyage = try Voyage()
        let host = FakeHost(FakeNode(voyage))
        let id = try #require(EntryID([UInt8](repeating: 1, count: 32)))
        let joined = TimelineItem(
            at: UTCTime(seconds: 900), author: voyage.bo.key, id: id, what: .joined(name: "bo"))
        let said = { (text: String, time: Int64, place: Int64) -> TimelineItem in
            let line = ChatLine(
                text: text, replyTo: nil, time: UTCTime(seconds: time), after: [])
            var item = TimelineItem(
                at: UTCTime(seconds: 901), author: voyage.bo.key, id: id, what: .chat(line))
            item.place = UTCTime(seconds: place)
            return item
        }
        var late = said("late", 500, 901)
        late.isLate = true
        host.node.timeline = [joined, said("one", 100, 100), said("two", 90, 100), late]
        host.node.timeline.append(said("ahead", 2000, 901))
        let items = host.result("log")?["items"]?.list ?? []
        #expect(items.map { $0["text"]?.text } == ["one", "two", nil, "late", "ahead"])
        #expect(items.map { $0["late"] == true } == [false, false, false, true, false])
        #expect(items.map { $0["clock_ahead"] == true } == [false, false, false, false, true])
        #expect(items[1]["said_at"] == "1970-01-01T00:01:30Z")
    }
}

@Suite("The desk: asking and answering")
struct DeskSwapTests {
    private func rig() throws -> (FakeHost, Voyage, Contract) {
        let voyage = try Voyage()
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)])
        return (FakeHost(FakeNode(voyage)), voyage, contract)
    }

    @Test("What is asked becomes an intent; a draft does not")
    func intents() throws {
        let (host, voyage, contract) = try rig()
        let seat = try #require(Seat("12A"))
        host.node.swapRecords = [FakeNode.record(4, contract, role: .coordinator, stage: .offered)]
        let draft = host.result("swap", ["seat": "12a", "draft": true])
        #expect(draft?["who"]?["name"] == "bo")
        #expect(draft?["give"] == "14C")
        #expect(host.performed.isEmpty)
        host.answer = .success(.request(4))
        let made = host.result("swap", ["seat": "12A", "note": "n", "expires": 60])
        #expect(host.performed == [.swap(take: seat, give: nil, note: "n", expires: 60)])
        #expect(made?["number"] == 4)
        #expect(made?["state"] == "open")
        #expect(made?["direction"] == "out")
        #expect(made?["left"] == 1800)
        host.performed = []
        host.node.swapRecords = []
        _ = host.result(
            "propose", ["legs": [["seat": "12A", "to": "ada"], ["seat": "14C", "to": "12A"]]])
        let other = try #require(Seat("14C"))
        let moves = [
            SeatMove(seat: seat, to: voyage.ada.key), SeatMove(seat: other, to: voyage.bo.key),
        ]
        #expect(host.performed == [.propose(moves, note: "", expires: nil)])
    }

    @Test("Outside the window nothing is asked and nothing agreed to; a no is always possible")
    func window() throws {
        let (host, _, contract) = try rig()
        host.node.swapRecords = [FakeNode.record(1, contract, role: .participant, stage: .invited)]
        host.node.window = SelectionWindow(
            departs: UTCTime(seconds: 100_000), lead: 90_000, arrives: UTCTime(seconds: 120_000))
        host.now.utc = UTCTime(seconds: 2_740)
        let error = host.refusal("swap", ["seat": "12A"])
        #expect(
            error?.lines == [
                "seatagent: seats on XX1 cannot be swapped yet",
                "  why: swaps open in 2 h 1 min, at 1970-01-01T02:46:40Z",
                "  try: seatagent status",
            ])
        #expect(error?.code == .windowEarly)
        #expect(host.refusal("accept", ["request": 1])?.code == .windowEarly)
        host.now.utc = UTCTime(seconds: 120_060)
        #expect(
            host.refusal("propose", ["legs": [["seat": "12A", "to": "ada"]]])?.code
                == .windowClosed)
        #expect(
            host.refusal("swap", ["seat": "12A"])?.why
                == "swaps closed at 1970-01-02T09:20:00Z, 1 min ago")
        #expect(host.performed.isEmpty)
        #expect(host.refusal("decline", ["request": 1]) == nil)
        #expect(host.performed == [.decline(1, note: "")])
    }

    @Test("A yes is to the contract that was shown")
    func exactContract() throws {
        let (host, voyage, contract) = try rig()
        host.node.swapRecords = [FakeNode.record(1, contract, role: .participant, stage: .invited)]
        let other = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)], nonce: 2)
        let seen = JSON.string(other.id.hex)
        #expect(host.refusal("accept", ["request": 1, "contract": seen])?.code == .changed)
        #expect(host.performed.isEmpty)
        let shown = host.result("requests")?["requests"]?.list?.first?["contract"] ?? .null
        #expect(host.refusal("accept", ["request": 1, "contract": shown]) == nil)
        #expect(host.performed == [.accept(1, override: false, of: contract.id)])
        #expect(host.refusal("accept", ["request": 9])?.code == .noSuchRequest)
    }

    @Test("A counter-offer is what is on the table")
    func counter() throws {
        let (host, voyage, contract) = try rig()
        var record = FakeNode.record(1, contract, role: .coordinator, stage: .countered)
        let counter = try voyage.contract([("14C", voyage.cy), ("20F", voyage.ada)], nonce: 5)
        record.counter = counter
        record.counteredBy = voyage.cy.key
        host.node.swapRecords = [record]
        let shown = try #require(host.result("requests")?["requests"]?.list?.first)
        #expect(shown["contract"] == .string(counter.id.hex))
        #expect(shown["needs_answer"] == true)
        let tag = voyage.cy.key.shortTag
        #expect(
            RequestText(request: shown).sentence
                == "cy \(tag) (20F) asks for your 14C and gives 20F")
    }

    @Test("Every stage has its word", arguments: SwapRecord.Stage.allCases)
    func stages(stage: SwapRecord.Stage) throws {
        let (host, _, contract) = try rig()
        host.node.swapRecords = [FakeNode.record(1, contract, role: .participant, stage: stage)]
        let all = host.result("requests", ["all": true])?["requests"]?.list ?? []
        let open = host.result("requests")?["requests"]?.list ?? []
        #expect(all.count == 1)
        #expect(open.isEmpty == stage.isOver)
        let text = RequestText(request: all[0])
        #expect(text.state.known != nil)
        #expect((text.failure != nil) == (stage.isOver && stage != .committed))
        #expect(text.needsAnswer == [.invited, .countered, .requested].contains(stage))
        #expect(!text.line().isEmpty)
    }

    @Test("In a ring one's own yes is not \"agreed, confirming\": it says whom one waits for")
    func ringWaits() throws {
        let (host, voyage, _) = try rig()
        let ring = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.cy), ("20F", voyage.ada)], nonce: 6, by: voyage.bo)
        func shown(_ stage: SwapRecord.Stage, _ contract: Contract) throws -> RequestText {
            host.node.swapRecords = [
                FakeNode.record(1, contract, role: .participant, stage: stage)
            ]
            let list = host.result("requests", ["all": true])?["requests"]?.list
            return RequestText(request: try #require(list?.first))
        }
        let waiting = try shown(.ready, ring)
        #expect(waiting.state == .agreed && waiting.isWaiting)
        let words = "you said yes; it goes through when all have"
        #expect(waiting.line().hasSuffix("  \(words)") && waiting.agreement == words)
        #expect(waiting.line().contains("  30:00 left  "))
        // All have said yes once votes are asked for.
        #expect(try shown(.prepared, ring).agreement == "agreed, confirming...")
        let pair = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.bo)
        #expect(try shown(.ready, pair).agreement == "agreed, confirming...")
        let facts = [SwapRecord.Stage.ready, .prepared].map {
            RequestFacts(
                FakeNode.record(1, ring, role: .participant, stage: $0), me: voyage.ada.key)
        }
        #expect(facts[0].step != facts[1].step)
    }

    @Test("Too late: who did what, and when")
    func tooLate() throws {
        let (host, voyage, _) = try rig()
        let contract = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.bo)
        var record = FakeNode.record(1, contract, role: .participant, stage: .withdrawn)
        record.updated = UTCTime(seconds: 940)
        host.node.swapRecords = [record]
        host.answer = .failure(.swap(.alreadyAnswered(record)))
        let error = host.refusal("accept", ["request": 1])
        let tag = voyage.bo.key.shortTag
        #expect(
            error?.lines == [
                "seatagent: request 1 can no longer be accepted",
                "  why: bo \(tag) in 12A or their agent ended it, 1 min ago",
                "  try: seatagent requests",
            ])
        #expect(error?.code.exit.rawValue == 7)
    }

    @Test("Every refusal has words and a fitting exit code")
    func refusals() throws {
        let (host, voyage, contract) = try rig()
        let record = FakeNode.record(1, contract, role: .participant, stage: .invited)
        host.node.swapRecords = [record]
        let seat = try #require(Seat("12A"))
        let token = try voyage.token("12A").token
        let faults: [VoteFault] = [
            .notHeld(token), .encumbered(token), .forked(voyage.bo.key), .disputed(token),
            .reminted(token), .busy, .otherContract, .window, .blocked(voyage.bo.key),
        ]
        let swaps: [SwapRefusal] =
            [
                .noSuchRequest(1), .alreadyAnswered(record), .notYours(record),
                .notStranded(record), .windowEarly(5), .windowClosed(5), .blocked(voyage.bo.key),
                .badContract, .tooManyReady, .given(record), .askedAlready(record),
                .tooMany, .promised, .strandedWith(voyage.bo.key),
                .logClosed,
            ] + faults.map { .check($0) }
        let all: [Refusal] =
            [
                .emptySeat(seat), .ownSeat(seat), .disputed(seat, [voyage.bo.key]),
                .whichSeat([]), .whichSeat([seat]), .notYours(seat), .tooLong(200), .emptyText,
                .tooManyClaims, .alreadySo, .unknownPassenger, .outboxFull, .logClosed, .logFull,
                .disk,
            ] + swaps.map { .swap($0) }
        for refusal in all {
            host.answer = .failure(refusal)
            let error = try #require(host.refusal("accept", ["request": 1]))
            #expect(!error.what.isEmpty && error.what.first?.isUppercase == false, "\(refusal)")
            #expect(error.code.exit != .done)
            if let advice = error.advice {
                #expect(advice.hasPrefix("seatagent "))
                let words = advice.split(separator: " ").dropFirst().map(String.init)
                #expect(throws: Never.self) { try CommandTable.parser.parse(words) }
            }
        }
    }
}
