/// A connection to make.
package struct Dial: Hashable, Sendable {
    /// Number by which the outcome is told.
    package var number: Int
    /// Where to.
    package var address: PeerAddress
}

/// Whom to dial, and when (protocol.md 4.3).
///
/// Of two agents that see each other the smaller instance label dials; the other one waits 3 s and up to
/// 2 s more. Failures back off with full jitter. Typed addresses are dialled until somebody answers.
package struct Dialer: Sendable {
    /// A place to dial.
    private struct Target: Sendable {
        var label: String?
        var addresses: [PeerAddress]
        var nextAddress = 0
        var due: Instant?
        var wait: TimeSpan = Limits.backoff.lowerBound
        /// Number of the dial under way.
        var dial: Int?
        /// Who answered there last.
        var peer: PeerKey?
    }

    private var targets: [Target] = []
    private var label = ""
    private var lastDial = 0
    /// Keys linked now, and since when.
    private var linked: [PeerKey: Instant] = [:]

    /// Knows nobody.
    package init() {}

    /// The own instance label. Earlier decisions stand.
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
            if targets[index].dial == nil {
                targets[index].due = min(targets[index].due ?? now + grace, now + grace)
            }
        } else if targets.count < Limits.authors {
            targets.append(Target(label: label, addresses: addresses, due: now + grace))
        }
    }

    /// mDNS lost `label`.
    package mutating func lost(_ label: String) { targets.removeAll { $0.label == label } }

    /// The user typed an address: dialled at once, for ever.
    package mutating func typed(_ address: PeerAddress, at now: Instant) {
        if let index = targets.firstIndex(where: { $0.label == nil && $0.addresses == [address] }) {
            if targets[index].dial == nil { targets[index].due = now }
        } else if targets.count < Limits.authors {
            targets.append(Target(label: nil, addresses: [address], due: now))
        }
    }

    /// Whether the user typed this address.
    package func isTyped(_ address: PeerAddress) -> Bool {
        targets.contains { $0.label == nil && $0.addresses == [address] }
    }

    /// A dial reached `peer`; the link may be open or not yet.
    package mutating func reached(_ dial: Int, _ peer: PeerKey) {
        for index in targets.indices where targets[index].dial == dial {
            targets[index].peer = peer
            targets[index].dial = nil
            targets[index].due = nil
        }
    }

    /// A session with `peer` is open; `address` is where he says he listens.
    package mutating func linked(_ peer: PeerKey, at address: PeerAddress, now: Instant) {
        if linked[peer] == nil { linked[peer] = now }
        for index in targets.indices where targets[index].addresses.contains(address) {
            targets[index].peer = peer
        }
    }

    /// The last session with `peer` ended: his places are dialled again.
    package mutating func unlinked(
        _ peer: PeerKey, random: inout SeededRandom, at now: Instant
    ) {
        let since = linked.removeValue(forKey: peer)
        let wasStable = since.map { $0 + Limits.stableAfter <= now } ?? false
        for index in targets.indices where targets[index].peer == peer && targets[index].dial == nil
        {
            if wasStable { targets[index].wait = Limits.backoff.lowerBound }
            retry(index, random: &random, at: now)
        }
    }

    /// A dial came to nothing, or the connection ended before its session opened.
    package mutating func failed(_ dial: Int, random: inout SeededRandom, at now: Instant) {
        for index in targets.indices where targets[index].dial == dial {
            targets[index].dial = nil
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
    package var nextDeadline: Instant? {
        guard targets.count(where: { $0.dial != nil }) < Limits.dials else { return nil }
        return targets.filter { !isLinked($0) }.compactMap(\.due).min()
    }

    /// The dials that are due, each with a number under which its outcome is told.
    package mutating func tick(at now: Instant) -> [Dial] {
        var dials: [Dial] = []
        let free = max(0, Limits.dials - targets.count { $0.dial != nil })
        // Who waited longest goes first: many dead places must not starve a live one.
        var ready: [(due: Instant, index: Int)] = []
        for (index, target) in targets.enumerated() {
            guard let due = target.due, due <= now, !isLinked(target),
                target.nextAddress < target.addresses.count
            else { continue }
            ready.append((due, index))
        }
        for (_, index) in ready.sorted(by: <).prefix(free) {
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

    private func isLinked(_ target: Target) -> Bool {
        target.peer.map { linked[$0] != nil } ?? false
    }

    /// Full jitter: somewhere between nothing and the present wait, which doubles. The side with the
    /// larger label leaves the other one its time here too.
    private mutating func retry(_ index: Int, random: inout SeededRandom, at now: Instant) {
        let wait = targets[index].wait
        let isOurs = targets[index].label.map { label < $0 } ?? true
        let grace = isOurs ? .zero : Limits.dialGrace
        targets[index].due = now + grace + random.span(.zero...wait)
        targets[index].wait = min(
            TimeSpan(nanoseconds: wait.nanoseconds &* 2), Limits.backoff.upperBound)
    }
}
