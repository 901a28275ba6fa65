// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Launch
import Profile
import Protocol
import Rendezvous
import Store
import Text
import Trips

/// Operations that only look.
extension ControlDesk {
    // MARK: status

    func status() -> Work<AgentStatus> {
        let node = host.node
        let facts = host.facts
        let book = book
        let others = book.passengers.filter { !$0.isMe && !$0.hasLeft }
        let requests = node.swapRecords.map { RequestFacts($0, me: node.me) }
        let incoming = requests.filter(\.needsAnswer)
        let outgoing = requests.filter { $0.state == .open && !$0.needsAnswer }
        let linked = others.count(where: \.isLinked)
        let away = others.count(where: book.isAway)
        let remote = others.count(where: book.isRemote)
        return .done(
            AgentStatus(
                me: book.person(node.me), renewed: facts.isRenewed, flight: flight,
                window: window, cabin: host.cabin.json, cabinAsked: cabinAsked,
                network: network(facts), aboard: others.count - away - remote, away: away,
                remote: facts.meeting.map { _ in remote }, linked: linked, alone: alone,
                requests: RequestCounts(
                    in: incoming.count, out: outgoing.count,
                    agreed: requests.count { $0.state == .agreed },
                    stranded: requests.count { $0.state == .stranded }),
                pressing: pressing, silenced: silenced, asks: Word(Asking(node.ownWish.asks)),
                guests: guests, meeting: meeting(facts, book),
                leftOut: LeftOut(logs: node.leftOut.logs, messages: node.leftOut.messages),
                messagesWaiting: node.messages.count { $0.state == .waiting }, log: logFacts,
                verification: verification, digest: node.mapDigest.hex,
                next: next(incoming: incoming, requests: requests, remote: remote),
                agent: Version.text,
                newer: Version.newer(others.map(\.agent)), profile: facts.profile,
                pid: Int(facts.pid), started: Stamp(facts.started), awake: facts.isKeptAwake,
                stays: facts.linger == nil, linger: facts.linger))
    }

    private func meeting(_ facts: AgentFacts, _ book: PeopleBook) -> MeetingFacts? {
        var meeting = facts.meeting
        meeting?.clocks = facts.clocks.map { clock in
            MeetingFacts.Clock(
                who: book.person(clock.peer), ahead: clock.ahead.map { Int(clamping: $0) })
        }
        return meeting
    }

    private var guests: [Person]? {
        let guests = book.passengers.filter { $0.host == host.node.me && !$0.hasLeft }
        return guests.isEmpty ? nil : guests.map { book.person($0.key) }
    }

    private var logFacts: LogFacts {
        let node = host.node
        let why = host.facts.logTrouble ?? "looking for your own earlier records"
        return LogFacts(
            open: node.canAppend, why: node.canAppend ? nil : why,
            entries: node.logs.logs.reduce(0) { $0 + $1.entries.count })
    }

    private var flight: FlightFacts {
        let flight = host.node.flight
        let venue = host.node.venueView?.name
        return FlightFacts(
            name: venue?.text ?? flight.text, designator: venue?.slug ?? flight.designator,
            practice: venue == nil && flight.isPractice,
            id: host.node.flightKey.id.hex, gated: host.facts.isGated,
            aliases: host.facts.aliases.map(\.text),
            deleted: host.facts.ends.map {
                Stamp(UTCTime(seconds: $0.seconds + FlightLife.keptFor))
            })
    }

    private var window: WindowFacts? { WindowFacts(host) }

    private func network(_ facts: AgentFacts) -> NetworkFacts {
        NetworkFacts(
            interface: facts.interface, listening: facts.listening, port: Int(facts.port),
            mdns: facts.mdns, label: facts.mdns ? facts.label : nil, trouble: facts.trouble,
            mesh: mesh, silent: silent, announced: facts.isVenueAnnounced,
            keylog: facts.keylog)
    }

    /// The shape of the mesh, and how each link was made.
    private var mesh: MeshFacts {
        let node = host.node
        var stages: [LinkStage: Int] = [:]
        for link in node.links { stages[LinkStage(link.stage), default: 0] += 1 }
        return MeshFacts(
            shape: Word(node.overlayShape == .full ? .full : .partial), known: node.agentsKnown,
            links: node.links.count, stages: LinkCounts(stages), carrying: node.circuitsCarried)
    }

    /// Agents that are seen but do not answer.
    private var silent: [SilentPlace] {
        host.node.silentPlaces.map { SilentPlace(address: $0.address.text, tries: $0.tries) }
    }

    /// Seconds after which a passenger who is alone is told about the doctor.
    private static let patience = 10

    /// Seconds since the start, as long as nobody is within reach.
    private var alone: Int? {
        let isMet = book.passengers.contains { !$0.isMe && ($0.isLinked || !$0.ways.isEmpty) }
        if isMet { return nil }
        return max(0, Int(clamping: host.now.utc.seconds - host.facts.started.seconds))
    }

    /// The command that makes most sense now.
    private func next(
        incoming: [RequestFacts], requests: [RequestFacts], remote: Int
    ) -> String {
        if incoming.count == 1 { return "seatagent accept \(incoming[0].record.number)" }
        if !incoming.isEmpty { return "seatagent requests" }
        if let stuck = requests.first(where: { $0.state == .stranded }) {
            return "seatagent force \(stuck.record.number)"
        }
        if let alone, remote == 0 {
            return alone < Self.patience
                ? "seatagent peers --wait --timeout 60" : "seatagent doctor"
        }
        guard let name = host.node.venueView?.name else { return "seatagent seats" }
        return VenueProfile.line(
            "venue show \(name.slug)", profile: host.facts.profile, slug: name.slug)
    }

    // MARK: peers, who

    func peers() -> Work<PeerList> {
        let node = host.node
        let book = book
        let links = node.links
        let peers = book.passengers.filter { !$0.isMe }.map { passenger in
            peer(passenger, book, links)
        }
        return .done(PeerList(peers: peers, linked: links.count, silent: silent))
    }

    func who(_ asked: Op.Who) throws(UserError) -> Work<PersonFacts> {
        let book = book
        let found = try passenger(asked.who, "who", notMe: false)
        let contested = host.node.seatView.places.filter { found.seats.contains($0.seat) }
            .map { seat($0, book) }.filter { $0.claims != nil }
        return .done(
            PersonFacts(
                peer: peer(found, book, host.node.links), contested: contested,
                fingerprint: found.key.tag, spelled: found.key.spelled,
                verified: found.assurance == .verified, agent: found.agent,
                firstSeen: Stamp(found.firstSeen)))
    }

    private func peer(_ passenger: Passenger, _ book: PeopleBook, _ links: [LinkView]) -> Peer {
        let link = links.first { $0.peer == passenger.key }
        return Peer(
            person: book.person(passenger.key), linked: passenger.isLinked,
            blocked: passenger.isBlocked, forked: passenger.isForked,
            misdeed: passenger.misdeed.map(MisdeedFacts(host.node.fold).conviction),
            left: passenger.hasLeft, away: book.isAway(passenger),
            offer: passenger.wish.map { OfferWords.offer($0, host.node.fold, host.cabin) },
            asks: Word(Asking(passenger.asks)),
            address: link.flatMap { isDirect($0) ? $0.remote.text : nil },
            found: link.map { Word(LinkStage($0.stage)) }, oneWay: link?.isOneWay ?? false,
            reach: Word(reach(passenger, link)),
            through: ways(passenger, link).map(book.person),
            meeting: presence(of: passenger.key))
    }

    private func presence(of key: PeerKey) -> MeetingPresence? {
        host.facts.met?.made(by: key).map { made in
            // Another clock may be ahead by some minutes.
            let ago = max(0, host.now.utc.seconds - made.seconds)
            return MeetingPresence(
                at: Stamp(made), ago: Int(clamping: ago), online: ago < MeetPassengers.away)
        }
    }

    private func isDirect(_ link: LinkView) -> Bool { link.relay == nil && !link.isTunnel }

    /// The passengers through whom somebody is reached; nobody where that is a broker.
    private func ways(_ passenger: Passenger, _ link: LinkView?) -> [PeerKey] {
        if let link, link.isTunnel { return [] }
        return link?.relay.map { [$0] } ?? passenger.ways
    }

    private func reach(_ passenger: Passenger, _ link: LinkView?) -> Reach {
        if let link { return isDirect(link) ? .linked : .relayed }
        return passenger.ways.isEmpty ? .nowhere : .through
    }

    // MARK: seats

    /// Equal on all agents with equal logs and evidence, except for `me`.
    func seats() -> Work<SeatList> {
        let node = host.node
        let book = book
        let seats = node.seatView.places.filter { $0.holding != .open }.map { seat($0, book) }
        return .done(
            SeatList(
                flight: node.flight.text, digest: node.mapDigest.hex, seats: seats,
                cabin: host.cabin.json))
    }

    /// Who holds a seat in the user's view, with the evidence, and all claims if there are several.
    private func seat(_ place: SeatView.Place, _ book: PeopleBook) -> SeatEntry {
        let keys = SeatFacts.shown(place, host.node, book)
        let holders = keys.map { key in
            let claim = place.claims.first { $0.token.holder == key }
            var holder = SeatFacts.named(key, host.node, book)
            holder.evidence = claim.flatMap { PeopleBook.evidence($0.assurance) }
            return holder
        }
        return SeatEntry(
            seat: place.seat, state: Word(SeatHolders.holding(keys)), holders: holders,
            claims: SeatFacts.claims(place, host.node, book))
    }

    // MARK: log

    /// Lines that one answer may hold.
    private static let logLimit = 2000

    func log(_ asked: Op.Log) -> Work<Op.Log.Reply> {
        let node = host.node
        let scribe = EventScribe(host: host)
        let timeline = node.timeline
        let past = PastStandings(timeline)
        // Whoever asks may write any number.
        let now = host.now.utc.seconds
        let since = asked.since.map { now.subtractingReportingOverflow(Int64($0)) }
            .map { $0.overflow ? Int64.max : $0.partialValue }
        let limit = min(max(asked.limit ?? 500, 1), Self.logLimit)
        var items: [(at: Int64, place: Int64, event: ControlEvent)] = []
        var recorded: Set<ContractID> = []
        for item in timeline {
            // Every party logs the same certificate; people need to read about it once.
            if case .committed(let id) = item.what, !recorded.insert(id).inserted { continue }
            guard let event = scribe.at(item.at, past).item(item) else { continue }
            items.append((item.at.seconds, item.place.seconds, event))
        }
        for message in node.messages {
            let at = message.at.seconds
            items.append((at, at, scribe.at(message.at, past).message(message)))
        }
        for line in node.partyLines {
            let at = line.at.seconds
            items.append((at, at, scribe.at(line.at, past).party(line)))
        }
        for record in node.swapRecords {
            let at = record.updated
            let facts = RequestFacts(record, me: node.me)
            let event = scribe.at(at, past).request(facts, at: at, past)
            items.append((at.seconds, at.seconds, event))
        }
        // A stable sort keeps the order of arrival within a second.
        let sorted = items.enumerated().sorted {
            $0.element.place != $1.element.place
                ? $0.element.place < $1.element.place : $0.offset < $1.offset
        }
        let wanted = sorted.map(\.element).filter { since == nil || $0.at >= since ?? 0 }
        return .done(Op.Log.Reply(items: wanted.suffix(limit).map { ToldEvent($0.event) }))
    }
}

extension LinkStage {
    /// The word for the control socket.
    init(_ stage: LinkView.Stage) {
        switch stage {
        case .mdns: self = .mdns
        case .dialledUs: self = .dialledUs
        case .typed: self = .typed
        case .heard: self = .heard
        case .relayed: self = .relayed
        }
    }
}
