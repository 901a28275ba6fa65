// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
@testable import Text
@testable import Wording
@testable import Agent
@testable import View
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Transport
@testable import Keys

@Suite("Requests that are over")
struct OldRequestTests {
    /// ada and bo have swapped, by request 1, within the second in which it was made.
    private func swapped() throws -> (FakeHost, Voyage, Contract) {
        var voyage = try Voyage()
        let contract = try voyage.contract(
            [("14C", voyage.bo), ("12A", voyage.ada)], by: voyage.ada)
        try voyage.swap([("14C", voyage.bo), ("12A", voyage.ada)])
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [
            FakeNode.record(1, contract, role: .asked, stage: .committed)
        ]
        host.node.timeline = [try item(voyage.ada, .committed(contract.id), "ada", ["14C"], 1000)]
        return (host, voyage, contract)
    }

    private func item(
        _ who: Identity, _ what: TimelineItem.What, _ name: String, _ seats: [String], _ at: Int64
    ) throws -> TimelineItem {
        let id = try #require(EntryID([UInt8](repeating: 1, count: 32)))
        var item = TimelineItem(at: UTCTime(seconds: at), author: who.key, id: id, what: what)
        item.standing = Standing(name: name, seats: try seats.map { try #require(Seat($0)) })
        return item
    }

    private func line(_ host: FakeHost) throws -> String {
        let list = host.result("requests", ["all": true])?["requests"]?.list
        return RequestText(request: try #require(list?.first)).line()
    }

    @Test("They name seats and names of when they were made, whoever logged the swap")
    func seats() throws {
        let (host, voyage, contract) = try swapped()
        let bo = "bo \(voyage.bo.key.shortTag)"
        // bo did not log it here.
        let asked = "1  \(bo) (12A) asks for your 14C and gives 12A  \"hi\""
        #expect(try line(host).hasPrefix(asked))
        let mine = host.result("requests", ["all": true])?["requests"]?.list?.first?["moves"]?.list
        #expect(mine?.map { WhoText.seated($0["to"]) } == ["ada (14C)", "bo (12A)"])
        // They did, and have another name since.
        host.node.timeline += [
            try item(voyage.bo, .committed(contract.id), "bo", ["12A"], 1000),
            try item(voyage.bo, .renamed("robert"), "bo", ["14C"], 2000),
        ]
        let index = try #require(host.node.passengers.firstIndex { $0.key == voyage.bo.key })
        host.node.passengers[index].name = "robert"
        #expect(try line(host).hasPrefix(asked))
        let told = host.result("log")?["items"]?.list?.first { $0["number"] == 1 }
        #expect(WhoText.seated(told?["by"]) == "\(bo) (12A)")
        // A watcher reads the same.
        let event = EventScribe(host: host).request(
            RequestFacts(host.node.swapRecords[0], me: host.node.me),
            PastStandings(host.node.timeline))
        #expect(WhoText.seated(JSON(event)["by"]) == "\(bo) (12A)")
    }

    @Test("One that is open names everybody as they are called and sit now")
    func open() throws {
        let (host, voyage, _) = try swapped()
        host.node.swapRecords[0].stage = .requested
        host.node.timeline = [
            try item(voyage.bo, .renamed("robert"), "bo", ["12A"], 2000)
        ]
        let index = try #require(host.node.passengers.firstIndex { $0.key == voyage.bo.key })
        host.node.passengers[index].name = "robert"
        #expect(try line(host).hasPrefix("1  robert \(voyage.bo.key.shortTag) (14C) asks"))
    }

    @Test("Why one ended names those of its time")
    func reason() throws {
        let (host, voyage, contract) = try swapped()
        host.node.swapRecords = [
            FakeNode.record(1, contract, role: .participant, stage: .withdrawn)
        ]
        host.node.timeline = [
            try item(voyage.bo, .renamed("robert"), "bo", ["12A"], 2000)
        ]
        let list = host.result("requests", ["all": true])?["requests"]?.list
        let bo = voyage.bo.key.shortTag
        #expect(list?.first?["reason"] == .string("bo \(bo) in 12A or their agent ended it"))
    }

    @Test("What is found by searching names those of its time")
    func search() throws {
        let (host, voyage, _) = try swapped()
        host.node.timeline = [try item(voyage.bo, .renamed("robert"), "bo", ["12A"], 2000)]
        let thread = try #require(ThreadID([UInt8](repeating: 1, count: 16)))
        var logs = voyage
        let said = try logs.add(
            .chat(
                ChatLine(text: "hi", replyTo: nil, time: UTCTime(seconds: 1500), after: [])),
            by: voyage.bo)
        host.found = [
            .message(
                DirectMessage(
                    id: thread, peer: voyage.bo.key, outgoing: false, text: "psst",
                    at: UTCTime(seconds: 1500), state: .received)),
            .chat(said, seen: UTCTime(seconds: 1500)),
        ]
        let index = try #require(host.node.passengers.firstIndex { $0.key == voyage.bo.key })
        host.node.passengers[index].name = "robert"
        let found = host.result("search", ["text": "p"])?["items"]?.list ?? []
        let bo = "bo \(voyage.bo.key.shortTag) (12A)"
        #expect(found.map { WhoText.seated($0["who"]) } == [bo, bo])
    }
}
