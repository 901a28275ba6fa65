// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import Protocol

/// The whole core of an agent with sessions that are open: peers say right, nearly right and
/// wrong things in any order, the user wants things, time passes, connections end, the
/// process dies and starts again.
///
/// Input: choices of what happens. ``Stage`` holds what must be true.
enum NodeTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        var choices = Choices(input)
        var stage = choices.below(4) == 3 ? Stage() : Stage.ready
        for _ in 0..<64 where !choices.isEmpty { step(&stage, &choices) }
        stage.restart()
        return stage.node.swaps.records.isEmpty ? .refused : .accepted
    }

    /// One thing that happens.
    static func step(_ stage: inout Stage, _ choices: inout Choices) {
        let line = choices.below(max(stage.lines.count, 1))
        switch choices.below(28) {
        case 0: connect(&stage, &choices)
        case 1: stage.greet(line, onDemand: choices.once(in: 4))
        case 2: if choices.once(in: 4) { stage.end(line) } else { stage.tick() }
        case 3: stage.tick()
        case 4:
            stage.pass(.milliseconds(Int64(choices.wide())))
            if choices.once(in: 2) { stage.feed(.tick) }
        case 5: shell(&stage, &choices)
        case 6, 7, 8: stage.wish(intent(stage, &choices))
        case 9, 10: stage.crowd.act(&choices)
        case 11, 12, 13, 14, 15: stage.proceed(&choices)
        case 16: stage.compare(line, &choices)
        case 17:
            let frame = Frame(type: choices.byte(), payload: choices.take(choices.below(48)))
            stage.say(frame.bytes, on: line)
        default: say(&stage, line, &choices)
        }
    }

    private static func connect(_ stage: inout Stage, _ choices: inout Choices) {
        guard stage.lines.count < 8 else { return }
        let author = choices.below(stage.crowd.authors.count)
        if let circuit = stage.circuits.first, choices.once(in: 2) {
            let peer = stage.node.circuits.facts(circuit.id)?.peer
            let end = stage.crowd.authors.firstIndex { $0.key == peer } ?? author
            stage.connect(end, circuit.role, circuit: circuit.id)
        } else if let dial = stage.dials.first, choices.once(in: 2) {
            stage.connect(author, .initiator, dial: dial)
        } else {
            stage.connect(author, choices.once(in: 2) ? .initiator : .responder)
        }
    }

    /// What the shell tells of sockets, mDNS and circuits.
    private static func shell(_ stage: inout Stage, _ choices: inout Choices) {
        let place = PeerAddress(host: "10.0.0.\(choices.below(4))", port: 9)
        switch choices.below(10) {
        case 0: stage.stall(choices.below(max(stage.lines.count, 1)))
        case 1: stage.dialFailed()
        case 2: stage.feed(.found(label: "\(choices.below(9))", addresses: [place]))
        case 3: stage.feed(.lost(label: "\(choices.below(9))"))
        case 4: stage.feed(.typed(place))
        case 5: stage.feed(.sealed(CircuitID(choices.below(4)), choices.take(8)))
        case 6: stage.feed(.circuitEnded(CircuitID(choices.below(4))))
        case 7: stage.restart()
        case 8:
            let place = HostAddress(bytes: choices.take(4)) ?? .v4(0)
            let prefix = NetworkPrefix(own: place, length: Int(choices.byte()))
            stage.feed(.networks(OwnNetworks([prefix])))
            stage.feed(.networks(Stage.networks))
        default: stage.pass(.seconds(Int64(choices.wide())))
        }
    }

    /// A message of the grammar, now and then damaged or in pieces.
    private static func say(_ stage: inout Stage, _ line: Int, _ choices: inout Choices) {
        guard stage.lines.indices.contains(line) else { return connect(&stage, &choices) }
        let id = stage.lines[line].id
        var bytes = stage.message(on: line, &choices).encode()
        let manner = choices.byte()
        if manner >= 0xF8 { bytes[choices.wide() % bytes.count] ^= 1 << (manner & 7) }
        guard manner & 7 == 7 else { return stage.say(bytes, on: line) }
        let cut = choices.wide() % bytes.count
        stage.say(Array(bytes[..<cut]), on: line)
        if let line = stage.lines.firstIndex(where: { $0.id == id }) {
            stage.say(Array(bytes[cut...]), on: line)
        }
    }

    /// Something that the user wants.
    private static func intent(_ stage: Stage, _ choices: inout Choices) -> Intent {
        let seats = stage.node.fold.tokens.map(\.seat)
        let seat = choices.one(of: seats) ?? Seat.first
        let number = 1 + choices.below(4)
        switch choices.below(22) {
        case 0:
            let count = choices.below(5)
            return count == 4
                ? .say("hello") : .suggestLayout([UInt8](repeating: 0x7B, count: count))
        case 1: return .message(to: stage.anyone(&choices), "psst")
        case 2: return .offer(ranks: [.all], note: "")
        case 3:
            let wishes: [Intent] = [
                .withdrawOffer, .wish(WishChange(asks: .nothing)),
                .wish(WishChange(ranks: [SeatSet(seat)], isPrivate: true)),
                .wish(WishChange(asks: .anything, isPrivate: false)),
            ]
            return wishes[number - 1]
        case 4, 5:
            return .swap(
                take: seat, give: nil, note: "", expires: 30 + choices.byteValue,
                override: choices.once(in: 2), unverified: true)
        case 6, 7:
            let give = stage.node.fold.held(by: stage.node.me).first?.seat
            return .swap(
                take: seat, give: give, note: "", expires: nil, override: true,
                unverified: true)
        case 8:
            let moves = (0..<3).compactMap { _ in
                choices.one(of: seats).map { SeatMove(seat: $0, to: stage.anyone(&choices)) }
            }
            return .propose(moves, note: "", expires: nil, unverified: true)
        case 9, 10: return .accept(number, override: choices.once(in: 2), unverified: true)
        case 11: return .decline(number, note: "no")
        case 12: return .counter(number, give: nil, take: seat, note: "", unverified: true)
        case 13: return .cancel(number)
        case 14: return .force(number)
        case 15: return .verify(stage.anyone(&choices))
        case 16: return .compared(isSame: !choices.once(in: 4))
        case 17: return choices.once(in: 2) ? .cancelVerify : .vouch(stage.anyone(&choices))
        case 18: return .block(stage.anyone(&choices), choices.once(in: 2))
        case 19:
            let byte = choices.byte()
            if byte < 32, let made = choices.one(of: stage.node.fold.contracts) {
                return .seated(made.id, byte < 24)
            }
            if byte < 48 {
                let role: Hosting.Role = byte & 1 == 0 ? .host : .guest
                return .hosting(Hosting(role, stage.anyone(&choices), holds: byte & 2 == 0))
            }
            return byte < 128 ? .rename("n\(byte)") : party(byte, stage, &choices)
        case 20: return .claim(seat, dependant: choices.once(in: 2))
        default: return choices.once(in: 8) ? .leave(force: number == 1) : .release(seat)
        }
    }
}

extension NodeTarget {
    /// Something about the user's party, of which there are two secrets.
    private static func party(
        _ byte: UInt8, _ stage: Stage, _ choices: inout Choices
    ) -> Intent {
        guard let secret = PartySecret(Array(repeating: byte & 1, count: 10)) else {
            broken("10 bytes are a secret")
        }
        let who = stage.anyone(&choices)
        let intents: [PartyIntent] = [
            .new(secret), .join(secret, fromHome: true), .invite, .yes(who), .no(who),
            .remove(who, next: secret), .leave, .say("psst"),
        ]
        return .party(intents[Int(byte >> 1) & 7])
    }
}

extension Seat {
    fileprivate static let first: Seat = {
        guard let seat = Seat("1A") else { broken("1A is a seat") }
        return seat
    }()
}

extension Choices {
    /// The next byte as a number.
    fileprivate var byteValue: Int { mutating get { Int(byte()) } }
}
