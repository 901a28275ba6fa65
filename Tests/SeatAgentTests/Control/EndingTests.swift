// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import Wording
import Testing

@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Transport

@Suite("Why a swap ended, in words")
struct EndingTests {
    private func rig(
        _ role: SwapRecord.Role, _ stage: SwapRecord.Stage
    ) throws -> (FakeHost, Voyage, SwapRecord) {
        let voyage = try Voyage()
        // Whoever is asked coordinates; ada looks on.
        let last = role.coordinates ? voyage.ada : voyage.bo
        let contract = try voyage.contract([("14C", voyage.bo), ("12A", voyage.ada)], by: last)
        let record = FakeNode.record(1, contract, role: role, stage: stage)
        let host = FakeHost(FakeNode(voyage))
        host.node.swapRecords = [record]
        host.answer = .failure(.swap(.alreadyAnswered(record)))
        return (host, voyage, record)
    }

    private func reason(_ host: FakeHost) -> String? {
        host.result("requests", ["all": true])?["requests"]?.list?.first?["reason"]?.text
    }

    @Test("aSwapEndedByACheckSaysWhich")
    func aSwapEndedByACheckSaysWhich() throws {
        for (role, stage) in [
            (SwapRecord.Role.asked, SwapRecord.Stage.withdrawn), (.asker, .aborted),
        ] {
            let (host, voyage, record) = try rig(role, stage)
            let token = try voyage.token("12A").token
            let bo = voyage.bo.key
            let faults: [VoteFault] = [
                .notHeld(token), .encumbered(token), .forked(bo), .liar(bo), .disputed(token),
                .reminted(token), .busy, .otherContract, .window, .blocked(bo), .logFull,
                .unverified(bo),
            ]
            var all: [String] = []
            for fault in faults {
                let notice = SwapNotice(record: record, what: .aborted(.check(fault)))
                host.keep([.swap(notice)], isOwn: false)
                let reason = try #require(self.reason(host))
                #expect(reason.hasPrefix("a check of your own agent ended it: "))
                #expect(!all.contains(reason))
                all.append(reason)
                let request = try #require(
                    host.result("requests", ["all": true])?["requests"]?.list?.first)
                let text = RequestText(request: request)
                #expect(text.failure?.why == reason)
                #expect(text.news?.hasSuffix(reason) == true)
                #expect(text.line().hasSuffix(": " + reason))
                let error = host.refusal("accept", ["request": 1])
                #expect(error?.why?.hasPrefix(reason + ", ") == true)
            }
            #expect(all[4].contains("12A") && all[4].contains("evidence"))
        }
    }

    @Test("Who took it back, as far as it was seen; no more is said than is known")
    func takenBack() throws {
        for role in [SwapRecord.Role.asker, .asked] {
            let (host, _, record) = try rig(role, .withdrawn)
            let notice = Notice.swap(SwapNotice(record: record, what: .withdrawn))
            let unseen = try #require(host.refusal("accept", ["request": 1])?.why)
            #expect(unseen.contains("or"))
            host.keep([notice], isOwn: true)
            #expect(
                host.refusal("accept", ["request": 1])?.why?.hasPrefix("you withdrew it") == true)
            #expect(reason(host) == nil)
            host.keep([notice], isOwn: false)
            let why = try #require(host.refusal("accept", ["request": 1])?.why)
            #expect(why.hasPrefix("bo ") && !why.contains("you withdrew"))
            #expect((reason(host) == nil) == (role == .asked))
        }
    }

    @Test("A no is told with whose it is, also when an earlier process saw it")
    func refused() throws {
        for failure: SwapFailure in [.silence, .cancelled, .restart] {
            let (host, _, record) = try rig(.asked, .aborted)
            #expect(reason(host) == nil)
            host.keep(
                [.swap(SwapNotice(record: record, what: .aborted(failure)))], isOwn: false)
            #expect(reason(host)?.isEmpty == false)
        }
        for mine in [true, false] {
            var (host, voyage, record) = try rig(.asker, .aborted)
            try voyage.add(
                .vote(.no(record.contract.id)), by: mine ? voyage.ada : voyage.bo)
            host = FakeHost(FakeNode(voyage))
            host.node.swapRecords = [record]
            let words = try #require(reason(host))
            #expect(
                mine
                    ? words == "your own agent had signed a no to it"
                    : words.hasPrefix("the agent of bo ")
                        && words.hasSuffix(" ended it before all had signed"))
        }
        let (host, voyage, record) = try rig(.asked, .aborted)
        let no = SwapNotice(record: record, what: .aborted(.refused(voyage.bo.key)))
        host.keep([.swap(no)], isOwn: false)
        #expect(reason(host)?.hasSuffix(" signed a no") == true, "bo signs first")
    }

    @Test("As many ends are remembered as negotiations are kept")
    func bounded() throws {
        var (host, _, record) = try rig(.asker, .withdrawn)
        for number in 1...Limits.swaps + 1 {
            record.number = number
            host.keep(
                [.swap(SwapNotice(record: record, what: .withdrawn))], isOwn: true)
        }
        #expect(host.endings[1] == nil && host.endings[2] == .here)
        host = FakeHost(host.node)
        #expect(host.endings[2] == nil)
    }
}
