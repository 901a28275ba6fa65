// SPDX-License-Identifier: Apache-2.0
/// Whom to dial, and when (docs/protocol.md section 3).
///
/// Of two agents that see each other the smaller instance label dials; the other one waits 3 s and
/// up to 2 s more. An agent without a label is invisible to others, so it dials. Failures back off
/// with full jitter. Typed addresses are dialled until somebody answers. Agents heard of by PEX are
/// known by key: there the smaller key dials first. Places not tried yet go before those tried in
/// vain, so that made-up ones do not delay the others for long.
package struct Dialer: Sendable {
    var targets: [DialTarget] = [] {
        didSet { isNextKnown = false }
    }
    private var label = ""
    var lastDial = 0
    /// First tries in vain since somebody answered: with many of them more are dialled at once.
    private(set) var misses = 0
    var pace = TellerPace()
    /// Keys linked now: since when, and where they say they listen.
    private(set) var linked: [PeerKey: (since: Instant, address: PeerAddress)] = [:] {
        didSet { isNextKnown = false }
    }
    private let me: PeerKey
    /// How many are dialled.
    package var plan = DialPlan.everyone {
        didSet { isNextKnown = false }
    }
    /// The networks of this machine. Elsewhere only addresses that the user typed are dialled.
    package var networks = OwnNetworks.none {
        didSet {
            guard networks != oldValue else { return }
            for index in targets.indices { targets[index].judge(on: networks) }
        }
    }
    /// Dials that reached somebody whose session is not open yet.
    package var opening = 0 {
        didSet { if opening != oldValue { isNextKnown = false } }
    }
    /// Blocked keys: their places are left alone.
    package var shunned: [PeerKey] = [] {
        didSet { isNextKnown = false }
    }
    /// The cached ``nextDeadline``, and whether it is still valid: it is read after each event, and
    /// there may be hundreds of places.
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
            targets[index].told = addresses
            targets[index].judge(on: networks)
            // One immediate try, for an announcement made again.
            targets[index].wait = Limits.backoff.lowerBound
            if targets[index].dial == nil, !targets[index].isReached {
                targets[index].due = min(targets[index].due ?? now + grace, now + grace)
            }
            targets[index].peer = targets[index].peer ?? whoIs(at: addresses)
        } else if targets.count < Limits.authors {
            // They may have dialled us before mDNS told of them.
            add(
                DialTarget(
                    label: label, told: addresses, due: now + grace, peer: whoIs(at: addresses)))
        }
    }

    private mutating func add(_ target: DialTarget) {
        // By an eighth, not to twice the room: a place is a quarter of a kilobyte.
        if targets.count == targets.capacity {
            targets.reserveCapacity(targets.count + targets.count / 8 + 2)
        }
        targets.append(target)
        targets[targets.count - 1].judge(on: networks)
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
            hear(index, addresses, from: source, random: &random, at: now)
        } else if targets.count < 2 * Limits.authors {
            // Where mDNS saw an instance at the place, that dial goes first:
            // one connection is enough.
            let isFirst = me < key && !addresses.contains(where: isSighted)
            let grace =
                isFirst ? TimeSpan.zero : Limits.dialGrace + random.span(.zero...Limits.dialSpread)
            add(DialTarget(key: key, source: source, told: addresses, due: now + grace))
        }
    }

    /// A place that is known was told again.
    private mutating func hear(
        _ index: Int, _ addresses: [PeerAddress], from source: PeerKey,
        random: inout SeededRandom, at now: Instant
    ) {
        // The word of another one counts where that of the first is used up.
        if let first = targets[index].source, targets[index].dial == nil,
            pace.free(first) > now, pace.free(source) <= now
        {
            targets[index].source = source
        }
        let isNews = addresses.contains { !targets[index].told.contains($0) }
        targets[index].told = addresses
        targets[index].judge(on: networks)
        guard isNews, targets[index].dial == nil, !targets[index].isReached else { return }
        targets[index].failures = 0
        if targets[index].due == nil { retry(index, random: &random, at: now) }
    }

    /// Forgets places that no peer tells of any more: only `keys` are still heard of.
    package mutating func heardOnly(of keys: Set<PeerKey>) {
        targets.removeAll { target in
            target.key.map { !keys.contains($0) && target.dial == nil } ?? false
        }
    }

    /// The user typed an address: it is dialled at once and for ever.
    package mutating func typed(_ address: PeerAddress, at now: Instant) {
        if let index = targets.firstIndex(where: { $0.isTyped && $0.addresses == [address] }) {
            if targets[index].dial == nil { targets[index].due = now }
        } else if targets.count < Limits.authors {
            add(DialTarget(told: [address], due: now))
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
            if let key = targets[index].key, key != peer {
                // Somebody else: whoever told of it was wrong, or lied.
                targets[index].failures += 1
            } else {
                targets[index].failures = 0
                if let source = targets[index].source { pace.answered(source) }
            }
        }
    }

    /// A session with `peer` is open; `address` is where they say they listen.
    package mutating func linked(_ peer: PeerKey, at address: PeerAddress, now: Instant) {
        linked[peer] = (linked[peer]?.since ?? now, address)
        for index in targets.indices where targets[index].addresses.contains(address) {
            targets[index].peer = peer
        }
        for index in targets.indices where targets[index].peer == peer {
            targets[index].isTried = false
        }
        misses /= 2
    }

    /// The last connection with `peer` ended: their places are dialled again.
    package mutating func unlinked(
        _ peer: PeerKey, random: inout SeededRandom, at now: Instant
    ) {
        let since = linked.removeValue(forKey: peer)
        let wasStable = since.map { $0.since + Limits.stableAfter <= now } ?? false
        for index in targets.indices where targets[index].peer == peer {
            if targets[index].isReached, since == nil { missed(index) }
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
            missed(index)
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

    private mutating func missed(_ index: Int) {
        if targets[index].failures == 0, !targets[index].isTyped {
            misses = min(misses + 1, Limits.dialsOfMany - Limits.dials)
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

    /// Schedules the next try with full jitter: between nothing and the present wait, which then
    /// doubles. Here too the side with the larger label gives the other one time to dial.
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
