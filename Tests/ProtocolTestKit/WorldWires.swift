// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Connections in the world in memory: dialled, filled, emptied, ended.
extension World {
    /// How many connections were made so far.
    package var connections: Int { wires.count }

    /// What `to` calls the last connection with `from` that is up; `nil` for none.
    package func link(from: Int, to: Int) -> LinkID? {
        let wire = wires.last { wire in
            wire.isUp && wire.ends.contains { $0.host == from }
                && wire.ends.contains { $0.host == to }
        }
        return wire?.ends.first { $0.host == to }?.id
    }

    mutating func dial(_ index: Int, _ dial: Dial) {
        let target = hosts.indices.first { address($0) == dial.address }
        guard let target, target != index, hosts[target].isUp, !isCut,
            !walls.contains([min(index, target), max(index, target)])
        else {
            return feed(index, .dialFailed(dial.number))
        }
        let ids = [LinkID(lastLink + 1), LinkID(lastLink + 2)]
        lastLink += 2
        wires.append(Wire(ends: [(index, ids[0]), (target, ids[1])]))
        places[ids[0]] = (wires.count - 1, 0)
        places[ids[1]] = (wires.count - 1, 1)
        let exporter = FakePrimitives().sha256([UInt8(lastLink & 255), 9])
        feed(
            target,
            .connected(
                ids[1],
                LinkFacts(
                    role: .responder, peer: key(index), exporter: exporter,
                    remote: PeerAddress(host: address(index).host, port: 9), dial: nil)))
        feed(
            index,
            .connected(
                ids[0],
                LinkFacts(
                    role: .initiator, peer: key(target), exporter: exporter,
                    remote: address(target), dial: dial.number)))
    }

    mutating func transmit(_ index: Int, _ send: Effects.Transmission) {
        if let id = circuit(index, of: send.link) {
            return feed(index, .sealed(id, send.bytes))
        }
        guard let (wire, end) = places[send.link], wires[wire].isUp else { return }
        wires[wire].pending[1 - end].append(send.bytes)
        busy.append(wire)
        let pair = [index, wires[wire].ends[1 - end].host]
        traffic[pair, default: 0] += send.bytes.count
    }

    /// Bytes on their way still arrive, then the other end hears of the end.
    mutating func close(_ index: Int, _ link: LinkID) {
        if let id = circuit(index, of: link) {
            hosts[index].circuits[id] = nil
            feed(index, .circuitEnded(id))
            return feed(index, .ended(link))
        }
        guard let (wire, end) = places[link], wires[wire].isUp else { return }
        wires[wire].isUp = false
        let other = wires[wire].ends[1 - end]
        let rest = wires[wire].pending[1 - end]
        wires[wire].pending = [[], []]
        for bytes in rest { feed(other.host, .received(other.id, bytes)) }
        feed(other.host, .ended(other.id))
        feed(index, .ended(link))
    }

    /// Every connection ends at once; what was under way is lost.
    package mutating func cut() {
        isCut = true
        for wire in wires.indices where wires[wire].isUp {
            wires[wire].isUp = false
            wires[wire].pending = [[], []]
            for end in wires[wire].ends { feed(end.host, .ended(end.id)) }
        }
    }

    /// Connections can be made again.
    package mutating func heal() { isCut = false }

    mutating func deliver(_ wire: Int, _ end: Int) {
        let target = wires[wire].ends[end]
        let bytes = heard(wires[wire].pending[end].removeFirst(), by: target.host)
        // In two pieces, so that no frame is sure to come whole.
        let half = bytes.count / 2
        feed(target.host, .received(target.id, Array(bytes[..<half])))
        feed(target.host, .received(target.id, Array(bytes[half...])))
        if wires[wire].isUp {
            let source = wires[wire].ends[1 - end]
            feed(source.host, .drained(source.id, pending: 0))
        }
    }

    /// What a host hears that answers no WANT, or is old.
    private func heard(_ bytes: [UInt8], by host: Int) -> [UInt8] {
        guard host == deaf || host == old else { return bytes }
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var rest: [UInt8] = []
        let ignored: [FrameType] = host == deaf ? [.want] : [.layout, .layouts]
        while let frame = try? decoder.next() {
            if !ignored.contains(where: { $0.rawValue == frame.type }) { rest += frame.bytes }
        }
        return rest
    }
}
