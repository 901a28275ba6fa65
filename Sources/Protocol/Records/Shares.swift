// SPDX-License-Identifier: Apache-2.0
/// How many bytes of each key are kept: a budget, because keys cost nothing (docs/protocol.md
/// section 9).
///
/// Everybody has a small share of their own. Beyond that all draw on one pool, each up to a fixed
/// part of what is left: whoever comes later finds less but never nothing, and no number of keys
/// takes more than the pool. Those for whom the user did something themselves are not counted.
package struct Shares: Sendable {
    /// The numbers of one budget.
    package struct Bounds: Hashable, Sendable {
        /// Bytes of each key that are kept whatever else there is.
        package var base: Int
        /// Bytes beyond these, of all keys together.
        package var pool: Int
        /// A stranger may take one part in this many of what is left of the pool.
        package var stranger: Int
        /// The same for whoever is linked.
        package var linked: Int
        /// The same for what somebody's certificate needs.
        package var needed: Int
        /// Bytes of one for whom the user did something.
        package var favoured: Int

        /// Bounds as bytes (`base`, `pool`, `favoured`) and as parts of the rest of the pool.
        package init(
            base: Int, pool: Int, stranger: Int, linked: Int, needed: Int, favoured: Int
        ) {
            self.base = base
            self.pool = pool
            self.stranger = stranger
            self.linked = linked
            self.needed = needed
            self.favoured = favoured
        }

        /// Of logs.
        package static let logs = Bounds(
            base: Limits.logShare, pool: Limits.logPool, stranger: Limits.strangerPart,
            linked: Limits.linkedPart, needed: Limits.neededPart, favoured: Limits.bytesPerAuthor)

        /// Of direct messages.
        package static let messages = Bounds(
            base: Limits.messageShare, pool: Limits.messagePool, stranger: Limits.linkedPart,
            linked: Limits.linkedPart, needed: Limits.linkedPart,
            favoured: Limits.messagesOfFavoured)
    }

    /// What is kept of whom.
    private let bounds: Bounds
    private var spent: [PeerKey: Int] = [:]
    /// Bytes taken from the pool.
    package private(set) var used = 0
    /// For whom the user did something: never short.
    package private(set) var favoured: Set<PeerKey> = []
    /// The last place of each log that a certificate here needs.
    private var needed: [PeerKey: Int] = [:]
    /// Keys of whom something was left out, and how many bytes they would need.
    private var short: [PeerKey: Int] = [:]

    /// Nothing is kept yet.
    package init(_ bounds: Bounds) { self.bounds = bounds }

    /// Whether anybody used more than their own share, or is short. If not,
    /// there is nothing to weigh.
    package var isTight: Bool { used > 0 || !short.isEmpty }

    /// How many are short of room.
    package var leftOut: Int { short.count }

    /// Counts bytes of `key` that were kept, also at a start. What a fork cuts off later stays
    /// counted, since it is on the disk.
    package mutating func took(_ count: Int, of key: PeerKey) {
        let before = beyond(key)
        spent[key, default: 0] += count
        if !favoured.contains(key) { used += beyond(key) - before }
    }

    /// How many bytes more of `key` are kept, for their entry at `seq`. `hasBase` where they
    /// have a share of their own.
    package func room(
        for key: PeerKey, seq: Int = .max, isLinked: Bool, hasBase: Bool = true
    ) -> Int {
        let taken = spent[key, default: 0]
        if favoured.contains(key) { return max(0, bounds.favoured - taken) }
        var part = isLinked ? bounds.linked : bounds.stranger
        if let last = needed[key], seq <= last { part = min(part, bounds.needed) }
        let share = (hasBase ? bounds.base : 0) + max(0, bounds.pool - used) / part
        return max(0, share - taken)
    }

    /// Whether enough capacity is left for `key` to ask for more: for what was left out,
    /// or for more than a crumb.
    package func isOpen(
        to key: PeerKey, seq: Int = .max, isLinked: Bool, hasBase: Bool = true
    ) -> Bool {
        let wanted = max(Limits.shareCrumb, short[key, default: 0])
        return room(for: key, seq: seq, isLinked: isLinked, hasBase: hasBase) >= wanted
    }

    /// So many bytes of `key` were not taken.
    package mutating func leave(_ key: PeerKey, _ count: Int = 0) {
        guard short[key] != nil || short.count < 2 * Limits.authors else { return }
        short[key] = max(short[key, default: 0], count)
    }

    /// Updates who is favoured and what is needed. Returns whether an author who was left
    /// out may have capacity now.
    package mutating func weigh(
        favoured: Set<PeerKey>, needed: [PeerKey: Int], isLinked: (PeerKey) -> Bool
    ) -> Bool {
        self.needed = needed
        if favoured != self.favoured {
            self.favoured = favoured
            used = 0
            // A sum: the order of the table is not seen.
            for key in spent.keys where !favoured.contains(key) { used += beyond(key) }
        }
        let still = short.filter { key, _ in
            !isOpen(to: key, seq: needed[key] ?? .max, isLinked: isLinked(key))
        }
        defer { short = still }
        return still.count < short.count
    }

    private func beyond(_ key: PeerKey) -> Int { max(0, spent[key, default: 0] - bounds.base) }
}
