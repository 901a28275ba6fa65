// SPDX-License-Identifier: Apache-2.0
@testable import Discovery

/// A machine and the references it asked for that stand open, as a daemon would see them.
struct MachineRig {
    var machine: DiscoveryMachine
    private(set) var open: [ReferenceStart] = []
    private(set) var notices: [DiscoveryNotice] = []
    private(set) var mostLookups = 0
    var now: Int64 = 1000

    static let own = ServiceLabel(random: 0xa)
    static let peer = "00000000000000bb"

    init(port: UInt16 = 4000, interface: String? = nil, browse: Bool = true) {
        let options = DiscoveryOptions(port: port, interface: interface, browse: browse)
        machine = DiscoveryMachine(options: options, label: Self.own)
    }

    /// A rig whose registration is confirmed, with nothing left to read.
    static func published() -> MachineRig {
        var rig = MachineRig()
        rig.send(.start)
        rig.say(.registered(name: own.text), of: .register)
        _ = rig.takeNotices()
        return rig
    }

    enum Kind { case register, browse, resolve, ipv4, ipv6 }

    @discardableResult
    mutating func send(_ event: DiscoveryEvent) -> DiscoveryEffects {
        let effects = machine.handle(event, at: now)
        open.removeAll { effects.stops.contains($0.id) }
        open += effects.starts
        notices += effects.notices
        mostLookups = max(
            mostLookups, open.count { $0.request.kind != .register && $0.request.kind != .browse })
        return effects
    }

    /// The first open reference of this kind says something.
    @discardableResult
    mutating func say(_ report: ReferenceReport, of kind: Kind) -> DiscoveryEffects? {
        guard let start = open.first(where: { $0.request.kind == kind }) else { return nil }
        return send(.report(start.id, report))
    }

    /// Time passes until the machine's next deadline, which is handled.
    mutating func toDeadline() {
        guard let deadline = machine.nextDeadline else { return }
        now = deadline
        send(.tick)
    }

    mutating func wait(_ time: Int64) {
        let end = now + time
        while let deadline = machine.nextDeadline, deadline <= end { toDeadline() }
        now = end
        send(.tick)
    }

    mutating func takeNotices() -> [DiscoveryNotice] {
        defer { notices = [] }
        return notices
    }

    func requests(_ kind: Kind) -> [ReferenceRequest] {
        open.map(\.request).filter { $0.kind == kind }
    }

    /// A peer is seen on an interface, resolved and found at these addresses, all the way.
    mutating func meet(_ label: String = peer, on interface: UInt32, at last: UInt8) {
        say(.appeared(label: label, interface: interface), of: .browse)
        say(.resolved(host: "b.local.", port: 7, interface: interface), of: .resolve)
        say(.address(bytes: [10, 0, 0, last], interface: interface), of: .ipv4)
        wait(DiscoveryLimits.addressGrace)
    }

    static func address(_ last: UInt8, on interface: UInt32) -> ServiceAddress? {
        ServiceAddress(bytes: [10, 0, 0, last], port: 7, interface: interface)
    }

    static func found(_ label: String = peer, _ addresses: ServiceAddress?...) -> DiscoveryNotice {
        .found(Sighting(label: label, addresses: addresses.compactMap(\.self)))
    }
}

extension ReferenceRequest {
    var kind: MachineRig.Kind {
        switch self {
        case .register, .announce: .register
        case .browse, .browseVenues: .browse
        case .resolve, .resolveVenue: .resolve
        case .addresses(_, .ipv4, _): .ipv4
        case .addresses(_, .ipv6, _): .ipv6
        }
    }
}
