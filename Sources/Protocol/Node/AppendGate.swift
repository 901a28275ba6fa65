/// Whether the own log may be written to (docs/protocol.md section 10).
///
/// After a restart the own head is looked for at all reachable peers for 5 s, or for 30 s while one
/// of them told of more, so that a log that was put back from an old copy is never forked by
/// accident. A new key has nothing to catch up with.
package struct AppendGate: Hashable, Sendable {
    /// May become: restored -> catchingUp, shut; catchingUp -> open, behind, shut; behind ->
    /// catchingUp, shut; open -> shut; shut -> shut.
    package enum State: Hashable, Sendable {
        /// The log came from an old copy: another agent has to say first what they know of it.
        case restored
        /// Looking for one's own entries at others until then, or until `last` where somebody said
        /// that they has more: entries take their time, and a liar must not shut it for good.
        case catchingUp(until: Instant, last: Instant)
        /// Others hold an entry of ours at `signed`, behind the end of the log, and nobody came
        /// up with what stands before it; looked for again at `until`. Perhaps it went with the
        /// last disk that had it: but whatever were written here would be a fork, so nothing is,
        /// for as long as that is so.
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
    /// The longest own log that anybody told of, also one who hung up since.
    private var told = 0

    /// A gate at the start of a process; `fresh` when the log is empty, `restored` when it may be
    /// older than what was signed.
    package init(fresh: Bool, restored: Bool = false, at now: Instant) {
        state = restored ? .restored : fresh ? .open : Self.catchingUp(now)
    }

    /// Another agent told how far they know the logs: from now on they are fetched.
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

    /// Whether it opens soon, or says that it does not: until then intents may wait.
    package var isSoonKnown: Bool {
        switch state {
        case .catchingUp: true
        case .restored, .behind, .open, .shut: false
        }
    }

    /// When it moves by itself.
    package var nextDeadline: Instant? {
        switch state {
        case .catchingUp(let until, _), .behind(_, let until): until
        case .restored, .open, .shut: nil
        }
    }

    /// Opens it when its time has come; tells whether it opened now. The own log is here up to
    /// `seq`, and `signed` is the last place of it that an entry of ours was seen at: that is no
    /// hearsay, and what stands before it must come first, however long it takes.
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

    /// Shuts it; tells whether it was not shut before.
    package mutating func shut(_ reason: Reason) -> Bool {
        if case .shut = state { return false }
        state = .shut(reason)
        return true
    }
}
