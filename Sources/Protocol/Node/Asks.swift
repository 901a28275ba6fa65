// SPDX-License-Identifier: Apache-2.0
/// What people ask of the desk of a venue and what it answers (docs/protocol.md section 32): how
/// that spreads, and the user's own asks.
///
/// Own asks and answers are on disk before they are sent, and are said again after a start; those
/// of others are learned again from linked peers. They are compared as stays are.
struct Asks: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// A connection to that peer came; its session is not open yet.
        case connected(LinkID, PeerKey)
        /// Its session is open.
        case opened(LinkID)
        /// It is gone.
        case ended(LinkID)
        /// A message found no room on it.
        case dropped(LinkID)
        /// What others say found no room on it.
        case leftOut(LinkID)
        /// A statement came on an open link.
        case statement(VenueStatement, from: LinkID)
        /// The digests of what a peer keeps came.
        case digests([Bytes32], from: LinkID)
        /// A list of a part of it came.
        case list(AskList, from: LinkID)
        /// Ledgers say more.
        case ledgers(LedgerNews)
        /// The deadline came.
        case tick
    }

    /// What everybody asks.
    private(set) var book: AskBook
    /// The user's own, and how they stand.
    private(set) var own: OwnAsks
    /// When something of the desk came last that no link with it brought.
    private(set) var heard: Moment?
    /// Asks that were kept since ``takeNews()`` was asked, in order; `nil` where too much happened
    /// to tell.
    private var news: [Bytes32]?
    /// Something changed since ``takeChange()`` was asked.
    private(set) var hasChanged = false
    /// In the order in which they came.
    private var links: [StayLink] = []
    /// When the clock alone ends something.
    private var turnAt: Instant?
    private let signer: any Signer
    private let gathering: FlightID
    private let primitives: any Primitives

    /// Goes on with own statements that were stored.
    init(
        _ stored: [VenueStatement], gathering: FlightID, signer: any Signer,
        primitives: any Primitives, at now: Moment
    ) {
        book = AskBook(own: signer.key)
        own = OwnAsks(stored, of: signer.key, primitives)
        self.signer = signer
        self.gathering = gathering
        self.primitives = primitives
        for one in own.unanswered {
            book.keep(one.statement, one.id, from: signer.key, at: now)
        }
        plan(at: now)
    }

    /// When it wants to be called.
    var nextDeadline: Instant? {
        var first = turnAt
        for place in links.indices where links[place].isOpen {
            guard let due = links[place].nextDeadline else { continue }
            first = min(first ?? due, due)
        }
        return first
    }

    /// Looks again when something is over next, at the latest in a minute: a wall clock may be set.
    private mutating func plan(at now: Moment) {
        let ends = [book.nextEnd, own.nextEnd].compactMap { $0 }
        turnAt = ends.min().map { end in
            now.instant + .seconds(min(max(end.seconds - now.utc.seconds, 0), 60))
        }
    }

    /// Whether which asks are known has changed since the last call.
    mutating func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    /// The asks that came since the last call and are open, in order; `nil` where all have to be
    /// looked at.
    mutating func takeNews() -> [KeptAsk]? {
        defer { news = [] }
        return news?.compactMap(book.ask)
    }

    private mutating func note(_ id: Bytes32, _ statement: VenueStatement) {
        guard statement.ask != nil, let known = news else { return }
        // Nobody asks for it where there is no desk.
        if known.count < Limits.asksRefused { news?.append(id) } else { news = nil }
    }

    /// Takes one event in.
    mutating func handle(_ event: Event, at now: Moment) -> PartEffects {
        var effects = PartEffects()
        switch event {
        case .connected(let id, let peer):
            links.append(StayLink(id: id, peer: peer, at: now.instant))
        case .opened(let id):
            guard let place = place(of: id), !links[place].isOpen else { break }
            links[place].isOpen = true
            book.arrived(links[place].peer, at: now.instant)
            tell(place, &effects, at: now)
        case .ended(let id):
            guard let place = place(of: id) else { break }
            let link = links.remove(at: place)
            if link.isOpen { book.departed(link.peer) }
        case .dropped(let id):
            if let place = place(of: id) { compareAgain(place, at: now) }
        case .leftOut(let id):
            // They ask for what they lack.
            if let place = place(of: id) { links[place].tell(at: now.instant + Limits.stayAgain) }
        case .statement(let statement, let id):
            if let place = place(of: id) { take(statement, on: place, &effects, at: now) }
        case .digests(let digests, let id):
            if let place = place(of: id) { take(digests, on: place, &effects, at: now) }
        case .list(let list, let id):
            if let place = place(of: id) { answer(list, on: place, &effects, at: now) }
        case .ledgers(let news): learn(news, &effects, at: now)
        case .tick: tick(&effects, at: now)
        }
        plan(at: now)
        return effects
    }

    private func place(of id: LinkID) -> Int? { links.firstIndex { $0.id == id } }

    /// Soon tells a peer what is here, and asks them for what is missing here.
    private mutating func compareAgain(_ place: Int, at now: Moment) {
        let soon = now.instant + Limits.stayAgain
        links[place].tell(at: soon)
        links[place].wonder(about: links[place].theirs.indices)
        links[place].ask(at: soon)
    }

    // MARK: What ledgers say

    private mutating func learn(
        _ news: LedgerNews, _ effects: inout PartEffects, at now: Moment
    ) {
        if news.isAnew { book.forgetLedgers() }
        book.noted(news.members)
        book.settle(news.settled.map(\.ask))
        for one in news.settled { own.settle(one, &effects) }
        if !news.settled.isEmpty { hasChanged = true }
        guard news.desk != book.desk else { return }
        book.serves(news.desk)
        self.news = nil
        for one in own.answers { book.keep(one.statement, one.id, from: signer.key, at: now) }
        hasChanged = true
        // What this desk answered was nobody's answer before.
        for place in links.indices where links[place].isOpen { compareAgain(place, at: now) }
    }

    // MARK: Own asks, and answers of an own desk

    /// Asks the desk for something.
    mutating func ask(
        _ wish: BookingAsk.Wish, until: UTCTime, _ effects: inout PartEffects,
        random: inout SeededRandom, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard now.utc < until, wish.isWritable else { return .failure(.outsideOfVolume) }
        guard book.asks(of: signer.key).count < Limits.openAsks else {
            return .failure(.tooManyAsks)
        }
        let ask = BookingAsk(nonce: random.next(), until: until, wish: wish)
        guard let statement = VenueStatement(ask, gathering: gathering, by: signer) else {
            return .failure(.tooLong(Limits.note))
        }
        let id = statement.id(primitives)
        say(statement, id, &effects, at: now)
        return .success(.asked(id))
    }

    /// Takes an own ask back.
    mutating func withdraw(
        _ id: Bytes32, _ effects: inout PartEffects, random: inout SeededRandom, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard let until = own.until(id), now.utc < until else { return .failure(.noSuchAsk) }
        let ask = BookingAsk(nonce: random.next(), until: until, wish: .withdraw(id))
        guard let statement = VenueStatement(ask, gathering: gathering, by: signer) else {
            return .failure(.noSuchAsk)
        }
        own.takeBack(id, &effects)
        say(statement, statement.id(primitives), &effects, at: now)
        return .success(.done)
    }

    /// Answers an ask as the desk; `.noSuchAsk` for one that is not known here.
    mutating func answer(
        _ id: Bytes32, reason: Int, waiting: Int, _ effects: inout PartEffects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        let before = own.answer(to: id)
        let open = book.ask(id)
        guard let asker = open?.statement.author ?? before?.asker,
            let until = open?.ask.until ?? before?.until
        else { return .failure(book.desk == signer.key ? .noSuchAsk : .notDesk) }
        return answer(
            id, of: asker, until: until, reason: reason, waiting: waiting, &effects, at: now)
    }

    /// Answers an ask of `asker` that stands until then, as the desk.
    mutating func answer(
        _ id: Bytes32, of asker: PeerKey, until: UTCTime, reason: Int, waiting: Int,
        _ effects: inout PartEffects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard book.desk == signer.key else { return .failure(.notDesk) }
        // An end is the end, also for those who heard of it.
        let same = own.answer(to: id)
        guard same?.isLast != true || waiting == 0 else { return .failure(.noSuchAsk) }
        // Of one asker the latest answers are kept: a second tells no two of them apart.
        let before = own.lastAnswer(to: asker)
        let at = max(now.utc, before.map { UTCTime(seconds: $0.seconds &+ 1) } ?? now.utc)
        guard
            let answer = AskAnswer(
                asker: asker, ask: id, until: until, at: at, reason: reason, waiting: waiting)
        else { return .failure(.badEntry(0)) }
        let statement = VenueStatement(answer, gathering: gathering, by: signer)
        say(statement, statement.id(primitives), &effects, at: now)
        return .success(.done)
    }

    /// Carries out what an own desk wants to know after a start, and does not want any more.
    mutating func keepWords(
        _ words: [DeskAsk], forget: [Bytes32], _ effects: inout PartEffects
    ) {
        for word in words { own.keepWord(word.statement, word.id, &effects) }
        for id in forget { own.forgetWord(id, &effects) }
    }

    /// Keeps a statement of the user's own, on disk first, and sends it.
    private mutating func say(
        _ statement: VenueStatement, _ id: Bytes32, _ effects: inout PartEffects, at now: Moment
    ) {
        own.keep(statement, id, &effects)
        if let asker = statement.answer?.asker {
            own.forgetSome(to: asker, &effects) { book.isMember($0) }
        }
        book.keep(statement, id, from: signer.key, at: now)
        note(id, statement)
        hasChanged = true
        plan(at: now)
        push(statement, except: nil, &effects)
    }

    // MARK: Messages

    private mutating func take(
        _ digests: [Bytes32], on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        if links[place].told(digests, at: now.instant) { ask(place, &effects, at: now) }
    }

    private mutating func answer(
        _ list: AskList, on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        guard links[place].looks(at: now.instant) else { return }
        // Members first, then the others from another one on each time: not all may find room.
        let missing = book.missing(in: list)
        let members = missing.filter { book.isMember($0.asker) }
        let others = missing.filter { !book.isMember($0.asker) }
        let start = links[place].turn(of: others.count)
        // No more strangers find room at once, and what is left out is not paid for.
        let few = (others[start...] + others[..<start]).prefix(Limits.hearsayAtOnce)
        let ofMembers = links[place].answer(members.count, at: now.instant)
        let ofOthers = links[place].answer(
            few.count, keeping: Limits.answersToMembers, at: now.instant)
        for statement in members.prefix(ofMembers) + few.prefix(ofOthers) {
            send(statement, on: links[place], &effects)
        }
    }

    private mutating func take(
        _ statement: VenueStatement, on place: Int, _ effects: inout PartEffects, at now: Moment
    ) {
        let link = links[place]
        let id = statement.id(primitives)
        let asker = statement.asker
        let bucket = StatementBuckets.bucket(of: asker)
        if let last = own.ending(of: statement, id, by: book.desk) {
            // It is over: whoever sent it hears how, and nobody here opens it again.
            return send(last.statement, on: link, &effects)
        }
        switch book.verdict(on: statement, id, from: link.peer, at: now) {
        case .welcome: break
        case .later(let again):
            // One's own is no news of somebody else, whatever its pace.
            if statement.author == signer.key { break }
            links[place].wonder(about: [bucket])
            return links[place].ask(at: max(again, now.instant + Limits.stayAgain))
        case .known, .full, .nothing: return
        }
        guard statement.isSigned(gathering: gathering, primitives: primitives) else {
            effects.sessions.append((link.id, .close(.badEntry, "")))
            return
        }
        guard book.keep(statement, id, from: link.peer, at: now) != nil else { return }
        note(id, statement)
        hasChanged = true
        if statement.answer != nil { heard = now }
        // One's own that is not here: an old copy of the disk runs, or the key runs twice.
        if asker == signer.key || statement.author == signer.key {
            own.keep(statement, id, &effects)
        }
        if asker == signer.key, let answer = statement.answer {
            effects.notices.append(.ask(.answered(answer.ask)))
        }
        if link.isAnswer(bucket, within: Limits.askAnswered, at: now.instant),
            !isNews(statement, from: link.peer, at: now)
        {
            // Old news: whoever lacks it too finds out by the digests.
            for other in links.indices where links[other].isOpen && other != place {
                links[other].tell(at: now.instant + Limits.askGathered)
            }
        } else {
            push(statement, except: link.id, &effects)
        }
    }

    /// Whether somebody waits for it, also where it looks like an answer to a list: the asker says
    /// it, or the desk has just answered a member.
    private func isNews(
        _ statement: VenueStatement, from peer: PeerKey, at now: Moment
    ) -> Bool {
        guard let answer = statement.answer else { return statement.author == peer }
        let age = now.utc.seconds.subtractingReportingOverflow(answer.at.seconds)
        return book.isMember(answer.asker) && !age.overflow
            && age.partialValue.magnitude <= UInt64(Limits.answerNews.wholeSeconds)
    }

    /// Sends a statement to everybody but its source.
    private func push(
        _ statement: VenueStatement, except id: LinkID?, _ effects: inout PartEffects
    ) {
        for place in links.indices where links[place].isOpen && links[place].id != id {
            send(statement, on: links[place], &effects)
        }
    }

    /// What concerns neither end of a link may be left out: keys cost nothing, and what they ask
    /// would be all that a peer reads.
    private func send(
        _ statement: VenueStatement, on link: StayLink, _ effects: inout PartEffects
    ) {
        let asker = statement.asker
        let message = Message.venue(.statement(statement))
        if asker == signer.key || asker == link.peer {
            effects.send(message, on: link.id)
        } else {
            effects.passOn(message, ofMember: book.isMember(asker), on: link.id)
        }
    }

    // MARK: Rounds

    /// Sends the digest of each bucket.
    private mutating func tell(_ place: Int, _ effects: inout PartEffects, at now: Moment) {
        links[place].tellAt = now.instant + Limits.stayRound
        effects.send(.venue(.askDigests(book.digests(primitives))), on: links[place].id)
    }

    /// Lists what is kept here in buckets that differ, so that the other sends what is missing.
    private mutating func ask(_ place: Int, _ effects: inout PartEffects, at now: Moment) {
        let ours = book.digests(primitives)
        let book = book
        let lists = links[place].next(ours, at: now.instant) { question in
            book.list(of: question.bucket, after: question.after)
                .map { ($0, $0.marks.count, $0.last) }
        }
        for list in lists { effects.send(.venue(.askMarks(list)), on: links[place].id) }
    }

    /// What is due, on any link and by the clock.
    private mutating func tick(_ effects: inout PartEffects, at now: Moment) {
        if !book.expire(at: now.utc).isEmpty { hasChanged = true }
        own.expire(at: now.utc, &effects)
        for place in links.indices where links[place].isOpen {
            if let at = links[place].askAt, at <= now.instant { ask(place, &effects, at: now) }
            if let at = links[place].tellAt, at <= now.instant { tell(place, &effects, at: now) }
        }
    }
}

extension VenueStatement {
    /// Whose ask it is, or is about.
    fileprivate var asker: PeerKey { answer?.asker ?? author }
}
