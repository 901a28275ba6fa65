// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Why negotiations, or yeses to them, ended without a swap, as far as this process knows; their
/// records only say that they did. Keeps the most recent ones.
struct SwapEndings {
    /// What ended a negotiation.
    enum Cause: Hashable, Sendable {
        /// A check, a no, or time, while it was being signed or about to be.
        case failure(SwapFailure)
        /// This passenger took it back, or their agent did for them.
        case here
        /// Another side took it back.
        case there
        /// This passenger had said yes, and its time ran out before all had.
        case notAll
        /// This passenger had said yes, and their agent was started anew before all had.
        case yesGone
    }

    private var causes: [(number: Int, cause: Cause)] = []
    /// Requests of others to which a yes of this passenger stands.
    private var yeses: Set<Int> = []
    /// Who said no to what this passenger proposed, as far as this process was told.
    private(set) var refusers: [PeerKey] = []
    /// What comes in the place of requests that a search found.
    var replacements = Replacements()
    /// Yeses of this passenger that count for what takes the place of a request.
    var kept = KeptYeses()

    /// Which letters lie at the meeting point.
    var letters = LettersLeft()

    /// Why the negotiation of that number ended; `nil` if this process does not know.
    subscript(number: Int) -> Cause? { causes.last { $0.number == number }?.cause }

    /// Keeps what the passenger `me` asked for themselves; `record` is the request that they named.
    mutating func said(_ intent: Intent, of record: SwapRecord?, by me: PeerKey) {
        switch intent {
        case .decline, .counter, .cancel:
            guard let record else { return kept.clear() }
            kept.refuse(record, by: me)
            replacements.finish(record.number)
        case .swap, .propose, .exchange:
            kept.clear()
            replacements.stop()
        case .accept, .replace, .force, .say, .message, .wish, .withdrawOffer, .block, .rename,
            .claim, .release, .verify, .compared, .cancelVerify, .vouch, .leave, .suggestLayout,
            .party, .seated, .hosting, .stay, .booking, .ledger, .desk:
            break
        }
    }

    /// The passenger wishes for something else.
    mutating func wishChanged() {
        kept.clear()
        replacements.wishChanged()
    }

    /// Keeps what one event revealed to the passenger `me`; `isOwn` for a wish of theirs.
    mutating func keep(_ notices: some Sequence<Notice>, by me: PeerKey, isOwn: Bool) {
        for case .swap(let notice) in notices {
            replacements.keep(notice, by: me, isOwn: isOwn)
            kept.keep(notice)
            switch notice.what {
            case .aborted(let failure): keep(notice.record.number, .failure(failure))
            case .withdrawn: keep(notice.record.number, isOwn ? .here : .there)
            case .ready where notice.record.stage == .ready:
                causes.removeAll { $0.number == notice.record.number }
                yeses.insert(notice.record.number)
                continue
            case .lapsed where !isOwn: keep(notice.record.number, .yesGone)
            case .expired where yeses.contains(notice.record.number):
                keep(notice.record.number, .notAll)
            case .declined(let who) where !notice.record.role.isIncoming && who != me:
                if !refusers.contains(who) { refusers.append(who) }
            // The others' yeses to an own request say nothing about its end.
            case .ready: continue
            case .requested, .countered, .declined, .expired, .lapsed, .binding, .committed,
                .final, .stranded:
                break
            }
            yeses.remove(notice.record.number)
        }
    }

    private mutating func keep(_ number: Int, _ cause: Cause) {
        causes.removeAll { $0.number == number }
        causes.append((number, cause))
        // No more negotiations than that are kept at all.
        if causes.count > Limits.swaps { causes.removeFirst() }
    }
}

extension RequestFacts {
    /// Why it, or a yes to it, ended without a swap, if no words of a passenger came with its end.
    /// `nil` if there is nothing to say: this passenger took it back, or whoever asked did.
    func cause(
        _ endings: SwapEndings, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String? {
        if let lost = record.lost { return words(lost, book, fold, me: me) }
        return switch state {
        case .failed: failed(endings[record.number], book, fold, me: me)
        case .withdrawn where record.instead == 0:
            switch endings.replacements.why(record.number) {
            case .unanswered: "not everybody answered in time"
            case .unwanted: "somebody in it wishes for something else by now"
            case nil: withdrawn(endings[record.number], book, fold, me: me)
            }
        case .open where needsAnswer && endings[record.number] == .yesGone:
            "your yes ended when your agent was started anew"
        case .expired where endings[record.number] == .notAll: "not everybody said yes in time"
        case .open, .agreed, .stranded, .final, .declined, .withdrawn, .expired: nil
        }
    }

    /// `bo #c2d9 gave 12A up`, `12A went to cy #4f07 in another swap`, `bo #c2d9 left the flight`.
    private func words(
        _ lost: LostSeat, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String {
        let leg = contract.legs.first { $0.token == lost.token }
        let giver = leg?.from ?? record.partner(of: me)
        let who = giver == me ? "you" : book.tagged(giver)
        let seat = fold.token(lost.token)?.seat.text ?? "a seat of it"
        switch lost.why {
        case .givenUp: return "\(who) gave \(seat) up"
        case .left: return "\(who) left the flight"
        case .swapped:
            let taker = leg.flatMap { Self.taker(after: $0, fold) }
            guard let taker else { return "\(seat) went to another swap" }
            return "\(seat) went to \(taker == me ? "you" : book.tagged(taker)) in another swap"
        }
    }

    /// Who got the seat of a leg next.
    private static func taker(after leg: Leg, _ fold: SeatFold) -> PeerKey? {
        let lineage = fold.token(leg.token)?.lineage ?? []
        let place = lineage.firstIndex { Producer(contract: $0) == leg.producer }
        let next = place.map { $0 + 1 } ?? 0
        guard next < lineage.count else { return nil }
        return fold.contract(lineage[next])?.contract?.legs.first { $0.token == leg.token }?.to
    }

    private func failed(
        _ cause: SwapEndings.Cause?, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String? {
        if case .failure(.refused(let key)) = cause { return refused(key, book, fold, me: me) }
        if case .failure(let failure) = cause { return Self.words(failure, book, fold, me: me) }
        // An earlier process saw it: the log has the no.
        let no = fold.contract(record.contract.id)?.votes.first { entry in
            if case .vote(let vote) = entry.body { return !vote.yes }
            return false
        }
        return no.map { refused($0.author, book, fold, me: me) }
    }

    /// Whose no it was. Who signs last says no too where somebody else did not sign in time.
    private func refused(
        _ key: PeerKey, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String {
        key != me && key == contract.coordinator
            ? "the agent of \(book.described(key)) ended it before all had signed"
            : Self.words(.refused(key), book, fold, me: me)
    }

    private func withdrawn(
        _ cause: SwapEndings.Cause?, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String? {
        let other = book.described(record.partner(of: me))
        switch (cause, record.role) {
        case (.failure(let failure), _): return Self.words(failure, book, fold, me: me)
        case (.here, _), (.there, .asked): return nil
        case (.there, _), (_, .participant): return "\(other) or their agent ended it"
        case (_, .asker): return "you or \(other) took it back, or their agent ended it"
        case (_, .asked): return "\(other) took it back, or a check of your own agent ended it"
        case (_, .coordinator):
            return "you took it back, or a check of your own agent ended it"
        }
    }

    private static func words(
        _ failure: SwapFailure, _ book: PeopleBook, _ fold: SeatFold, me: PeerKey
    ) -> String {
        switch failure {
        case .check(let fault):
            "a check of your own agent ended it: " + words(fault, book, fold)
        case .refused(let key) where key == me: "your own agent had signed a no to it"
        case .refused(let key): "the agent of \(book.described(key)) signed a no"
        case .silence: "not every agent signed in time"
        case .cancelled: "you stopped it before it was signed by all"
        case .restart: "your own agent was started anew before it was signed by all"
        }
    }

    private static func words(
        _ fault: VoteFault, _ book: PeopleBook, _ fold: SeatFold
    ) -> String {
        func seat(_ token: Token) -> String { fold.token(token)?.seat.text ?? "a seat of it" }
        return switch fault {
        case .notAllowed: "the venue does not let you two swap that booking"
        case .begun: "a booking of it had begun"
        case .unequal: "the bookings are not of one length"
        case .unpaid: "the booking that you would get is not paid"
        case .asked: "you asked the desk to change that booking"
        case .notHeld(let token):
            seat(token) + " is no longer with the passenger who was to give it"
        case .encumbered(let token): seat(token) + " is promised to another swap"
        case .forked(let key): "\(book.described(key)) signed two things at one place"
        case .liar(let key):
            "\(book.described(key)) signed two things that exclude each other"
        case .disputed(let token):
            "another passenger claims \(seat(token)), with as much evidence or more"
        case .reminted(let token):
            seat(token) + " was claimed anew while an earlier swap is open"
        case .busy: "your seat is promised to a swap that is being decided"
        case .otherContract: "what was to be signed is not what you said yes to"
        case .window: "seats could not be swapped at that time"
        case .blocked(let key): "\(book.described(key)) is blocked by you"
        case .logFull: "your log is full"
        case .unverified(let key):
            "only their own claim still speaks for \(book.described(key))"
        }
    }
}
