// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Profile
import Protocol
import Store
import System
import Transport

/// Where a flight's file is, and how its key is made.
enum FlightStore {
    /// Why a flight's file is not opened.
    enum Obstacle: Error, Hashable, Sendable {
        /// There was a key at that path, which can no longer be read for that reason.
        case lost(String, why: String)
        /// A new key was requested, but the file at that path has its own.
        case kept(String)
        /// The key was taken along to another computer; the file is at that path.
        case taken(String)
        /// The records are of 0.1, whose flights have other rules.
        case older
        /// Anything else about the file at that path, in SQLite's words.
        case unusable(String, why: String)
    }

    /// Opens the file of a flight; the first time, makes key and flight key.
    ///
    /// The directories exist; files get mode 0600. If a key was lost, none is made silently: a new
    /// one would claim a seat that the lost one may have given away. `renewing` makes one that
    /// claims nothing, and is for that case only.
    static func open(
        _ flight: GatheringName, code: String? = nil, window: SelectionWindow? = nil,
        place: ProfilePlace, primitives: any Primitives, renewing: Bool = false
    ) throws(Obstacle) -> Opened {
        umask(0o077)
        var wanted = Wanted(
            flight: flight, path: place.dataDirectory + "/" + FlightFile.name(flight),
            place: place,
            end: window.flatMap { FlightLife.end(of: flight, window: $0) })
        let found: Found
        do throws(StoreError) {
            // A cabin code gives another flight id and so another file; finding it costs the
            // derivation.
            if let code {
                let gated = try derive(flight, code, primitives)
                wanted.key = gated
                wanted.path = place.dataDirectory + "/" + FlightFile.name(flight, gated)
                // A file of 0.1 has another name, because the flight had another id.
                for id in gated.olderIDs(primitives: primitives) {
                    let older =
                        place.dataDirectory + "/" + FlightFile.name(flight.text, id: id.hex)
                    if access(older, F_OK) == 0 { throw StoreError.older }
                }
            }
            found = try find(wanted, primitives)
        } catch {
            throw error == .older ? .older : .unusable(wanted.path, why: error.words)
        }
        switch found {
        case .taken(let text):
            TakenKey.publish(text, of: wanted.path)
            throw .taken(wanted.path)
        case .whole(let opened):
            guard !renewing else { throw .kept(wanted.path) }
            return opened
        case .new(let store): return try make(wanted, in: store, renewing, primitives)
        case .lost(let why):
            guard renewing else { throw .lost(wanted.path, why: why) }
            FlightFiles(place: place).setAside(wanted.path)
            return try make(wanted, in: try fresh(wanted, primitives), true, primitives)
        }
    }

    /// The file to open.
    private struct Wanted {
        let flight: GatheringName
        var path: String
        let place: ProfilePlace
        /// When the flight is over, according to this start.
        let end: UTCTime?
        /// The flight's key, if it is known already.
        var key: FlightKey?
        /// What is noted about the file outside of it.
        var mirror: CopyMirror { CopyMirror(of: path, in: place) }
    }

    /// What was found.
    private enum Found {
        /// A file with its key.
        case whole(Opened)
        /// A file whose key was taken along, sealed in that text.
        case taken(String)
        /// A file that never had one.
        case new(Store)
        /// A file that had one.
        case lost(why: String)
    }

    private static func find(
        _ wanted: Wanted, _ primitives: any Primitives
    ) throws(StoreError) -> Found {
        let wasKept = wanted.mirror.exists
        var facts = stat()
        // SQLite would make an empty file of it, and discard what lies beside it.
        if wasKept, stat(wanted.path, &facts) != 0 { return .lost(why: "there is no such file") }
        if wasKept, facts.st_size == 0 { return .lost(why: "it is empty") }
        do throws(StoreError) {
            let store = try Store(
                path: wanted.path, rules: wanted.flight.entryRules, primitives: primitives,
                wasKept: wasKept)
            if let text = try store.taken() { return .taken(text) }
            guard let kept = try store.identity() else {
                return wasKept ? .lost(why: "there is no key in it") : .new(store)
            }
            // Damage further on is found here.
            return .whole(
                try opened(store, wanted, seed: kept.seed, auth: kept.auth, primitives))
        } catch {
            guard error.isLoss else { throw error }
            return .lost(why: error.words)
        }
    }

    /// A new file.
    private static func fresh(
        _ wanted: Wanted, _ primitives: any Primitives
    ) throws(Obstacle) -> Store {
        do throws(StoreError) {
            return try Store(
                path: wanted.path, rules: wanted.flight.entryRules, primitives: primitives)
        } catch {
            throw .unusable(wanted.path, why: error.words)
        }
    }

    /// Makes a key.
    private static func make(
        _ wanted: Wanted, in store: Store, _ isRenewed: Bool, _ primitives: any Primitives
    ) throws(Obstacle) -> Opened {
        do throws(StoreError) {
            let key: FlightKey
            if let known = wanted.key {
                key = known
            } else {
                key = try derive(wanted.flight, nil, primitives)
            }
            let seed = SodiumPrimitives.random(32)
            if isRenewed {
                try store.keepRenewed(seed: seed, auth: key.auth, flight: wanted.flight)
            } else {
                try store.keep(seed: seed, auth: key.auth, flight: wanted.flight)
            }
            return try opened(store, wanted, seed: seed, auth: key.auth, primitives)
        } catch {
            throw .unusable(wanted.path, why: error.words)
        }
    }

    private static func derive(
        _ flight: GatheringName, _ code: String?, _ primitives: any Primitives
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
        /// What the core continues from.
        let stored: Stored
        /// When the flight is over; `nil` for never.
        let end: UTCTime?
        /// What is noted about the file outside of it, and its generation.
        let mirror: CopyMirror
        let generation: String
        /// Whether the file is an old copy, or came from elsewhere (docs/protocol.md section 10).
        let isRestored: Bool
        /// Whether the key replaces a lost one and claims no seat by itself.
        let isRenewed: Bool
        /// The number of entries in the own log.
        let head: Int
        /// How many entries the key had signed when it was brought here; 0 for one made here.
        let floor: Int
        /// Whether the own log is still to be fetched, since its key was brought here.
        var awaitsLog: Bool { head < floor }
    }

    private static func opened(
        _ store: Store, _ wanted: Wanted, seed: [UInt8], auth: Bytes32,
        _ primitives: any Primitives
    ) throws(StoreError) -> Opened {
        guard let identity = Identity(seed: seed) else {
            throw StoreError(code: 11, words: "the key in it cannot be read")
        }
        store.owned(by: identity.key)
        let stored = try store.load()
        if stored.damaged > 0 {
            Log.line(
                "\(stored.damaged) records in the flight's file are damaged: left out, "
                    + "and asked for again")
        }
        // A damaged own record was signed, but that does not make the file a copy.
        let head = stored.entries.reduce(stored.ownSeq) { head, seen in
            seen.entry.author == identity.key ? max(head, seen.entry.seq) : head
        }
        let before = try store.copyFacts()
        let mirror = wanted.mirror
        let floor = try store.floor()
        let isRestored =
            head < floor
            || CopyMirror.isForeign(
                generation: before?.generation, head: head, mirror: mirror.read())
        // A start that does not say when the flight lands knows it from an earlier one.
        let end = wanted.end ?? before?.ends ?? FlightLife.end(of: wanted.flight, window: nil)
        let generation = SodiumPrimitives.random32().hex
        // Both generations first, so that a crash between the two writes looks like neither.
        let last = before?.generation ?? generation
        // Nothing is decided about a file that was put back before its log has caught up: the next
        // start must find it foreign again.
        if !isRestored {
            mirror.write((last, generation), head: head)
            try store.begin(generation: generation, ends: end)
            mirror.write((generation, generation), head: head)
        }
        return Opened(
            store: store, path: wanted.path, identity: identity, seed: seed,
            flightKey: FlightKey(
                auth: auth, foldVersion: wanted.flight.foldVersion, primitives: primitives),
            stored: stored, end: end,
            mirror: mirror, generation: generation, isRestored: isRestored,
            isRenewed: try store.isRenewed(), head: head, floor: floor)
    }
}
