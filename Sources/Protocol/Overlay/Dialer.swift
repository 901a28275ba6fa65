/// A connection to make.
package struct Dial: Hashable, Sendable {
    /// Number by which the outcome is told.
    package var number: Int
    /// Where to.
    package var address: PeerAddress
}

/// How many of the known agents are dialled (protocol.md 10.1).
package enum DialPlan: Hashable, Sendable {
    /// All of them: the full mesh.
    case everyone
    /// So many by chance, and in any case these, who are needed now.
    case some(Int, needed: [PeerKey])
}

/// Whom to dial, and when (protocol.md 4.3).
///
/// Of two agents that see each other the smaller instance label dials; the other one waits 3 s and up to
/// 2 s more. Who has no label yet is seen by nobody, and dials. Failures back off with full jitter. Typed addresses are dialled until somebody answers.
/// Agents heard of by PEX are known by key: there the smaller key dials first.
package struct Dialer: Sendable {
    /// A place to dial.
    private struct Target: Sendable {
        /// The instance that mDNS saw; `nil` for other places.
        var label: String?
        /// The key that is said to be there, by a peer; `nil` for other places.
        var key: PeerKey?
        /// Who told of it; `nil` for what mDNS or the user told.
        var source: PeerKey?
        var addresses: [PeerAddress]
        var nextAddress = 0
        var due: Instant?
        var wait: TimeSpan = Limits.backoff.lowerBound
        /// Number of the dial under way.
        var dial: Int?
        /// Who answered there last.
        var peer: PeerKey?
        /// A dial reached him, and he was not lost since: his session opens or is open.
        var isReached = false
        /// Tries without an answer since the last answer.
        var failures = 0

        var isTyped: Bool { label == nil && key == nil }

        /// Who is or should be there.
        var someone: PeerKey? { peer ?? key }
    }

    private var targets: [Target] = [] {
        didSet { isNextKnown = false }
    }
    private var label = ""
    private var lastDial = 0
    /// Keys linked now: since when, and where they say they listen.
    private var linked: [PeerKey: (since: Instant, address: PeerAddress)] = [:] {
        didSet { isNextKnown = false }
    }
    private let me: PeerKey
    /// How many are dialled.
    package var plan = DialPlan.everyone {
        didSet { isNextKnown = false }
    }
    /// Blocked keys: their places are left alone.
    package var shunned: [PeerKey] = [] {
        didSet { isNextKnown = false }
    }
    /// What ``nextDeadline`` came to when it was looked for last, and whether nothing changed since: it
    /// is asked for after each event, and there are hundreds of places.
    private var nextKnown: Instant?
    private var isNextKnown = false

    /// Knows nobody.
    package init(_ me: PeerKey) { self.me = me }

    /// The own instance label, once others see it. Earlier decisions stand.
    package mutating func labelled(_ label: String) {
        self.label = label
        targets.removeAll { $0.label == label }
    }

    /// mDNS saw `label` at `addresses`.
    package mutating func found(
        _ label: String, _ addresses: [PeerAddress], random: inout SeededRandom, at now: Instant
    ) {
        guard label != self.label, !addresses.isEmpty else { return }
        let isOurs = self.label < label
        let grace =
            isOurs ? TimeSpan.zero : Limits.dialGrace + random.span(.zero...Limits.dialSpread)
        if let index = targets.firstIndex(where: { $0.label == label }) {
            if targets[index].addresses != addresses {
                targets[index].addresses = addresses
                targets[index].nextAddress = 0
            }
            // One immediate try, for an announcement made again.
            targets[index].wait = Limits.backoff.lowerBound
            if targets[index].dial == nil, !targets[index].isReached {
                targets[index].due = min(targets[index].due ?? now + grace, now + grace)
            }
            targets[index].peer = targets[index].peer ?? whoIs(at: addresses)
        } else if targets.count < Limits.authors {
            // He may have dialled us before mDNS told of him.
            add(
                Target(
                    label: label, addresses: addresses, due: now + grace, peer: whoIs(at: addresses)
                ))
        }
    }

    private mutating func add(_ target: Target) {
        // By an eighth, not to twice the room: a place is a quarter of a kilobyte.
        if targets.count == targets.capacity {
            targets.reserveCapacity(targets.count + targets.count / 8 + 2)
        }
        targets.append(target)
    }

    /// The linked peer who listens at one of `addresses`; the smallest key where several say so.
    private func whoIs(at addresses: [PeerAddress]) -> PeerKey? {
        linked.filter { addresses.contains($0.value.address) }.keys.min()
    }

    /// mDNS lost `label`.
    package mutating func lost(_ label: String) { targets.removeAll { $0.label == label } }

    /// Instances that mDNS sees now.
    package var labels: Int { targets.count { $0.label != nil } }

    /// A peer told that `key` listens at `addresses`.
    package mutating func heard(
        of key: PeerKey, at addresses: [PeerAddress], from source: PeerKey,
        random: inout SeededRandom, now: Instant
    ) {
        guard key != me, !addresses.isEmpty else { return }
        if let index = targets.firstIndex(where: { $0.key == key }) {
            if targets[index].addresses != addresses {
                targets[index].addresses = addresses
                targets[index].nextAddress = 0
            }
        } else if targets.count < 2 * Limits.authors {
            // Where mDNS saw an instance at the place, that dial goes first: one connection is enough.
            let isFirst = me < key && !addresses.contains(where: isSighted)
            let grace =
                isFirst ? TimeSpan.zero : Limits.dialGrace + random.span(.zero...Limits.dialSpread)
            add(Target(key: key, source: source, addresses: addresses, due: now + grace))
        }
    }

    /// Nobody tells of these any more: only `keys` are heard of.
    package mutating func heardOnly(of keys: Set<PeerKey>) {
        targets.removeAll { target in
            target.key.map { !keys.contains($0) && target.dial == nil } ?? false
        }
    }

    /// The user typed an address: dialled at once, for ever.
    package mutating func typed(_ address: PeerAddress, at now: Instant) {
        if let index = targets.firstIndex(where: { $0.isTyped && $0.addresses == [address] }) {
            if targets[index].dial == nil { targets[index].due = now }
        } else if targets.count < Limits.authors {
            targets.append(Target(label: nil, addresses: [address], due: now))
        }
    }

    /// Whether the user typed this address.
    package func isTyped(_ address: PeerAddress) -> Bool {
        targets.contains { $0.isTyped && $0.addresses == [address] }
    }

    /// Whether mDNS saw an instance at this address.
    package func isSighted(_ address: PeerAddress) -> Bool {
        targets.contains { $0.label != nil && $0.addresses.contains(address) }
    }

    /// Whether this place was dialled in vain since somebody answered there.
    package func isSilent(_ address: PeerAddress) -> Bool {
        targets.contains { $0.failures > 0 && $0.addresses.contains(address) }
    }

    /// Whether there is a place for `key` that has not failed yet.
    package func mayReach(_ key: PeerKey) -> Bool {
        targets.contains { $0.someone == key && $0.failures == 0 }
    }

    /// Places seen or typed where nobody answers: the first address and the number of tries.
    package var silent: [(address: PeerAddress, tries: Int)] {
        targets.indices.compactMap { place in
            guard targets[place].key == nil, targets[place].failures > 0, !isLinked(place),
                let address = targets[place].addresses.first
            else { return nil }
            return (address, targets[place].failures)
        }
    }

    /// A dial reached `peer`; the link may be open or not yet.
    package mutating func reached(_ dial: Int, _ peer: PeerKey) {
        for index in targets.indices where targets[index].dial == dial {
            targets[index].peer = peer
            targets[index].isReached = true
            targets[index].dial = nil
            targets[index].due = nil
            targets[index].failures = 0
        }
    }

    /// A session with `peer` is open; `address` is where he says he listens.
    package mutating func linked(_ peer: PeerKey, at address: PeerAddress, now: Instant) {
        linked[peer] = (linked[peer]?.since ?? now, address)
        for index in targets.indices where targets[index].addresses.contains(address) {
            targets[index].peer = peer
        }
    }

    /// The last connection with `peer` ended: his places are dialled again.
    package mutating func unlinked(
        _ peer: PeerKey, random: inout SeededRandom, at now: Instant
    ) {
        let since = linked.removeValue(forKey: peer)
        let wasStable = since.map { $0.since + Limits.stableAfter <= now } ?? false
        for index in targets.indices where targets[index].peer == peer {
            targets[index].isReached = false
            guard targets[index].dial == nil else { continue }
            if wasStable { targets[index].wait = Limits.backoff.lowerBound }
            retry(index, random: &random, at: now)
        }
    }

    /// A dial came to nothing, or the connection ended before its session opened.
    package mutating func failed(_ dial: Int, random: inout SeededRandom, at now: Instant) {
        for index in targets.indices where targets[index].dial == dial {
            targets[index].dial = nil
            targets[index].failures += 1
            targets[index].nextAddress += 1
            if targets[index].nextAddress < targets[index].addresses.count {
                targets[index].due = now
            } else {
                targets[index].nextAddress = 0
                retry(index, random: &random, at: now)
            }
        }
    }

    /// When the next dial is due.
    package var nextDeadline: Instant? { isNextKnown ? nextKnown : search() }

    /// Keeps ``nextDeadline`` until something changes.
    package mutating func findNext() {
        guard !isNextKnown else { return }
        nextKnown = search()
        isNextKnown = true
    }

    private func search() -> Instant? {
        guard underWay < Limits.dials else { return nil }
        let isOpen = chances > 0
        var next: Instant?
        for place in targets.indices {
            guard let due = targets[place].due, next.map({ due < $0 }) ?? true,
                isOpen || isNeeded(place), !isLinked(place)
            else { continue }
            next = due
        }
        return next
    }

    /// The dials that are due, each with a number under which its outcome is told.
    package mutating func tick(random: inout SeededRandom, at now: Instant) -> [Dial] {
        let free = max(0, Limits.dials - underWay)
        var needed: [Int] = []
        var others: [Int] = []
        // Who waited longest goes first: many dead places must not starve a live one.
        let chances = chances
        for (_, index) in ready(at: now, neededOnly: chances == 0).sorted(by: <) {
            if isNeeded(index) { needed.append(index) } else { others.append(index) }
        }
        // Of many the chosen ones are chosen by chance, so that no neighbour can choose them (5.6).
        if !others.isEmpty { others = mixed(others, random: &random) }
        var dials: [Dial] = []
        for index in (needed + others.prefix(chances)).prefix(free) {
            lastDial += 1
            targets[index].dial = lastDial
            targets[index].due = nil
            dials.append(
                Dial(
                    number: lastDial,
                    address: targets[index].addresses[targets[index].nextAddress]))
        }
        return dials
    }

    /// In an order of chance in which every source has its turn: who tells of many places has no more
    /// of the choice than who tells of few.
    private func mixed(_ indices: [Int], random: inout SeededRandom) -> [Int] {
        var groups: [(source: PeerKey?, indices: [Int])] = []
        for index in indices.shuffled(using: &random) {
            let source = targets[index].source
            if let place = groups.firstIndex(where: { $0.source == source }) {
                groups[place].indices.append(index)
            } else {
                groups.append((source, [index]))
            }
        }
        groups.shuffle(using: &random)
        var out: [Int] = []
        while out.count < indices.count {
            for place in groups.indices {
                if let next = groups[place].indices.popLast() { out.append(next) }
            }
        }
        return out
    }

    private func ready(at now: Instant, neededOnly: Bool) -> [(due: Instant, index: Int)] {
        var ready: [(due: Instant, index: Int)] = []
        for index in targets.indices {
            guard let due = targets[index].due, due <= now, !neededOnly || isNeeded(index),
                !isLinked(index), targets[index].nextAddress < targets[index].addresses.count
            else { continue }
            ready.append((due, index))
        }
        return ready
    }

    // Targets are looked at in place: a copy costs some reference counts, and there are hundreds.

    /// Dials under way.
    private var underWay: Int {
        var count = 0
        for place in targets.indices where targets[place].dial != nil { count += 1 }
        return count
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

    /// How many more may be dialled by chance.
    private var chances: Int {
        switch plan {
        case .everyone: 0
        case .some(let count, _):
            max(0, count - targets.indices.count { targets[$0].dial != nil && !isNeeded($0) })
        }
    }

    private func isLinked(_ place: Int) -> Bool {
        guard let someone = targets[place].peer ?? targets[place].key else { return false }
        return linked[someone] != nil || shunned.contains(someone)
    }

    /// Full jitter: somewhere between nothing and the present wait, which doubles. The side with the
    /// larger label leaves the other one its time here too.
    private mutating func retry(_ index: Int, random: inout SeededRandom, at now: Instant) {
        let wait = targets[index].wait
        let isOurs =
            targets[index].label.map { label < $0 } ?? targets[index].key.map { me < $0 } ?? true
        let grace = isOurs ? .zero : Limits.dialGrace
        targets[index].due = now + grace + random.span(.zero...wait)
        targets[index].wait = min(
            TimeSpan(nanoseconds: wait.nanoseconds &* 2), Limits.backoff.upperBound)
    }
}
