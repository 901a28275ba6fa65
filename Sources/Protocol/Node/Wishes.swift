// SPDX-License-Identifier: Apache-2.0
/// What the user wishes, and when it may be written for others (docs/protocol.md section 8).
struct Wishes: Sendable {
    /// The wish, with what of it stays here.
    private(set) var own: OwnWish
    /// When a wish that waits for its turn is written.
    private(set) var due: Instant?
    /// When this process wrote the last one.
    private var written: Instant?
    /// Whether the last wish of the log shows a party that the user has left since.
    private(set) var owesTag = false
    /// Whether the wish is the user's, on this disk; else it is what their log says.
    private var isKept: Bool

    /// Goes on with what was stored; `said` is the last wish of the own log.
    init(_ stored: Stored, said: Wish?) {
        isKept = stored.wish != nil
        own = stored.wish ?? said.map(OwnWish.init) ?? OwnWish()
    }

    /// Which requests of others the user wants to see.
    var welcome: Welcome { Welcome(own) }

    /// The own log is complete: where the disk has no wish, that is it.
    mutating func adopt(_ said: Wish?) {
        guard !isKept, let said else { return }
        own = OwnWish(said)
    }

    /// The user's wish is this one.
    mutating func keep(_ wish: OwnWish) {
        own = wish
        isKept = true
    }

    /// When the next one may be written; `nil` for now.
    func next(at now: Instant) -> Instant? {
        guard let written, written + Limits.wishPace > now else { return nil }
        return written + Limits.wishPace
    }

    /// Others are told later.
    mutating func wait(until then: Instant) { due = then }

    /// There is nothing left to write.
    mutating func rest() { due = nil }

    /// The user left a party: the next wish shows it no more, even if it says nothing else.
    mutating func hideParty() { owesTag = true }

    /// It was written.
    mutating func wrote(at now: Instant) {
        due = nil
        owesTag = false
        written = now
    }
}
