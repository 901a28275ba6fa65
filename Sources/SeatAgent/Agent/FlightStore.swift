import Glibc
import Protocol

/// Where a flight's file stands and how its key comes to be.
enum FlightStore {
    /// Opens the file of a flight, makes key and flight key at the first time.
    ///
    /// The directories are there; files get mode 0600. Throws what SQLite says.
    static func open(
        _ flight: FlightName, code: String? = nil, window: SelectionWindow? = nil,
        place: ProfilePlace, primitives: any Primitives
    ) throws(StoreError) -> Opened {
        umask(0o077)
        // A cabin code makes another flight id and so another file; finding it costs the derivation.
        let gated = try code.map { (code) throws(StoreError) in
            try derive(flight, code, primitives)
        }
        let path = place.dataDirectory + "/" + fileName(flight, gated)
        let store = try Store(path: path, primitives: primitives)
        let end = window.flatMap { FlightLife.end(of: flight, window: $0) }
        if let kept = try store.identity() {
            return try opened(
                store, path, place, end, flight, seed: kept.seed, auth: kept.auth, primitives)
        }
        let key: FlightKey
        if let gated { key = gated } else { key = try derive(flight, nil, primitives) }
        let seed = SodiumPrimitives.random(32)
        try store.keep(seed: seed, auth: key.auth, flight: flight)
        return try opened(
            store, path, place, end, flight, seed: seed, auth: key.auth, primitives)
    }

    private static func derive(
        _ flight: FlightName, _ code: String?, _ primitives: any Primitives
    ) throws(StoreError) -> FlightKey {
        guard let key = FlightKey(flight, code: code, primitives: primitives) else {
            throw StoreError(code: 7, words: "64 MiB of memory for the flight's key are missing")
        }
        return key
    }

    /// A flight's file, open, with what was in it.
    struct Opened {
        /// The open file.
        let store: Store
        /// Where it is.
        let path: String
        /// The key pair of this flight.
        let identity: Identity
        /// The seed, for the TLS certificate.
        let seed: [UInt8]
        /// The flight's shared key.
        let flightKey: FlightKey
        /// What the core goes on from.
        let stored: Stored
        /// When the flight is over; `nil` for never.
        let end: UTCTime?
        /// What is known of the file outside of it, and its generation.
        let mirror: CopyMirror
        let generation: String
        /// The file is an old copy, or came from elsewhere (protocol.md 5.5).
        let isRestored: Bool
        /// Entries of the own log.
        let head: Int
    }

    private static func opened(
        _ store: Store, _ path: String, _ place: ProfilePlace, _ end: UTCTime?,
        _ flight: FlightName,
        seed: [UInt8], auth: Bytes32, _ primitives: any Primitives
    ) throws(StoreError) -> Opened {
        guard let identity = Identity(seed: seed) else {
            throw StoreError(code: 11, words: "the key in it cannot be read")
        }
        store.owned(by: identity.key)
        let stored = try store.load()
        let head = stored.entries.reduce(0) { head, seen in
            seen.entry.author == identity.key ? max(head, seen.entry.seq) : head
        }
        let before = try store.copyFacts()
        let mirror = CopyMirror(of: path, in: place)
        let isRestored = CopyMirror.isForeign(
            generation: before?.generation, head: head, mirror: mirror.read())
        // A start that does not say when it lands knows it from an earlier one.
        let end = end ?? before?.ends ?? FlightLife.end(of: flight, window: nil)
        let generation = SodiumPrimitives.random32().hex
        // Both generations first, so that a crash between the two writes looks like neither.
        let last = before?.generation ?? generation
        // Of a file that was put back nothing is settled before its log has caught up: the next start
        // must find it foreign again.
        if !isRestored {
            mirror.write((last, generation), head: head)
            try store.begin(generation: generation, ends: end)
            mirror.write((generation, generation), head: head)
        }
        return Opened(
            store: store, path: path, identity: identity, seed: seed,
            flightKey: FlightKey(auth: auth, primitives: primitives), stored: stored, end: end,
            mirror: mirror, generation: generation, isRestored: isRestored,
            head: head)
    }

    /// `XY123-2026-11-22-DUB.db`; with a cabin code also the beginning of the flight's id.
    static func fileName(_ flight: FlightName, _ gated: FlightKey? = nil) -> String {
        fileName(flight.text, id: gated?.id.hex)
    }

    /// The same, from words; `id` is the id of a flight with a cabin code.
    static func fileName(_ flight: String, id: String?) -> String {
        String(flight.map { $0 == "/" ? "-" : $0 }) + (id.map { "-" + $0.prefix(8) } ?? "") + ".db"
    }
}
