// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// Holds the connections whose other end has proved nothing yet, so that strangers cannot keep
/// newcomers out (docs/protocol.md section 4).
///
/// A newcomer is always let in. If there is no room, another stranger is replaced, chosen at
/// random from the places that hold most: old ones first, and among those one that has sent
/// nothing; of those one of the half that came first. Whoever speaks TLS at once stays, however
/// many connections are idle.
struct AcceptGate {
    /// A connection in the gate.
    typealias Ticket = Int

    private struct Stranger {
        let ticket: Ticket
        let place: Address.Host
        let since: Instant
        var hasSpoken = false
    }

    private let perPlace: Int
    private let total: Int
    private let settled: TimeSpan
    private var strangers: [Stranger] = []
    private var lastTicket = 0
    private var random: SeededRandom

    /// A gate for `perPlace` connections of one place and `total` in all. Connections older
    /// than `settled` count as old.
    init(perPlace: Int, total: Int, settled: TimeSpan, seed: UInt64) {
        self.perPlace = perPlace
        self.total = total
        self.settled = settled
        random = SeededRandom(seed: seed)
    }

    /// Whether this one is in the gate.
    func holds(_ ticket: Ticket) -> Bool { strangers.contains { $0.ticket == ticket } }

    /// Admits one. Returns the connection that it replaces, if that makes one too many.
    mutating func admit(
        _ host: Address.Host, at now: Instant
    ) -> (ticket: Ticket, replaced: Ticket?) {
        let place = Self.place(of: host)
        let replaced = room(for: place, at: now)
        strangers.removeAll { $0.ticket == replaced }
        lastTicket += 1
        strangers.append(Stranger(ticket: lastTicket, place: place, since: now))
        return (lastTicket, replaced)
    }

    /// The first bytes of one came.
    mutating func spoke(_ ticket: Ticket) {
        guard let index = strangers.firstIndex(where: { $0.ticket == ticket }) else { return }
        strangers[index].hasSpoken = true
    }

    /// A connection proved membership or ended.
    mutating func release(_ ticket: Ticket) {
        strangers.removeAll { $0.ticket == ticket }
    }

    private mutating func room(for place: Address.Host, at now: Instant) -> Ticket? {
        // A place that has its share pays for its own newcomers.
        let own = strangers.filter { $0.place == place }
        if own.count >= perPlace { return choose(own, at: now) }
        guard strangers.count >= total else { return nil }
        var counts: [Address.Host: Int] = [:]
        for stranger in strangers { counts[stranger.place, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return choose(strangers.filter { counts[$0.place] == most }, at: now)
    }

    private mutating func choose(_ some: [Stranger], at now: Instant) -> Ticket? {
        let old = some.filter { $0.since + settled <= now }
        let silent = some.filter { !$0.hasSpoken }
        let oldSilent = old.filter { !$0.hasSpoken }
        let best = [oldSilent, old, silent].first { !$0.isEmpty } ?? some
        // They stand in the order in which they came: nobody goes before half
        // as many others have come.
        return best.prefix((best.count + 1) / 2).randomElement(using: &random)?.ticket
    }

    /// What counts as one place: an IPv4 address, and an IPv6 network of 64 bits, of which one
    /// machine can have every address. All machines of a link share the network of its
    /// link-local addresses, so there each address is a place: to count them together would let
    /// one stranger crowd out everybody.
    static func place(of host: Address.Host) -> Address.Host {
        guard case .v6(let high, _, let scope) = host, !host.isLinkLocal, !host.isLoopback else {
            return host
        }
        return .v6(high: high, low: 0, scope: scope)
    }
}
