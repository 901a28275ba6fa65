// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text

/// Whole bundles and what every reader must find in them.
enum BundleVectors {
    static func json(_ scene: Scene) throws -> JSON {
        // Learned as from a peer: a second entry at one place becomes a fork proof.
        var logs = LogSet()
        var refused: [[UInt8]] = []
        for entry in scene.entries {
            let insertion = logs.insert(
                entry.bytes, flight: VectorFlight.key.id, codec: VectorFlight.codec)
            switch insertion {
            case .added, .known, .fork: break
            case .refused(.muted): break
            case .gap, .branches, .delayed, .leftOut, .refused: refused.append(entry.bytes)
            }
        }
        let items = try Bundle.items(Bundle.bytes(logs)) + refused.map { .entry($0) }
        let bytes = items.flatMap(\.bytes)
        let reading = try Bundle.read(bytes, codec: VectorFlight.codec)
        return [
            "name": .string(scene.name), "story": .string(scene.story),
            "items": .array(items.map { .hex($0.bytes) }),
            "expected": expected(reading),
        ]
    }

    static func expected(_ reading: Bundle.Reading) -> JSON {
        let fold = Fold.fold(reading.logs)
        let primitives = VectorFlight.primitives
        let hosted = reading.logs.logs.compactMap { log in
            reading.logs.host(of: log.author).map { host -> JSON in
                ["key": .hex(log.author.bytes), "host": .hex(host.bytes)]
            }
        }
        return .object(present: [
            "hosted": hosted.isEmpty ? nil : .array(hosted),
            "flight_id": reading.flight.map { .hex($0.bytes) } ?? .null,
            "refused": .array(reading.refused.map { .int($0.place) }),
            "tokens": .array(fold.tokens.map(token)),
            "contracts": .array(
                fold.contracts.map { state in
                    let seated = reading.logs.seated(by: state.id, fold)
                    return .object(present: [
                        "cid": .hex(state.id.bytes), "status": .string(status(state)),
                        "seated": seated.isEmpty ? nil : .array(seated.map { .hex($0.bytes) }),
                    ])
                }),
            "forks": .array(
                fold.forks.map { ["author": .hex($0.author.bytes), "seq": .int($0.seq)] }),
            "departures": .array(
                fold.departures.map {
                    [
                        "author": .hex($0.author.bytes), "cid": .hex($0.contract.bytes),
                        "seq": .int($0.seq),
                    ]
                }),
            "frontier": .hex(Frontier(reading.logs, primitives: primitives).digest.bytes),
            "map": .hex(fold.mapBytes), "map_digest": .hex(fold.digest(primitives).bytes),
        ])
    }

    private static func token(_ state: TokenState) -> JSON {
        [
            "token": .hex(state.token.bytes), "seat": .string(state.seat.text),
            "holder": .hex(state.holder.bytes), "producer": .hex(state.producer.bytes),
            "ended": .bool(state.ended), "reminted": .bool(state.reminted),
        ]
    }

    /// The word that an audit prints, too.
    private static func status(_ state: ContractState) -> String {
        if state.applied { return "applied" }
        if state.dead { return "dead" }
        if state.beaten { return "beaten" }
        return state.complete ? "waiting" : "open"
    }
}
