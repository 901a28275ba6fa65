// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Keys
import Launch
import Profile
import Protocol
import Store
import Text

extension EarlierRecords {
    /// Reads the flight's file while no agent runs; `nil` where there is none, where it cannot be
    /// read, which the agent says better, and where its key is a new one, which claims nothing by
    /// itself.
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
        let known = fold.tokens.filter { !$0.ended && ($0.author == me || $0.holder == me) }
        self.init(
            held: fold.held(by: me).map(\.seat), known: known.map(\.seat),
            name: logs.lastName(of: me) ?? "")
    }
}
