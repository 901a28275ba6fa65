// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text

/// Writes what happened as events for watchers and for `log`.
struct EventScribe {
    /// An event and the name by which it is watched.
    typealias Item = (name: EventName, json: JSON)

    let node: any NodeReading
    private(set) var book: PeopleBook
    private let now: UTCTime
    private let rules: SeatRules
    private let endings: SwapEndings
    private let cabin: CabinLayout

    /// A scribe of what `host` knows now.
    init(host: any ControlHost) {
        node = host.node
        book = PeopleBook(host.node)
        now = host.now.utc
        rules = host.rules
        endings = host.endings
        cabin = host.cabin
    }

    /// The same with the names and the seats of an earlier time.
    func at(_ time: UTCTime, _ past: PastStandings) -> EventScribe {
        var scribe = self
        scribe.book = book.at(time, past)
        return scribe
    }

    func event(
        _ name: EventName, at time: UTCTime? = nil, _ members: [String: JSON]
    ) -> Item {
        let head: [String: JSON] = [
            "event": .string(name.rawValue), "at": .string(RFC3339.text(time ?? now)),
        ]
        return (name, JSON.object(members).adding(head))
    }

    // MARK: Notices

    /// The events of a notice; the seat map and negotiations are told by what they are, not here.
    func events(_ notice: Notice) -> [Item] {
        switch notice {
        case .aboard(let key): [peer(key, "aboard")]
        case .left(let key): [peer(key, book[key]?.hasLeft == true ? "left" : "away")]
        case .renamed(let key, let old, _):
            [event(.peer, ["change": "renamed", "who": book.json(key), "was": .string(old)])]
        case .chat(let item): self.item(item, isNews: true).map { [$0] } ?? []
        case .message(let message): [self.message(message, at: now)]
        case .offer(let key, let wish): [offer(key, wish, at: now)]
        case .verification(let key, let notice): [verification(key, notice)]
        case .unverified(let known):
            [event(.verify, ["state": "void", "who": book.json(known.key)])]
        case .trouble(let trouble): [self.trouble(trouble)]
        case .caughtUp: [event(.ready, [:])]
        case .map, .swap, .layouts: []
        }
    }

    private func peer(_ key: PeerKey, _ change: String) -> Item {
        event(.peer, ["change": .string(change), "who": book.json(key)])
    }

    /// A passenger whose first record came.
    func joined(_ key: PeerKey) -> JSON { peer(key, "joined").json }

    /// A direct message as it stands.
    func message(_ message: DirectMessage, at time: UTCTime? = nil) -> Item {
        event(.message, at: time ?? message.at, messageMembers(message))
    }

    /// The members of a direct message.
    func messageMembers(_ message: DirectMessage) -> [String: JSON] {
        [
            "id": .string(message.id.hex), "who": book.json(message.peer),
            "outgoing": .bool(message.outgoing), "text": .string(message.text),
            "state": .string(message.state.word),
        ]
    }

    /// A step of a verification by voice.
    private func verification(_ key: PeerKey, _ notice: Verification.Notice) -> Item {
        event(
            .verify,
            VerifyJSON.members(notice).merging(["who": book.json(key)]) { _, new in new })
    }

    private func offer(_ key: PeerKey, _ wish: Wish, at time: UTCTime) -> Item {
        event(
            .offer, at: time,
            OfferJSON.members(wish, node.fold, cabin).merging(
                ["who": book.json(key)]) { _, new in new })
    }

    // MARK: Seats and negotiations

    /// A seat and who holds it now.
    func seat(_ seat: Seat, _ holders: [PeerKey]) -> JSON {
        event(
            .seat,
            [
                "seat": .string(seat.text), "state": .string(SeatHolders.word(holders)),
                "holders": .array(holders.map(book.json)),
            ]
        ).json
    }

    /// A negotiation that moved: `request` where an answer is wanted from here.
    /// What is over names people as they were called and sat when it was asked.
    func request(
        _ facts: RequestFacts, at time: UTCTime? = nil,
        _ past: @autoclosure () -> PastStandings
    ) -> Item {
        let told = book.of(facts, node.fold, past())
        let json = facts.json(told, node.fold, me: node.me, now: now, rules, endings)
        guard facts.needsAnswer else { return event(.swap, at: time, json.members ?? [:]) }
        let pressing = AskPressure(node, book, now: now)?.json(book)
        return event(
            .request, at: time, json.adding(present: ["pressing": pressing]).members ?? [:])
    }

    // MARK: History

    /// A line of the flight's history; `nil` for what nobody needs to read. Old ones keep the name
    /// and the seats of their time.
    func item(_ item: TimelineItem, isNews: Bool = false) -> Item? {
        let who = isNews ? book.json(item.author) : book.json(item.author, then: item.standing)
        let id = JSON.string(item.id.hex)
        func peer(_ change: String) -> Item {
            event(.peer, at: item.at, ["change": .string(change), "who": who, "id": id])
        }
        switch item.what {
        case .joined: return peer("joined")
        case .ended: return peer("left")
        case .renamed(let name):
            return event(
                .peer, at: item.at,
                ["change": "renamed", "who": who, "name": .string(name), "id": id])
        case .chat(let line):
            return event(.chat, at: item.at, chat(line, item, who))
        case .claimed(let seat): return claim(item, "claimed", seat, who)
        case .retracted(let seat): return seat.flatMap { claim(item, "released", $0, who) }
        case .offered(let wish): return offer(item.author, wish, at: item.at)
        case .committed(let contract): return swap(item, "recorded", contract)
        case .abandoned(let contract): return swap(item, "abandoned", contract)
        }
    }

    private func chat(_ line: Protocol.ChatLine, _ item: TimelineItem, _ who: JSON) -> [String:
        JSON]
    {
        var members: [String: JSON] = [
            "who": who, "text": .string(line.text), "id": .string(item.id.hex),
        ]
        if let replyTo = line.replyTo { members["reply_to"] = .string(replyTo.hex) }
        // A time that no date has is nobody's clock.
        if line.time.seconds > 0, line.time <= RFC3339.last {
            members["said_at"] = .string(RFC3339.text(line.time))
        }
        if item.isClockAhead { members["clock_ahead"] = true }
        if item.isLate { members["late"] = true }
        return members
    }

    private func claim(
        _ item: TimelineItem, _ change: String, _ seat: Seat, _ who: JSON
    ) -> Item {
        event(
            .seat, at: item.at,
            [
                "seat": .string(seat.text), "change": .string(change),
                "who": who, "id": .string(item.id.hex),
            ])
    }

    private func swap(_ item: TimelineItem, _ state: String, _ id: ContractID) -> Item {
        let legs = node.fold.contract(id)?.contract?.legs ?? []
        let moves = legs.compactMap { leg in
            node.fold.token(leg.token).map { (seat: $0.seat, leg: leg) }
        }
        let list = moves.sorted { $0.seat < $1.seat }.map { move -> JSON in
            [
                "seat": .string(move.seat.text), "from": book.json(move.leg.from),
                "to": book.json(move.leg.to),
            ]
        }
        return event(
            .swap, at: item.at,
            [
                "state": .string(state), "who": book.json(item.author), "contract": .string(id.hex),
                "moves": .array(list), "id": .string(item.id.hex),
            ])
    }
}

/// The seat map as an object.
enum SeatsJSON {
    /// All claims to a seat, those of most evidence first; `nil` where only
    /// one passenger claims it.
    static func claims(
        _ place: SeatView.Place, _ node: any NodeReading, _ book: PeopleBook
    ) -> JSON? {
        var claims = place.claims
        guard claims.contains(where: { $0.token.holder != claims[0].token.holder }) else {
            return nil
        }
        let most = claims[0].weight
        let holders = shown(place, node, book)
        claims =
            claims.filter { holders.contains($0.token.holder) }
            + claims.filter { !holders.contains($0.token.holder) }
        return .array(
            claims.map { claim in
                let token = claim.token
                let count = node.fold.tokens.count { $0.author == token.author && !$0.ended }
                let isOwn = token.author == node.me
                return named(token.holder, node, book).adding(
                    present: [
                        "evidence": isOwn ? ["own": true] : PeopleBook.evidence(claim.assurance),
                        "by": token.author == token.holder
                            ? nil : named(token.author, node, book),
                        "claimed": .int(count),
                        "since": node.heard(token.token).map { .string(RFC3339.text($0)) },
                        "blocked": claim.weight < 0 ? true : nil,
                        "remark": claim.weight < most || !holders.contains(token.holder)
                            ? true : nil,
                    ])
            })
    }

    /// `{"key","tag","name"}`, and `me` for oneself.
    static func named(_ key: PeerKey, _ node: any NodeReading, _ book: PeopleBook) -> JSON {
        .object(present: [
            "key": .string(key.hex), "tag": .string(key.shortTag),
            "name": .string(book[key]?.name ?? ""), "me": key == node.me ? true : nil,
        ])
    }

    /// Seats in which somebody is shown, and who.
    static func shown(_ node: any NodeReading, _ book: PeopleBook) -> [Seat: [PeerKey]] {
        var shown: [Seat: [PeerKey]] = [:]
        for place in node.seatView.places where place.holding != .open {
            shown[place.seat] = Self.shown(place, node, book)
        }
        return shown
    }

    /// Who is shown in a seat. Somebody who claims it while its holder's agent is away,
    /// with no more evidence, may be that passenger with a new key: until evidence decides
    /// it is a remark on the seat.
    static func shown(
        _ place: SeatView.Place, _ node: any NodeReading, _ book: PeopleBook
    ) -> [PeerKey] {
        let keys = SeatHolders.of(place)
        guard keys.count > 1, let most = place.claims.first?.weight else { return keys }
        var first: (key: PeerKey, heard: UTCTime)?
        for claim in place.claims where claim.weight == most {
            guard let heard = node.heard(claim.token.token) else { return keys }
            guard let earlier = first else {
                first = (claim.token.holder, heard)
                continue
            }
            // At once: nobody was there before.
            if heard == earlier.heard, claim.token.holder != earlier.key { return keys }
            if heard < earlier.heard { first = (claim.token.holder, heard) }
        }
        // Only somebody who was met: a key that was never here is no passenger who came back.
        guard let key = first?.key, let holder = book[key], holder.isAway,
            holder.awaySince != nil, !keys.contains(where: { book[$0]?.isMe == true })
        else { return keys }
        return [key]
    }
}
