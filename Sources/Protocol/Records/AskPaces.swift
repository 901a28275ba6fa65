// SPDX-License-Identifier: Apache-2.0
/// How often people ask (``AskBook``): each ask costs one ``Limits/askPace``, after
/// ``Limits/askBurst`` at once. Also whoever has no ask any more owes for those that they had.
struct AskPaces: Sendable {
    /// When all asks of somebody so far are paid off; nobody who owes nothing, but for some.
    private var paid: [PeerKey: Instant] = [:]

    /// When one more ask of somebody may come; `nil` for now.
    func rest(_ asker: PeerKey, at now: Instant) -> Instant? {
        guard let debt = paid[asker].map({ $0 - now }) else { return nil }
        let most = Limits.askPace.nanoseconds * Int64(Limits.askBurst - 1)
        guard debt.nanoseconds > most else { return nil }
        return now + TimeSpan(nanoseconds: debt.nanoseconds - most)
    }

    /// Somebody asked.
    mutating func asked(_ asker: PeerKey, at now: Instant) {
        paid[asker] = max(now, paid[asker] ?? now) + Limits.askPace
        // Debts are short: whoever asks under many keys fills no memory.
        guard paid.count > 2 * (Limits.stayAuthors + Limits.stayAuthorsMet) else { return }
        paid = paid.filter { now < $0.value }
    }
}
