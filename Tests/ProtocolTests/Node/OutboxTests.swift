// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What is kept of messages when there are too many.
@Suite struct OutboxTests {
    private let peer = FakeSigner(2).key
    private let now = Moment(instant: .zero, utc: UTCTime(seconds: 1000))

    private func id(_ number: Int) throws -> ThreadID {
        try #require(
            ThreadID(
                Array(repeating: 0, count: 14) + [UInt8(number / 256), UInt8(number % 256)]))
    }

    @Test func whatWaitsIsNeverDropped() throws {
        var outbox = Outbox([], at: now)
        _ = outbox.write("first", to: peer, id: try id(0), linked: false, at: now)
        for number in 1..<Limits.messages + 20 {
            let id = try id(number)
            let came = outbox.receive(id, "x", from: peer, at: now)
            #expect(came.changed.count == 1 && came.sends == [.directAck(id: id)])
        }
        #expect(outbox.messages.count == Limits.messages)
        #expect(outbox.messages[0].text == "first" && outbox.waiting(for: peer) == 1)
        let last = try id(Limits.messages + 19)
        #expect(outbox.messages.last?.id == last)
        let first = try id(0)
        #expect(
            outbox.resend(to: peer, at: now.instant) == [.directMessage(id: first, text: "first")])
        // It is kept once, and acknowledged every time.
        let again = outbox.receive(try id(Limits.messages), "x", from: peer, at: now)
        #expect(again.changed.isEmpty && again.sends.count == 1)
    }

    @Test("What went out and was not acknowledged goes out again, less and less often")
    func goesOutAgain() throws {
        var outbox = Outbox([], at: now)
        let (first, second) = (try id(0), try id(1))
        _ = outbox.write("first", to: peer, id: first, linked: true, at: now)
        _ = outbox.write("second", to: peer, id: second, linked: false, at: now)
        // What never went out waits for a link.
        var times: [Int64] = []
        for second in 1...Limits.messageTime.wholeSeconds {
            let late = now.instant + .seconds(second)
            guard !outbox.again(at: late).isEmpty else { continue }
            #expect(outbox.nextDeadline.map { $0 > late } == true)
            times.append(second)
        }
        #expect(times == [60, 180, 420, 900, 1860])
        // A new link begins anew.
        let there = now.instant + .seconds(2000)
        #expect(outbox.resend(to: peer, at: there).count == 2)
        let again = outbox.again(at: there + Limits.messageAgain)
        #expect(again.map(\.peer) == [peer, peer])
        #expect(again.first?.message == .directMessage(id: first, text: "first"))
        _ = outbox.acknowledged(first, by: peer)
        #expect(outbox.again(at: there + .seconds(180)).count == 1)
        #expect(outbox.tick(at: now.instant + Limits.messageTime).count == 1)
        #expect(outbox.nextDeadline == nil)
    }

    @Test func soManyWaitForOnePassenger() throws {
        var world = World()
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        world.kill(1)
        for number in 0..<Limits.outboxPerPeer {
            let reply = world.wish(0, .message(to: world.key(1), "\(number)"))
            guard case .success(.message)? = reply else {
                Issue.record("number \(number) was refused")
                return
            }
        }
        #expect(throws: Refusal.outboxFull) {
            try world.wish(0, .message(to: world.key(1), "one more"))?.get()
        }
        world.restart(1)
        world.run(seconds: 20)
        #expect(world.hosts[1].node.talk.outbox.messages.count == Limits.outboxPerPeer)
        #expect(world.hosts[0].node.talk.outbox.waiting(for: world.key(1)) == 0)
    }

    @Test func theTimelineHasAnEnd() throws {
        var (ada, bo) = (Traveller(1), Traveller(2))
        var history = Timeline()
        let most = Limits.messages + Limits.messages / 4
        for number in 0..<most + 1 {
            // No log is that long: two of them.
            if number == most {
                bo.chat("last")
            } else if number < most / 2 {
                ada.chat("x")
            } else {
                bo.chat("x")
            }
            if let line = (number < most / 2 ? ada : bo).log.last {
                _ = history.record(line, seen: UTCTime(seconds: 5))
                _ = history.tell()
            }
            #expect(history.items.count <= most)
        }
        #expect(history.items.count == Limits.messages)
        #expect(history.items.last?.id == bo.log.last?.id)
    }
}
