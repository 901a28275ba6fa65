// SPDX-License-Identifier: Apache-2.0
/// What a short look around showed of mDNS on this network (docs/control.md, "What the doctor
/// prints").
package struct ProbeFacts: Equatable, Sendable {
    /// The daemon published the probe under its label.
    package private(set) var isPublished = false
    /// Indices of the interfaces on which our own browse showed the probe; sorted.
    package private(set) var ownSeenOn: [UInt32] = []
    /// The name under which the daemon announces this computer beside the probe.
    package private(set) var ownHost: String?
    /// Agents and other probes with their addresses, by label. Ours is not among them.
    package private(set) var sightings: [Sighting] = []
    /// What keeps the daemon from publishing us, if it said.
    package private(set) var trouble: DiscoveryTrouble?

    /// Nothing was seen yet.
    package init() {}

    /// Takes in what discovery tells.
    package mutating func hear(_ notice: DiscoveryNotice) {
        switch notice {
        case .registered:
            isPublished = true
            trouble = nil
        case .ownSeen(let interface):
            guard !ownSeenOn.contains(interface) else { return }
            ownSeenOn = (ownSeenOn + [interface]).sorted()
        case .ownHost(let name): ownHost = name
        case .found(let sighting):
            sightings.removeAll { $0.label == sighting.label }
            sightings = (sightings + [sighting]).sorted { $0.label < $1.label }
        case .lost(let label):
            sightings.removeAll { $0.label == label }
        case .trouble(.labelTaken): break
        case .trouble(let new):
            isPublished = false
            trouble = new
        case .recovered: trouble = nil
        }
    }
}

/// Publishes an instance that agents leave alone, and looks around: for the few seconds of
/// `seatagent doctor`. Poll `descriptors` for reading, call `readable` and `tick`, read `facts`.
package final class Probe {
    /// What was seen until now.
    package private(set) var facts = ProbeFacts()
    private let discovery: Discovery

    /// A probe whose `port` somebody listens on. `random` has to come from a good source.
    package init(port: UInt16, interface: String?, random: UInt64) {
        discovery = Discovery(
            options: DiscoveryOptions(port: port, interface: interface, isProbe: true),
            label: ServiceLabel(probe: random))
    }

    /// Publishes and browses. `now` is monotonic nanoseconds, here and below.
    package func start(now: Int64) {
        discovery.start(now: now)
        hear()
    }

    /// Descriptors to poll for reading. They may change with every call.
    package var descriptors: [Int32] { discovery.descriptors }

    /// When `tick` has something to do; nil if only descriptors matter.
    package var nextDeadline: Int64? { discovery.nextDeadline }

    /// One of `descriptors` is readable.
    package func readable(_ descriptor: Int32, now: Int64) {
        discovery.readable(descriptor, now: now)
        hear()
    }

    /// Time has passed.
    package func tick(now: Int64) {
        discovery.tick(now: now)
        hear()
    }

    /// Withdraws the instance. Does not wait.
    package func stop() { discovery.stop() }

    private func hear() {
        for notice in discovery.drain() { facts.hear(notice) }
    }
}
