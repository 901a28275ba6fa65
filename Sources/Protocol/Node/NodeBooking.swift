// SPDX-License-Identifier: Apache-2.0
/// What people want of the desk of a venue, in the core: asks (``Asks``) and forms (``Forms``).
extension Node {
    /// Tells the asks of something, where this is a venue.
    mutating func ask(_ event: Asks.Event, _ effects: inout Effects, at now: Moment) {
        guard let asked = venue?.asks.handle(event, at: now) else { return }
        carryOut(asked, &effects, at: now)
    }

    /// Carries out what the user wants of the desk.
    mutating func book(
        _ intent: BookingIntent, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard venue != nil else { return .failure(.noVenue) }
        if case .wish(let offered, let wants, let note) = intent {
            return wish(offered, wants, note, &effects, at: now)
        }
        var asked = PartEffects()
        let result: Result<IntentReply, Refusal>?
        switch intent {
        case .ask(let wish, let until):
            if let slot = wish.slot, isBound(slot) { return .failure(.bound) }
            result = venue?.asks.ask(wish, until: until, &asked, random: &random, at: now)
        case .withdraw(let id):
            result = venue?.asks.withdraw(id, &asked, random: &random, at: now)
        case .form(let form):
            let desk = venue?.ledgers.leading?.author
            result = venue?.forms.write(form, to: desk, &asked, random: &random, at: now)
        case .dropForm(let id): result = venue?.forms.drop(id, &asked)
        case .wish: result = nil
        }
        carryOut(asked, &effects, at: now)
        return result ?? .failure(.noVenue)
    }

    // MARK: Swaps

    /// Whether the user gives a tenure away by a yes that stands, signed or not: the desk must not
    /// end it then.
    func isBound(_ slot: Slot) -> Bool {
        swaps.locks.contains { $0.slot == slot }
            || swaps.records.contains { record in
                record.stage.isPromised
                    && record.contract.legs.contains { $0.from == me && $0.slot == slot }
            }
            || folding.fold.openVotes.contains(slot, by: me)
    }

    /// What negotiations have to know of the venue; `nil` on a flight.
    func venueSwaps(at now: Moment) -> VenueSwaps? {
        guard let venue else { return nil }
        let desk = venue.ledgers.leading?.author
        return VenueSwaps(
            minute: venue.clock?.minute(at: now.utc), paid: venue.ledgers.paid,
            asked: venue.asks.own.slots,
            deskHas: desk.flatMap { $0 == me ? nil : records.confirmed(by: $0) })
    }

    // MARK: Forms

    /// A form came. Whoever is not the desk has no business with it.
    mutating func take(
        _ form: VenueForm, _ number: ThreadID, from id: LinkID, _ effects: inout Effects,
        at now: Moment
    ) {
        guard let place = peers.all.place(of: id), venue?.ledgers.leading?.author == me else {
            return
        }
        let link = peers.all[place]
        let asked = venue?.forms.received(number, form, from: link.facts.peer, at: now)
        guard let asked else { return }
        carryOut(asked, &effects, at: now)
        // Others wait for their turn.
        guard !asked.messages.isEmpty, link.isOnDemand else { return }
        venue?.forms.leave(id, at: now.instant)
    }

    /// The desk says what it makes of a form.
    mutating func take(
        _ state: FormState, _ text: String, of number: ThreadID, from id: LinkID,
        _ effects: inout Effects, at now: Moment
    ) {
        guard let place = peers.all.place(of: id),
            peers.all[place].facts.peer == venue?.ledgers.leading?.author,
            let asked = venue?.forms.acknowledged(number, state, text)
        else { return }
        carryOut(asked, &effects, at: now)
    }

    /// A session with `peer` is open: the desk gets what it has not decided.
    mutating func sendForms(to peer: PeerKey, _ effects: inout Effects, at now: Moment) {
        guard let venue, venue.ledgers.leading?.author == peer, isLinked(peer) else { return }
        carryOut(venue.forms.resend(to: peer), &effects, at: now)
    }

    /// Ends links whose form was acknowledged a while ago.
    mutating func endGuests(_ effects: inout Effects, at now: Moment) {
        for id in venue?.forms.takeLeaving(at: now.instant) ?? [] {
            session(id, .close(.notNeeded, ""), &effects, at: now)
        }
    }

    /// The desk, where it does not have a form of the user's.
    var deskNeeded: [PeerKey] {
        guard let venue, venue.forms.needsDesk, let desk = venue.ledgers.leading else { return [] }
        return [desk.author]
    }

    // MARK: Reading

    /// The user's own asks that no ledger has granted or closed, oldest first.
    public var ownAsks: [AskFacts] {
        guard let venue else { return [] }
        return venue.asks.own.asks.filter { $0.target == nil }.map { one in
            let answer = venue.asks.own.answer(to: one.id)
            let place = venue.ledgers.waiting[one.id] ?? answer?.waiting ?? 0
            let standing: AskFacts.Standing =
                if let answer, answer.isLast { .refused(answer.reason) } else {
                    place > 0 ? .waiting(place) : .asked
                }
            return AskFacts(id: one.id, ask: one.ask, standing: standing)
        }
    }

    /// Everybody's asks that the desk has neither granted nor ended, in the order in which they
    /// came to this agent. O(n log n).
    public var openAsks: [OpenAsk] {
        guard let venue else { return [] }
        return venue.asks.book.open.map { one in
            let answer = venue.asks.book.answer(to: one.id, of: one.statement.author)?
                .answer
            let place = venue.ledgers.waiting[one.id] ?? answer?.waiting ?? 0
            return OpenAsk(id: one.id, statement: one.statement, ask: one.ask, waiting: place)
        }
    }

    /// Forms for the desk, oldest first: the user's own, and at a desk those that came.
    public var forms: [FormRecord] { venue?.forms.records ?? [] }
}
