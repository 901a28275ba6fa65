// SPDX-License-Identifier: Apache-2.0
import Discovery
import Interfaces
import Launch
import Protocol
import System
import Transport

/// mDNS on the agent's loop: sightings become events, troubles become words for people. Also
/// watches which networks there are.
final class PeerFinder {
    /// Called with what was found and lost.
    var onEvent: (NodeEvent) -> Void = { _ in }
    /// Called when something goes wrong with finding people, and when it works again.
    var onTrouble: () -> Void = {}
    /// What is wrong with finding people now; `nil` if nothing is, or nobody is looked for.
    private(set) var trouble: DiscoveryTrouble?
    /// The instance name under which this agent is published.
    private(set) var label: String
    /// The name that others see; `nil` while they see none. Nobody dials this agent before.
    private(set) var announced: String?
    private let loop: EventLoop
    private let isWanted: Bool
    private var isStarted = false
    private let interface: String?
    private var discovery: Discovery
    /// Announces the venue, where this is its operator's agent.
    private let announcer: Discovery?
    /// Whether others can find the venue now; `nil` where this agent does not announce one.
    private(set) var isVenueAnnounced: Bool?
    private var watched: Set<Int32> = []
    private var timer: TimerToken?
    /// The network at the last look; `nil` before the start.
    private var fingerprint: NetworkFingerprint?
    private var seen: [String: [PeerAddress]] = [:]

    private static let networkLook = TimeSpan.seconds(3)

    /// A finder for an agent that listens on `port`.
    init(_ options: AgentOptions, port: UInt16, loop: EventLoop) {
        self.loop = loop
        isWanted = options.mdns
        interface = options.interface
        let first = Self.freshLabel()
        label = first.text
        discovery = Discovery(
            options: DiscoveryOptions(port: port, interface: options.interface), label: first)
        let venue = options.mdns ? options.venue?.announced : nil
        announcer = venue.map { link in
            Discovery(
                options: DiscoveryOptions(
                    venue: link, port: port, interface: options.interface),
                label: Self.freshLabel())
        }
        if venue != nil { isVenueAnnounced = false }
    }

    /// Publishes and browses, unless the options forbid it. Does nothing the second time.
    func start() {
        guard !isStarted else { return }
        isStarted = true
        if isWanted {
            discovery.start(now: loop.clock().nanoseconds)
            announcer?.start(now: loop.clock().nanoseconds)
            settle()
            fingerprint = NetworkFingerprint(of: NetworkInterface.all(), named: interface)
        }
        lookAtNetwork()
    }

    /// The networks of this machine at the last look.
    private(set) lazy var networks = seenNetworks

    private var seenNetworks: OwnNetworks {
        OwnNetworks(of: InterfaceNetwork.all(), interface: interface)
    }

    /// Waits until the daemon has been asked, at most 20 ms; before the loop runs.
    func letAsk() {
        discovery.letAsk()
    }

    /// Reports what happened before the loop runs.
    func catchUp() {
        for descriptor in descriptors { readable(descriptor) }
        settle()
    }

    private var descriptors: [Int32] { discovery.descriptors + (announcer?.descriptors ?? []) }

    private func readable(_ descriptor: Int32) {
        let now = loop.clock().nanoseconds
        discovery.readable(descriptor, now: now)
        announcer?.readable(descriptor, now: now)
    }

    /// Withdraws everything.
    func stop() {
        for descriptor in watched { loop.unwatch(descriptor) }
        watched = []
        if let timer { loop.cancel(timer) }
        timer = nil
        discovery.stop()
        announcer?.stop()
    }

    /// Asks mDNS for others, or stops asking: in a large cabin, peers tell each other
    /// (docs/protocol.md section 23).
    func browse(_ wanted: Bool) {
        guard isWanted else { return }
        discovery.setBrowsing(wanted, now: loop.clock().nanoseconds)
        settle()
    }

    /// Reports all present sightings again, to a new core.
    func tellAgain() {
        for label in seen.keys.sorted() {
            onEvent(.found(label: label, addresses: seen[label] ?? []))
        }
    }

    /// Takes a new label on a new network, so that nobody can be followed from one to the next.
    private func lookAtNetwork() {
        _ = loop.schedule(at: loop.clock() + Self.networkLook) { [weak self] in
            guard let self else { return }
            let seen = seenNetworks
            if seen != networks {
                networks = seen
                onEvent(.networks(seen))
            }
            defer { lookAtNetwork() }
            guard isWanted else { return }
            let now = NetworkFingerprint(of: NetworkInterface.all(), named: interface)
            if now != fingerprint {
                fingerprint = now
                let next = Self.freshLabel()
                let time = loop.clock().nanoseconds
                discovery.networkChanged(newLabel: next, now: time)
                if let announcer {
                    isVenueAnnounced = false
                    announcer.networkChanged(newLabel: Self.freshLabel(), now: time)
                }
                rename(next.text)
                settle()
            }
        }
    }

    private func settle() {
        for notice in discovery.drain() { tell(notice) }
        for notice in announcer?.drain() ?? [] { tellOfVenue(notice) }
        let wanted = Set(descriptors)
        for descriptor in watched.subtracting(wanted) { loop.unwatch(descriptor) }
        for descriptor in wanted.subtracting(watched) {
            try? loop.watch(descriptor, .read) { [weak self] _ in
                guard let self else { return }
                readable(descriptor)
                settle()
            }
        }
        watched = wanted
        if let timer { loop.cancel(timer) }
        let deadlines = [discovery.nextDeadline, announcer?.nextDeadline].compactMap(\.self)
        timer = deadlines.min().map { deadline in
            loop.schedule(at: Instant(nanoseconds: deadline)) { [weak self] in
                guard let self else { return }
                discovery.tick(now: loop.clock().nanoseconds)
                announcer?.tick(now: loop.clock().nanoseconds)
                settle()
            }
        }
    }

    /// Handles what mDNS reports.
    func tell(_ notice: DiscoveryNotice) {
        switch notice {
        case .registered(let name) where name != announced: rename(name)
        case .registered: break
        case .found(let sighting):
            let addresses = sighting.addresses.map { PeerAddress(host: $0.host, port: $0.port) }
            seen[sighting.label] = addresses
            onEvent(.found(label: sighting.label, addresses: addresses))
        case .lost(let label):
            seen[label] = nil
            onEvent(.lost(label: label))
        case .trouble(let words):
            // Publishing still works under another label, so nothing ends.
            if case .labelTaken = words { return log(words) }
            let isNews = trouble != words
            trouble = words
            if isNews { onTrouble() }
            log(words)
        case .recovered:
            trouble = nil
            onTrouble()
            Log.line("peers on this network can be found again")
        case .ownSeen, .ownHost: break  // For the doctor's probe only.
        }
    }

    /// Handles what mDNS reports of the venue. What is wrong is told of the agent itself too.
    func tellOfVenue(_ notice: DiscoveryNotice) {
        switch notice {
        case .registered: isVenueAnnounced = true
        // It is announced under another label.
        case .trouble(.labelTaken): break
        case .trouble: isVenueAnnounced = false
        case .found, .lost, .recovered, .ownSeen, .ownHost: break
        }
    }

    private func log(_ trouble: DiscoveryTrouble) {
        Log.line("\(trouble.what): \(trouble.why); try: \(trouble.remedy)")
    }

    private func rename(_ name: String) {
        label = name
        announced = name
        onEvent(.labelled(name))
    }

    private static func freshLabel() -> ServiceLabel {
        ServiceLabel(random: UInt64.random(in: 0 ... .max))
    }
}
