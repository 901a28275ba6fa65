// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a look around for venues showed.
package struct VenueSearchResult: Equatable, Sendable {
    /// The venues that were announced, each once, by name, key and kind of volume.
    package internal(set) var venues: [VenueLink] = []
    /// Announcements of which no record of a venue was read: wrong ones, too many, or too slow.
    package internal(set) var unread = 0
    /// Why nobody could be looked for.
    package internal(set) var trouble: DiscoveryTrouble?
}

/// Looking once for the venues that announce themselves, as a value: no daemon, no clock, no
/// thread. One reference browses, and at most `DiscoveryLimits.lookups` read records.
///
/// Anybody can announce a thousand venues. So a first look at each is short, those not looked at
/// yet go first, the newest and the oldest in turn, and it ends after
/// `DiscoveryLimits.venueSearch`.
struct VenueSearchMachine {
    enum Event: Equatable, Sendable {
        case start
        case report(ReferenceID, ReferenceReport)
        case tick
        case stop
    }

    private enum State: Equatable {
        /// Nothing was asked for. May become: looking, done.
        case idle
        /// Somebody may answer. May become: done.
        case looking(Looking)
        /// The end.
        case done
    }

    private struct Looking: Equatable {
        let browse: ReferenceID
        let endsAt: Int64
        /// The daemon took the question: it works.
        var isOpen = false
        /// When the last announcement or record came.
        var lastNews: Int64
    }

    /// One announcement: an instance name, and what became of it.
    private struct Announcement {
        let label: String
        /// Interfaces of ours on which it is seen.
        var interfaces: [UInt32]
        var tries = 0
        var isRead = false
        var link: VenueLink?
    }

    private struct Lookup {
        let id: ReferenceID
        let label: String
        let deadline: Int64
    }

    private let interface: String?
    private var state = State.idle
    private var ids = ReferenceIDs()
    private var known: [Announcement] = []
    private var running: [Lookup] = []
    /// Whether the newest announcement is next, and not the oldest.
    private var newestIsNext = false
    /// Announcements for which there was no place.
    private var left = 0
    private var trouble: DiscoveryTrouble?

    /// A look around on one interface of ours, or on all.
    init(interface: String?) { self.interface = interface }

    /// Whether it has ended.
    var isDone: Bool { state == .done }

    /// What was seen until now. O(n log n).
    var result: VenueSearchResult {
        let links = Set(known.compactMap(\.link)).sorted(by: Self.isBefore)
        return VenueSearchResult(
            venues: links, unread: left + known.count { $0.link == nil }, trouble: trouble)
    }

    /// When the machine wants a `.tick`.
    var nextDeadline: Int64? {
        guard case .looking(let looking) = state else { return nil }
        return ([looking.endsAt, calm(looking)].compactMap(\.self) + running.map(\.deadline)).min()
    }

    mutating func handle(_ event: Event, at now: Int64) -> DiscoveryEffects {
        var effects = DiscoveryEffects()
        switch (state, event) {
        case (.done, _), (.idle, .report), (.idle, .tick), (.looking, .start): break
        case (.idle, .stop): state = .done
        case (.idle, .start):
            let browse = ids.next()
            effects.starts.append(
                ReferenceStart(id: browse, request: .browseVenues(interface: interface)))
            state = .looking(
                Looking(
                    browse: browse, endsAt: now + DiscoveryLimits.venueSearch, lastNews: now))
        case (.looking(let looking), .stop): end(looking, &effects)
        case (.looking(let looking), .tick): tick(looking, at: now, &effects)
        case (.looking(let looking), .report(let id, let report)):
            id == looking.browse
                ? browsed(report, looking, at: now, &effects)
                : lookedUp(report, of: id, looking, at: now, &effects)
        }
        return effects
    }

    // MARK: Time

    /// When nothing more is expected: something was found, everything was looked at, and it has
    /// been quiet since.
    private func calm(_ looking: Looking) -> Int64? {
        let isBusy = !running.isEmpty || known.contains { !$0.isRead }
        return isBusy || known.isEmpty ? nil : looking.lastNews + DiscoveryLimits.venueCalm
    }

    private mutating func tick(
        _ looking: Looking, at now: Int64, _ effects: inout DiscoveryEffects
    ) {
        guard now < looking.endsAt, calm(looking).map({ now < $0 }) ?? true else {
            if !looking.isOpen { trouble = .silent }
            return end(looking, &effects)
        }
        for lookup in running where lookup.deadline <= now {
            release(lookup.id, &effects)
            failed(lookup.label)
        }
        fill(at: now, &effects)
    }

    private mutating func end(_ looking: Looking, _ effects: inout DiscoveryEffects) {
        effects.stops += running.map(\.id) + [looking.browse]
        running = []
        state = .done
    }

    // MARK: Reports

    private mutating func browsed(
        _ report: ReferenceReport, _ looking: Looking, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) {
        var looking = looking
        switch report {
        case .opened: looking.isOpen = true
        case .appeared(let label, let interface):
            looking.isOpen = true
            if appeared(label, on: interface) { looking.lastNews = now }
        case .disappeared(let label, let interface):
            disappeared(label, on: interface, &effects)
        case .failed(let failure):
            trouble = failure.trouble
            return end(looking, &effects)
        case .registered, .resolved, .text, .address, .noAddress: break
        }
        state = .looking(looking)
        fill(at: now, &effects)
    }

    private mutating func lookedUp(
        _ report: ReferenceReport, of id: ReferenceID, _ looking: Looking, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) {
        // A reference given back earlier may still speak.
        guard let lookup = running.first(where: { $0.id == id }) else { return }
        switch report {
        case .text(let bytes):
            release(id, &effects)
            var looking = looking
            looking.lastNews = now
            state = .looking(looking)
            change(lookup.label) { announcement in
                announcement.isRead = true
                announcement.link = VenueRecord.link(bytes)
            }
        case .failed:
            release(id, &effects)
            failed(lookup.label)
        case .opened, .registered, .appeared, .disappeared, .resolved, .address, .noAddress: return
        }
        fill(at: now, &effects)
    }

    /// Takes an announcement; false if it is none of an agent, known, or one too many.
    private mutating func appeared(_ label: String, on interface: UInt32) -> Bool {
        guard ServiceLabel.isInstanceName(label) else { return false }
        if let at = known.firstIndex(where: { $0.label == label }) {
            if !known[at].interfaces.contains(interface),
                known[at].interfaces.count < DiscoveryLimits.interfacesPerLabel
            {
                known[at].interfaces.append(interface)
            }
            return false
        }
        guard known.count < DiscoveryLimits.labels else {
            left += 1
            return false
        }
        known.append(Announcement(label: label, interfaces: [interface]))
        return true
    }

    private mutating func disappeared(
        _ label: String, on interface: UInt32, _ effects: inout DiscoveryEffects
    ) {
        change(label) { $0.interfaces.removeAll { $0 == interface } }
        guard known.contains(where: { $0.label == label && $0.interfaces.isEmpty }) else { return }
        known.removeAll { $0.label == label }
        for lookup in running where lookup.label == label { release(lookup.id, &effects) }
    }

    // MARK: Lookups

    private mutating func fill(at now: Int64, _ effects: inout DiscoveryEffects) {
        while running.count < DiscoveryLimits.lookups, let at = next() {
            let announcement = known[at]
            let times = DiscoveryLimits.venueTimes
            let id = ids.next()
            let interface = announcement.interfaces[
                announcement.tries % announcement.interfaces.count]
            running.append(
                Lookup(
                    id: id, label: announcement.label,
                    deadline: now + times[min(announcement.tries, times.count - 1)]))
            effects.starts.append(
                ReferenceStart(
                    id: id,
                    request: .resolveVenue(label: announcement.label, interface: interface)))
        }
    }

    /// The position of the announcement to look at next.
    private mutating func next() -> Int? {
        let labels = Set(running.map(\.label))
        let waiting = known.indices.filter { at in
            !known[at].isRead && !labels.contains(known[at].label)
        }
        let untried = waiting.filter { known[$0].tries == 0 }
        guard !untried.isEmpty else { return waiting.first }
        newestIsNext.toggle()
        return newestIsNext ? untried.last : untried.first
    }

    private mutating func release(_ id: ReferenceID, _ effects: inout DiscoveryEffects) {
        running.removeAll { $0.id == id }
        effects.stops.append(id)
    }

    private mutating func failed(_ label: String) {
        change(label) { announcement in
            announcement.tries += 1
            announcement.isRead = announcement.tries >= DiscoveryLimits.venueTimes.count
        }
    }

    private mutating func change(_ label: String, _ body: (inout Announcement) -> Void) {
        guard let at = known.firstIndex(where: { $0.label == label }) else { return }
        body(&known[at])
    }

    private static func isBefore(_ left: VenueLink, _ right: VenueLink) -> Bool {
        (left.slug, left.runBy.text, left.kind.rawValue)
            < (right.slug, right.runBy.text, right.kind.rawValue)
    }
}
