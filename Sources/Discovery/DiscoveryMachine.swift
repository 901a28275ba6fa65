// SPDX-License-Identifier: Apache-2.0
/// Publishing ourselves and finding others, as a value: no daemon, no clock, no thread. One
/// reference registers, one browses, `LookupPool` looks up. If the daemon goes away, all of them
/// are released and requested again, with waits of 1, 2, 4 ... 30 s.
struct DiscoveryMachine {
    private enum State: Equatable {
        /// Nothing was asked for. May become: opening, stopped.
        case idle
        /// The daemon was asked to publish us. May become: published, away, opening, stopped.
        case opening(Opening)
        /// The daemon published us. May become: away, opening, stopped.
        case published(Published)
        /// The daemon is not there. May become: opening, stopped.
        case away(Away)
        /// The end.
        case stopped
    }

    private struct Opening: Equatable {
        let register: ReferenceID
        /// Tries that failed before this one.
        let tries: Int
        /// When silence becomes trouble; nil once it was told.
        var silentAt: Int64?
    }

    private struct Published: Equatable {
        let register: ReferenceID
        var name: String
    }

    private struct Away: Equatable {
        let tries: Int
        let retryAt: Int64
    }

    private struct Browse: Equatable {
        let id: ReferenceID
        /// When labels known from before must have shown up. Nil before the daemon is known to
        /// work (a hanging one shows nobody), and once it was judged.
        var confirmedAt: Int64?
    }

    private let options: DiscoveryOptions
    private var state = State.idle
    private var wantsBrowse: Bool
    private var label: ServiceLabel
    private var browse: Browse?
    /// For a probe: the reference that asks for the host name of its own instance.
    private var ownLookup: ReferenceID?
    private var hasAskedOwn = false
    private var pool = LookupPool()
    private var peers = PeerTable()
    private var ids = ReferenceIDs()
    /// Names we have or had, the latest last.
    private var ownNames: [String]
    /// The trouble people know of.
    private var told: DiscoveryTrouble?

    init(options: DiscoveryOptions, label: ServiceLabel) {
        self.options = options
        self.label = label
        wantsBrowse = options.browse
        ownNames = [label.text]
    }

    /// When the machine wants a `.tick`.
    var nextDeadline: Int64? {
        let own: Int64? =
            switch state {
            case .opening(let opening): opening.silentAt
            case .away(let away): away.retryAt
            case .idle, .published, .stopped: nil
            }
        return [own, browse?.confirmedAt, pool.nextDeadline].compactMap(\.self).min()
    }

    mutating func handle(_ event: DiscoveryEvent, at now: Int64) -> DiscoveryEffects {
        var effects = DiscoveryEffects()
        let next: State
        switch (state, event) {
        case (.stopped, _), (.idle, .tick), (.idle, .report), (.away, .report),
            (.opening, .start), (.published, .start), (.away, .start):
            next = state
        case (.idle, .start):
            next = open(tries: 0, at: now, &effects)
        case (.idle, .stop), (.opening, .stop), (.published, .stop), (.away, .stop):
            closeAll(&effects)
            next = .stopped
        case (.idle, .browsing(let wanted)), (.away, .browsing(let wanted)):
            wantsBrowse = wanted
            next = state
        case (.opening, .browsing(let wanted)):
            setBrowse(wanted, confirmedAt: nil, &effects)
            next = state
        case (.published, .browsing(let wanted)):
            setBrowse(wanted, confirmedAt: now + DiscoveryLimits.confirmation, &effects)
            next = state
        case (.idle, .networkChanged(let label)):
            self.label = label
            own(label.text, &effects)
            next = state
        case (.opening, .networkChanged(let label)), (.published, .networkChanged(let label)),
            (.away, .networkChanged(let label)):
            self.label = label
            own(label.text, &effects)
            closeAll(&effects)
            next = open(tries: 0, at: now, &effects)
        case (.away(let away), .tick):
            next = now < away.retryAt ? state : open(tries: away.tries, at: now, &effects)
        case (.opening(let opening), .tick):
            next = .opening(waited(opening, at: now, &effects))
            work(at: now, &effects)
        case (.published, .tick):
            work(at: now, &effects)
            next = state
        case (.opening(let opening), .report(let id, let report)):
            next = heard(report, of: id, state, opening.register, at: now, &effects)
        case (.published(let published), .report(let id, let report)):
            next = heard(report, of: id, state, published.register, at: now, &effects)
        }
        state = next
        return effects
    }

    // MARK: The two lasting references

    private mutating func open(
        tries: Int, at now: Int64, _ effects: inout DiscoveryEffects
    ) -> State {
        // The daemon lets a browser wait for 10 ms, in which it may as well be asked to publish us.
        if wantsBrowse { startBrowse(confirmedAt: nil, &effects) }
        let id = ids.next()
        effects.starts.append(ReferenceStart(id: id, request: options.request(label)))
        return .opening(
            Opening(register: id, tries: tries, silentAt: now + DiscoveryLimits.silence))
    }

    private mutating func closeAll(_ effects: inout DiscoveryEffects) {
        switch state {
        case .opening(let opening): effects.stops.append(opening.register)
        case .published(let published): effects.stops.append(published.register)
        case .idle, .away, .stopped: break
        }
        stopBrowse(&effects)
        if let ownLookup { effects.stops.append(ownLookup) }
        ownLookup = nil
        pool.cancelAll(where: { _ in true }, &effects)
    }

    private mutating func setBrowse(
        _ wanted: Bool, confirmedAt: Int64?, _ effects: inout DiscoveryEffects
    ) {
        wantsBrowse = wanted
        wanted ? startBrowse(confirmedAt: confirmedAt, &effects) : stopBrowse(&effects)
    }

    private mutating func startBrowse(
        confirmedAt: Int64?, _ effects: inout DiscoveryEffects
    ) {
        guard browse == nil else { return }
        let id = ids.next()
        browse = Browse(id: id, confirmedAt: confirmedAt)
        let request = ReferenceRequest.browse(interface: options.interface)
        effects.starts.append(ReferenceStart(id: id, request: request))
    }

    private mutating func stopBrowse(_ effects: inout DiscoveryEffects) {
        guard let current = browse else { return }
        effects.stops.append(current.id)
        browse = nil
        peers.browseEnded()
    }

    /// Remembers a name as ours and forgets the peer it may have been taken for.
    private mutating func own(_ name: String, _ effects: inout DiscoveryEffects) {
        ownNames.removeAll { $0 == name }
        ownNames.append(name)
        ownNames.removeFirst(max(0, ownNames.count - DiscoveryLimits.ownLabels))
        pool.cancelAll(where: { $0.label == name }, &effects)
        if let notice = peers.remove(name) { effects.notices.append(notice) }
    }

    // MARK: Time

    private mutating func waited(
        _ opening: Opening, at now: Int64, _ effects: inout DiscoveryEffects
    ) -> Opening {
        guard let silentAt = opening.silentAt, silentAt <= now else { return opening }
        var waited = opening
        waited.silentAt = nil
        tell(.silent, &effects)
        return waited
    }

    private mutating func work(at now: Int64, _ effects: inout DiscoveryEffects) {
        if let confirmedAt = browse?.confirmedAt, confirmedAt <= now {
            browse?.confirmedAt = nil
            effects.notices += peers.removeUnconfirmed()
        }
        pool.tick(at: now, &effects)
        pool.fill(at: now, &ids, &effects)
    }

    // MARK: Reports

    private mutating func heard(
        _ report: ReferenceReport, of id: ReferenceID, _ state: State, _ register: ReferenceID,
        at now: Int64, _ effects: inout DiscoveryEffects
    ) -> State {
        if id == register || id == browse?.id {
            return lasting(report, id, state, at: now, &effects)
        }
        if id == ownLookup {
            if case .resolved(let host, _, _) = report { effects.notices.append(.ownHost(host)) }
            effects.stops.append(id)
            ownLookup = nil
            return state
        }
        if let news = pool.handle(report, of: id, at: now, &effects),
            let notice = peers.learned(news.addresses, of: news.key)
        {
            effects.notices.append(notice)
        }
        pool.fill(at: now, &ids, &effects)
        return state
    }

    private mutating func lasting(
        _ report: ReferenceReport, _ id: ReferenceID, _ state: State, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) -> State {
        switch report {
        case .registered(let name):
            return registered(name, id, state, at: now, &effects)
        case .failed(let failure):
            return failed(failure, state, at: now, &effects)
        case .appeared(let label, let interface):
            appeared(LookupKey(label: label, interface: interface), &effects)
            pool.fill(at: now, &ids, &effects)
            return state
        case .disappeared(let label, let interface):
            disappeared(LookupKey(label: label, interface: interface), &effects)
            pool.fill(at: now, &ids, &effects)
            return state
        case .resolved, .opened, .text, .address, .noAddress:
            return state
        }
    }

    private mutating func registered(
        _ name: String, _ id: ReferenceID, _ state: State, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) -> State {
        // A daemon that had to change its host name registers again and says so again.
        if state == .published(Published(register: id, name: name)) { return state }
        browse?.confirmedAt = now + DiscoveryLimits.confirmation
        if told != nil {
            told = nil
            effects.notices.append(.recovered)
        }
        own(name, &effects)
        if name != label.text {
            effects.notices.append(.trouble(.labelTaken(chosen: name)))
        }
        effects.notices.append(.registered(label: name))
        return .published(Published(register: id, name: name))
    }

    private mutating func failed(
        _ failure: ReferenceFailure, _ state: State, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) -> State {
        let tries =
            switch state {
            case .opening(let opening): opening.tries
            case .idle, .published, .away, .stopped: 0
            }
        closeAll(&effects)
        tell(failure.trouble, &effects)
        let waits = DiscoveryLimits.daemonRetries
        let wait = waits[min(tries, waits.count - 1)]
        return .away(Away(tries: min(tries + 1, waits.count), retryAt: now + wait))
    }

    private mutating func appeared(_ key: LookupKey, _ effects: inout DiscoveryEffects) {
        if options.isProbe, ownNames.contains(key.label) {
            effects.notices.append(.ownSeen(interface: key.interface))
            if !hasAskedOwn {
                hasAskedOwn = true
                let id = ids.next()
                ownLookup = id
                let request = ReferenceRequest.resolve(label: key.label, interface: key.interface)
                effects.starts.append(ReferenceStart(id: id, request: request))
            }
        }
        let isFollowed =
            ServiceLabel.isInstanceName(key.label)
            || options.isProbe && ServiceLabel.isProbeName(key.label)
        guard isFollowed, !ownNames.contains(key.label) else { return }
        if let evicted = peers.makeRoom(for: key.label) {
            pool.cancelAll(where: { $0.label == evicted }, &effects)
        }
        if peers.appeared(key) { pool.add(key) }
    }

    private mutating func disappeared(_ key: LookupKey, _ effects: inout DiscoveryEffects) {
        let (isGone, notice) = peers.disappeared(key)
        if isGone { pool.cancel(key, &effects) }
        if let notice { effects.notices.append(notice) }
    }

    private mutating func tell(_ trouble: DiscoveryTrouble, _ effects: inout DiscoveryEffects) {
        if told?.isSame(as: trouble) == true { return }
        told = trouble
        effects.notices.append(.trouble(trouble))
    }
}
