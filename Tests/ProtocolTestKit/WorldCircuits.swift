// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Circuits in the world in memory: in place of TLS each end says its key,
/// then bytes go as they are.
extension World {
    /// The circuit over which a link of `index` runs; `nil` for a wire.
    func circuit(_ index: Int, of link: LinkID) -> CircuitID? {
        hosts[index].circuits.first { $0.value.link == link }?.key
    }

    /// What a core asks of the ends of its circuits.
    mutating func obey(_ index: Int, _ order: CircuitOrder) {
        switch order {
        case .begin(let id, let role):
            hosts[index].circuits[id] = CircuitEnd(role: role)
            if role == .initiator { feed(index, .sealed(id, key(index).bytes)) }
        case .bytes(let id, let bytes): arrive(index, id, bytes)
        case .took(let id, _):
            guard let link = hosts[index].circuits[id]?.link else { return }
            feed(index, .drained(link, pending: 0))
        case .end(let id):
            guard let end = hosts[index].circuits.removeValue(forKey: id) else { return }
            if let link = end.link { feed(index, .ended(link)) }
        }
    }

    private mutating func arrive(_ index: Int, _ id: CircuitID, _ bytes: [UInt8]) {
        guard let end = hosts[index].circuits[id] else { return }
        if let link = end.link { return feed(index, .received(link, bytes)) }
        guard let peer = PeerKey(Array(bytes.prefix(32))) else { return }
        if end.role == .responder { feed(index, .sealed(id, key(index).bytes)) }
        lastLink += 1
        let link = LinkID(lastLink)
        hosts[index].circuits[id]?.link = link
        let keys = end.role == .initiator ? [key(index), peer] : [peer, key(index)]
        let exporter = FakePrimitives().sha256(keys.flatMap(\.bytes))
        feed(
            index,
            .connected(
                link,
                LinkFacts(
                    role: end.role, peer: peer, exporter: exporter,
                    remote: PeerAddress(host: "", port: 0), dial: nil, circuit: id)))
        let rest = Array(bytes.dropFirst(32))
        if !rest.isEmpty { feed(index, .received(link, rest)) }
    }
}
