// SPDX-License-Identifier: Apache-2.0
/// What is looked up: one label as seen on one interface of ours.
struct LookupKey: Hashable {
    let label: String
    let interface: UInt32
}

/// From a label to its addresses: one reference for host name and port, then one for each address
/// family, never more than `DiscoveryLimits.lookups` at a time. Anybody can announce hundreds of
/// labels that lead nowhere, so a first try is short, and labels not tried yet go before those that
/// failed; of the former, the newest and the oldest take turns. The daemon never reports that there
/// is no address of a family, so the second family gets `addressGrace` after the first answer.
struct LookupPool {
    private enum Step: Equatable {
        case resolve
        case addresses(AddressFamily, host: String, port: UInt16, interface: UInt32)
    }

    private struct Job: Equatable {
        let key: LookupKey
        let step: Step
    }

    private struct Running {
        let id: ReferenceID
        let job: Job
        var deadline: Int64
    }

    private struct Retry {
        let key: LookupKey
        let at: Int64
    }

    private var waiting: [Job] = []
    private var running: [Running] = []
    private var retries: [Retry] = []
    private var failures: [LookupKey: Int] = [:]
    private var gathered: [LookupKey: [ServiceAddress]] = [:]
    /// Whether the newest label is next, and not the oldest.
    private var newestIsNext = false

    /// When `tick` has something to do.
    var nextDeadline: Int64? {
        (running.map(\.deadline) + retries.map(\.at)).min()
    }

    /// Wants `key` looked up, unless that is under way.
    mutating func add(_ key: LookupKey) {
        retries.removeAll { $0.key == key }
        failures[key] = nil
        if !isBusy(key) { waiting.append(Job(key: key, step: .resolve)) }
    }

    /// Cancels the lookup of `key`.
    mutating func cancel(_ key: LookupKey, _ effects: inout DiscoveryEffects) {
        cancelAll(where: { $0 == key }, &effects)
    }

    /// Cancels all lookups whose key satisfies the condition.
    mutating func cancelAll(
        where isMeant: (LookupKey) -> Bool, _ effects: inout DiscoveryEffects
    ) {
        effects.stops += running.filter { isMeant($0.job.key) }.map(\.id)
        running.removeAll { isMeant($0.job.key) }
        waiting.removeAll { isMeant($0.key) }
        retries.removeAll { isMeant($0.key) }
        failures = failures.filter { !isMeant($0.key) }
        gathered = gathered.filter { !isMeant($0.key) }
    }

    /// Starts as many waiting jobs as there is room for.
    mutating func fill(
        at now: Int64, _ ids: inout ReferenceIDs, _ effects: inout DiscoveryEffects
    ) {
        while running.count < DiscoveryLimits.lookups, !waiting.isEmpty {
            let job = takeNext()
            let id = ids.next()
            let isLate = gathered[job.key]?.isEmpty == false
            let time = isLate ? DiscoveryLimits.addressGrace : self.time(job.key)
            running.append(Running(id: id, job: job, deadline: now + time))
            effects.starts.append(ReferenceStart(id: id, request: request(job)))
        }
    }

    /// Takes the waiting job that is next: one with a host name in hand, else one for a label not
    /// tried yet, else the first.
    private mutating func takeNext() -> Job {
        guard waiting[0].step == .resolve else { return waiting.removeFirst() }
        let untried = waiting.indices.filter { failures[waiting[$0].key] == nil }
        newestIsNext.toggle()
        return waiting.remove(at: (newestIsNext ? untried.last : untried.first) ?? 0)
    }

    private func time(_ key: LookupKey) -> Int64 {
        let times = DiscoveryLimits.lookupTimes
        return times[min(failures[key] ?? 0, times.count - 1)]
    }

    /// Gives back what had its time, wakes what waited for another try.
    mutating func tick(at now: Int64, _ effects: inout DiscoveryEffects) {
        for entry in running where entry.deadline <= now {
            effects.stops.append(entry.id)
            running.removeAll { $0.id == entry.id }
            finishIfDone(entry.job.key, at: now)
        }
        for retry in retries where retry.at <= now {
            retries.removeAll { $0.key == retry.key }
            waiting.append(Job(key: retry.key, step: .resolve))
        }
    }

    /// A reference spoke. Returns the key whose addresses changed, and the addresses. Reports of
    /// references given back earlier are none of ours and change nothing.
    mutating func handle(
        _ report: ReferenceReport, of id: ReferenceID, at now: Int64,
        _ effects: inout DiscoveryEffects
    ) -> (key: LookupKey, addresses: [ServiceAddress])? {
        guard let entry = running.first(where: { $0.id == id }) else { return nil }
        let key = entry.job.key
        switch (entry.job.step, report) {
        case (.resolve, .resolved(let host, let port, let interface)):
            release(id, &effects)
            if Self.isLocal(host), port != 0 {
                ask(key, host, port, interface)
            } else {
                finishIfDone(key, at: now)
            }
            return nil
        case (.addresses(_, _, let port, _), .address(let bytes, let interface)):
            guard let address = ServiceAddress(bytes: bytes, port: port, interface: interface)
            else { return nil }
            return gather(address, key, at: now)
        case (.addresses(_, _, let port, _), .noAddress(let bytes, let interface)):
            gathered[key]?.removeAll {
                $0.bytes == bytes && $0.port == port && $0.interface == interface
            }
            return (key, gathered[key] ?? [])
        case (_, .failed):
            release(id, &effects)
            finishIfDone(key, at: now)
            return nil
        case (.resolve, _), (.addresses, _):
            return nil
        }
    }

    private func isBusy(_ key: LookupKey) -> Bool {
        running.contains { $0.job.key == key } || waiting.contains { $0.key == key }
    }

    private mutating func release(_ id: ReferenceID, _ effects: inout DiscoveryEffects) {
        running.removeAll { $0.id == id }
        effects.stops.append(id)
    }

    /// A known host name is worth more than another label, so it goes to the front of the queue.
    private mutating func ask(
        _ key: LookupKey, _ host: String, _ port: UInt16, _ interface: UInt32
    ) {
        gathered[key] = []
        let steps = [AddressFamily.ipv4, .ipv6].map {
            Job(key: key, step: .addresses($0, host: host, port: port, interface: interface))
        }
        waiting.insert(contentsOf: steps, at: 0)
    }

    private mutating func gather(
        _ address: ServiceAddress, _ key: LookupKey, at now: Int64
    ) -> (key: LookupKey, addresses: [ServiceAddress])? {
        var addresses = gathered[key] ?? []
        guard
            addresses.count < DiscoveryLimits.addressesPerLabel, !addresses.contains(address)
        else { return nil }
        addresses.append(address)
        gathered[key] = addresses
        for at in running.indices where running[at].job.key == key {
            running[at].deadline = min(
                running[at].deadline, now + DiscoveryLimits.addressGrace)
        }
        return (key, addresses)
    }

    /// When nothing of `key` is left to do: without an address it is tried again, a few times.
    private mutating func finishIfDone(_ key: LookupKey, at now: Int64) {
        guard !isBusy(key) else { return }
        let addresses = gathered.removeValue(forKey: key) ?? []
        guard addresses.isEmpty else { return failures[key] = nil }
        let count = failures[key] ?? 0
        failures[key] = count + 1
        guard count < DiscoveryLimits.lookupRetries.count else { return failures[key] = nil }
        retries.append(Retry(key: key, at: now + DiscoveryLimits.lookupRetries[count]))
    }

    private func request(_ job: Job) -> ReferenceRequest {
        switch job.step {
        case .resolve: .resolve(label: job.key.label, interface: job.key.interface)
        case .addresses(let family, let host, _, let interface):
            .addresses(host: host, family: family, interface: interface)
        }
    }

    /// Only names of this link: a peer must not make us ask about a name in the Internet.
    private static func isLocal(_ host: String) -> Bool {
        let name = host.lowercased()
        return name.utf8.count <= DiscoveryLimits.hostName
            && (name.hasSuffix(".local.") || name.hasSuffix(".local"))
    }
}
