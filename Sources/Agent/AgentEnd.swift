// SPDX-License-Identifier: Apache-2.0
import Glibc
import Launch
import Profile
import Protocol
import Store
import Text

/// The end of a flight's key and records.
extension Agent {
    /// Overwrites and deletes the flight's file, and the options that name it.
    func erase() {
        // First, so that a crash in between leaves no mirror of a file without a key.
        unlink(CopyMirror.path(of: opened.path, in: options.place))
        try? opened.store.wipe()
        FlightFiles(place: options.place).unlinkAll(opened.path)
        // A start that is refused may not have stored any options.
        let stored = try? StoredOptions.read(options.place)
        if stored?.flight == options.flight {
            unlink(options.place.optionsPath)
        }
    }

    /// The flight is over by this computer's clock, which may be wrong. Deletes its key and records
    /// only if an earlier start found the same, or nothing was signed yet. Returns what to tell
    /// people.
    func settleEnd(_ now: UTCTime) -> UserError {
        let mark = EndMark(of: opened.path, in: options.place)
        if opened.stored.entries.isEmpty || mark.isAgreed(now: now) {
            erase()
            return EndedFlight.deleted
        }
        mark.note(now)
        return EndedFlight.kept(options.flight, opened.end, now)
    }
}
