// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// When a guest who does nothing with a place gives it up to others (docs/page.md section 5).
///
/// Who has no seat for ten minutes, or no page open for an hour, goes; but never while a yes of
/// theirs is open, and not while their agent does not say how it is.
package struct GuestIdle: Hashable, Sendable {
    /// How long a place is kept.
    package struct Limits: Hashable, Sendable {
        /// For who claims no seat.
        package var withoutSeat = TimeSpan.seconds(600)
        /// For who has no page open.
        package var away = TimeSpan.seconds(3600)

        /// The limits of a host.
        package init() {}

        /// How often an agent is asked.
        package var pause: TimeSpan {
            TimeSpan(nanoseconds: min(withoutSeat, away).nanoseconds / 10)
        }
    }

    /// What a guest's agent says of itself.
    package struct Facts: Hashable, Sendable {
        /// Whether it claims a seat.
        package let hasSeat: Bool
        /// Whether something that it said yes to is not over.
        package let hasOpenYes: Bool

        /// What was said.
        package init(hasSeat: Bool, hasOpenYes: Bool) {
            self.hasSeat = hasSeat
            self.hasOpenYes = hasOpenYes
        }
    }

    /// Between two looks, as long as nobody sleeps.
    private static let longestGap = TimeSpan.seconds(60)

    private let limits: Limits
    /// When the guest had a seat, and a page open, for the last time.
    private var seated, seen: Instant
    private var looked: Instant

    /// A guest who is here from now on.
    package init(_ limits: Limits, at now: Instant) {
        self.limits = limits
        seated = now
        seen = now
        looked = now
    }

    /// The server looks, every few seconds: whether a page of the guest is open.
    package mutating func look(at now: Instant, isOpen: Bool) {
        // A computer that slept saw nobody: that time is nobody's.
        let gap = now - looked
        if gap > Self.longestGap {
            seated = seated + gap
            seen = seen + gap
        }
        looked = now
        if isOpen { seen = now }
    }

    /// The agent has said how it is: whether the guest gives the place up.
    package mutating func hear(_ facts: Facts, at now: Instant) -> Bool {
        if facts.hasSeat { seated = now }
        guard !facts.hasOpenYes else { return false }
        return now - seated >= limits.withoutSeat || now - seen >= limits.away
    }
}
