// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// What one end of a tunnel does with what comes, and when; and which OPENs count (docs/meet.md
/// section 8).
struct MeetTunnelRuns {
    private let opening: TunnelOpening
    private let primitives = MeetVectors.primitives
    private let start = Instant.zero + .seconds(100)

    init() throws { opening = try MeetTunnelVectors().opening().opening }

    func json() throws -> JSON {
        [
            "note": "docs/meet.md section 8: order, flow, ends; which OPENs count",
            "runs": .array(Self.runs.map { run($0) }), "gates": .array(try gates()),
            "looks": .array(looks()),
        ]
    }

    // MARK: One end

    /// What happens to it: a frame with a number, bytes of TLS to send, or nothing but time.
    enum Event {
        case frame(UInt32, TunnelBody)
        case frames(UInt32, Int, TunnelBody)
        case write(Int)
        case time
    }

    struct Run {
        let name: String
        var isOpener = false
        let steps: [(at: Int64, event: Event)]
    }

    private func run(_ run: Run) -> JSON {
        var tunnel = Tunnel(opening, isOpener: run.isOpener, at: start, primitives)
        // The passenger who was asked answers at once.
        let welcome = run.isOpener ? [] : shown(tunnel.welcome(), run.isOpener)
        let steps: [JSON] = run.steps.map { step in
            let now = start + .milliseconds(step.at)
            var says: JSON = .null
            var times = 1
            var write = 0
            var output: [Tunnel.Output] = []
            switch step.event {
            case .frame(let seq, let body):
                says = Self.said(body, seq)
                output = take(body, seq, run.isOpener, &tunnel, at: now)
            case .frames(let seq, let count, let body):
                says = Self.said(body, seq)
                times = count
                for number in 0..<UInt32(count) {
                    output += take(body, seq + number, run.isOpener, &tunnel, at: now)
                }
            case .write(let count):
                write = count
                tunnel.write([UInt8](repeating: 7, count: count))
            case .time: break
            }
            output += tunnel.tick(at: now)
            while tunnel.hasMore { output += tunnel.flush(at: now) }
            return [
                "at": .int(Int(step.at)), "frame": says, "times": .int(times),
                "write": .int(write), "does": .array(shown(output, run.isOpener)),
            ]
        }
        return [
            "name": .string(run.name), "opener": .bool(run.isOpener), "begins": .array(welcome),
            "steps": .array(steps),
        ]
    }

    private func take(
        _ body: TunnelBody, _ seq: UInt32, _ isOpener: Bool, _ tunnel: inout Tunnel,
        at now: Instant
    ) -> [Tunnel.Output] {
        let key = isOpener ? opening.keys.back : opening.keys.there
        guard
            let frame = TunnelFrame.seal(
                body, opening.id, seq: seq, key: key, primitives)
        else { return [] }
        return tunnel.take(frame, seq: seq, at: now)
    }

    private static func said(_ body: TunnelBody, _ seq: UInt32) -> JSON {
        let words: [JSON] =
            switch body {
            case .ready: ["ready"]
            case .data(let bytes): ["data", .int(bytes.count)]
            case .took(let count): ["took", .int(count)]
            case .end(let reason): ["end", .int(reason.rawValue)]
            }
        return .array([.int(Int(seq))] + words)
    }

    /// What it does, in words; of many equal ones how often.
    private func shown(_ output: [Tunnel.Output], _ isOpener: Bool) -> [JSON] {
        let key = isOpener ? opening.keys.there : opening.keys.back
        var lines: [(text: String, times: Int)] = []
        for one in output {
            let text: String
            switch one {
            case .began: text = "TLS begins"
            case .bytes(let bytes): text = "\(bytes.count) for TLS"
            case .took: continue
            case .ended(let reason): text = "over \(reason.rawValue)"
            case .send(let frame):
                let seq = TunnelFrame.place(frame)?.seq ?? 0
                text =
                    switch TunnelFrame.open(frame, seq: seq, key: key, primitives) {
                    case .ready: "says ready"
                    case .data(let bytes): "says data \(bytes.count)"
                    case .took(let count): "says took \(count)"
                    case .end(let reason): "says end \(reason.rawValue)"
                    case nil: "says something else"
                    }
            }
            if lines.last?.text == text {
                lines[lines.count - 1].times += 1
            } else {
                lines.append((text, 1))
            }
        }
        return lines.map { .string($0.times == 1 ? $0.text : "\($0.times) times \($0.text)") }
    }

    // MARK: OPENs that count

    private struct Asked {
        let at: Int64
        let clock: Int64
        let from: Int
        let id: Int
        let made: Int64
        var times = 1
    }

    /// Each case is a reader who starts anew. With `times`, as many openers with an id each.
    private func gates() throws -> [JSON] {
        let noon: Int64 = 1_795_435_200
        let all: [(String, [Asked])] = [
            ("made now", [Asked(at: 0, clock: noon, from: 1, id: 1, made: noon)]),
            ("60 s ago", [Asked(at: 0, clock: noon, from: 1, id: 1, made: noon - 60)]),
            ("61 s ago", [Asked(at: 0, clock: noon, from: 1, id: 1, made: noon - 61)]),
            ("60 s ahead", [Asked(at: 0, clock: noon, from: 1, id: 1, made: noon + 60)]),
            ("61 s ahead", [Asked(at: 0, clock: noon, from: 1, id: 1, made: noon + 61)]),
            ("at the end of time", [Asked(at: 0, clock: noon, from: 1, id: 1, made: .max)]),
            (
                "twice, and again until it is over",
                [0, 2, 59, 60, 61].map {
                    Asked(at: $0 * 1000, clock: noon + $0, from: 1, id: 1, made: noon)
                }
            ),
            (
                "made ahead, and again until it is over",
                [0, 61, 120].map {
                    Asked(at: $0 * 1000, clock: noon + $0, from: 1, id: 1, made: noon + 60)
                }
            ),
            (
                "one id of two openers",
                [
                    Asked(at: 0, clock: noon, from: 1, id: 1, made: noon),
                    Asked(at: 5000, clock: noon + 5, from: 2, id: 1, made: noon + 5),
                ]
            ),
            (
                "two in a second",
                [0, 999, 1000, 1999].enumerated().map { number, at in
                    Asked(at: Int64(at), clock: noon, from: 1, id: number, made: noon)
                }
            ),
            (
                "512 are remembered",
                [
                    Asked(at: 0, clock: noon, from: 1, id: 1, made: noon, times: 600),
                    Asked(at: 5000, clock: noon + 60, from: 1, id: 700, made: noon + 60),
                    Asked(at: 6000, clock: noon + 61, from: 1, id: 800, made: noon + 61),
                ]
            ),
        ]
        return try all.map { name, steps in
            var gate = OpeningGate(at: start)
            return [
                "name": .string(name),
                "steps": .array(try steps.map { try asked($0, &gate) }),
            ]
        }
    }

    private func asked(_ step: Asked, _ gate: inout OpeningGate) throws -> JSON {
        let now = Moment(
            instant: start + .milliseconds(step.at), utc: UTCTime(seconds: step.clock))
        var taken = 0
        for number in 0..<step.times {
            if gate.answer(try opening(step, number), at: now) == .taken { taken += 1 }
        }
        return [
            "at": .int(Int(step.at)), "clock": .int(Int(step.clock)), "from": .int(step.from),
            "id": .int(step.id), "made": .int(Int(step.made)), "times": .int(step.times),
            "taken": .int(taken),
        ]
    }

    /// An OPEN of somebody with a number: it is sealed and read like any other.
    private func opening(_ step: Asked, _ number: Int) throws -> TunnelOpening {
        let people = try MeetTunnelVectors()
        let id = MeetVectors.primitives.sha256([0] + UInt64(step.id + number).bytes)
        let from = MeetVectors.primitives.sha256([1] + UInt64(step.from + number).bytes)
        let ends = TunnelOpening.Ends(
            from: PeerKey(from), own: people.ada.pair, to: people.bo.key,
            boxKey: people.bo.pair.key)
        guard let id = TunnelID(Array(id.bytes.prefix(16))),
            let found = TunnelOpening.make(
                id, ends, fresh: people.cy.pair, at: UTCTime(seconds: step.made), primitives)
        else { throw DecodeError(.badValue) }
        return found.opening
    }

    /// How many of so many that came at a time are decrypted.
    private func looks() -> [JSON] {
        var gate = OpeningGate(at: start)
        return [(0, 50), (50, 2), (1000, 30), (1100, 5), (20_000, 50)].map { at, tries in
            let now = start + .milliseconds(Int64(at))
            let looked = (0..<tries).count { _ in gate.looks(at: now) }
            return ["at": .int(at), "came": .int(tries), "looked": .int(looked)]
        }
    }
}
