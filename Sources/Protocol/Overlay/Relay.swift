// SPDX-License-Identifier: Apache-2.0
/// Circuits that this agent carries for two others who cannot reach each other.
///
/// It sees sealed bytes only, keeps none of them, and lets at most
/// ``Limits/circuitWindow`` bytes be on their way in one direction: more is a fault of the
/// sender. Counts, bytes and time are limited.
package struct Relay: Sendable {
    /// One of the two sides of a circuit.
    struct Side: Hashable, Sendable {
        let link: LinkID
        let number: Int
    }

    /// A circuit.
    struct Circuit: Sendable {
        let near: Side
        let far: Side
        let opener: PeerKey
        let since: Instant
        var moved: Instant
        var isReady = false
        /// Bytes on their way to the far and to the near side.
        var toFar = 0
        var toNear = 0
        /// Bytes carried in all.
        var carried = 0
    }

    /// A link that a circuit may use.
    package struct Link: Sendable {
        /// Which connection.
        package let id: LinkID
        /// Who is at its end.
        package let peer: PeerKey
        /// Bytes of bulk that it takes now.
        package let room: Int

        /// A link to `peer` that takes `room` more bytes.
        package init(id: LinkID, peer: PeerKey, room: Int) {
            self.id = id
            self.peer = peer
            self.room = room
        }
    }

    private(set) var circuits: [Circuit] = []

    /// Carries nothing.
    package init() {}

    /// Circuits carried now.
    package var count: Int { circuits.count }

    /// When a circuit has been idle, or unanswered, for too long.
    package var nextDeadline: Instant? { circuits.map(Self.deadline).min() }

    private static func deadline(_ circuit: Circuit) -> Instant {
        circuit.isReady
            ? circuit.moved + Limits.circuitIdle : circuit.since + Limits.circuitOpening
    }

    /// Whether `number` on `link` is carried.
    func holds(_ number: Int, on link: LinkID) -> Bool {
        let side = Side(link: link, number: number)
        return circuits.contains { $0.near == side || $0.far == side }
    }

    /// `opener` on `near` wants to reach the peer of `far`, `nil` if there is no link with them;
    /// `farNumber` is free there.
    package mutating func open(
        _ number: Int, by opener: PeerKey, on near: LinkID, to far: Link?, farNumber: Int,
        at now: Instant
    ) -> Circuits.Output {
        var output = Circuits.Output()
        guard let far else {
            output.messages.append((near, .end(number, .notLinked)))
            return output
        }
        guard circuits.count < Limits.circuits,
            circuits.count(where: { $0.opener == opener }) < Limits.circuitsPerPeer
        else {
            output.messages.append((near, .end(number, .full)))
            return output
        }
        circuits.append(
            Circuit(
                near: Side(link: near, number: number), far: Side(link: far.id, number: farNumber),
                opener: opener, since: now, moved: now))
        output.messages.append((far.id, .open(farNumber, opener, isIncoming: true)))
        return output
    }

    /// A message on a circuit that is carried; `links` are all that are open.
    package mutating func take(
        _ message: RelayMessage, on link: LinkID, links: [Link], at now: Instant
    ) -> Circuits.Output {
        var output = Circuits.Output()
        let side = Side(link: link, number: message.circuit)
        let place = circuits.firstIndex { $0.near == side || $0.far == side }
        guard let place else { return output }
        let isNear = circuits[place].near == side
        let other = isNear ? circuits[place].far : circuits[place].near
        switch message {
        case .open: output.faults.append(link)
        case .ready:
            guard !isNear, !circuits[place].isReady else {
                output.faults.append(link)
                return output
            }
            circuits[place].isReady = true
            circuits[place].moved = now
            output.messages.append((other.link, .ready(other.number)))
        case .data(_, let bytes):
            circuits[place].moved = now
            carry(bytes, place, isNear, other, links, &output)
        case .took(_, let count):
            // What the near side took was on its way to the near side.
            let underWay = isNear ? circuits[place].toNear : circuits[place].toFar
            guard count <= underWay else {
                output.faults.append(link)
                return output
            }
            if isNear { circuits[place].toNear -= count } else { circuits[place].toFar -= count }
            output.messages.append((other.link, .took(other.number, count)))
        case .end(_, let reason):
            circuits.remove(at: place)
            output.messages.append((other.link, .end(other.number, reason)))
        }
        return output
    }

    private mutating func carry(
        _ bytes: [UInt8], _ place: Int, _ isNear: Bool, _ other: Side, _ links: [Link],
        _ output: inout Circuits.Output
    ) {
        let underWay = isNear ? circuits[place].toFar : circuits[place].toNear
        guard circuits[place].isReady, underWay + bytes.count <= Limits.circuitWindow else {
            output.faults.append(isNear ? circuits[place].near.link : circuits[place].far.link)
            return
        }
        let room = links.first { $0.id == other.link }?.room ?? 0
        guard circuits[place].carried + bytes.count <= Limits.circuitBytes,
            bytes.count + Limits.bulkSlice <= room
        else {
            end(place, .spent, &output)
            return
        }
        circuits[place].carried += bytes.count
        if isNear {
            circuits[place].toFar += bytes.count
        } else {
            circuits[place].toNear += bytes.count
        }
        output.messages.append((other.link, .data(other.number, bytes)))
    }

    private mutating func end(
        _ place: Int, _ reason: RelayMessage.EndReason, _ output: inout Circuits.Output
    ) {
        let circuit = circuits.remove(at: place)
        output.messages.append((circuit.near.link, .end(circuit.near.number, reason)))
        output.messages.append((circuit.far.link, .end(circuit.far.number, reason)))
    }

    /// A link is gone: what it carried is over.
    package mutating func unlinked(_ link: LinkID) -> Circuits.Output {
        var output = Circuits.Output()
        for circuit in circuits {
            if circuit.near.link == link {
                output.messages.append((circuit.far.link, .end(circuit.far.number, .closed)))
            } else if circuit.far.link == link {
                output.messages.append((circuit.near.link, .end(circuit.near.number, .closed)))
            }
        }
        circuits.removeAll { $0.near.link == link || $0.far.link == link }
        return output
    }

    /// Ends circuits without traffic.
    package mutating func tick(at now: Instant) -> Circuits.Output {
        var output = Circuits.Output()
        for place in circuits.indices.reversed() where Self.deadline(circuits[place]) <= now {
            end(place, .spent, &output)
        }
        return output
    }
}
