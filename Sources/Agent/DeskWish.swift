// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text
import Wording

/// The user's wish: words come in, seats go out to others.
extension ControlDesk {
    func wish(_ asked: Op.Wish) throws(UserError) -> Work<WishFacts> {
        guard !asked.isEmpty else { return .done(wishFacts()) }
        if asked == Op.Wish(auto: asked.auto) {
            try settleAuto(asked)
            return .done(wishFacts())
        }
        var change = WishChange(note: asked.note, isPrivate: asked.private)
        if let word = asked.asks {
            guard let asks = word.known else {
                throw UserError(
                    .badRequest, "\"\(visible(word.text, cells: 32))\" is nothing to ask for",
                    why: "words are " + Asking.allCases.map(\.rawValue).joined(separator: ", "),
                    advice: "seatagent wish --asks nothing")
            }
            change.asks = Wish.Asks(asks)
        }
        if let seats = asked.offer { change.offer = try offer(of: seats) }
        var said = SaidWish(host.node.ownWish.words)
        if let words = asked.words {
            said.choices = try choices(words)
            said.stays = asked.stay ?? false
            // Where all is promised, the core says to whom.
            if asked.offer == nil, offered.isEmpty || isAllGiven { change.offer = .all }
        } else if let stay = asked.stay {
            guard !said.choices.isEmpty else {
                throw UserError(
                    .usage, "it is not said what would be better",
                    why: "you have said no wish yet",
                    advice: "seatagent wish window --stay-unless-better")
            }
            said.stays = stay
        }
        if asked.words != nil || asked.stay != nil || change.offer != nil {
            change.words = said.text
            // Which seats are better depends on what is given.
            let present = present(after: change.offer)
            change.ranks =
                said.choices.isEmpty ? nil : said.ranks(host.wishSeats, than: present)
        }
        try settleAuto(asked)
        let waiting = waiting
        return .perform(.wish(change)) { _, desk in
            desk.host.endings.wishChanged()
            return desk.wishFacts(after: waiting)
        }
    }

    func offer(_ asked: Op.Offer) throws(UserError) -> Work<Op.Offer.Reply> {
        var change = WishChange(offer: .all)
        // What is not said stays as it was.
        if let note = asked.note, !note.isEmpty { change.note = note }
        if !asked.for.isEmpty {
            var said = SaidWish()
            said.choices = try choices(asked.for.joined(separator: ", "))
            change.words = said.text
            change.ranks = said.ranks(host.wishSeats, than: [])
        }
        return .perform(.wish(change)) { reply, desk in
            desk.host.endings.wishChanged()
            let offer = desk.told
            let id: String? = if case .entry(let id) = reply { id.hex } else { nil }
            return Op.Offer.Reply(
                id: id, seats: offer?.seats, wants: offer?.wants, note: offer?.note)
        }
    }

    func withdraw() throws(UserError) -> Work<Done> {
        try settleAuto(Op.Wish(offer: []))
        return .perform(.withdrawOffer) { _, desk in
            desk.host.endings.wishChanged()
            return Done()
        }
    }

    /// Whether the agent acts by the wish without another word. It is on from a wish that says
    /// something, until the user says so or takes their offer back.
    private func settleAuto(_ asked: Op.Wish) throws(UserError) {
        let isOn = asked.offer == [] ? false : asked.auto ?? host.automatic.serves
        guard isOn != host.automatic.serves else { return }
        let words = try asked.words.map { text throws(UserError) in try choices(text) }
        guard !isOn || !(words ?? SaidWish(host.node.ownWish.words).choices).isEmpty else {
            throw UserError(
                .usage, "it is not said what your agent may take for your seat",
                why: "you have said no wish yet", advice: "seatagent wish window --auto")
        }
        var automatic = host.automatic
        automatic.serve(isOn)
        try host.keep(automatic)
    }

    // MARK: Reading

    /// The seats that are offered with these words: none, `all`, or some.
    private func offer(of words: [String]) throws(UserError) -> WishChange.Offer {
        if words == ["all"] { return .all }
        var seats: [Seat] = []
        for word in words {
            seats.append(try SeatText.parse(word, advice: "seatagent wish --offer all"))
        }
        return seats.isEmpty ? .none : .seats(seats)
    }

    /// Own seats that are offered now.
    private var offered: [Seat] {
        let tokens = host.node.ownWish.offered
        return host.node.fold.held(by: host.node.me).filter { tokens.contains($0.token) }
            .map(\.seat)
    }

    /// Whether yeses that stand give all own seats away.
    private var isAllGiven: Bool {
        let node = host.node
        let given = node.swapRecords.filter(\.stage.isPromised).flatMap(\.contract.legs)
            .filter { $0.from == node.me }.map(\.token)
        let held = node.fold.held(by: node.me)
        return !held.isEmpty && held.allSatisfy { given.contains($0.token) }
    }

    /// The seats that a wish is about once this is offered.
    private func present(after offer: WishChange.Offer?) -> [Seat] {
        let mine = host.node.fold.held(by: host.node.me).map(\.seat)
        switch offer {
        case nil: return host.wishedAway
        case .all?, WishChange.Offer.none?: return mine
        case .seats(let seats)?: return seats
        }
    }

    /// The choices in typed words, each of which some seat here is like.
    private func choices(_ text: String) throws(UserError) -> [WishChoice] {
        let read: [WishChoice]
        do throws(WishFault) {
            read = try WishReader.read(text)
        } catch {
            throw UserError(
                error.isTooMuch ? .tooLong : .usage, error.what, why: error.why,
                advice: "seatagent wish " + WishReader.shell(error.better))
        }
        var choices: [WishChoice] = []
        for choice in read {
            choices.append(
                try choice.naming { (who) throws(UserError) in
                    try passenger(who, "wish next to").key.hex
                })
        }
        let seats = host.wishSeats
        for (index, choice) in choices.enumerated() {
            do throws(WishSeats.Nothing) {
                _ = try seats.set(choice)
            } catch {
                // Who has no seat now may have one later.
                if case .seatless = error { continue }
                var others = read
                others.remove(at: index)
                throw UserError(
                    error.isTooMuch ? .tooLong : .noSuchSeat,
                    "\"\(visible(WishWords.text(read[index]), cells: 40))\" is no seat to wish for",
                    why: words(error), advice: better(others))
            }
        }
        return choices
    }

    /// A wish that works here: what is left of the typed one, or another.
    private func better(_ left: [WishChoice]) -> String {
        let seats = host.wishSeats
        func works(_ choices: [WishChoice]) -> Bool {
            !choices.isEmpty
                && choices.allSatisfy { choice in
                    choice.people.isEmpty && (try? seats.set(choice)) != nil
                }
        }
        let standard = (try? WishReader.read(WishReader.standard)) ?? []
        let text =
            works(left)
            ? WishWords.text(left) : works(standard) ? WishReader.standard : "any"
        return "seatagent wish " + WishReader.shell(text)
    }

    /// Why no seat is like that.
    private func words(_ nothing: WishSeats.Nothing) -> String {
        let drawn = "the layout that is drawn (\(visible(host.cabin.name, cells: 40)))"
        return switch nothing {
        case .nowhere: "\(drawn) has no such seat"
        case .edge(let seat): "you are in \(seat.text), and no row is beyond it"
        case .seatless(let key): "\(name(key)) has no seat now"
        case .unknown(let feature): "\(drawn) does not say \(feature.question)"
        case .scattered(let count):
            "others are told of at most \(Limits.seatBlocks) blocks of seats, and it comes to "
                + "\(count)"
        }
    }

    private func name(_ key: String) -> String {
        bytes(hexadecimal: key).flatMap { PeerKey($0) }.map { WhoText.short(book.person($0)) }
            ?? "somebody"
    }

    // MARK: Answering

    /// What others see of the wish; `nil` for no offer.
    private var told: SeatOffer? {
        book[host.node.me]?.wish.map { OfferWords.offer($0, host.node.fold, host.cabin) }
    }

    /// Numbers of requests that wait for the user.
    private var waiting: [Int] {
        let node = host.node
        return node.swapRecords.map { RequestFacts($0, me: node.me) }.filter(\.needsAnswer)
            .map(\.record.number)
    }

    /// The wish; `before` are the requests that waited before it.
    private func wishFacts(after before: [Int] = []) -> WishFacts {
        let node = host.node
        let own = node.ownWish
        let said = SaidWish(own.words)
        let seats = host.wishSeats
        let choices = zip(said.choices, said.sets(seats)).map { choice, set in
            let words = WishWords.text(choice.naming(name))
            return switch set {
            case .success(let set): WishFacts.Choice(words: words, seats: WishWords.text(set))
            case .failure(let nothing): WishFacts.Choice(words: words, why: self.words(nothing))
            }
        }
        let declined = before.filter { number in
            node.swapRecords.first { $0.number == number }?.stage == .declined
        }
        let isKnown = (node.logs.log(of: node.me)?.entries ?? []).contains { entry in
            if case .wish(let wish) = entry.body { !wish.ranks.isEmpty } else { false }
        }
        return WishFacts(
            seats: offered, choices: choices, stay: said.stays,
            best: said.stays && own.ranks == [] && choices.contains { $0.seats != nil },
            private: own.isPrivate, asks: Word(Asking(own.asks)), note: own.note,
            auto: host.automatic.serves, told: told,
            known: own.isPrivate && isKnown,
            guessed: host.cabin.sure == .invented && !node.flight.isPractice
                && said.choices.contains(where: \.needsLayout),
            left: node.wishDue(at: host.now.instant), declined: declined.isEmpty ? nil : declined)
    }
}

extension WishSeats.Nothing {
    /// Whether it is too much, and not nothing.
    fileprivate var isTooMuch: Bool { if case .scattered = self { true } else { false } }
}

extension CabinLayout.Feature {
    /// What a layout does not say.
    fileprivate var question: String {
        switch self {
        case .exit: "which rows are exit rows"
        case .extraLegroom: "which seats have more legroom"
        case .noWindow: "which seats have no window"
        case .nearToilet: "where the toilets are"
        case .bulkhead: "which seats are behind a wall"
        }
    }
}

extension Asking {
    /// The word for what a wish says.
    init(_ asks: Wish.Asks) {
        switch asks {
        case .nothing: self = .nothing
        case .alike: self = .similar
        case .anything: self = .anything
        }
    }
}

extension Wish.Asks {
    /// What a word says.
    init(_ asking: Asking) {
        switch asking {
        case .nothing: self = .nothing
        case .similar: self = .alike
        case .anything: self = .anything
        }
    }
}
