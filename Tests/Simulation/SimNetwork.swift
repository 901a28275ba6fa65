// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Connections: dialled, filled, emptied, ended.
extension SimWorld {
    /// Whether nothing goes from one host to the other now.
    func isCut(_ one: SimHost, _ other: SimHost) -> Bool {
        if let aboard = meets?.aboard,
            !aboard.contains(one.number) || !aboard.contains(other.number)
        {
            return true
        }
        return !sides.isEmpty && one.number < sides.count && other.number < sides.count
            && sides[one.number] != sides[other.number]
    }

    // MARK: Dialling

    func dial(_ host: SimHost, _ dial: Dial) {
        // Nobody types an address here: all that is dialled was told.
        if !host.networks.admitsSighted(dial.address) {
            fail("hearsay", "host \(host.number) dials \(dial.address.text)")
        }
        var delay = Int64.random(in: 3...90, using: &network) * Self.millisecond
        // Both ends dial while the handshake is under way: two connections at once.
        if isFaulty(.reorder, 20) { delay += Int64(network.next() % 4000) * Self.millisecond }
        agenda.note(.dialled(host: host.number, process: host.process, dial), at: now + delay)
    }

    func meet(_ host: SimHost, _ dial: Dial) {
        let target = hosts.first { $0.address == dial.address }
        guard let target, target.isUp, target.key != host.key, !isCut(host, target),
            host.clogs == 0, target.clogs == 0,
            !walls.contains(host.number * 4096 + target.number)
        else {
            // Refused at once where somebody is there, else no answer until the time is over.
            let delay = target?.isUp == false ? 5 * Self.millisecond : 5 * Self.second
            return agenda.note(
                .event(host: host.number, process: host.process, .dialFailed(dial.number)),
                at: now + delay)
        }
        let number = wires.count
        let latency = Int64.random(in: 1...40, using: &network) * Self.millisecond
        wires.append(
            SimWire(
                ends: [
                    SimWire.End(
                        host: host.number, process: host.process, link: SimWire.link(number, 0)),
                    SimWire.End(
                        host: target.number, process: target.process,
                        link: SimWire.link(number, 1)),
                ], latency: latency))
        host.wires.append(number)
        target.wires.append(number)
        totals.links += 1
        var mixer = Mixer(seed)
        mixer.add(number)
        let exporter = mixer.digest
        feed(
            target,
            .connected(
                SimWire.link(number, 1),
                LinkFacts(
                    role: .responder, peer: host.key, exporter: exporter,
                    remote: PeerAddress(host: host.address.host, port: 50_000), dial: nil)))
        feed(
            host,
            .connected(
                SimWire.link(number, 0),
                LinkFacts(
                    role: .initiator, peer: target.key, exporter: exporter,
                    remote: target.address, dial: dial.number)))
    }

    // MARK: Bytes

    /// Whether a fault of this seed strikes now, `percent` times of a hundred.
    func isFaulty(_ kind: FaultKind, _ percent: UInt64) -> Bool {
        guard !isHealed, profile.has(kind), network.next() % 100 < percent else { return false }
        totals.faults[kind.rawValue] += 1
        return true
    }

    func transmit(_ host: SimHost, _ send: Effects.Transmission) {
        if let id = circuit(host, of: send.link) {
            return later(host, .sealed(id, send.bytes))
        }
        if let tunnel = tunnel(host, of: send.link) {
            let peer = host.met?.tunnels[tunnel]?.peer
            let other = hosts.first { $0.key == peer } ?? host
            let bytes = bend(send.bytes, from: host, to: other)
            return bytes.isEmpty ? () : write(host, bytes, over: tunnel)
        }
        guard send.link.number <= 2 * wires.count else { return }
        let (wire, end) = SimWire.place(send.link)
        guard wires[wire].ends[end].isUp else { return }
        let bytes = bend(send.bytes, from: host, to: hosts[wires[wire].ends[1 - end].host])
        if bytes.isEmpty { return }
        push(wire, 1 - end, bytes)
        if isFaulty(.duplicate, 4), let frame = repeatable(bytes) {
            let delay = Int64.random(in: 0...1500, using: &network) * Self.millisecond
            agenda.note(
                .then { world in
                    if world.wires[wire].ends[end].isUp { world.push(wire, 1 - end, frame) }
                }, at: now + delay)
        }
    }

    /// What leaves a host for another: a cheat holds some of it back, or keeps what comes.
    private func bend(_ bytes: [UInt8], from host: SimHost, to other: SimHost) -> [UInt8] {
        guard !isHealed else { return bytes }
        let isCheat = people[host.person].isCheat
        let bytes = isCheat ? censored(bytes, from: host, to: other.number) : bytes
        if people[other.person].isCheat { capture(bytes, by: other) }
        return bytes
    }

    /// Bytes, or the end of the stream, on their way to an end.
    func push(_ wire: Int, _ end: Int, _ bytes: [UInt8], isEnd: Bool = false) {
        var delay = wires[wire].latency + wires[wire].extra
        if isFaulty(.loss, 3) {
            // Sent again after 200 ms, 400 ms ...
            delay += 200 * Self.millisecond << Int64(network.next() % 4)
        }
        let at = max(wires[wire].ways[end].last, now + delay)
        let wasEmpty = wires[wire].ways[end].isEmpty
        wires[wire].ways[end].last = at
        wires[wire].ways[end].queue.append(SimWire.Segment(bytes: bytes, at: at, isEnd: isEnd))
        wires[wire].ways[end].waiting += bytes.count
        wires[wire].ways[end].undrained += bytes.count
        totals.maxQueue = max(totals.maxQueue, wires[wire].ways[end].waiting)
        if wasEmpty, wires[wire].ways[end].blocks == 0 {
            arm(wire, end, at: at)
        }
    }

    private func arm(_ wire: Int, _ end: Int, at time: Int64) {
        let armed = wires[wire].ways[end].armed
        guard armed < now || armed > time else { return }
        wires[wire].ways[end].armed = time
        agenda.note(.arrival(wire: wire, end: end), at: time)
    }

    func arrive(_ wire: Int, _ end: Int) {
        guard wires[wire].ways[end].armed == now else { return }
        wires[wire].ways[end].armed = -1
        let target = wires[wire].ends[end]
        guard wires[wire].ways[end].blocks == 0, !target.isHeld || !target.isUp else { return }
        let host = hosts[target.host]
        guard host.process == target.process && host.isUp && target.isUp else {
            return bounce(wire, end)
        }
        var bytes: [UInt8] = []
        var isOver = false
        let limit = wires[wire].ways[end].isSlow ? 600 : Int.max
        while let next = wires[wire].ways[end].next, next.at <= now, bytes.count < limit {
            if next.isEnd {
                if bytes.isEmpty {
                    isOver = true
                    wires[wire].ways[end].pop()
                }
                break
            }
            if bytes.isEmpty { bytes = next.bytes } else { bytes += next.bytes }
            wires[wire].ways[end].pop()
        }
        if isOver {
            wires[wire].ends[end].isUp = false
            wires[wire].ways[1 - end].drop()
            host.wires.removeAll { $0 == wire }
            return feed(host, .ended(target.link))
        }
        if let next = wires[wire].ways[end].next {
            let pause = wires[wire].ways[end].isSlow ? 80 * Self.millisecond : 0
            arm(wire, end, at: max(next.at, now + pause))
        }
        guard !bytes.isEmpty else { return }
        drain(wire, end)
        feed(host, .received(target.link, bytes))
    }

    /// The sender hears that its bytes were taken: not after each of them,
    /// as a kernel with a buffer.
    private func drain(_ wire: Int, _ end: Int) {
        let sender = wires[wire].ends[1 - end]
        let waiting = wires[wire].ways[end].waiting
        guard sender.isUp,
            wires[wire].ways[end].undrained > 16 * 1024 || wires[wire].ways[end].isSlow
        else { return }
        wires[wire].ways[end].undrained = waiting
        let drained = NodeEvent.drained(sender.link, pending: waiting)
        agenda.note(.event(host: sender.host, process: sender.process, drained), at: now)
    }

    /// Bytes for an end that is gone: whoever sent them hears of it once the machine is up.
    private func bounce(_ wire: Int, _ end: Int) {
        wires[wire].ways[end].drop()
        let sender = wires[wire].ends[1 - end]
        guard sender.isUp, hosts[wires[wire].ends[end].host].isUp, !wires[wire].ends[end].isUp
        else { return }
        push(wire, 1 - end, [], isEnd: true)
    }

    // MARK: Ends

    /// The core closes: what it said arrives, then the end.
    func close(_ host: SimHost, _ link: LinkID) {
        if let id = circuit(host, of: link) {
            drop(host, id)
            later(host, .circuitEnded(id))
            return later(host, .ended(link))
        }
        if let tunnel = tunnel(host, of: link) { return close(host, tunnel: tunnel, link) }
        guard link.number <= 2 * wires.count else { return }
        let (wire, end) = SimWire.place(link)
        guard wires[wire].ends[end].isUp else { return }
        abandon(wire, by: host, silent: false)
        later(host, .ended(link))
    }

    func forget(_ link: LinkID, of host: SimHost) {
        let wire = SimWire.place(link).wire
        host.wires.removeAll { $0 == wire }
    }

    /// One end is no more: the other hears of it after what is under way, or not at all.
    func abandon(_ wire: Int, by host: SimHost, silent: Bool) {
        for end in 0..<2 where wires[wire].ends[end].host == host.number {
            guard wires[wire].ends[end].isUp else { continue }
            wires[wire].ends[end].isUp = false
            wires[wire].ways[end].drop()
            if silent {
                wires[wire].ways[1 - end].drop()
            } else if wires[wire].ends[1 - end].isUp {
                push(wire, 1 - end, [], isEnd: true)
            }
        }
    }

    /// Both ends are told that the connection broke, in the middle of whatever was under way.
    func reset(_ wire: Int) {
        for end in 0..<2 where wires[wire].ends[end].isUp {
            let target = wires[wire].ends[end]
            let host = hosts[target.host]
            if let head = wires[wire].ways[end].next, !head.bytes.isEmpty, !target.isHeld {
                let part = Int.random(in: 0...head.bytes.count, using: &network)
                wires[wire].ways[end].drop()
                if part > 0 { feed(host, .received(target.link, Array(head.bytes[..<part]))) }
            }
            guard wires[wire].ends[end].isUp else { continue }
            wires[wire].ends[end].isUp = false
            host.wires.removeAll { $0 == wire }
            feed(host, .ended(target.link))
        }
        wires[wire].ways[0].drop()
        wires[wire].ways[1].drop()
    }

    func prove(_ host: SimHost, _ link: LinkID) {
        if host.heardAt == nil { host.heardAt = now }
        guard link.number <= 2 * wires.count else { return }
        let (wire, end) = SimWire.place(link)
        wires[wire].ends[end].isProven = true
        wires[wire].ends[end].provenAt = now
    }

    func hold(_ host: SimHost, _ hold: Effects.Hold) {
        guard hold.link.number <= 2 * wires.count else { return }
        let (wire, end) = SimWire.place(hold.link)
        wires[wire].ends[end].isHeld = hold.held
        if !hold.held { resume(wire, end) }
    }

    /// What waited goes on.
    func resume(_ wire: Int, _ end: Int) {
        guard let next = wires[wire].ways[end].next, wires[wire].ways[end].blocks == 0 else {
            return
        }
        arm(wire, end, at: max(now, next.at))
    }

    /// An event for a host in its next turn.
    func later(_ host: SimHost, _ event: NodeEvent) {
        agenda.note(.event(host: host.number, process: host.process, event), at: now)
    }
}

/// Circuits through a third agent.
extension SimWorld {
    private static let firstCircuitLink = 1 << 40

    /// The circuit over which a link runs; `nil` for a wire.
    func circuit(_ host: SimHost, of link: LinkID) -> CircuitID? {
        guard link.number > Self.firstCircuitLink, !host.circuitOrder.isEmpty else { return nil }
        return host.circuitOrder.first { host.circuits[$0]?.link == link }
    }

    func drop(_ host: SimHost, _ id: CircuitID) {
        host.circuits[id] = nil
        host.circuitOrder.removeAll { $0 == id }
    }

    func obey(_ host: SimHost, _ order: CircuitOrder) {
        switch order {
        case .begin(let id, let role):
            host.circuits[id] = SimCircuit(role: role)
            host.circuitOrder.append(id)
            if role == .initiator { later(host, .sealed(id, host.key.bytes)) }
        case .bytes(let id, let bytes): arrive(host, id, bytes)
        case .took(let id, _):
            guard let link = host.circuits[id]?.link else { return }
            later(host, .drained(link, pending: 0))
        case .end(let id):
            let link = host.circuits[id]?.link
            drop(host, id)
            if let link { later(host, .ended(link)) }
        }
    }

    private func arrive(_ host: SimHost, _ id: CircuitID, _ bytes: [UInt8]) {
        guard let circuit = host.circuits[id] else { return }
        if let link = circuit.link { return later(host, .received(link, bytes)) }
        guard let peer = PeerKey(bytes.prefix(32)) else { return }
        if circuit.role == .responder { later(host, .sealed(id, host.key.bytes)) }
        circuitLinks += 1
        totals.circuits += 1
        let link = LinkID(Self.firstCircuitLink + circuitLinks)
        host.circuits[id]?.link = link
        let keys = circuit.role == .initiator ? [host.key, peer] : [peer, host.key]
        later(
            host,
            .connected(
                link,
                LinkFacts(
                    role: circuit.role, peer: peer,
                    exporter: primitives.sha256(keys.flatMap(\.bytes)),
                    remote: PeerAddress(host: "", port: 0), dial: nil, circuit: id)))
        if bytes.count > 32 { later(host, .received(link, Array(bytes.dropFirst(32)))) }
    }
}
