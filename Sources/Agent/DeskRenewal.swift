// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Profile
import Protocol
import Store
import Text

/// The file of a desk that takes over from a lost one: it needs a key that has no ledger yet
/// (docs/protocol.md section 32).
extension FlightStore {
    /// Opens the file of a venue in which the ledger of `epoch` is to begin, or what others know is
    /// to be fetched first, for 0: a lost key is replaced then. One that has the ledger of an
    /// earlier epoch is replaced too, and what the file knows of that one is kept.
    static func open(
        _ venue: GatheringName, toBegin epoch: Int, place: ProfilePlace,
        primitives: any Primitives
    ) throws(Obstacle) -> Opened {
        let path: String
        switch try found(venue, epoch, place, primitives) {
        case .fit(let opened): return opened
        case .spent(let old, let stored, let key):
            path = old
            do throws(StoreError) {
                try copy(stored, of: venue, key, to: path + ".new", primitives)
            } catch {
                throw .unusable(path, why: error.words)
            }
        }
        // A start in between finds no file, and fetches everything from others.
        unlink(CopyMirror.path(of: path, in: place))
        FlightFiles(place: place).setAside(path)
        guard rename(path + ".new", path) == 0 else {
            throw .unusable(path, why: String(cString: strerror(errno)))
        }
        return try open(venue, place: place, primitives: primitives)
    }

    /// What a desk that begins an epoch finds.
    private enum Found {
        /// A file whose key has no ledger, or that of the epoch.
        case fit(Opened)
        /// One whose key has another log: where it is, and what it knows. It is closed, since
        /// SQLite tidies up by name when it closes a file.
        case spent(String, Stored, FlightKey)
    }

    private static func found(
        _ venue: GatheringName, _ epoch: Int, _ place: ProfilePlace, _ primitives: any Primitives
    ) throws(Obstacle) -> Found {
        let opened: Opened
        do throws(Obstacle) {
            opened = try open(venue, place: place, primitives: primitives)
        } catch {
            // Whoever says that a desk takes over fetches first: later starts say it no more.
            guard case .lost = error, epoch == 0 else { throw error }
            return .fit(try open(venue, place: place, primitives: primitives, renewing: true))
        }
        // A ledger begins with its charter: a log that says something already is none.
        let isSpent = opened.charter.map { $0.epoch < epoch } ?? (epoch > 0 && opened.head > 1)
        return isSpent ? .spent(opened.path, opened.stored, opened.flightKey) : .fit(opened)
    }

    /// A file with a new key, and what was known under the old one.
    private static func copy(
        _ stored: Stored, of venue: GatheringName, _ key: FlightKey, to path: String,
        _ primitives: any Primitives
    ) throws(StoreError) {
        for part in ["", "-wal", "-shm", "-journal"] { unlink(path + part) }
        let seed = SodiumPrimitives.random(32)
        guard let identity = Identity(seed: seed) else {
            throw StoreError(code: 11, words: "no key could be made")
        }
        let store = try Store(path: path, rules: venue.entryRules, primitives: primitives)
        store.owned(by: identity.key)
        try store.keep(seed: seed, auth: key.auth, flight: venue)
        try store.apply(
            stored.entries.map { .entry($0.entry, seen: $0.seen) }
                + stored.proofs.map { .forkProof($0) })
        try store.settle()
    }
}

extension Agent {
    func copyFile(to path: String) throws(UserError) {
        do throws(StoreError) {
            try opened.store.copy(to: path)
        } catch {
            throw UserError(
                .file, "the copy cannot be written", why: "\(visible(path)): \(error.words)",
                advice: "seatagent help desk")
        }
    }
}

extension FlightStore.Opened {
    /// What the own log begins its ledger with, as revised last; `nil` where it is none.
    var charter: Charter? {
        for seen in stored.entries.reversed() where seen.entry.author == identity.key {
            if case .charter(let charter)? = seen.entry.ledger { return charter }
        }
        return nil
    }
}
