// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// How many requests of each sender are answered: `most` at once, and as many in each second
/// behind (docs/page.md section 4).
package struct CallRate<Sender: Hashable & Sendable>: Sendable {
    /// Senders that are known; if there are more, those are forgotten who sent nothing for a
    /// second, and if nobody is, no new one is answered.
    package static var senders: Int { 1024 }

    private struct Spent: Sendable {
        var left: Int64
        var at: Instant
    }

    private let most: Int64
    private var known: [Sender: Spent] = [:]

    /// A rate of `most` requests in a second, in thousandths of which it counts.
    package init(most: Int) { self.most = Int64(most) * 1000 }

    /// Whether one more request of `sender` is answered.
    package mutating func take(_ sender: Sender, at now: Instant) -> Bool {
        guard makesRoom(for: sender, now) else { return false }
        var spent = known[sender] ?? Spent(left: most, at: now)
        let milliseconds = max(0, (now - spent.at).nanoseconds / 1_000_000)
        if milliseconds > 0 {
            spent.left = min(most, spent.left + min(milliseconds, 1000) * most / 1000)
            spent.at = now
        }
        defer { known[sender] = spent }
        guard spent.left >= 1000 else { return false }
        spent.left -= 1000
        return true
    }

    private mutating func makesRoom(for sender: Sender, _ now: Instant) -> Bool {
        guard known[sender] == nil, known.count >= Self.senders else { return true }
        known = known.filter { now - $0.value.at < .seconds(1) }
        return known.count < Self.senders
    }
}
