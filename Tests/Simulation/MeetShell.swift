// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// Between a core and the brokers, as the agent's desk for it: what came goes to the core, and what
/// is on the disk is told.
extension SimWorld {
    /// A process of a host begins to meet others.
    func beginMeeting(_ host: SimHost) {
        guard let meets else { return }
        var mixer = Mixer(seed)
        for number in [host.number, host.process, 77] { mixer.add(number) }
        let pair = FakeAgreement(seed: primitives.sha256(host.key.bytes + [1]))
        let hasTunnels = meets.profile.hasTunnels
        let setup = Meeting.Setup(
            keys: meets.keys, flight: flightKey.id, signer: host.signer,
            boxKey: hasTunnels ? pair.key : .zero,
            ends: UTCTime(seconds: meets.profile.starts + 72 * 3600), secret: mixer.digest,
            primitives: primitives, stampBits: Self.stampBits, agreement: hasTunnels ? pair : nil)
        host.met = SimMeeting(Meeting(setup, at: moment(host)))
        meet(host, .pool(meets.brokers.map(\.name)))
        tellOwn(host)
        tellFrontier(host)
    }

    /// Few, so that passengers are not what a life is spent on.
    static let stampBits = 4

    /// Gives a meeting one event, and does what it asks for.
    func meet(_ host: SimHost, _ event: MeetEvent) {
        guard host.isUp, failure == nil, host.met != nil else { return }
        totals.meetEvents += 1
        digest.add(host.number)
        digest.add(event)
        note { line(event).map { "\(host.number) <~ \($0)" } }
        guard let effects = host.met?.meeting.handle(event, at: moment(host)) else { return }
        note { line(effects).map { "\(host.number) ~> \($0)" } }
        for asked in effects.asks { ask(host, asked) }
        // For the core in its next turn, as events of the loop.
        if effects.told > 0 { later(host, .ownLength(effects.told)) }
        if !effects.entries.isEmpty {
            totals.mailed += effects.entries.count
            later(host, .mailed(effects.entries))
        }
        for mail in effects.mail { later(host, .lettered(mail)) }
        for order in effects.tunnels { obey(host, order) }
        rouseMeeting(host)
    }

    private func rouseMeeting(_ host: SimHost) {
        guard let due = host.met?.meeting.nextDeadline?.nanoseconds else { return }
        let time = max(due, now + Self.millisecond)
        guard time < host.met?.tickAt ?? 0 else { return }
        host.met?.tickAt = time
        let process = host.process
        agenda.note(
            .then { world in
                guard host.process == process, host.met?.tickAt == time else { return }
                host.met?.tickAt = .max
                world.meet(host, .tick)
            }, at: time)
    }

    /// Entries were made durable: own ones are said at once, others' a moment later.
    func wrote(_ host: SimHost) {
        guard host.met != nil else { return }
        tellOwn(host)
        host.met?.isStale = true
        guard host.met?.isRefreshing == false else { return }
        host.met?.isRefreshing = true
        refresh(host, after: 300 * Self.millisecond)
    }

    private func refresh(_ host: SimHost, after delay: Int64) {
        let process = host.process
        agenda.note(
            .then { world in
                guard host.process == process, host.met != nil else { return }
                // Behind the commit: a card says nothing that is not on the disk.
                guard host.gathered == nil else {
                    return world.refresh(host, after: Self.millisecond)
                }
                host.met?.isRefreshing = false
                world.tellFrontier(host)
            }, at: now + delay)
    }

    private func tellFrontier(_ host: SimHost) {
        guard host.met?.isStale == true else { return }
        host.met?.isStale = false
        let frontier = Frontier(host.node.logs, primitives: primitives)
        meet(host, .learnt(logs: frontier.digest, items: frontier.items))
    }

    private func tellOwn(_ host: SimHost) {
        guard let log = host.node.logs.log(of: host.key),
            log.entries.count != host.met?.ownCount
        else { return }
        host.met?.ownCount = log.entries.count
        meet(host, .own(log.entries.map(\.bytes), head8: log.head.id.raw.prefix8))
    }

    /// Tells what is to be left for whom, where that changed.
    func tellMail(_ host: SimHost) {
        guard host.isUp, host.met != nil, meets?.profile.hasTunnels == true,
            let open = host.node.mail(at: moment(host)), open != host.met?.mail
        else { return }
        host.met?.mail = open
        meet(host, .mail(open))
    }

    /// Tells who is needed and who is welcome, where that changed.
    func tellNeeds(_ host: SimHost) {
        guard host.isUp, host.met != nil, meets?.profile.hasTunnels == true else { return }
        let wants = SimMeeting.Wants(host.node, at: moment(host))
        guard wants != host.met?.wants else { return }
        host.met?.wants = wants
        let people = TunnelAsk.people(blocked: wants.blocked, favoured: wants.favoured)
        meet(host, .tunnel(people))
        meet(host, .tunnel(.need(wants.needed)))
    }

    // MARK: Tunnels

    private static let firstTunnelLink = 1 << 42

    /// The tunnel over which a link runs; `nil` for other links.
    func tunnel(_ host: SimHost, of link: LinkID) -> Int? {
        guard link.number > Self.firstTunnelLink, let tunnels = host.met?.tunnels else {
            return nil
        }
        return tunnels.keys.sorted().first { tunnels[$0]?.link == link }
    }

    /// The tunnels of a host over which a session runs, with whom.
    func openTunnels(_ host: SimHost) -> [(number: Int, peer: PeerKey)] {
        guard let tunnels = host.met?.tunnels else { return [] }
        return tunnels.keys.sorted().compactMap { number in
            guard let tunnel = tunnels[number], tunnel.link != nil else { return nil }
            return (number, tunnel.peer)
        }
    }

    /// In the next turn: this is asked for in the middle of one.
    private func soon(_ host: SimHost, _ action: @escaping (SimWorld) -> Void) {
        let process = host.process
        agenda.note(
            .then { world in
                if host.isUp, host.process == process, world.failure == nil { action(world) }
            }, at: now)
    }

    /// Bytes of a session over a tunnel, or its end.
    func write(_ host: SimHost, _ bytes: [UInt8], over tunnel: Int) {
        soon(host) { $0.meet(host, .tunnel(.write(tunnel, bytes))) }
    }

    func close(_ host: SimHost, tunnel: Int, _ link: LinkID) {
        soon(host) { world in
            guard host.met?.tunnels.removeValue(forKey: tunnel) != nil else { return }
            world.meet(host, .tunnel(.close(tunnel)))
            world.later(host, .ended(link))
        }
    }

    private func obey(_ host: SimHost, _ order: TunnelOrder) {
        soon(host) { $0.carryOut(host, order) }
    }

    private func carryOut(_ host: SimHost, _ order: TunnelOrder) {
        switch order {
        case .begin(let number, let peer, let isOpener):
            host.met?.tunnels[number] = SimTunnel(peer: peer, isOpener: isOpener)
            if isOpener { meet(host, .tunnel(.write(number, host.key.bytes))) }
        case .bytes(let number, let bytes): arrive(host, number, bytes)
        case .took(let number, _):
            guard let link = host.met?.tunnels[number]?.link else { return }
            later(host, .drained(link, pending: 0))
        case .end(let number):
            guard let tunnel = host.met?.tunnels.removeValue(forKey: number) else { return }
            if let link = tunnel.link { later(host, .ended(link)) }
        }
    }

    private var nextTunnelLink: Int {
        meets?.tunnelLinks += 1
        return meets?.tunnelLinks ?? 0
    }

    private func arrive(_ host: SimHost, _ number: Int, _ bytes: [UInt8]) {
        guard let tunnel = host.met?.tunnels[number] else { return }
        if let link = tunnel.link { return later(host, .received(link, bytes)) }
        guard let peer = PeerKey(bytes.prefix(32)), peer == tunnel.peer else {
            host.met?.tunnels[number] = nil
            return meet(host, .tunnel(.close(number)))
        }
        if !tunnel.isOpener { meet(host, .tunnel(.write(number, host.key.bytes))) }
        totals.tunnels += 1
        let link = LinkID(Self.firstTunnelLink + nextTunnelLink)
        host.met?.tunnels[number]?.link = link
        let keys = tunnel.isOpener ? [host.key, peer] : [peer, host.key]
        let facts = LinkFacts(
            role: tunnel.isOpener ? .initiator : .responder, peer: peer,
            exporter: primitives.sha256(keys.flatMap(\.bytes) + [2]),
            remote: PeerAddress(host: "", port: 0), dial: nil, isTunnel: true)
        later(host, .connected(link, facts))
        if bytes.count > 32 { later(host, .received(link, Array(bytes.dropFirst(32)))) }
    }
}
