// SPDX-License-Identifier: Apache-2.0
/// A circuit of which this agent is one end, as the core numbers it; never used twice in a process.
public struct CircuitID: Hashable, Comparable, Sendable {
    /// The number.
    public let number: Int

    /// A circuit's number.
    public init(_ number: Int) { self.number = number }

    /// Orders by number.
    public static func < (left: CircuitID, right: CircuitID) -> Bool {
        left.number < right.number
    }
}

/// What the shell does at the end of a circuit, where TLS runs as over a socket.
public enum CircuitOrder: Hashable, Sendable {
    /// Begin TLS in this role; what it writes comes back as `NodeEvent.sealed`.
    case begin(CircuitID, FlightKey.Role)
    /// Sealed bytes came.
    case bytes(CircuitID, [UInt8])
    /// This many of the bytes given are on their way.
    case took(CircuitID, Int)
    /// It is over.
    case end(CircuitID)
}

/// The circuits of which this agent is an end (docs/protocol.md section 24).
///
/// A circuit carries the bytes of one TLS connection. At most ``Limits/circuitWindow`` bytes are on
/// their way in one direction; the far end says how much it took.
package struct Circuits: Sendable {
    /// One end.
    struct End: Sendable {
        let id: CircuitID
        /// The connection with the relay, and the circuit's number on it.
        let link: LinkID
        let number: Int
        /// The key that the other end must prove.
        let peer: PeerKey
        let relay: PeerKey
        let isOpener: Bool
        let since: Instant
        var isReady: Bool
        /// Bytes that may be sent, and those that wait for it.
        var credit = Limits.circuitWindow
        var backlog: [UInt8] = []
    }

    /// What is asked for: messages for links, orders for the shell, links
    /// whose peer broke the rules.
    package struct Output: Sendable {
        package var messages: [(link: LinkID, message: RelayMessage)] = []
        package var orders: [CircuitOrder] = []
        package var faults: [LinkID] = []

        /// Nothing.
        package init() {}
    }

    private(set) var ends: [End] = []
    private var lastID = 0

    /// No circuits.
    package init() {}

    /// Who is expected at the other end of a circuit, and through whom; `nil` for an unknown one.
    package func facts(_ id: CircuitID) -> (peer: PeerKey, relay: PeerKey)? {
        ends.first { $0.id == id }.map { ($0.peer, $0.relay) }
    }

    /// Whether a circuit to `peer` is there or being made.
    package func leads(to peer: PeerKey) -> Bool { ends.contains { $0.peer == peer } }

    /// When a circuit that was not answered is given up.
    package var nextDeadline: Instant? {
        ends.filter { !$0.isReady }.map { $0.since + Limits.circuitOpening }.min()
    }

    /// Asks the relay on `link` for a way to `peer`; `number` is free there.
    package mutating func open(
        to peer: PeerKey, on link: LinkID, relay: PeerKey, number: Int, at now: Instant
    ) -> Output {
        var output = Output()
        guard ends.count < Limits.ownCircuits else { return output }
        lastID += 1
        ends.append(
            End(
                id: CircuitID(lastID), link: link, number: number, peer: peer, relay: relay,
                isOpener: true, since: now, isReady: false))
        output.messages.append((link, .open(number, peer, isIncoming: false)))
        return output
    }

    /// A relay says that `peer` wants to reach us. `isWelcome` is false if we refuse them.
    package mutating func incoming(
        _ number: Int, from peer: PeerKey, on link: LinkID, relay: PeerKey, isWelcome: Bool,
        at now: Instant
    ) -> Output {
        var output = Output()
        guard isWelcome, ends.count < Limits.ownCircuits else {
            output.messages.append((link, .end(number, .refused)))
            return output
        }
        lastID += 1
        ends.append(
            End(
                id: CircuitID(lastID), link: link, number: number, peer: peer, relay: relay,
                isOpener: false, since: now, isReady: true))
        output.messages.append((link, .ready(number)))
        output.orders.append(.begin(CircuitID(lastID), .responder))
        return output
    }

    /// Whether `number` on `link` is one of ours.
    func holds(_ number: Int, on link: LinkID) -> Bool {
        ends.contains { $0.link == link && $0.number == number }
    }

    /// A message for a circuit of ours.
    package mutating func take(_ message: RelayMessage, on link: LinkID) -> Output {
        var output = Output()
        let place = ends.firstIndex { $0.link == link && $0.number == message.circuit }
        guard let place else { return output }
        let end = ends[place]
        switch message {
        case .open: output.faults.append(link)
        case .ready:
            guard end.isOpener, !end.isReady else {
                output.faults.append(link)
                return output
            }
            ends[place].isReady = true
            output.orders.append(.begin(end.id, .initiator))
        case .data(let number, let bytes):
            guard end.isReady else {
                output.faults.append(link)
                return output
            }
            output.messages.append((link, .took(number, bytes.count)))
            output.orders.append(.bytes(end.id, bytes))
        case .took(_, let count):
            guard end.credit + count <= Limits.circuitWindow else {
                output.faults.append(link)
                return output
            }
            ends[place].credit += count
            flush(place, &output)
        case .end:
            ends.remove(at: place)
            output.orders.append(.end(end.id))
        }
        return output
    }

    /// TLS has bytes for the other end.
    package mutating func sealed(_ id: CircuitID, _ bytes: [UInt8]) -> Output {
        var output = Output()
        guard let place = ends.firstIndex(where: { $0.id == id }), ends[place].isReady else {
            return output
        }
        ends[place].backlog += bytes
        flush(place, &output)
        return output
    }

    private mutating func flush(_ place: Int, _ output: inout Output) {
        var count = 0
        while count < ends[place].backlog.count, ends[place].credit > 0 {
            let size = min(
                ends[place].backlog.count - count, ends[place].credit, Limits.bulkSlice)
            output.messages.append(
                (
                    ends[place].link,
                    .data(ends[place].number, Array(ends[place].backlog[count..<count + size]))
                ))
            ends[place].credit -= size
            count += size
        }
        guard count > 0 else { return }
        ends[place].backlog.removeFirst(count)
        output.orders.append(.took(ends[place].id, count))
    }

    /// The shell's side is over.
    package mutating func closed(_ id: CircuitID) -> Output {
        var output = Output()
        guard let place = ends.firstIndex(where: { $0.id == id }) else { return output }
        let end = ends.remove(at: place)
        output.messages.append((end.link, .end(end.number, .closed)))
        return output
    }

    /// The connection with a relay is gone.
    package mutating func unlinked(_ link: LinkID) -> Output {
        var output = Output()
        for end in ends where end.link == link { output.orders.append(.end(end.id)) }
        ends.removeAll { $0.link == link }
        return output
    }

    /// Gives up what was not answered.
    package mutating func tick(at now: Instant) -> Output {
        var output = Output()
        let late = ends.filter { !$0.isReady && $0.since + Limits.circuitOpening <= now }
        for end in late {
            output.messages.append((end.link, .end(end.number, .closed)))
            ends.removeAll { $0.id == end.id }
        }
        return output
    }
}
