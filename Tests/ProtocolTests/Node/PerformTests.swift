// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What a core asks for happens in one order, and not at all where the disk refuses.
@Suite struct PerformTests {
    /// Writes down what it is asked for.
    private struct Recorder: Shell {
        enum Failure: Error { case disk, death }

        var calls: [String] = []
        /// Where it fails.
        var failure: Failure?

        mutating func commit(_ writes: [Write]) throws(Failure) {
            if failure == .disk { throw .disk }
            calls.append("commit \(writes.count)")
        }

        mutating func send(_ transmission: Effects.Transmission) {
            calls.append("send \(transmission.bytes) on \(transmission.link.number)")
        }

        mutating func flush() throws(Failure) {
            if failure == .death { throw .death }
            calls.append("flush")
        }

        mutating func prove(_ link: LinkID) { calls.append("prove \(link.number)") }
        mutating func favour() { calls.append("favour") }
        mutating func hold(_ hold: Effects.Hold) {
            calls.append("hold \(hold.link.number) \(hold.held)")
        }
        mutating func close(_ link: LinkID) { calls.append("close \(link.number)") }
        mutating func obey(_ order: CircuitOrder) { calls.append("obey \(order)") }
        mutating func dial(_ dial: Dial) { calls.append("dial \(dial.number)") }
        mutating func browse(_ isWanted: Bool) { calls.append("browse \(isWanted)") }
        mutating func answer(_ reply: Effects.Reply) { calls.append("answer \(reply.token)") }
        mutating func tell(_ notices: [Notice]) { calls.append("tell \(notices.count)") }
    }

    /// Two of everything, the last thing first.
    private var everything: Effects {
        var effects = Effects()
        effects.notices = [.map, .caughtUp]
        effects.replies = [2, 1].map { Effects.Reply(token: $0, result: .success(.done)) }
        effects.browse = true
        effects.dials = [4, 3].map {
            Dial(number: $0, address: PeerAddress(host: "10.0.0.1", port: 9))
        }
        effects.circuits = [.end(CircuitID(6)), .end(CircuitID(5))]
        effects.closes = [LinkID(8), LinkID(7)]
        effects.holds = [
            Effects.Hold(link: LinkID(9), held: true), Effects.Hold(link: LinkID(9), held: false),
        ]
        effects.proven = [LinkID(11), LinkID(10)]
        effects.sends = [
            Effects.Transmission(link: LinkID(12), bytes: [2]),
            Effects.Transmission(link: LinkID(12), bytes: [1]),
        ]
        let key = FakeSigner(1).key
        effects.writes = [.block(key, true), .block(key, false)]
        return effects
    }

    @Test func thereIsOneOrder() throws {
        var shell = Recorder()
        try Perform.carryOut(everything, in: &shell)
        #expect(
            shell.calls == [
                "commit 2", "send [2] on 12", "send [1] on 12", "flush", "prove 11", "prove 10",
                "favour", "hold 9 true", "hold 9 false", "close 8", "close 7",
                "obey end(Protocol.CircuitID(number: 6))",
                "obey end(Protocol.CircuitID(number: 5))", "dial 4", "dial 3", "browse true",
                "answer 2", "answer 1", "tell 2",
            ])
    }

    @Test func nothingHappensWhenTheWritesFail() {
        var shell = Recorder(failure: .disk)
        #expect(throws: Recorder.Failure.disk) {
            try Perform.carryOut(everything, in: &shell)
        }
        #expect(shell.calls == [])
    }

    @Test func nothingHappensBehindADeathButWhatWasSent() {
        var shell = Recorder(failure: .death)
        #expect(throws: Recorder.Failure.death) {
            try Perform.carryOut(everything, in: &shell)
        }
        #expect(shell.calls == ["commit 2", "send [2] on 12", "send [1] on 12"])
    }

    /// A shell may count turns: it is asked to commit, flush and tell in each.
    @Test func anEmptyTurnIsATurn() throws {
        var shell = Recorder()
        try Perform.carryOut(Effects(), in: &shell)
        #expect(shell.calls == ["commit 0", "flush", "tell 0"])
    }

    /// What a call of the shell causes at the same core waits: here the end of a link, which people
    /// hear of after what they are told in the turn that closes it.
    @Test func whatACallCausesComesBehindTheTurn() throws {
        var world = World { Issue.record("\($0)") }
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        var effects = Effects()
        effects.closes = [try #require(world.link(from: 1, to: 0))]
        effects.notices = [.caughtUp]
        world.hosts[0].notices = []
        world.carry(0, effects)
        #expect(world.hosts[0].notices.first == .caughtUp)
        #expect(world.hosts[0].notices.contains(.left(world.key(1))))
    }

    /// Who says good-bye dials nobody and lets nobody in, however long the program takes to end.
    @Test func nothingBeginsBehindTheEnd() throws {
        var world = World { Issue.record("\($0)") }
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        world.watched = []
        world.feed(0, .stopping)
        #expect(world.link(from: 1, to: 0) == nil)
        world.run(seconds: 60)
        let turns = (world.watched ?? []).filter { $0.host == 0 }
        #expect(turns.allSatisfy { $0.effects.dials.isEmpty })
        // The other one dials: they are told that nobody is there.
        #expect(turns.contains { if case .connected = $0.event { true } else { false } })
        #expect(world.link(from: 1, to: 0) == nil)
        #expect(world.hosts[0].node.nextDeadline == nil)
    }

    /// Whoever waits for the logs of others is answered when the program ends, and so is whoever
    /// asks behind that; a mute link is closed with all others.
    @Test func theEndAnswersAndClosesAll() throws {
        var world = World { Issue.record("\($0)") }
        for seat in ["14C", "12A"] { try world.add(seat) }
        world.run(seconds: 10)
        let link = try #require(world.link(from: 1, to: 0))
        _ = world.wish(0, .block(world.key(1), true))
        var turn = world.hosts[0].node.handle(.stopping, at: world.now)
        #expect(turn.closes == [link])
        world.kill(0)
        world.restart(0)
        var node = world.hosts[0].node
        turn = node.handle(.intent(1, .say("wait")), at: world.now)
        #expect(turn.replies.isEmpty)
        turn = node.handle(.stopping, at: world.now)
        #expect(turn.replies.map(\.token) == [1])
        turn = node.handle(.intent(2, .say("late")), at: world.now)
        #expect(turn.replies.map(\.token) == [2])
        #expect(turn.sends.isEmpty && node.nextDeadline == nil)
    }

    /// Negotiations have an order of their own: entries, certificates, locks and rows, and then
    /// what is said of them.
    private struct Partner: SwapShell {
        var calls: [String] = []

        mutating func log(_ body: EntryBody, _ effects: inout Effects, at now: Moment) {
            calls.append("log \(body.type)")
        }
        mutating func logCertificate(
            of contract: Contract, _ effects: inout Effects, at now: Moment
        ) {
            calls.append("certificate")
        }
        mutating func follow(
            _ records: [SwapRecord], _ effects: inout Effects, at now: Moment
        ) {
            calls.append("follow \(records.count) behind \(effects.writes.count)")
        }
        mutating func say(_ send: SwapSend, _ effects: inout Effects, at now: Moment) {
            calls.append("say behind \(effects.writes.count)")
        }
        mutating func fetch(_ want: SwapWant, _ effects: inout Effects, at now: Moment) {
            calls.append("fetch")
        }
    }

    @Test func negotiationsHaveOneOrderToo() throws {
        var travellers = [Traveller(1), Traveller(2)]
        let slots = travellers.indices.map { travellers[$0].claim("\($0 + 1)A") }
        let contract = Contract.of([
            (slots[0], from: travellers[0], to: travellers[1]),
            (slots[1], from: travellers[1], to: travellers[0]),
        ])
        let now = Moment(instant: .zero, utc: UTCTime(seconds: 1000))
        let record = SwapRecord(
            number: 1, thread: try #require(ThreadID(Array(repeating: 1, count: 16))),
            role: .coordinator, contract: contract, stage: .committed, note: "", created: now.utc,
            expires: now.utc)
        let locks = slots.map { SlotLock(slot: $0, contract: contract.id) }
        var swap = SwapEffects()
        swap.wants = [
            SwapWant(
                from: travellers[1].key,
                head: LogHead(
                    author: travellers[1].key, seq: 2, id: EntryID(.zero)))
        ]
        swap.sends = [.certificate(contract.id, to: [travellers[1].key])]
        swap.forgotten = [record]
        swap.records = [record]
        // The first came in an earlier turn; the second comes and goes in this one.
        swap.unlocks = locks
        swap.locks = [locks[1]]
        swap.commits = [contract]
        swap.appends = [.vote(.no(contract.id))]
        var partner = Partner()
        var effects = Effects()
        Perform.carryOut(swap, by: &partner, into: &effects, at: now)
        #expect(
            partner.calls == [
                "log 4", "certificate", "follow 1 behind 5", "say behind 5", "fetch",
            ])
        #expect(
            effects.writes == [
                .unlock(locks[0]), .lock(locks[1]), .unlock(locks[1]), .swap(record),
                .forgotten(record),
            ])
    }

    /// Only ``Perform`` reads in which order things are to be done.
    @Test func nobodyElseCarriesEffectsOut() throws {
        let all = ["Sources", "Benchmarks"].flatMap(SourceTree.swiftFiles)
        for path in all where !path.hasPrefix("Sources/Protocol/Node/") {
            for line in try SourceTree.lines(path) {
                let code = SourceTree.code(line)
                let isLoop = code.contains("for ") && code.contains(" in ")
                for part in ["closes", "circuits", "dials", "proven", "holds"] {
                    #expect(
                        !(isLoop && code.contains("effects.\(part)")), "\(path): \(line)")
                }
            }
        }
    }
}
