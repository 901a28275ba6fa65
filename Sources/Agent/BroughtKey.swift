// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Launch
import Profile
import Protocol
import Store
import System
import Text

/// Stores a key that was taken along from another computer. Its log is fetched from other
/// passengers when the agent runs, and nothing is signed before (docs/protocol.md section 10).
extension FlightStore {
    static func bring(_ brought: Errand.BroughtKey, to place: ProfilePlace) throws(UserError) {
        // First: without it there is no locked memory for a key.
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        guard let seed = bytes(hexadecimal: brought.seed), let own = Identity(seed: seed)?.key,
            let auth = bytes(hexadecimal: brought.auth).flatMap({ Bytes32($0) }),
            let flight = FlightName(brought.flight), brought.floor > 0
        else { throw UserError(.badRequest, "this is no key of a flight") }
        umask(0o077)
        let name = GatheringName.flight(flight)
        let key = FlightKey(auth: auth, foldVersion: name.foldVersion, primitives: primitives)
        let path = place.dataDirectory + "/" + FlightFile.name(name, brought.isGated ? key : nil)
        let mirror = CopyMirror(of: path, in: place)
        let obstacle: UserError?
        do throws(StoreError) {
            // A file that was lost is reported as lost, and not replaced.
            let store = try Store(
                path: path, rules: name.entryRules, primitives: primitives, wasKept: mirror.exists)
            obstacle = try self.obstacle(in: store, to: own, of: flight)
            if obstacle == nil {
                try store.keepBrought(seed: seed, auth: auth, flight: name, floor: brought.floor)
                // From now on a file that is gone is missed, and no new key made in its place.
                let none = SodiumPrimitives.random32().hex
                mirror.write((none, none), head: 0)
            }
        } catch {
            throw UserError(
                .file, "the flight's file cannot be used", why: "\(path): \(error.words)",
                advice: "ls -l \(ShellWord.quoted(path))")
        }
        if let obstacle { throw obstacle }
    }

    /// Why a key has no place in a file; `nil` if there is none in it.
    private static func obstacle(
        in store: Store, to own: PeerKey, of flight: FlightName
    ) throws(StoreError) -> UserError? {
        guard let kept = try store.identity() else { return nil }
        let words = flight.isPractice ? "the practice flight" : flight.text
        let elsewhere = "seatagent key import --profile taken"
        if try store.taken() != nil {
            return UserError(
                .notAllowedNow, "the key for \(words) was taken along from this profile",
                why: "it belongs into another one, or on another computer", advice: elsewhere)
        }
        guard Identity(seed: kept.seed)?.key == own else {
            return UserError(
                .notAllowedNow, "this profile has a key of its own for \(words)",
                why: "an agent signs with one", advice: elsewhere)
        }
        return UserError(
            .alreadySo, "this key is here already", why: "it was imported before",
            advice: "seatagent flights")
    }
}
