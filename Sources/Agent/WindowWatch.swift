// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Tells when the selection window opens and closes while an agent runs. A pure value.
struct WindowWatch: Hashable, Sendable {
    /// What a moment brought.
    enum Turn: String, Hashable, Sendable {
        case opened, closed
    }

    /// The window; `nil` for seats that can be swapped at any time.
    let window: SelectionWindow?
    private var isOpen: Bool
    private var isOver: Bool

    /// The clock may be set, and a machine that sleeps counts no time: it is
    /// looked at again after so long.
    static let longest = TimeSpan.seconds(60)

    /// A watch that begins at `now`: what was before is no news.
    init(_ window: SelectionWindow?, at now: UTCTime) {
        self.window = window
        isOpen = window.map { $0.opens <= now } ?? true
        isOver = window.map { $0.closes <= now } ?? false
    }

    /// What is new at `now`. Each comes once, wherever the clock is set afterwards.
    mutating func turn(at now: UTCTime) -> Turn? {
        guard let window else { return nil }
        switch window.state(at: now) {
        case .early: return nil
        case .open:
            defer { isOpen = true }
            return isOpen ? nil : .opened
        case .closed:
            defer { isOver = true }
            return isOver ? nil : .closed
        }
    }

    /// When to look next; `nil` for never.
    func next(after now: Moment) -> Instant? {
        guard let window, !isOver else { return nil }
        let due = isOpen ? window.closes : window.opens
        // The second in which it opens is its first.
        let left = TimeSpan.seconds(max(due.seconds - now.utc.seconds, 1))
        return now.instant + min(left, Self.longest)
    }
}
