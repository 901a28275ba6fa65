// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text

/// What the people at the desk of a venue do, where this agent is it.
extension ControlDesk {
    func desk() throws(UserError) -> Work<DeskStatus> { .done(try deskStatus()) }

    func deskOpen(_ asked: Op.DeskOpen) throws(UserError) -> Work<DeskStatus> {
        let random = host.random16
        return try atDesk(.open(restored: asked.restored ?? false, random: random)) { _, desk in
            try? desk.deskStatus()
        }
    }

    func deskAway() throws(UserError) -> Work<DeskStatus> {
        try atDesk(.away) { _, desk in try? desk.deskStatus() }
    }

    func deskAnswer(_ asked: Op.DeskAnswer) throws(UserError) -> Work<DeskDone> {
        let id = try id(asked.ask)
        return try atDesk(asked.grant ? .grant(ask: id) : .refuse(ask: id))
    }

    func deskBook(_ asked: Op.DeskBook) throws(UserError) -> Work<DeskDone> {
        let guest: DeskBooking.Guest
        if let member = asked.member {
            guest = .member(member)
        } else if let who = asked.who {
            guest = .key(try person(who, "desk book"))
        } else {
            guest = .caller
        }
        var booking = DeskBooking(
            guest, place: asked.place, period: try period(asked.period))
        booking.count = asked.count ?? 1
        booking.overrides = asked.override ?? false
        booking.tag = try asked.tag.map { (text) throws(UserError) in try self.tag(text) }
        booking.note = asked.note ?? ""
        return try atDesk(.book(booking))
    }

    func deskBlock(_ asked: Op.DeskBlock) throws(UserError) -> Work<DeskDone> {
        try atDesk(
            .block(
                place: asked.place, period: try period(asked.period), count: asked.count ?? 1,
                note: asked.note ?? ""))
    }

    func deskClose(_ asked: Op.DeskClose) throws(UserError) -> Work<DeskDone> {
        let reason: LedgerClose.Reason
        switch asked.reason {
        case .known(.desk): reason = .desk
        case .known(.noShow): reason = .noShow
        case .known(.unpaid): reason = .unpaid
        case .known(.error): reason = .error
        case .known(.stranded): reason = .stranded
        case .known(.early): reason = .early
        case .known(.asked), .known(.replaced), .other:
            throw UserError(
                .badRequest, "a desk ends no booking for that reason",
                why: "reasons are desk, no-show, unpaid, error, stranded and early")
        }
        let token = try booking(asked.token).token
        return try atDesk(.close(token, reason, spent: asked.spent ?? false))
    }

    func deskPaid(_ asked: Op.DeskPaid) throws(UserError) -> Work<DeskDone> {
        let token = try booking(asked.token).token
        return try atDesk(.paid(token, amount: asked.amount, means: asked.means))
    }

    func deskVisit(_ asked: Op.DeskVisit) throws(UserError) -> Work<DeskDone> {
        guard let visit = asked.visit.known?.visit else {
            throw UserError(
                .badRequest, "that is nothing that happens at a desk",
                why: "there is arrived, handed-out and returned")
        }
        return try atDesk(.visit(try booking(asked.token).token, visit))
    }

    func deskLate(_ asked: Op.DeskLate) throws(UserError) -> Work<DeskDone> {
        try atDesk(.late(try booking(asked.token).token, minutes: asked.minutes))
    }

    func deskMember(_ asked: Op.DeskMember) throws(UserError) -> Work<DeskDone> {
        let key = try asked.who.map { (who) throws(UserError) in try person(who, "desk members") }
        return try atDesk(.member(number: asked.number, class: asked.memberClass, key: key))
    }

    func deskMove(_ asked: Op.DeskMove) throws(UserError) -> Work<DeskDone> {
        try atDesk(.move(number: asked.number, to: try person(asked.to, "desk members move")))
    }

    func deskDecide(_ asked: Op.DeskDecide) throws(UserError) -> Work<Done> {
        _ = try deskStatus()
        guard let peer = bytes(hexadecimal: asked.key).flatMap({ PeerKey($0) }),
            let number = bytes(hexadecimal: asked.form).flatMap({ ThreadID($0) })
        else { throw UserError(.badRequest, "a form has a key and a number") }
        let key = FormKey(peer: peer, id: number)
        return .perform(
            .ledger(.decide(key, asked.admit ? .admitted : .refused, asked.text ?? ""))
        ) { _, _ in Done() }
    }

    func deskBackup(_ asked: Op.DeskBackup) throws(UserError) -> Work<Done> {
        _ = try deskStatus()
        guard asked.to.hasPrefix("/") else {
            throw UserError(
                .badRequest, "the copy has a path from the root on",
                advice: "seatagent desk backup --to rec-backup")
        }
        try host.copyFile(to: asked.to)
        return .done(Done())
    }

    func deskBookings(_ asked: Op.DeskBookings) throws(UserError) -> Work<Op.DeskBookings.Reply> {
        _ = try deskStatus()
        let days = try self.days(asked.first, asked.last)
        let scribe = BookingScribe(host.node)
        let found = host.node.bookView.bookings.filter {
            days.contains($0.mint.grant.period.day.number)
        }
        return .done(Op.DeskBookings.Reply(bookings: found.map(scribe.booking)))
    }

    // MARK: Facts

    private func deskStatus() throws(UserError) -> DeskStatus {
        let node = host.node
        guard node.venueView != nil else { throw noVenue }
        guard let state = node.deskState else { throw notDesk }
        let scribe = BookingScribe(node)
        let view = node.bookView
        let rival: PeerKey? = if case .twoDesks(let key) = state { key } else { nil }
        let log = node.logs.log(of: node.me)
        return DeskStatus(
            state: DeskStateWord(state), rival: rival.map(scribe.book.person),
            rivalCounts: rival != nil && node.desk?.isMe == false,
            requests: node.deskRequests.map { request in
                switch request.standing {
                case .pending:
                    scribe.ask(request.ask.id, request.ask.ask, of: request.ask.author, .asked)
                case .waiting:
                    scribe.ask(request.ask.id, request.ask.ask, of: request.ask.author, .waiting)
                case .refused(let reason):
                    scribe.ask(
                        request.ask.id, request.ask.ask, of: request.ask.author, .refused,
                        reason: reason.rawValue)
                }
            },
            forms: node.forms.filter(\.isOpen).compactMap { record -> DeskForm? in
                guard record.key.peer != node.me, let kind = FormFacts.Kind(record.form) else {
                    return nil
                }
                return DeskForm(
                    id: hexadecimal(record.key.id.bytes),
                    who: scribe.book.person(record.key.peer), kind: Word(kind),
                    at: Stamp(record.at),
                    fields: record.form.fields.map {
                        Op.SendForm.Field(number: $0.number, text: $0.text)
                    })
            },
            lost: view.lost.suffix(Limits.violations).map { one in
                LostBooking(
                    desk: scribe.book.person(one.desk),
                    holder: scribe.book.person(one.grant.holder), place: one.grant.place,
                    period: PeriodFacts(one.grant.period), count: one.grant.count,
                    note: one.grant.note)
            },
            members: view.book.members.map { member in
                MemberFacts(
                    number: member.number, memberClass: member.class,
                    keys: member.keys.map { hexadecimal($0.bytes) })
            },
            entries: log?.entries.count ?? 0, bytes: log?.size ?? 0,
            entriesLimit: Limits.entriesPerLedger, bytesLimit: Limits.bytesPerLedger)
    }

    private var notDesk: UserError {
        UserError(
            .notYours, "this agent is not the desk of the venue",
            why: "the desk runs where the operator's key is",
            advice: "seatagent help desk")
    }

    /// Somebody by key, tag or name; also a key of which nothing else is known.
    private func person(_ who: String, _ command: String) throws(UserError) -> PeerKey {
        if let key = bytes(hexadecimal: who).flatMap({ PeerKey($0) }) { return key }
        do throws(UserError) {
            return try passenger(who, command, notMe: false).key
        } catch {
            // Whoever has a booking, or lost one, need not have been about since this start.
            let holders = holders(tagged: who)
            guard error.code == .noSuchPassenger, holders.count == 1 else { throw error }
            return holders[0]
        }
    }

    /// The keys in the ledger with that tag, in their order.
    private func holders(tagged word: String) -> [PeerKey] {
        let wanted = word.dropFirst(word.hasPrefix("#") ? 1 : 0).lowercased().filter { $0 != "-" }
        guard wanted.utf8.count >= 4 else { return [] }
        let view = host.node.bookView
        let keys =
            view.lost.map(\.grant.holder) + view.book.members.flatMap(\.keys)
            + view.bookings.map(\.holder)
        return Set(keys).filter { $0.tag.filter { $0 != "-" }.hasPrefix(wanted) }.sorted()
    }

    private func atDesk(_ intent: DeskIntent) throws(UserError) -> Work<DeskDone> {
        try atDesk(intent) { reply, _ in DeskDone(reply) }
    }

    private func atDesk<Reply: Encodable>(
        _ intent: DeskIntent, _ answer: @escaping (DeskReply, ControlDesk) -> Reply?
    ) throws(UserError) -> Work<Reply> {
        guard host.node.venueView != nil else { throw noVenue }
        guard host.node.deskState != nil else { throw notDesk }
        return .perform(.desk(intent)) { reply, desk in
            guard case .desk(let reply) = reply else { return nil }
            return answer(reply, desk)
        }
    }

    /// Why the desk did not do what its people wanted.
    func error(_ refusal: DeskRefusal) -> UserError {
        switch refusal {
        case .closed(let state):
            UserError(
                .notAllowedNow, "the desk writes nothing now", why: DeskStateWord(state).sentence,
                advice: "seatagent desk open")
        case .noSuchAsk:
            UserError(
                .noSuchRecord, "there is no such request, or it is answered",
                advice: "seatagent desk requests")
        case .noSuchBooking:
            UserError(
                .noSuchBooking, "there is no such booking, or it has ended",
                advice: "seatagent desk requests")
        case .noSuchMember:
            UserError(
                .noSuchRecord, "there is no such member", advice: "seatagent desk members")
        case .isMember:
            UserError(
                .alreadySo, "that key has another number, or that number another class",
                why: "the first record on a number or key counts",
                advice: "seatagent desk members")
        case .void(let reason):
            UserError(
                .full, "that would break a rule of the venue",
                why: DeskReasonText.words(reason), advice: "seatagent desk requests")
        case .badValue:
            UserError(
                .usage, "that cannot be written",
                why: "the period is outside of these days, or a text is too long",
                advice: "seatagent help desk")
        case .badCharter:
            UserError(
                .badVenue, "the desk cannot go on by these rules",
                why: "they are not signed for it, or what is booked would take other units: within "
                    + "a ledger a place keeps its units and its group, and new places get higher "
                    + "ids than all others",
                advice: "seatagent help desk")
        case .bound:
            UserError(
                .notAllowedNow, "its holder's yes to a swap binds that booking",
                why: "the swap is not decided", advice: "seatagent desk requests")
        case .noRoom:
            UserError(
                .logFull, "the ledger is full", why: "it holds as much as it may",
                advice: "seatagent desk")
        }
    }
}

extension DeskDone {
    init(_ reply: DeskReply) {
        func texts(_ tokens: [Token]) -> [String] { tokens.map { hexadecimal($0.bytes) } }
        switch reply {
        case .done: self.init()
        case .booked(let tokens): self.init(bookings: texts(tokens))
        case .blocked(let period, let inTheWay):
            self.init(period: period.map { PeriodFacts($0) }, stay: texts(inTheWay))
        case .moved(let tokens, let bound, let retired):
            self.init(
                bookings: texts(tokens), stay: texts(bound),
                retired: retired.map { hexadecimal($0.bytes) })
        }
    }
}

extension DeskStateWord {
    init(_ state: DeskState) {
        self =
            switch state {
            case .open: .open
            case .gathering: .gathering
            case .away: .away
            case .restored: .restored
            case .alone: .alone
            case .shut: .shut
            case .noCharter: .noCharter
            case .twoDesks: .twoDesks
            case .over: .over
            case .forked: .forked
            }
    }

    /// What it means, for people.
    var sentence: String {
        switch self {
        case .open: "it is open"
        case .gathering: "it gathers what people asked while it was away"
        case .away: "its people closed it"
        case .restored: "its disk was put back from a copy: say that it may open"
        case .alone: "nobody was linked since it started"
        case .shut: "its log is shut"
        case .noCharter: "the operator has signed no charter for it"
        case .twoDesks: "another desk of this venue runs"
        case .over: "another desk has taken over"
        case .forked: "its ledger was signed twice"
        }
    }
}

/// Reasons of the desk in a few words.
enum DeskReasonText {
    static func words(_ reason: DeskReason) -> String {
        switch reason {
        case .place: "there is no such place"
        case .hours: "the place is closed then"
        case .grain: "it does not begin at that minute"
        case .length: "it cannot be had for so long, or so short"
        case .tooSoon: "it is too late"
        case .tooFar: "it is too early"
        case .notJoined: "they have not joined"
        case .classes: "the place is not for their class"
        case .blocked: "they are blocked"
        case .tooMany: "they caused as many records as one may"
        case .noRoom: "the ledger is nearly full"
        case .quota: "their quota of that day would be exceeded"
        case .together: "they have as many bookings at that time as one may"
        case .kept: "the venue keeps the place for itself then"
        case .full: "others have it then"
        case .notYours: "it is not theirs"
        case .over: "the booking has ended"
        case .bound: "an open yes binds it"
        case .late: "it is too late for that"
        case .same: "nothing would change"
        case .expired: "the request was only to stand until then"
        case .withdrawn: "they took it back"
        case .unknown: "there is nothing to take back"
        case .refused: "the desk said no"
        }
    }
}
