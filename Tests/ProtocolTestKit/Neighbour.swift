// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A neighbour of the agent under test: a real session and real replication over the logs that have
/// come to them so far.
package final class Neighbour {
    /// How the link came about.
    package enum Kind {
        /// The agent under test dialled.
        case dialled
        /// The neighbour dialled, for the mesh.
        case mesh
        /// The neighbour dialled, for a purpose.
        case guest
    }

    private let link: Int
    /// Which passenger of the cabin it is.
    package let author: Int
    /// How the link came about.
    package let kind: Kind
    /// The neighbour's end of the session.
    package private(set) var session: Session
    private var replication: Replication
    private var logs: LogSet
    private var map = Bytes32.zero
    private var frontier: Frontier
    private var isStale = true
    private var hasTold = false
    private let codec: EntryCodec
    private let primitives: any Primitives
    private let flight: FlightID
    private var random: SeededRandom
    /// Bytes on their way to the agent.
    private var inFlight = 0
    /// What an honest agent never sees.
    package private(set) var troubles: [String] = []
    /// Whether the neighbour ended the session.
    package private(set) var isClosed = false

    /// A neighbour on a link that was just made.
    package init(
        link: Int, author: Int, kind: Kind, subject: PeerKey, exporter: Bytes32, in cabin: Cabin,
        at now: Instant
    ) {
        self.link = link
        self.author = author
        self.kind = kind
        (codec, primitives, flight) = (cabin.codec, cabin.primitives, cabin.flight.id)
        logs = cabin.logs
        random = SeededRandom(seed: UInt64(link))
        let config = SessionConfig(
            me: cabin.authors[author].key, boot: UInt64(author), connection: link,
            port: 4000, flights: [cabin.flight], primitives: cabin.primitives,
            isOnDemand: kind == .guest)
        session = Session(
            config, role: kind == .dialled ? .responder : .initiator, peer: subject,
            exporter: exporter, at: now)
        // They have about eight links, or as many as there are others; three are eager at first.
        let links = cabin.isSmall ? cabin.authors.count : 8
        replication = Replication(
            at: now, isEager: Int.random(in: 0..<links, using: &random) < Limits.eager,
            peer: subject)
        frontier = Frontier(LogSet(), primitives: cabin.primitives)
    }

    /// Gives the session one event; the bytes for the agent.
    package func handle(_ event: SessionEvent, at now: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        var events = [event]
        while !events.isEmpty {
            let effects = session.handle(events.removeFirst(), at: now)
            bytes += effects.bytes
            if effects.droppedPush { replication.lostPush(at: now) }
            if let opened = effects.opened {
                replication.readsSummaries = opened.hello.features & Hello.changes != 0
            }
            for message in effects.messages {
                events += take(message, at: now).map { .send($0) }
            }
            if let end = effects.closed {
                isClosed = true
                if end.isFault { troubles.append("a neighbour ended with code \(end.code)") }
            }
        }
        inFlight += bytes.count
        return bytes
    }

    /// Bytes came to the agent.
    package func drained(_ count: Int, at now: Instant) -> [UInt8] {
        inFlight = max(0, inFlight - count)
        return handle(.drained(pending: inFlight), at: now) + flush(at: now)
    }

    /// Whatever is due.
    package func flush(at now: Instant) -> [UInt8] {
        guard session.isOpen, replication.isDue(at: now) else { return [] }
        var next = (replication: replication, random: random)
        var output = next.replication.flush(here(), random: &next.random, at: now)
        if isStale, output.messages.contains(where: { $0.tellsFrontier }) {
            refresh()
            next = (replication, random)
            output = next.replication.flush(here(), random: &next.random, at: now)
        }
        (replication, random) = next
        return output.messages.flatMap { handle(.send($0), at: now) }
    }

    /// When ``flush(at:)`` has something to do.
    package var nextDeadline: Instant? { session.isOpen ? replication.nextDeadline : nil }

    /// An entry came to them from elsewhere, and with it what they missed before it.
    package func learn(_ entry: Entry, of all: LogSet, at now: Instant) {
        guard let log = all.log(of: entry.author) else { return }
        while logs.head(of: entry.author).seq < entry.seq,
            let next = log.entry(at: logs.head(of: entry.author).seq + 1)
        {
            logs.restore(next)
            isStale = true
            replication.grew(next, announceAt: now + random.span(Limits.announceAfter))
        }
    }

    /// Tells of others: PEX, and what changed once others were told of and the agent reads that.
    package func tell(_ hints: [PeerHint], changes: [PeerHint], at now: Instant) -> [UInt8] {
        guard session.isOpen else { return [] }
        guard hasTold, replication.readsSummaries else {
            hasTold = true
            return handle(.send(.peerExchange(hints)), at: now)
        }
        return handle(.send(.peerChange(changes)), at: now)
    }

    private func take(_ message: Message, at now: Instant) -> [Message] {
        switch message {
        case .frontier(let list):
            refresh()
            return said(replication.frontier(list, here(), at: now))
        case .summary(let summary):
            refresh()
            return said(replication.summary(summary, here(), at: now))
        case .want(let want): return said(replication.want(want, here()))
        case .have(let list): return said(replication.have(list, here(), at: now))
        case .lazy:
            replication.lazy()
            return []
        case .entries(let batch):
            let results = batch.entries.map { logs.insert($0, flight: flight, codec: codec) }
            for case .refused(let fault) in results { troubles.append("refused: \(fault)") }
            if results.contains(where: { if case .added = $0 { true } else { false } }) {
                isStale = true
            }
            return said(replication.ingested(results, kind: batch.kind, here(), at: now))
        case .forkProof: troubles.append("a fork proof")
        case .hello, .helloAck, .ping, .pong, .directMessage, .directAck, .swap, .verify, .relay,
            .peerExchange, .peerChange, .layout, .venue, .close:
            break
        }
        return []
    }

    private func said(_ output: Replication.Output) -> [Message] {
        if output.diverged { troubles.append("equal logs, another map") }
        return output.messages
    }

    /// Frontier and map cost a fold: made only where they are compared or told.
    private func refresh() {
        guard isStale else { return }
        isStale = false
        frontier = Frontier(logs, primitives: primitives)
        map = Fold.fold(logs).digest(primitives)
    }

    private func here() -> Replication.Surroundings {
        Replication.Surroundings(
            logs: logs, frontier: frontier, map: map, room: session.bulkRoom)
    }
}

extension Message {
    fileprivate var tellsFrontier: Bool {
        switch self {
        case .frontier, .summary: true
        default: false
        }
    }
}
