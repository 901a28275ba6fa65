// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Profile
import Protocol
import Store
import Text
import Trips

/// Operations that only look.
extension ControlDesk {
    // MARK: status

    func status() -> Outcome {
        let node = host.node
        let facts = host.facts
        let book = book
        let others = book.passengers.filter { !$0.isMe && !$0.hasLeft }
        let requests = node.swapRecords.map { RequestFacts($0, me: node.me) }
        let incoming = requests.filter(\.needsAnswer)
        let outgoing = requests.filter { $0.state == .open && !$0.needsAnswer }
        let linked = others.count(where: \.isLinked)
        let away = others.count(where: \.isAway)
        return .done([
            "agent": .string(Version.text),
            "newer": Version.newer(others.map(\.agent)).map(JSON.string) ?? .null,
            "profile": .string(facts.profile), "pid": .int(Int(facts.pid)),
            "started": .string(RFC3339.text(facts.started)),
            "awake": .bool(facts.isKeptAwake), "stays": .bool(facts.linger == nil),
            "linger": facts.linger.map(JSON.int) ?? .null,
            "me": book.json(node.me), "renewed": .bool(facts.isRenewed), "flight": flight,
            "window": window, "cabin": host.cabin.json, "cabin_asked": cabinAsked,
            "network": network(facts), "aboard": .int(others.count - away),
            "away": .int(away), "linked": .int(linked),
            "requests": [
                "in": .int(incoming.count), "out": .int(outgoing.count),
                "agreed": .int(requests.count { $0.state == .agreed }),
                "stranded": .int(requests.count { $0.state == .stranded }),
            ],
            "pressing": pressing, "silenced": silenced,
            "left_out": [
                "logs": .int(node.leftOut.logs), "messages": .int(node.leftOut.messages),
            ],
            "messages_waiting": .int(node.messages.count { $0.state == .waiting }),
            "log": .object(present: [
                "open": .bool(node.canAppend),
                "entries": .int(node.logs.logs.reduce(0) { $0 + $1.entries.count }),
                "why": node.canAppend
                    ? nil : .string(facts.logTrouble ?? "looking for your own earlier records"),
            ]),
            "verification": verification,
            "digest": .string(node.mapDigest.hex), "alone": alone.map(JSON.int) ?? .null,
            "next": .string(next(incoming: incoming, requests: requests)),
        ])
    }

    private var flight: JSON {
        let flight = host.node.flight
        return [
            "name": .string(flight.text), "designator": .string(flight.designator),
            "practice": .bool(flight.isPractice), "id": .string(host.node.flightKey.id.hex),
            "gated": .bool(host.facts.isGated),
            "aliases": .array(host.facts.aliases.map { .string($0.text) }),
            "deleted": host.facts.ends.map {
                .string(RFC3339.text(UTCTime(seconds: $0.seconds + FlightLife.keptFor)))
            } ?? .null,
        ]
    }

    private var window: JSON { WindowJSON.members(host).map(JSON.object) ?? .null }

    private func network(_ facts: AgentFacts) -> JSON {
        [
            "interface": facts.interface.map(JSON.string) ?? .null,
            "listening": .array(facts.listening.map(JSON.string)),
            "port": .int(Int(facts.port)), "mdns": .bool(facts.mdns),
            "label": facts.mdns ? .string(facts.label) : .null,
            "trouble": facts.trouble?.json ?? .null, "mesh": mesh, "silent": silent,
        ]
    }

    /// The shape of the network around, and by which stage each link was reached.
    private var mesh: JSON {
        let node = host.node
        let stages = Dictionary(grouping: node.links, by: \.stage.rawValue)
        return [
            "shape": node.overlayShape == .full ? "full" : "partial",
            "known": .int(node.agentsKnown), "links": .int(node.links.count),
            "carrying": .int(node.circuitsCarried),
            "stages": .object(stages.mapValues { .int($0.count) }),
        ]
    }

    /// Agents seen in one direction only: there, but they do not answer.
    private var silent: JSON {
        .array(
            host.node.silentPlaces.map { place in
                ["address": .string(place.address.text), "tries": .int(place.tries)]
            })
    }

    /// Seconds after which somebody who is alone is told of the doctor.
    private static let patience = 10

    /// Seconds since the start, as long as nobody is within reach.
    private var alone: Int? {
        let isMet = book.passengers.contains { !$0.isMe && ($0.isLinked || !$0.ways.isEmpty) }
        if isMet { return nil }
        return max(0, Int(clamping: host.now.utc.seconds - host.facts.started.seconds))
    }

    /// The command that makes most sense now.
    private func next(incoming: [RequestFacts], requests: [RequestFacts]) -> String {
        if incoming.count == 1 { return "seatagent accept \(incoming[0].record.number)" }
        if !incoming.isEmpty { return "seatagent requests" }
        if let stuck = requests.first(where: { $0.state == .stranded }) {
            return "seatagent force \(stuck.record.number)"
        }
        if let alone {
            return alone < Self.patience
                ? "seatagent peers --wait --timeout 60" : "seatagent doctor"
        }
        return "seatagent seats"
    }

    // MARK: peers, who

    func peers() -> Outcome {
        let node = host.node
        let book = book
        let links = node.links
        let peers = book.passengers.filter { !$0.isMe }.map { passenger in
            person(passenger, book, links)
        }
        return .done([
            "peers": .array(peers), "linked": .int(links.count), "silent": silent,
        ])
    }

    func who() throws(UserError) -> Outcome {
        let book = book
        let found = try passenger("who", notMe: false)
        let contested = host.node.seatView.places.filter { found.seats.contains($0.seat) }
            .map { seat($0, book) }.filter { $0["claims"] != nil }
        let more: [String: JSON] = [
            "contested": .array(contested), "fingerprint": .string(found.key.tag),
            "spelled": .string(found.key.spelled),
            "verified": .bool(found.assurance == .verified),
            "agent": .string(found.agent),
            "first_seen": .string(RFC3339.text(found.firstSeen)),
        ]
        return .done(person(found, book, host.node.links).adding(more))
    }

    private func person(_ passenger: Passenger, _ book: PeopleBook, _ links: [LinkView]) -> JSON {
        let link = links.first { $0.peer == passenger.key }
        let wish = passenger.wish.map {
            JSON.object(OfferJSON.members($0, host.node.fold, host.cabin))
        }
        return book.json(passenger.key).adding([
            "linked": .bool(passenger.isLinked), "blocked": .bool(passenger.isBlocked),
            "forked": .bool(passenger.isForked),
            "misdeed": passenger.misdeed.map(MisdeedJSON(host.node.fold).json) ?? .null,
            "left": .bool(passenger.hasLeft), "away": .bool(passenger.isAway),
            "offer": wish ?? .null,
            "address": link.flatMap { $0.relay == nil ? .string($0.remote.text) : nil } ?? .null,
            "found": link.map { .string($0.stage.rawValue) } ?? .null,
            "one_way": .bool(link?.isOneWay ?? false),
            "reach": .string(reach(passenger, link)),
            "through": .array((link?.relay.map { [$0] } ?? passenger.ways).map(book.json)),
        ])
    }

    /// `linked`, `relayed`, `through` for somebody whom a linked peer reaches, `none`.
    private func reach(_ passenger: Passenger, _ link: LinkView?) -> String {
        if let link { return link.relay == nil ? "linked" : "relayed" }
        return passenger.ways.isEmpty ? "none" : "through"
    }

    // MARK: seats

    /// Equal on all agents with equal logs and evidence, except for `me`.
    func seats() -> Outcome {
        let node = host.node
        let book = book
        let seats = node.seatView.places.filter { $0.holding != .open }.map { seat($0, book) }
        return .done([
            "flight": .string(node.flight.text), "digest": .string(node.mapDigest.hex),
            "seats": .array(seats), "cabin": host.cabin.json,
        ])
    }

    /// Who holds a seat in the user's view, with the evidence; and where
    /// several claim it, all of them.
    private func seat(_ place: SeatView.Place, _ book: PeopleBook) -> JSON {
        let keys = SeatsJSON.shown(place, host.node, book)
        let holders = keys.map { key -> JSON in
            let claim = place.claims.first { $0.token.holder == key }
            let evidence = claim.flatMap { PeopleBook.evidence($0.assurance) }
            return SeatsJSON.named(key, host.node, book).adding(present: ["evidence": evidence])
        }
        return .object(present: [
            "seat": .string(place.seat.text), "state": .string(SeatHolders.word(keys)),
            "holders": .array(holders), "claims": SeatsJSON.claims(place, host.node, book),
        ])
    }

    // MARK: log

    /// Lines that one answer may hold.
    private static let logLimit = 2000

    func log() throws(UserError) -> Outcome {
        let node = host.node
        let scribe = EventScribe(host: host)
        let timeline = node.timeline
        let past = PastStandings(timeline)
        let since = try request.optionalNumber("since").map { host.now.utc.seconds - Int64($0) }
        let limit = min(max(try request.optionalNumber("limit") ?? 500, 1), Self.logLimit)
        var items: [(at: Int64, place: Int64, json: JSON)] = []
        var recorded: Set<ContractID> = []
        for item in timeline {
            // Every party logs the same certificate; people need to read of it once.
            if case .committed(let id) = item.what, !recorded.insert(id).inserted { continue }
            guard let event = scribe.at(item.at, past).item(item) else { continue }
            items.append((item.at.seconds, item.place.seconds, event.json))
        }
        for message in node.messages {
            let at = message.at.seconds
            items.append((at, at, scribe.at(message.at, past).message(message).json))
        }
        for record in node.swapRecords {
            let at = record.updated
            let facts = RequestFacts(record, me: node.me)
            let event = scribe.at(at, past).request(facts, at: at, past)
            items.append((at.seconds, at.seconds, event.json))
        }
        // A stable sort: within a second, the order in which things came or were told.
        let sorted = items.enumerated().sorted {
            $0.element.place != $1.element.place
                ? $0.element.place < $1.element.place : $0.offset < $1.offset
        }
        let wanted = sorted.map(\.element).filter { since == nil || $0.at >= since ?? 0 }
        return .done(["items": .array(wanted.suffix(limit).map(\.json))])
    }
}
