// SPDX-License-Identifier: Apache-2.0
/// Whether the own log may be written to (docs/protocol.md section 10).
///
/// After a restart the agent asks all reachable peers about its own log for 5 s, or for 30 s while
/// one of them says that there is more. So a log restored from an old copy is never forked by
/// accident. A new key has nothing to catch up with.
package struct AppendGate: Hashable, Sendable {
    /// May become: restored -> catchingUp, shut; catchingUp -> open, behind, shut; behind ->
    /// catchingUp, shut; open -> shut; shut -> shut.
    package enum State: Hashable, Sendable {
        /// The log came from an old copy: another agent has to say first what they know of it.
        case restored
        /// Looking for own entries at others until then, or until `last` if a peer said that they
        /// have more: entries take time to arrive, but a liar must not shut the log for good.
        case catchingUp(until: Instant, last: Instant)
        /// Others hold an entry of ours at `signed`, behind the end of the log, and nobody has
        /// the entries before it; the agent looks again at `until`. They may be lost with the
        /// last disk that held them. But anything written here would be a fork, so the log
        /// stays shut until they come.
        case behind(signed: Int, until: Instant)
        /// Entries may be appended.
        case open
        /// Never again in this process.
        case shut(Reason)
    }

    /// Why a log is shut.
    package enum Reason: Hashable, Sendable {
        /// The key runs in a second process.
        case keyRunsTwice
        /// Two entries of ours stand at one place.
        case forked
    }

    /// Where it stands.
    package private(set) var state: State
    /// The longest length of the own log that any peer told of, even one who hung up since.
    private var told = 0

    /// A gate at the start of a process; `fresh` when the log is empty, `restored` when it may be
    /// older than what was signed.
    package init(fresh: Bool, restored: Bool = false, at now: Instant) {
        state = restored ? .restored : fresh ? .open : Self.catchingUp(now)
    }

    /// Another agent told how far they know the logs: from now on the missing entries are fetched.
    package mutating func heard(at now: Instant) {
        if case .restored = state { state = Self.catchingUp(now) }
    }

    /// Somebody says that the own log goes up to `seq`.
    package mutating func told(of seq: Int) { told = max(told, seq) }

    private static func catchingUp(_ now: Instant) -> State {
        .catchingUp(until: now + Limits.catchUp, last: now + Limits.catchUpMost)
    }

    /// Whether entries may be appended.
    package var isOpen: Bool { state == .open }

    /// Whether the own log is looked for at others.
    package var isCatchingUp: Bool {
        switch state {
        case .restored, .catchingUp, .behind: true
        case .open, .shut: false
        }
    }

    /// Whether it will soon be known if the log opens; until then intents may wait.
    package var isSoonKnown: Bool {
        switch state {
        case .catchingUp: true
        case .restored, .behind, .open, .shut: false
        }
    }

    /// When its state changes by itself.
    package var nextDeadline: Instant? {
        switch state {
        case .catchingUp(let until, _), .behind(_, let until): until
        case .restored, .open, .shut: nil
        }
    }

    /// Opens the log when its time has come. Returns whether it opened now. The own log is here up
    /// to `seq`; `signed` is the last position at which an entry of ours was seen. That is proof,
    /// so everything before it must come first, however long it takes.
    package mutating func tick(at now: Instant, seq: Int, signed: Int) -> Bool {
        guard let due = nextDeadline, due <= now else { return false }
        let next = now + .seconds(1)
        switch state {
        case .catchingUp(_, let last) where now < last && max(signed, told) > seq:
            state = .catchingUp(until: min(next, last), last: last)
        case .catchingUp, .behind:
            if signed > seq {
                state = .behind(signed: signed, until: next)
            } else if case .behind = state {
                // It came late, and may not be all yet: whoever brought it is asked for the rest.
                state = Self.catchingUp(now)
            } else {
                state = .open
            }
        case .restored, .open, .shut: break
        }
        return isOpen
    }

    /// Shuts it. Returns whether it was not shut before.
    package mutating func shut(_ reason: Reason) -> Bool {
        if case .shut = state { return false }
        state = .shut(reason)
        return true
    }
}
