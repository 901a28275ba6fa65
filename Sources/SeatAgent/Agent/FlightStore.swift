import Glibc
import Protocol

/// Where a flight's file stands and how its key comes to be.
enum FlightStore {
    /// Opens the file of `flight` in `directory`, makes key and flight key at the first time.
    ///
    /// The directory is there; files get mode 0600. Throws what SQLite says, with the path.
    static func open(
        _ flight: FlightName, in directory: String, primitives: any Primitives
    ) throws(StoreError) -> Opened {
        umask(0o077)
        let path = directory + "/" + fileName(flight)
        let store = try Store(path: path, primitives: primitives)
        if let kept = try store.identity() {
            return try opened(store, seed: kept.seed, auth: kept.auth, primitives)
        }
        guard let key = FlightKey(flight, primitives: primitives) else {
            throw StoreError(code: 7, words: "64 MiB of memory for the flight's key are missing")
        }
        let seed = SodiumPrimitives.random(32)
        try store.keep(seed: seed, auth: key.auth, flight: flight)
        return try opened(store, seed: seed, auth: key.auth, primitives)
    }

    /// A flight's file, open, with what was in it.
    struct Opened {
        /// The open file.
        let store: Store
        /// The key pair of this flight.
        let identity: Identity
        /// The seed, for the TLS certificate.
        let seed: [UInt8]
        /// The flight's shared key.
        let flightKey: FlightKey
        /// What the core goes on from.
        let stored: Stored
    }

    private static func opened(
        _ store: Store, seed: [UInt8], auth: Bytes32, _ primitives: any Primitives
    ) throws(StoreError) -> Opened {
        guard let identity = Identity(seed: seed) else {
            throw StoreError(code: 11, words: "the key in it cannot be read")
        }
        store.owned(by: identity.key)
        return Opened(
            store: store, identity: identity, seed: seed,
            flightKey: FlightKey(auth: auth, primitives: primitives), stored: try store.load())
    }

    /// `XY123-2026-11-22-DUB.db`.
    static func fileName(_ flight: FlightName) -> String {
        String(flight.text.map { $0 == "/" ? "-" : $0 }) + ".db"
    }
}
