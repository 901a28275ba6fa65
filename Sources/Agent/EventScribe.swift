// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text

/// Describes what happened as events, for watchers and for `log`.
struct EventScribe {
    let node: any NodeReading
    private(set) var book: PeopleBook
    private let now: UTCTime
    private let rules: SeatRules
    private let endings: SwapEndings
    private let automatic: AutomaticYes
    private let cabin: CabinLayout

    /// A scribe with what `host` knows now.
    init(host: any ControlHost) {
        node = host.node
        book = PeopleBook(host.node, there: host.there)
        now = host.now.utc
        rules = host.rules
        endings = host.endings
        automatic = host.automatic
        cabin = host.cabin
    }

    /// The same with the names and the seats of an earlier time.
    func at(_ time: UTCTime, _ past: PastStandings) -> EventScribe {
        var scribe = self
        scribe.book = book.at(time, past)
        return scribe
    }

    /// An event of that time, or of now.
    func event(_ what: ControlEvent.What, at time: UTCTime? = nil) -> ControlEvent {
        ControlEvent(at: Stamp(time ?? now), what)
    }

    // MARK: Notices

    /// The events for a notice. The seat map and negotiations are reported by comparing states, not
    /// here.
    func events(_ notice: Notice) -> [ControlEvent] {
        switch notice {
        case .aboard(let key): [peer(key, .aboard)]
        case .left(let key): [peer(key, book[key]?.hasLeft == true ? .left : .away)]
        case .renamed(let key, let old, _): [peer(key, .renamed, was: old)]
        case .chat(let item): self.item(item, isNews: true).map { [$0] } ?? []
        case .message(let message): [self.message(message, at: now)]
        case .offer(let key, let wish): [offer(key, wish, at: now)]
        case .verification(let key, let notice):
            [event(.verify(ComparingNews(notice, book.person(key))))]
        case .unverified(let known):
            [event(.verify(ComparingNews(state: Word(.void), who: book.person(known.key))))]
        case .trouble(let trouble): [self.trouble(trouble)]
        case .caughtUp: [event(.ready)]
        case .party(let notice): [party(notice)]
        case .attendance:
            node.venueView.map { [event(.attendance(AttendanceNews($0)))] } ?? []
        case .ask(let notice): [event(.booking(BookingNews(asked: asked(notice))))]
        case .book, .desk, .asks, .form, .counter: [event(.booking(BookingNews()))]
        case .map, .swap, .layouts, .venue: []
        }
    }

    private func asked(_ notice: AskNotice) -> AskOutcome {
        let scribe = BookingScribe(node)
        switch notice {
        case .granted(let id, let token), .closed(let id, let token):
            return AskOutcome(
                ask: hexadecimal(id.bytes), state: .done, token: hexadecimal(token.bytes))
        case .expired(let id): return AskOutcome(ask: hexadecimal(id.bytes), state: .over)
        case .answered(let id): return scribe.outcome(id, AskEndings())
        }
    }

    private func peer(_ key: PeerKey, _ change: PeerChange, was: String? = nil) -> ControlEvent {
        event(.peer(PeerNews(change: Word(change), who: book.person(key), was: was)))
    }

    /// A passenger whose first record came.
    func joined(_ key: PeerKey) -> ControlEvent { peer(key, .joined) }

    /// A direct message as it stands.
    func message(_ message: DirectMessage, at time: UTCTime? = nil) -> ControlEvent {
        event(.message(facts(message)), at: time ?? message.at)
    }

    /// A direct message as clients see it.
    func facts(_ message: DirectMessage) -> PrivateMessage {
        PrivateMessage(
            id: message.id.hex, who: book.person(message.peer), outgoing: message.outgoing,
            text: message.text, state: Word(MessageState(message.state)),
            letter: endings.letters.of(message, node))
    }

    private func party(_ notice: PartyNotice) -> ControlEvent {
        switch notice {
        case .candidate(let key):
            event(.party(PartyNews(change: Word(.asked), who: book.person(key))))
        case .line(let line): party(line, at: now)
        case .changed: event(.party(PartyNews(change: Word(.changed))))
        case .removed(let key, let by):
            event(
                .party(
                    PartyNews(
                        change: Word(.removed), who: book.person(key), by: book.person(by))))
        }
    }

    /// A line that a companion, or the user, said to the party.
    func party(_ line: PartyLine, at time: UTCTime? = nil) -> ControlEvent {
        let said = line.line.time
        let isDated = said.seconds > 0 && said <= RFC3339.last
        return event(
            .party(
                PartyNews(
                    change: Word(.said), who: book.person(line.author), text: line.line.text,
                    id: line.id.hex, saidAt: isDated ? Stamp(said) : nil)),
            at: time ?? line.at)
    }

    private func offer(_ key: PeerKey, _ wish: Wish, at time: UTCTime) -> ControlEvent {
        let offer = OfferWords.offer(wish, node.fold, cabin)
        let news = OfferNews(
            who: book.person(key), offer: offer, asks: Word(Asking(wish.asks)))
        return event(.offer(news), at: time)
    }

    // MARK: Seats and negotiations

    /// A seat and who holds it now.
    func seat(_ seat: Seat, _ holders: [PeerKey]) -> ControlEvent {
        event(
            .seat(
                SeatNews(
                    seat: seat, state: Word(SeatHolders.holding(holders)),
                    holders: holders.map(book.person))))
    }

    /// A negotiation that moved: a `request` if the user has to answer. One that is over shows
    /// names and seats from the time when it was asked.
    func request(
        _ facts: RequestFacts, at time: UTCTime? = nil,
        _ past: @autoclosure () -> PastStandings
    ) -> ControlEvent {
        guard node.venueView == nil else {
            let swap = BookingSwapScribe(node, book, endings).described(facts)
            return event(.booking(BookingNews(swap: swap)), at: time)
        }
        let told = book.of(facts, node.fold, past())
        var request = facts.request(
            told, node.fold, me: node.me, now: now, rules, endings, automatic,
            letter: endings.letters.of(facts.record, node))
        guard facts.needsAnswer else { return event(.swap(request), at: time) }
        request.pressing = AskPressure(node, book, now: now)?.facts(book)
        return event(.request(request), at: time)
    }

    // MARK: History

    /// A line of the flight's history; `nil` for what nobody needs to read. Old lines keep the
    /// names and seats of their time.
    func item(_ item: TimelineItem, isNews: Bool = false) -> ControlEvent? {
        let who = isNews ? book.person(item.author) : book.person(item.author, then: item.standing)
        func peer(_ change: PeerChange, name: String? = nil) -> ControlEvent {
            let news = PeerNews(change: Word(change), who: who, name: name, id: item.id.hex)
            return event(.peer(news), at: item.at)
        }
        switch item.what {
        case .joined: return peer(.joined)
        case .ended: return peer(.left)
        case .renamed(let name): return peer(.renamed, name: name)
        case .chat(let line): return event(.chat(chat(line, item, who)), at: item.at)
        case .claimed(let seat): return claim(item, .claimed, seat, who)
        case .retracted(let seat): return seat.flatMap { claim(item, .released, $0, who) }
        case .offered(let wish): return offer(item.author, wish, at: item.at)
        case .committed(let contract): return swap(item, .recorded, contract)
        case .abandoned(let contract): return swap(item, .abandoned, contract)
        }
    }

    private func chat(
        _ line: Protocol.ChatLine, _ item: TimelineItem, _ who: Person
    ) -> ChatNews {
        // A time without a date is on nobody's clock.
        let isDated = line.time.seconds > 0 && line.time <= RFC3339.last
        return ChatNews(
            who: who, text: line.text, id: item.id.hex, replyTo: line.replyTo?.hex,
            saidAt: isDated ? Stamp(line.time) : nil, clockAhead: item.isClockAhead,
            late: item.isLate)
    }

    private func claim(
        _ item: TimelineItem, _ change: ClaimChange, _ seat: Seat, _ who: Person
    ) -> ControlEvent {
        let news = ClaimNews(seat: seat, change: Word(change), who: who, id: item.id.hex)
        return event(.claim(news), at: item.at)
    }

    private func swap(
        _ item: TimelineItem, _ state: SwapRecordState, _ id: ContractID
    ) -> ControlEvent {
        let legs = node.fold.contract(id)?.contract?.legs ?? []
        let moves = legs.compactMap { leg in
            node.fold.token(leg.token).map { (seat: $0.seat, leg: leg) }
        }
        let list = moves.sorted { $0.seat < $1.seat }.map { move in
            Move(
                seat: move.seat, from: book.person(move.leg.from), to: book.person(move.leg.to))
        }
        let news = SwapNews(
            state: Word(state), who: book.person(item.author), contract: id.hex, moves: list,
            id: item.id.hex)
        return event(.record(news), at: item.at)
    }
}

extension MessageState {
    /// How far a direct message has come.
    init(_ state: DirectMessage.State) {
        switch state {
        case .waiting: self = .waiting
        case .acknowledged: self = .acknowledged
        case .gaveUp: self = .gaveUp
        case .received: self = .received
        }
    }
}

/// Who has which seat, for the control socket.
enum SeatFacts {
    /// All claims to a seat, those with the most evidence first; `nil` if only one passenger claims
    /// it.
    static func claims(
        _ place: SeatView.Place, _ node: any NodeReading, _ book: PeopleBook
    ) -> [SeatClaim]? {
        var claims = place.claims
        guard claims.contains(where: { $0.token.holder != claims[0].token.holder }) else {
            return nil
        }
        let most = claims[0].weight
        let holders = shown(place, node, book)
        claims =
            claims.filter { holders.contains($0.token.holder) }
            + claims.filter { !holders.contains($0.token.holder) }
        return claims.map { claim in
            let token = claim.token
            let isOwn = token.author == node.me
            var holder = named(token.holder, node, book)
            holder.evidence = isOwn ? .own : PeopleBook.evidence(claim.assurance)
            return SeatClaim(
                holder: holder,
                by: token.author == token.holder ? nil : named(token.author, node, book),
                claimed: node.fold.tokens.count { $0.author == token.author && !$0.ended },
                since: node.heard(token.token).map { Stamp($0) }, blocked: claim.weight < 0,
                remark: claim.weight < most || !holders.contains(token.holder))
        }
    }

    /// A passenger by name and key, without evidence.
    static func named(_ key: PeerKey, _ node: any NodeReading, _ book: PeopleBook) -> Holder {
        Holder(
            key: key.hex, tag: key.shortTag, name: book[key]?.name ?? "", me: key == node.me)
    }

    /// Seats in which somebody is shown, and who.
    static func shown(_ node: any NodeReading, _ book: PeopleBook) -> [Seat: [PeerKey]] {
        var shown: [Seat: [PeerKey]] = [:]
        for place in node.seatView.places where place.holding != .open {
            shown[place.seat] = Self.shown(place, node, book)
        }
        return shown
    }

    /// Who is shown in a seat. A passenger who claims it while its holder's agent is away, with no
    /// more evidence, may be the holder with a new key: until evidence decides, the claim is a
    /// remark on the seat.
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
            // At the same time: nobody was there before.
            if heard == earlier.heard, claim.token.holder != earlier.key { return keys }
            if heard < earlier.heard { first = (claim.token.holder, heard) }
        }
        // Only a passenger who was met: a key that was never here is nobody who came back.
        guard let key = first?.key, let holder = book[key], holder.isAway,
            holder.awaySince != nil, !keys.contains(where: { book[$0]?.isMe == true })
        else { return keys }
        return [key]
    }
}
