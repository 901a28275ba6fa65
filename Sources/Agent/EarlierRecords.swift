// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Launch
import Profile
import Protocol
import Store
import Text

/// What an agent of this profile left on a flight earlier, read while none runs.
struct EarlierRecords: Hashable, Sendable {
    /// Seats that it still claims, sorted.
    var held: [Seat]
    /// Seats that a start does not claim again: those held, and those given away in a swap.
    var known: [Seat]
    /// The name by which others know it; empty if its log has none.
    var name: String

    /// The JSON for the command that asks.
    var json: JSON {
        [
            "held": .array(held.map { .string($0.text) }),
            "known": .array(known.map { .string($0.text) }), "name": .string(name),
        ]
    }

    /// Reads the flight's file. `nil` if there is none, if it cannot be read, which the agent
    /// reports better, or if its key is a new one, which claims nothing by itself.
    static func read(_ options: AgentOptions) -> EarlierRecords? {
        guard access(options.dataDirectory, F_OK) == 0,
            let primitives = SodiumPrimitives(), let path = path(options, primitives),
            access(path, F_OK) == 0,
            let store = try? Store(path: path, primitives: primitives, wasKept: true),
            let kept = try? store.identity(), let identity = Identity(seed: kept.seed),
            (try? store.isRenewed()) == false
        else { return nil }
        store.owned(by: identity.key)
        return (try? store.load()).map { EarlierRecords($0, of: identity.key) }
    }

    /// The path: for a flight with a cabin code, the name contains what is derived from the code.
    private static func path(_ options: AgentOptions, _ primitives: any Primitives) -> String? {
        var key: FlightKey?
        if let code = options.code {
            key = FlightKey(options.flight, code: code, primitives: primitives)
            guard key != nil else { return nil }
        }
        return options.dataDirectory + "/" + FlightFile.name(options.flight, key)
    }

    /// What the fold of the records says about `me`.
    init(_ stored: Stored, of me: PeerKey) {
        let logs = stored.logs
        let fold = Fold.fold(logs)
        held = fold.held(by: me).map(\.seat)
        known = fold.tokens.filter { !$0.ended && ($0.author == me || $0.holder == me) }
            .map(\.seat)
        name = ""
        for entry in logs.log(of: me)?.entries ?? [] {
            switch entry.body {
            case .genesis(let name, _), .profile(let name): self.name = name
            case .claim, .retract, .vote, .commit, .abandon, .chat, .wish, .sealed, .unknown,
                .vouch, .end:
                break
            }
        }
    }
}
