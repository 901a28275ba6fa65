// SPDX-License-Identifier: Apache-2.0
/// The labels seen, on which interfaces, and what was found out about them. Browse results come
/// once for each interface and address family; a label is lost only when all of them are gone.
struct PeerTable {
    private struct Place {
        let interface: UInt32
        /// Browse results that stand. 0: known from an earlier browse, not yet confirmed.
        var results: Int
        var addresses: [ServiceAddress] = []
    }

    private struct Peer {
        var places: [Place] = []
        /// The last sighting told since the label was last announced.
        var told: Sighting?
        var isTold = false

        func sighting(of label: String) -> Sighting {
            var kept: [ServiceAddress] = []
            for address in places.flatMap(\.addresses).sorted() {
                // The same routable address behind two interfaces is one address.
                let isKnown = kept.contains {
                    $0.bytes == address.bytes && $0.port == address.port && !address.isLinkLocal
                }
                if !isKnown { kept.append(address) }
            }
            return Sighting(
                label: label, addresses: Array(kept.prefix(DiscoveryLimits.addressesPerLabel)))
        }
    }

    private var peers: [String: Peer] = [:]

    var count: Int { peers.count }

    /// A browse result came. Returns whether the label has to be looked up there.
    mutating func appeared(_ key: LookupKey) -> Bool {
        guard peers[key.label] != nil || peers.count < DiscoveryLimits.labels else { return false }
        var peer = peers[key.label] ?? Peer()
        defer { peers[key.label] = peer }
        // Announced, or announced again: to be told even if nothing about it is new.
        if peer.places.allSatisfy({ $0.results == 0 }) { peer.told = nil }
        guard let at = peer.places.firstIndex(where: { $0.interface == key.interface }) else {
            guard peer.places.count < DiscoveryLimits.interfacesPerLabel else { return false }
            peer.places.append(Place(interface: key.interface, results: 1))
            return true
        }
        let isFirst = peer.places[at].results == 0
        peer.places[at].results += 1
        return isFirst || peer.places[at].addresses.isEmpty
    }

    /// A browse result went. Returns whether the place is gone, and what to tell.
    mutating func disappeared(_ key: LookupKey) -> (isGone: Bool, notice: DiscoveryNotice?) {
        guard
            var peer = peers[key.label],
            let at = peer.places.firstIndex(where: { $0.interface == key.interface })
        else { return (false, nil) }
        peer.places[at].results -= 1
        guard peer.places[at].results <= 0 else {
            peers[key.label] = peer
            return (false, nil)
        }
        peer.places.remove(at: at)
        return (true, keep(peer, as: key.label))
    }

    /// The addresses of a label on one interface are these.
    mutating func learned(_ addresses: [ServiceAddress], of key: LookupKey) -> DiscoveryNotice? {
        guard
            var peer = peers[key.label],
            let at = peer.places.firstIndex(where: { $0.interface == key.interface })
        else { return nil }
        peer.places[at].addresses = Array(addresses.prefix(DiscoveryLimits.addressesPerLabel))
        return keep(peer, as: key.label)
    }

    /// A browse ended: what is known stands until the next one had its time.
    mutating func browseEnded() {
        for label in peers.keys {
            for at in peers[label, default: Peer()].places.indices {
                peers[label]?.places[at].results = 0
            }
        }
    }

    /// The new browse had its time: what it did not show is gone. Sorted by label.
    mutating func removeUnconfirmed() -> [DiscoveryNotice] {
        var notices: [DiscoveryNotice] = []
        for label in peers.keys.sorted() {
            guard var peer = peers[label] else { continue }
            let before = peer.places.count
            peer.places.removeAll { $0.results == 0 }
            guard peer.places.count < before else { continue }
            if let notice = keep(peer, as: label) { notices.append(notice) }
        }
        return notices
    }

    /// Forgets a label that turned out to be our own.
    mutating func remove(_ label: String) -> DiscoveryNotice? {
        peers.removeValue(forKey: label).flatMap { $0.isTold ? .lost(label: label) : nil }
    }

    /// Puts a changed peer back, or drops it with its last place; returns what is news.
    private mutating func keep(_ changed: Peer, as label: String) -> DiscoveryNotice? {
        var peer = changed
        if peer.places.isEmpty {
            peers[label] = nil
            return peer.isTold ? .lost(label: label) : nil
        }
        defer { peers[label] = peer }
        let sighting = peer.sighting(of: label)
        guard !sighting.addresses.isEmpty, sighting != peer.told else { return nil }
        peer.told = sighting
        peer.isTold = true
        return .found(sighting)
    }

    /// Takes out a label that never had an address if the table is full, so that made-up names
    /// cannot fill it for good; returns it.
    mutating func makeRoom(for label: String) -> String? {
        guard peers[label] == nil, peers.count >= DiscoveryLimits.labels else { return nil }
        let empty = peers.filter { entry in
            !entry.value.isTold && entry.value.places.allSatisfy(\.addresses.isEmpty)
        }
        guard let victim = empty.keys.min() else { return nil }
        peers[victim] = nil
        return victim
    }
}
