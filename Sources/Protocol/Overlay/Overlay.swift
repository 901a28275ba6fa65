// SPDX-License-Identifier: Apache-2.0
/// The shape of the network around this agent: everyone linked with everyone in a small cabin, a
/// few links each in a large one (docs/protocol.md section 23).
package struct Overlay: Hashable, Sendable {
    /// Full, or partial with a few links each.
    package enum Shape: Hashable, Sendable {
        case full
        case partial
    }

    /// A link as the overlay sees it.
    package struct Link: Hashable, Sendable {
        /// Which connection.
        package var id: LinkID
        /// Who.
        package var peer: PeerKey
        /// Dialled by this agent.
        package var isOutbound: Bool
        /// Made for a purpose by one of the two sides.
        package var isOnDemand: Bool
        /// Through a third agent.
        package var isRelayed: Bool
        /// Open since.
        package var since: Instant
        /// When something other than the upkeep of logs went over it.
        package var used: Instant

        /// A link as the overlay judges it, open since `since` and last of use at `used`.
        package init(
            id: LinkID, peer: PeerKey, isOutbound: Bool, isOnDemand: Bool, isRelayed: Bool,
            since: Instant, used: Instant
        ) {
            self.id = id
            self.peer = peer
            self.isOutbound = isOutbound
            self.isOnDemand = isOnDemand
            self.isRelayed = isRelayed
            self.since = since
            self.used = used
        }
    }

    /// The present shape.
    package private(set) var shape = Shape.full
    /// When the next link is exchanged for another one; only in a partial mesh.
    private var rotation: Instant?
    /// Whether mDNS is asked, and since when.
    private var browsing: (on: Bool, since: Instant)

    package static func == (left: Overlay, right: Overlay) -> Bool {
        left.shape == right.shape && left.rotation == right.rotation
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(shape) }

    /// How many links it accepts for a purpose.
    private let guests: Int

    /// A small cabin, until more is known.
    package init(guests: Int = Limits.guests, at now: Instant) {
        self.guests = guests
        browsing = (true, now)
    }

    /// Takes in how many agents are known besides this one.
    package mutating func reshape(known: Int, random: inout SeededRandom, at now: Instant) {
        switch shape {
        case .full where known > Limits.fullMesh:
            shape = .partial
            rotation = now + jittered(&random)
        case .partial where known <= Limits.fullMeshAgain:
            shape = .full
            rotation = nil
        case .full, .partial: break
        }
    }

    /// Whom to dial.
    package func plan(_ links: [Link], needed: [PeerKey]) -> DialPlan {
        guard shape == .partial else { return .everyone }
        return .some(max(0, Limits.outbound - outbound(links).count), needed: needed)
    }

    /// Whether a link that was just accepted stays.
    package func admits(_ link: Link, among links: [Link]) -> Bool {
        guard shape == .partial, !link.isRelayed else { return true }
        let others = links.filter { $0.id != link.id }
        if link.isOnDemand {
            return others.count { !$0.isOutbound && $0.isOnDemand } < guests
        }
        // For a moment one too many is better than none: the surplus goes when links have settled.
        return others.count { !$0.isOutbound && !$0.isOnDemand } < Limits.inbound
    }

    /// Links to give up now: idle ones on demand, a surplus, and one a minute for another one.
    package mutating func surplus(
        _ links: [Link], needed: [PeerKey], random: inout SeededRandom, at now: Instant
    ) -> [LinkID] {
        var out = links.filter {
            ($0.isOnDemand || $0.isRelayed) && !needed.contains($0.peer)
                && $0.used + Limits.idleLink <= now
        }.map(\.id)
        guard shape == .partial else { return out }
        let mesh = links.filter {
            !$0.isOnDemand && !needed.contains($0.peer) && $0.since + Limits.settled <= now
        }
        let dialled = outbound(links).count
        let accepted = links.count { !$0.isOutbound && !$0.isOnDemand && !$0.isRelayed }
        var free = mesh.filter(\.isOutbound)
        var guests = mesh.filter { !$0.isOutbound && !$0.isRelayed }
        free.shuffle(using: &random)
        guests.shuffle(using: &random)
        out += free.prefix(max(0, dialled - Limits.outbound)).map(\.id)
        out += guests.prefix(max(0, accepted - Limits.inbound)).map(\.id)
        let most = Limits.partialMesh + self.guests - Limits.guests
        let rest = links.count - out.count
        if rest > most {
            let more = (guests + free).filter { !out.contains($0.id) }
            out += more.prefix(rest - most).map(\.id)
        }
        if let due = rotation, due <= now {
            rotation = now + jittered(&random)
            if out.isEmpty, dialled >= Limits.outbound, let one = free.first { out.append(one.id) }
        }
        return out
    }

    /// Whether mDNS is to be asked from now on; `nil` if nothing changes.
    package mutating func browse(_ links: [Link], at now: Instant) -> Bool? {
        let wanted = wantsToBrowse(links)
        guard wanted != browsing.on, browsing.since + Limits.browseTime <= now else { return nil }
        browsing = (wanted, now)
        return wanted
    }

    private func wantsToBrowse(_ links: [Link]) -> Bool {
        shape == .full || outbound(links).count < Limits.outbound / 2 + 1
    }

    /// When it wants to be asked again, after it was asked at `now`.
    package func nextDeadline(_ links: [Link], at now: Instant) -> Instant? {
        var deadlines: [Instant] = []
        if wantsToBrowse(links) != browsing.on {
            deadlines.append(browsing.since + Limits.browseTime)
        }
        if let rotation { deadlines.append(rotation) }
        for link in links {
            if link.isOnDemand || link.isRelayed { deadlines.append(link.used + Limits.idleLink) }
            if shape == .partial { deadlines.append(link.since + Limits.settled) }
        }
        // A link that is old enough to go may stay for hours.
        return deadlines.filter { $0 > now }.min()
    }

    private func outbound(_ links: [Link]) -> [Link] {
        links.filter { $0.isOutbound && !$0.isOnDemand && !$0.isRelayed }
    }

    private func jittered(_ random: inout SeededRandom) -> TimeSpan {
        let half = TimeSpan(nanoseconds: Limits.rotation.nanoseconds / 2)
        return half + random.span(.zero...Limits.rotation)
    }
}
