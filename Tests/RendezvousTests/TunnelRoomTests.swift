// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import RendezvousKit
import Testing

@testable import Rendezvous

/// Who gets one of an agent's eight tunnels, and how fast they send (docs/meet.md section 8).
@Suite("Room for tunnels") struct TunnelRoomTests {
    private let primitives = FakePrimitives()
    private let now = Moment(instant: .zero + .seconds(1000), utc: UTCTime(seconds: 5000))
    private let me = FakeSigner(100).key
    private let broker: MeetBroker

    init() throws { broker = try require(MeetBroker(host: "m0.test", port: 8883)) }

    private func key(_ number: Int) -> PeerKey { FakeSigner(UInt8(number)).key }

    private func pair(_ number: Int) -> FakeAgreement {
        FakeAgreement(seed: primitives.sha256([UInt8(number), 9]))
    }

    private func tunnels() -> Tunnels {
        Tunnels(me: me, own: pair(100), secret: .zero, at: now.instant, primitives)
    }

    private func way(to number: Int) -> Tunnels.Way {
        Tunnels.Way(broker: broker, topic: "\(number)", epoch: MeetEpoch(number: 0))
    }

    /// Passengers ask for a tunnel, each in an OPEN with a number of its own.
    private func ask(
        _ numbers: [Int], _ tunnels: inout Tunnels, id: Int = 0, made: Int64 = 5000,
        after seconds: Int64 = 0
    ) throws -> Tunnels.Output {
        var output = Tunnels.Output()
        let now = Moment(instant: now.instant + .seconds(seconds), utc: now.utc)
        for number in numbers {
            let ends = TunnelOpening.Ends(
                from: key(number), own: pair(number), to: me, boxKey: pair(100).key)
            let id = try require(TunnelID(UInt64(id).bytes + UInt64(number).bytes))
            let made = try require(
                TunnelOpening.make(
                    id, ends, fresh: pair(200), at: UTCTime(seconds: made), primitives))
            tunnels.came(made.bytes, &output, at: now) { peer in
                numbers.first { key($0) == peer }.map { pair($0).key }
            } way: { _ in
                way(to: number)
            }
        }
        return output
    }

    /// Asks passengers for a tunnel.
    private func open(_ numbers: [Int], _ tunnels: inout Tunnels) -> Tunnels.Output {
        var output = Tunnels.Output()
        for number in numbers {
            tunnels.open(
                to: key(number), boxKey: pair(number).key, by: way(to: number), &output, at: now)
        }
        return output
    }

    private func begun(_ output: Tunnels.Output) -> [PeerKey] {
        output.orders.compactMap { if case .begin(_, let peer, false) = $0 { peer } else { nil } }
    }

    private func topics(_ output: Tunnels.Output) -> [String] { output.frames.map(\.topic) }

    // MARK: Places

    @Test func sixStrangersAndTwoWhoAreKnownHaveRoom() throws {
        var tunnels = tunnels()
        var output = Tunnels.Output()
        tunnels.people(blocked: [], favoured: Set((8...10).map(key)), &output)
        let first = try ask([8], &tunnels)
        #expect(begun(first) == [key(8)])
        let strangers = try ask(Array(1...7), &tunnels)
        #expect(begun(strangers) == (1...6).map(key))
        // Each has one answer.
        #expect(topics(strangers) == (1...7).map { "\($0)" })
        let known = try ask([9, 10], &tunnels)
        #expect(begun(known) == [key(9)] && topics(known) == ["9", "10"])
        #expect(tunnels.lines.count == 8 && Set(tunnels.lines.map(\.number)).count == 8)
    }

    @Test func whereEightWhoAreKnownHaveTunnelsNobodyElseHasRoom() throws {
        var tunnels = tunnels()
        var output = Tunnels.Output()
        tunnels.people(blocked: [key(12)], favoured: Set((1...8).map(key)), &output)
        #expect(begun(try ask(Array(1...7) + [12], &tunnels)) == (1...7).map(key))
        var other = tunnels
        #expect(begun(try ask([9], &other)) == [key(9)])
        #expect(begun(try ask([8, 9], &tunnels)) == [key(8)])
        #expect(tunnels.lines.count == 8)
    }

    @Test func whoAsksAgainGetsANewTunnel() throws {
        var tunnels = tunnels()
        _ = try ask([1, 2], &tunnels)
        let number = try require(tunnels.lines.last?.number)
        // One OPEN a second is taken of one passenger.
        #expect(try ask([2], &tunnels, id: 1) == Tunnels.Output())
        let output = try ask([2], &tunnels, id: 1, after: 1)
        let next = try require(tunnels.lines.last?.number)
        #expect(next != number && tunnels.lines.map(\.peer) == [key(1), key(2)])
        #expect(output.orders == [.end(number), .begin(next, key(2), isOpener: false)])
        #expect(topics(output) == ["2", "2"])
    }

    @Test func ofTwoThatAreAskedForAtOnceTheOneOfTheSmallerKeyStays() throws {
        for isSmaller in [true, false] {
            var tunnels = tunnels()
            let number = try require((1...150).first { (key($0) < me) == isSmaller })
            _ = open([number], &tunnels)
            let output = try ask([number], &tunnels)
            #expect(begun(output) == (isSmaller ? [key(number)] : []))
            #expect(output.frames.count == (isSmaller ? 2 : 0) && output.orders.count < 2)
            #expect(tunnels.lines.map(\.tunnel.isOpener) == [!isSmaller])
        }
    }

    @Test func twoPlacesAreKeptFreeOfWhatNobodyWaitsFor() throws {
        var tunnels = tunnels()
        _ = open(Array(1...5), &tunnels)
        #expect(tunnels.isFree(for: key(20)) && !tunnels.isFree(for: key(5)))
        #expect(tunnels.uses(broker))
        tunnels.linked = [key(20)]
        #expect(!tunnels.isFree(for: key(20)) && tunnels.isFree(for: key(21)))
        var output = Tunnels.Output()
        tunnels.people(blocked: [key(21)], favoured: [], &output)
        #expect(!tunnels.isFree(for: key(21)) && tunnels.isFree(for: key(22)))
        _ = open([6], &tunnels)
        #expect(!tunnels.isFree(for: key(22)))
    }

    @Test func whoIsNeededIsAskedWhileThereIsRoom() throws {
        var tunnels = tunnels()
        let patience = now.instant + .seconds(10)
        let opened = open(Array(1...7), &tunnels)
        #expect(topics(opened) == (1...7).map { "\($0)" } && opened.orders.isEmpty)
        tunnels.need([key(3), key(20)], at: now.instant)
        #expect(tunnels.nextDeadline(isConnected: true) == now.instant)
        #expect(tunnels.nextDeadline(isConnected: false) == patience)
        var other = tunnels
        _ = open([8], &other)
        #expect(other.nextDeadline(isConnected: true) == patience)
        #expect(other.due(at: now.instant) == nil)
        // No two have a number or a key in common.
        #expect(Set(other.lines.map(\.number)).count == 8)
        #expect(Set(other.lines.map(\.tunnel.id)).count == 8)
        // With one of the two there is one already.
        #expect(tunnels.due(at: now.instant) == key(20))
        #expect(tunnels.due(at: now.instant + .seconds(1)) == nil)
    }

    @Test func whoIsBlockedIsNotAsked() {
        var tunnels = tunnels()
        var output = Tunnels.Output()
        tunnels.people(blocked: [key(1)], favoured: [], &output)
        tunnels.need([key(1), key(2)], at: now.instant)
        #expect(tunnels.due(at: now.instant) == key(2))
        tunnels.need([key(1)], at: now.instant)
        #expect(tunnels.nextDeadline(isConnected: true) == nil)
        #expect(tunnels.due(at: now.instant + .seconds(9)) == nil)
    }

    @Test func whoIsBlockedLaterLosesTheirTunnelAlone() throws {
        var tunnels = tunnels()
        _ = try ask([1, 2], &tunnels)
        let numbers = tunnels.lines.map(\.number)
        var output = Tunnels.Output()
        tunnels.people(blocked: [key(2)], favoured: [], &output)
        #expect(output.orders == [.end(numbers[1])] && topics(output) == ["2"])
        #expect(tunnels.lines.map(\.number) == [numbers[0]])
        // Where the connection is gone, nothing is said.
        output = Tunnels.Output()
        tunnels.keep(on: [broker], &output)
        #expect(output == Tunnels.Output())
        tunnels.keep(on: [], &output)
        #expect(output.orders == [.end(numbers[0])] && output.frames.isEmpty)
        #expect(tunnels.lines.isEmpty && !tunnels.uses(broker))
    }

    // MARK: Clocks

    @Test func eightWhoseClocksAreFarAwayAreRemembered() throws {
        var tunnels = tunnels()
        let output = try ask(Array(1...9), &tunnels, made: 5061)
        #expect(topics(output) == (1...9).map { "\($0)" } && output.orders.isEmpty)
        #expect(tunnels.clocks == (2...9).map { MeetStatus.Clock(peer: key($0), ahead: 61) })
        // One of whom something was said before is said to be as they are now.
        _ = try ask([3], &tunnels, id: 1, made: 4900)
        #expect(tunnels.clocks.map(\.peer) == [2, 4, 5, 6, 7, 8, 9, 3].map(key))
        #expect(tunnels.clocks.last?.ahead == -100)
        _ = try ask([4], &tunnels, id: 2)
        #expect(tunnels.clocks.map(\.peer) == [2, 5, 6, 7, 8, 9, 3].map(key))
    }

    // MARK: Pace

    @Test func aHundredFramesAreSentAtOnceAndThenTenASecond() throws {
        var tunnels = tunnels()
        var output = try ask([1], &tunnels)
        let number = try require(tunnels.lines.first?.number)
        for _ in 0..<110 {
            tunnels.write(number, [1])
            tunnels.flush(&output, at: now.instant)
        }
        #expect(output.frames.count == 100)
        #expect(output.orders.count { $0 == .took(number, 1) } == 99)
        let later = now.instant + .milliseconds(100)
        #expect(tunnels.nextDeadline(isConnected: true) == later)
        output = Tunnels.Output()
        tunnels.flush(&output, at: now.instant + .milliseconds(99))
        #expect(output == Tunnels.Output())
        tunnels.flush(&output, at: later)
        #expect(output.frames.count == 1 && output.orders == [.took(number, 11)])
        #expect(tunnels.nextDeadline(isConnected: true) == later + .seconds(120))
    }

    @Test func ofTwoEachSendsAPieceInTurn() throws {
        var tunnels = tunnels()
        _ = try ask([1, 2], &tunnels)
        let numbers = tunnels.lines.map(\.number)
        var output = Tunnels.Output()
        tunnels.write(99, [1])
        tunnels.tick(following: [MeetEpoch(number: 0)], &output, at: now.instant)
        #expect(output == Tunnels.Output())
        tunnels.write(numbers[0], [UInt8](repeating: 1, count: 2 * TunnelLimits.piece + 1))
        tunnels.write(numbers[1], [UInt8](repeating: 1, count: 2 * TunnelLimits.piece))
        tunnels.tick(following: [MeetEpoch(number: 0)], &output, at: now.instant)
        #expect(topics(output) == ["1", "2", "1", "2", "1"])
        #expect(output.orders.last == .took(numbers[0], 1))
        // The day of their names is not followed any more.
        output = Tunnels.Output()
        tunnels.tick(following: [MeetEpoch(number: 1)], &output, at: now.instant)
        #expect(output.orders == numbers.map { .end($0) } && tunnels.lines.isEmpty)
    }
}
