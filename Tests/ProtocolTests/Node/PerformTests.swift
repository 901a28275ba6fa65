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
