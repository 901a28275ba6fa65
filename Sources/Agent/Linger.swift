// SPDX-License-Identifier: Apache-2.0
import Protocol

/// When an agent that a view started leaves by itself: some seconds after its last view has gone
/// (docs/guide/first-flight.md).
///
/// A view is a control connection that watches events. An agent with a swap that has no outcome
/// waits for the outcome first: leaving would keep the seats of others locked.
struct Linger: Hashable, Sendable {
    /// Whether a view is open.
    private enum State: Hashable, Sendable {
        /// No view since this instant, when the agent started.
        case awaited(since: Instant)
        /// At least one view is there.
        case watched
        /// The last view went at this instant.
        case deserted(since: Instant)
        /// The agent stays until it is told to leave.
        case stays
    }

    /// What the agent reports.
    enum Event: Hashable, Sendable {
        /// The number of views.
        case views(Int)
        /// Whether a swap has no outcome.
        case bound(Bool)
        /// The user wants it to stay.
        case stay
    }

    /// How long the first view may take: for a slow terminal over a slow connection.
    static let firstView = TimeSpan.seconds(30)

    /// How long after the last view it leaves.
    let patience: TimeSpan
    private var state: State
    private var isBound = false

    /// For an agent that started at `now` and leaves that many seconds after its last view; if
    /// `seconds` is `nil`, it stays.
    init(_ seconds: Int?, at now: Instant) {
        patience = .seconds(Int64(seconds ?? 0))
        state = seconds == nil ? .stays : .awaited(since: now)
    }

    /// Whether it stays until it is told to leave.
    var stays: Bool { state == .stays }

    /// Whether only a swap without outcome keeps it.
    var isKept: Bool { isBound && emptySince != nil }

    /// When it leaves unless something happens; `nil` for never.
    var nextDeadline: Instant? {
        if isBound { return nil }
        return switch state {
        case .awaited(let since): since + max(Self.firstView, patience)
        case .deserted(let since): since + patience
        case .watched, .stays: nil
        }
    }

    private var emptySince: Instant? {
        switch state {
        case .awaited(let since), .deserted(let since): since
        case .watched, .stays: nil
        }
    }

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Instant) {
        switch (state, event) {
        case (.stays, .views), (.awaited, .views(0)), (.deserted, .views(0)): break
        case (.watched, .views(0)): state = .deserted(since: now)
        case (.awaited, .views), (.watched, .views), (.deserted, .views): state = .watched
        case (.awaited, .stay), (.watched, .stay), (.deserted, .stay), (.stays, .stay):
            state = .stays
        case (.awaited, .bound(let bound)), (.deserted, .bound(let bound)):
            // What ended the swap is still on its way to others, so the wait begins again.
            if isBound, !bound { state = .deserted(since: now) }
            isBound = bound
        case (.watched, .bound(let bound)), (.stays, .bound(let bound)): isBound = bound
        }
    }

    /// Whether it leaves now.
    func isOver(at now: Instant) -> Bool { nextDeadline.map { $0 <= now } ?? false }
}
