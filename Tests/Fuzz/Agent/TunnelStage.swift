// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

@testable import Rendezvous

/// All tunnels of one agent among passengers who know every key of theirs and keep no rule, and a
/// broker that loses, repeats and turns what they say. Bytes decide what happens next.
struct TunnelStage {
    /// One tunnel as its other end knows it.
    private struct Far {
        let id: TunnelID
        /// Of what they send, and of what this agent sends.
        let out: Bytes32
        let into: Bytes32
        var seq: UInt32 = 0
        /// What this agent has sent, and was told that it was taken.
        var came = 0
        var took = 0
    }

    private static let people = (1...10).map { TunnelPerson(UInt8($0)) }
    private static let brokers = ["one", "two"].compactMap { MeetBroker(host: $0, port: 1) }
    private static let midnight: Int64 = 20_780 * 86_400

    private var tunnels: Tunnels
    private var instant = Instant.zero + .seconds(1000)
    private var utc = Self.midnight - 700
    private var fars: [Far] = []
    private var blocked: Set<PeerKey> = []
    private var favoured: Set<PeerKey> = []
    private var drawn: UInt8 = 0
    /// OPENs and frames as they came, to come again.
    private var past: [[UInt8]] = []
    /// Frames of this agent, by tunnel and number: a nonce is used once.
    private var said: Set<[UInt8]> = []
    private var begun: [Int: PeerKey] = [:]
    private var ended: Set<Int> = []
    private var got: [Int: Int] = [:]
    private var didSomething = false

    private var now: Moment { Moment(instant: instant, utc: UTCTime(seconds: utc)) }
    private var me: TunnelPerson { Self.people[4] }

    init() {
        let me = Self.people[4]
        tunnels = Tunnels(
            me: me.key, own: me.pair, secret: LaxPrimitives.shared.sha256([1]),
            at: instant, LaxPrimitives.shared)
    }

    mutating func play(_ bytes: [UInt8]) -> Verdict {
        var choices = Choices(bytes)
        while !choices.isEmpty {
            var output = Tunnels.Output()
            turn(&choices, &output)
            // As the meeting does at the end of each turn.
            open(&output)
            tunnels.tick(following: MeetEpoch.followed(at: now.utc), &output, at: instant)
            look(output)
        }
        return didSomething ? .accepted : .refused
    }

    private mutating func turn(_ choices: inout Choices, _ output: inout Tunnels.Output) {
        switch choices.below(13) {
        case 0: need(&choices)
        case 1: ask(&choices, &output)
        case 2, 3, 4: say(&choices, &output)
        case 5: again(&choices, &output)
        case 6: write(&choices)
        case 7: wait(&choices)
        case 8: know(&choices, &output)
        case 9:
            if let line = choices.one(of: tunnels.lines) { tunnels.close(line.number, &output) }
        case 10: came(choices.take(choices.below(200)), &output)
        case 11: tunnels.keep(on: choices.once(in: 4) ? [] : Self.brokers, &output)
        default: tunnels.keep(on: Array(Self.brokers.prefix(1)), &output)
        }
    }

    // MARK: This agent

    private mutating func need(_ choices: inout Choices) {
        let keys = Self.people.map(\.key).filter { $0 != me.key && choices.once(in: 2) }
        tunnels.need(keys, at: instant)
    }

    private mutating func open(_ output: inout Tunnels.Output) {
        guard let peer = tunnels.due(at: instant), let who = person(peer) else { return }
        hold(!blocked.contains(peer), "somebody who is blocked is asked for a tunnel")
        tunnels.open(
            to: peer, boxKey: who.pair.key, by: way(to: peer), &output, at: now)
    }

    private mutating func write(_ choices: inout Choices) {
        guard let line = choices.one(of: tunnels.lines), begun[line.number] != nil else { return }
        tunnels.write(line.number, [UInt8](repeating: 5, count: choices.wide() * 4))
    }

    private mutating func know(_ choices: inout Choices, _ output: inout Tunnels.Output) {
        blocked = choices.once(in: 2) ? Set([Self.people[choices.below(4)].key]) : []
        favoured = choices.once(in: 2) ? Set(Self.people.suffix(choices.below(5)).map(\.key)) : []
        tunnels.people(blocked: blocked, favoured: favoured, &output)
    }

    private mutating func wait(_ choices: inout Choices) {
        let steps: [Int64] = [1, 100, 999, 1000, 4999, 9999, 60_000, 119_999, 300_000]
        let step = choices.one(of: steps) ?? 1
        instant = instant + .milliseconds(step)
        utc += step / 1000
    }

    // MARK: The others

    private func person(_ key: PeerKey) -> TunnelPerson? { Self.people.first { $0.key == key } }

    private func way(to peer: PeerKey) -> Tunnels.Way {
        let broker = Self.brokers[Int(peer.bytes[0] & 1)]
        return Tunnels.Way(
            broker: broker, topic: hexadecimal(peer.bytes), epoch: MeetEpoch(at: now.utc))
    }

    private mutating func came(_ bytes: [UInt8], _ output: inout Tunnels.Output) {
        past.append(bytes)
        if past.count > 32 { past.removeFirst() }
        let all = Self.people
        tunnels.came(bytes, &output, at: now) { key in
            all.first { $0.key == key }?.pair.key
        } way: { [self] peer in
            way(to: peer)
        }
    }

    /// Somebody opens a tunnel, in their own name or in another's.
    private mutating func ask(_ choices: inout Choices, _ output: inout Tunnels.Output) {
        guard let who = choices.one(of: Self.people) else { return }
        drawn &+= 1
        let made = utc + [0, 0, 0, -60, 60, -61, 61][choices.below(7)]
        let isTrue = !choices.once(in: 8)
        let pair = isTrue ? who.pair : Self.people[choices.below(10)].pair
        let ends = TunnelOpening.Ends(
            from: who.key, own: pair, to: me.key, boxKey: me.pair.key)
        guard let id = TunnelID([UInt8](repeating: drawn, count: TunnelID.count)),
            let opening = TunnelOpening.make(
                id, ends, fresh: LaxAgreement(drawn), at: UTCTime(seconds: made),
                LaxPrimitives.shared)
        else { return }
        let keys = opening.opening.keys
        fars.append(Far(id: id, out: keys.there, into: keys.back))
        let before = Set(tunnels.lines.map(\.number))
        came(opening.bytes, &output)
        guard let line = tunnels.lines.first(where: { !before.contains($0.number) }) else { return }
        hold(line.peer == who.key, "a tunnel in another's name")
        hold(pair.key == who.pair.key, "a tunnel of somebody who has no right to the name")
        hold(abs(made - utc) <= 60, "a tunnel of another time")
        hold(who.key != me.key, "a tunnel to oneself")
        let strangers = tunnels.lines.count { !favoured.contains($0.peer) }
        let most = TunnelLimits.tunnels - TunnelLimits.kept
        hold(favoured.contains(who.key) || strangers <= most, "places are kept for nobody")
    }

    /// The other end says anything, with any number.
    private mutating func say(_ choices: inout Choices, _ output: inout Tunnels.Output) {
        guard !fars.isEmpty else { return }
        let place = fars.count - 1 - choices.below(min(fars.count, 16))
        let body: TunnelBody? =
            switch choices.below(8) {
            case 0: .ready
            case 1: .took([1, 100, 15_360, 65_536][choices.below(4)])
            case 2:
                choices.once(in: 4) ? TunnelEnd(rawValue: choices.below(6)).map { .end($0) } : nil
            default: .data([UInt8](repeating: 3, count: [1, 300, 15_360][choices.below(3)]))
            }
        guard let body else { return }
        let next = fars[place].seq &+ 1
        let seq = [next, next, next, next, next &+ 1, next &+ 2, 1, .max][choices.below(8)]
        guard
            let frame = TunnelFrame.seal(
                body, fars[place].id, seq: seq, key: fars[place].out, LaxPrimitives.shared)
        else { return }
        fars[place].seq = max(fars[place].seq, seq == .max ? 0 : seq)
        if case .took(let count) = body { fars[place].took += count }
        came(frame, &output)
    }

    /// The broker says something once more.
    private mutating func again(_ choices: inout Choices, _ output: inout Tunnels.Output) {
        if let bytes = choices.one(of: past) { came(bytes, &output) }
    }

    // MARK: What must hold

    private mutating func look(_ output: Tunnels.Output) {
        for frame in output.frames { heard(frame.payload, topic: frame.topic) }
        for order in output.orders { obeyed(order) }
        let lines = tunnels.lines
        hold(lines.count <= TunnelLimits.tunnels, "too many tunnels")
        hold(Set(lines.map(\.peer)).count == lines.count, "two tunnels of one passenger")
        hold(Set(lines.map(\.tunnel.id)).count == lines.count, "two tunnels with one number")
        hold(lines.allSatisfy { !$0.tunnel.isOver }, "a tunnel that is over is kept")
        hold(lines.allSatisfy { !blocked.contains($0.peer) }, "a tunnel of somebody who is blocked")
        let due = tunnels.nextDeadline(isConnected: true)
        hold(due.map { $0 > .zero } ?? true, "a time before all others")
        for line in lines {
            hold(line.hasBegun == (begun[line.number] != nil), "TLS and its tunnel differ")
            hold(!ended.contains(line.number), "a tunnel after its end")
        }
        hold(
            Set(begun.keys).subtracting(ended).isSubset(of: Set(lines.map(\.number))),
            "TLS goes on without its tunnel")
    }

    /// What this agent says to one of the others.
    private mutating func heard(_ payload: [UInt8], topic: String) {
        didSomething = true
        if payload.first == TunnelOpening.version {
            let reader = Self.people.first { hexadecimal($0.key.bytes) == topic }
            guard let reader,
                let opening = TunnelOpening(
                    payload, to: reader.key, own: reader.pair, LaxPrimitives.shared,
                    boxKey: { [self] in $0 == me.key ? me.pair.key : nil })
            else { broken("an OPEN that nobody can read") }
            fars.append(Far(id: opening.id, out: opening.keys.back, into: opening.keys.there))
            return
        }
        guard let (id, seq) = TunnelFrame.place(payload) else { broken("no frame") }
        hold(said.insert(Array(payload.prefix(21))).inserted, "a nonce is used twice")
        guard let place = fars.lastIndex(where: { $0.id == id }),
            let body = TunnelFrame.open(
                payload, seq: seq, key: fars[place].into, LaxPrimitives.shared)
        else { broken("a frame that its reader cannot read") }
        if case .data(let bytes) = body {
            fars[place].came += bytes.count
            hold(
                fars[place].came - fars[place].took <= TunnelLimits.window,
                "more is under way than may be")
        }
    }

    private mutating func obeyed(_ order: TunnelOrder) {
        switch order {
        case .begin(let number, let peer, _):
            hold(begun.updateValue(peer, forKey: number) == nil, "a tunnel begins twice")
            hold(!blocked.contains(peer), "TLS with somebody who is blocked")
        case .bytes(let number, let bytes):
            hold(begun[number] != nil && !ended.contains(number), "bytes of no tunnel")
            got[number, default: 0] += bytes.count
            hold(got[number, default: 0] <= TunnelLimits.bytes, "more than a tunnel carries")
        case .took(let number, let count):
            hold(begun[number] != nil && !ended.contains(number) && count > 0, "nothing is taken")
        case .end(let number):
            hold(begun[number] != nil, "an end before the beginning")
            hold(ended.insert(number).inserted, "two ends of one tunnel")
        }
    }
}
