// SPDX-License-Identifier: Apache-2.0
/// Which places are dialled next.
extension Dialer {
    /// What may be begun now, by what is under way. Neither depends on the time.
    private struct Room {
        /// Dials of any kind.
        var dials: Int
        /// Of places that are dialled by chance.
        var chances: Int
        /// Dials to places tried before: made-up places must not use up what untried ones need.
        var retries: Int
    }

    private enum Rank: Int, Comparable {
        case typed, untried, tried

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Ready {
        let rank: Rank
        let due: Instant
        let index: Int

        static func isBefore(_ left: Ready, _ right: Ready) -> Bool {
            (left.rank, left.due, left.index) < (right.rank, right.due, right.index)
        }
    }

    /// When the next dial is due, by looking at all places.
    func search() -> Instant? {
        let room = room
        guard room.dials > 0 else { return nil }
        var next: Instant?
        for place in targets.indices {
            guard var due = targets[place].due, next.map({ due < $0 }) ?? true,
                mayBegin(place, room)
            else { continue }
            if let source = targets[place].source { due = max(due, pace.free(source)) }
            next = min(next ?? due, due)
        }
        return next
    }

    /// The dials that are due, each with a number under which its outcome is told.
    package mutating func tick(random: inout SeededRandom, at now: Instant) -> [Dial] {
        var room = room
        let ready = ready(room, at: now)
        let untried = ready.count { $0.rank == .untried }
        let tried = ready.count { $0.rank == .tried }
        var dials: [Dial] = []
        for one in ordered(ready, random: &random) {
            let index = one.index
            guard room.dials > 0, mayBegin(index, room) else { continue }
            if let source = targets[index].source {
                guard pace.free(source) <= now else { continue }
                pace.dials(source, at: now)
            }
            room.dials -= 1
            if !isNeeded(index) { room.chances -= 1 }
            if one.rank == .tried { room.retries -= 1 }
            lastDial += 1
            targets[index].dial = lastDial
            targets[index].due = nil
            targets[index].isRetry = one.rank == .tried
            targets[index].isTried = true
            dials.append(
                Dial(
                    number: lastDial,
                    address: targets[index].addresses[targets[index].nextAddress],
                    patience: patience(one.rank, untried: untried, tried: tried)))
        }
        return dials
    }

    /// How long a dial may take while so many places wait for theirs. A made-up place uses
    /// all the time it gets. An honest one answers within a few round trips, and gets more
    /// time when it is tried again.
    private func patience(_ rank: Rank, untried: Int, tried: Int) -> TimeSpan? {
        switch rank {
        case .typed: nil
        case .untried where misses >= Limits.dials && untried > Limits.dials: Limits.dialShort
        case .untried where untried > 4 * Limits.dials: Limits.dialOfMany
        case .tried where tried > Limits.dials: Limits.dialAgain
        case .untried, .tried: nil
        }
    }

    /// Needed places first, then the others by chance. Within each group untried places come first,
    /// those that waited longest before the others: many dead places must not starve a live one.
    private func ordered(_ ready: [Ready], random: inout SeededRandom) -> [Ready] {
        var needed: [Ready] = []
        var others: [[Ready]] = [[], []]
        for one in ready.sorted(by: Ready.isBefore) {
            if isNeeded(one.index) {
                needed.append(one)
            } else {
                others[one.rank == .tried ? 1 : 0].append(one)
            }
        }
        // Of many the chosen ones are chosen by chance, so that no neighbour can choose them
        // (docs/protocol.md section 23).
        for some in others where !some.isEmpty { needed += mixed(some, random: &random) }
        return needed
    }

    /// A random order in which the sources take turns: a peer who tells of many places has no more
    /// influence than one who tells of few.
    private func mixed(_ some: [Ready], random: inout SeededRandom) -> [Ready] {
        var groups: [(source: PeerKey?, some: [Ready])] = []
        for one in some.shuffled(using: &random) {
            let source = targets[one.index].source
            if let place = groups.firstIndex(where: { $0.source == source }) {
                groups[place].some.append(one)
            } else {
                groups.append((source, [one]))
            }
        }
        groups.shuffle(using: &random)
        var out: [Ready] = []
        while out.count < some.count {
            for place in groups.indices {
                if let next = groups[place].some.popLast() { out.append(next) }
            }
        }
        return out
    }

    private func ready(_ room: Room, at now: Instant) -> [Ready] {
        guard room.dials > 0 else { return [] }
        var ready: [Ready] = []
        for index in targets.indices {
            guard let due = targets[index].due, due <= now, mayBegin(index, room) else { continue }
            ready.append(Ready(rank: rank(index), due: due, index: index))
        }
        return ready
    }

    // Targets are looked at in place: a copy costs some reference counts, and there are hundreds.

    private func rank(_ place: Int) -> Rank {
        if targets[place].isTyped { return .typed }
        return targets[place].isTried ? .tried : .untried
    }

    /// Whether a place that is due may be dialled, but for the pace of whoever told of it.
    private func mayBegin(_ place: Int, _ room: Room) -> Bool {
        (room.chances > 0 || isNeeded(place)) && (room.retries > 0 || rank(place) != .tried)
            && targets[place].nextAddress < targets[place].addresses.count && !isLinked(place)
            && !targets[place].isGivenUp
    }

    private var room: Room {
        var underWay = opening
        var retries = 0
        var byChance = 0
        for place in targets.indices where targets[place].dial != nil {
            underWay += 1
            if targets[place].isRetry { retries += 1 }
            if !isNeeded(place) { byChance += 1 }
        }
        let most = min(Limits.dials + misses, Limits.dialsOfMany)
        return Room(
            dials: most - underWay, chances: chances - byChance, retries: Limits.dials - retries)
    }

    /// How many places may be dialled by chance at once. There are more as long as nobody answers,
    /// so that a crowd of made-up places does not fill the few dials of a partial mesh.
    private var chances: Int {
        guard case .some(let count, _) = plan, count > 0 else { return 0 }
        return min(count + max(0, misses - Limits.outbound / 2), Limits.dialsOfMany)
    }

    /// Whether a place is dialled whatever the plan.
    private func isNeeded(_ place: Int) -> Bool {
        guard case .some(_, let needed) = plan else { return true }
        if targets[place].label == nil, targets[place].key == nil { return true }
        guard !needed.isEmpty, let someone = targets[place].peer ?? targets[place].key else {
            return false
        }
        return needed.contains(someone)
    }

    func isLinked(_ place: Int) -> Bool {
        guard let someone = targets[place].peer ?? targets[place].key else { return false }
        return linked[someone] != nil || shunned.contains(someone)
    }
}
