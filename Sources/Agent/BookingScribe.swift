// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text

/// Describes bookings, asks and the desk of a venue for clients.
struct BookingScribe {
    let node: any NodeReading
    let book: PeopleBook

    /// A scribe with what `node` knows now.
    init(_ node: any NodeReading) {
        self.node = node
        book = PeopleBook(node)
    }

    /// The desk; `nil` as long as no ledger is known.
    var desk: DeskSightFacts? {
        node.desk.map { desk in
            let view = node.bookView
            let line = said(by: desk.key)
            return DeskSightFacts(
                who: book.person(desk.key), epoch: desk.epoch,
                pages: node.logs.seq(of: desk.key), me: desk.isMe,
                here: desk.isMe || desk.isHeard, heard: desk.heardAt.map { Stamp($0) },
                fork: desk.fork, rivals: desk.rivals.map(book.person),
                says: line?.text,
                said: line.flatMap { $0.time.seconds > 0 ? Stamp($0.time) : nil },
                voids: view.book.voids.count, lost: view.lost.count)
        }
    }

    /// The last line to everyone in somebody's own log, which no other line pushes out. O(n) of it.
    private func said(by key: PeerKey) -> ChatLine? {
        for entry in node.logs.log(of: key)?.entries.reversed() ?? [] {
            if case .chat(let line) = entry.body { return line }
        }
        return nil
    }

    /// A booking.
    func booking(_ booking: BookView.Booking) -> BookingFacts {
        let grant = booking.mint.grant
        return BookingFacts(
            token: hexadecimal(booking.token.bytes), place: grant.place,
            period: PeriodFacts(grant.period), count: grant.count,
            holder: book.person(booking.holder), member: grant.member,
            due: grant.due.map { MoneyFacts($0) }, paid: booking.paid,
            blocked: booking.isBlocked, override: grant.flags.contains(.override),
            visit: booking.visit.map { VisitWord($0) },
            ended: booking.mint.end.map { BookingEnding($0.reason) },
            spent: booking.mint.end?.spent ?? false, ask: grant.ask.map { hexadecimal($0.bytes) },
            seen: node.heard(booking.token).map { Stamp($0) }, note: grant.note)
    }

    /// An ask of somebody.
    func ask(
        _ id: Bytes32, _ ask: BookingAsk, of author: PeerKey, _ state: AskStanding,
        waiting: Int? = nil, reason: Int? = nil
    ) -> AskedFacts {
        var (kind, place, period, count) = (AskKind.book, Int?.none, Period?.none, 1)
        var (token, to, note) = (Token?.none, PeerKey?.none, "")
        switch ask.wish {
        case .book(let wanted, let when, let many, _, _, let words):
            (place, period, count, note) = (wanted, when, many, words)
        case .giveBack(let slot, let key): (kind, token, to) = (.giveBack, slot.token, key)
        case .move(let slot, let wanted, let when):
            (kind, token, place, period) = (.move, slot.token, wanted, when)
        case .withdraw: kind = .withdraw
        }
        return AskedFacts(
            ask: hexadecimal(id.bytes), kind: kind, who: book.person(author), place: place,
            period: period.map { PeriodFacts($0) }, count: count,
            token: token.map { hexadecimal($0.bytes) }, to: to.map(book.person),
            until: Stamp(ask.until), state: state, waiting: waiting, reason: reason, note: note)
    }

    /// The user's own asks that are not over.
    var ownAsks: [AskedFacts] {
        node.ownAsks.map { facts in
            switch facts.standing {
            case .asked: ask(facts.id, facts.ask, of: node.me, .asked)
            case .waiting(let place):
                ask(facts.id, facts.ask, of: node.me, .waiting, waiting: place)
            case .refused(let reason):
                ask(facts.id, facts.ask, of: node.me, .refused, reason: reason)
            }
        }
    }

    /// How an own ask stands: by what is known of it, else by the ledger.
    func outcome(_ id: Bytes32, _ endings: AskEndings) -> AskOutcome {
        let text = hexadecimal(id.bytes)
        if let token = node.bookView.bookings.first(where: { $0.mint.grant.ask == id })?.token {
            return AskOutcome(ask: text, state: .done, token: hexadecimal(token.bytes))
        }
        if let ended = endings[id] { return ended }
        guard let facts = node.ownAsks.first(where: { $0.id == id }) else {
            return AskOutcome(ask: text, state: .over)
        }
        return switch facts.standing {
        case .asked: AskOutcome(ask: text, state: .asked)
        case .waiting(let place): AskOutcome(ask: text, state: .waiting, waiting: place)
        case .refused(let reason): AskOutcome(ask: text, state: .refused, reason: reason)
        }
    }

    /// What the user has used of their quotas on a day.
    func quotas(on day: VenueDay) -> [QuotaFacts] {
        let view = node.bookView
        guard let rules = view.rules else { return [] }
        let memberClass = view.member(of: node.me)?.class ?? Int.max
        return rules.quotas(of: memberClass).compactMap { quota in
            let place = rules.places.first { quota.group == nil || $0.group == quota.group }
            guard let place,
                let left = view.room.left(of: node.me, at: place.number, on: day)
                    .first(where: { $0.group == quota.group })
            else { return nil }
            return QuotaFacts(
                group: quota.group,
                minutes: left.minutes.map { quota.minutes - $0 } ?? 0,
                minutesLimit: quota.minutes,
                bookings: left.bookings.map { quota.bookings - $0 } ?? 0,
                bookingsLimit: quota.bookings)
        }
    }

    /// A form that the user sent.
    func form(_ record: FormRecord) -> FormFacts? {
        guard let kind = FormFacts.Kind(record.form) else { return nil }
        return FormFacts(
            id: hexadecimal(record.key.id.bytes), kind: kind, state: .init(record.state),
            text: record.text, at: Stamp(record.at),
            fields: record.form.fields.map { .init(number: $0.number, text: $0.text) })
    }
}

extension FormFacts.Kind {
    /// The word for a form; `nil` for one of later agents.
    init?(_ form: VenueForm) {
        switch form.kind {
        case .join: self = .join
        case .permit: self = .permit
        case .erase: self = .erase
        case .newKey: self = .newKey
        case nil: return nil
        }
    }

    /// The same for the core.
    var kind: VenueForm.Kind {
        switch self {
        case .join: .join
        case .permit: .permit
        case .erase: .erase
        case .newKey: .newKey
        }
    }
}

extension FormFacts.State {
    fileprivate init(_ state: FormState?) {
        self =
            switch state {
            case nil: .waiting
            case .kept: .kept
            case .admitted: .admitted
            case .refused: .refused
            case .unknown: .unknown
            }
    }
}

/// What became of the last own asks that no ledger granted, as far as this process knows.
struct AskEndings {
    private var known: [(id: Bytes32, outcome: AskOutcome)] = []

    /// As many as the user's commands may still ask about.
    private static let limit = 256

    /// What became of that one.
    subscript(id: Bytes32) -> AskOutcome? { known.last { $0.id == id }?.outcome }

    /// Notes news of an own ask, and returns how it stands; `nil` if it goes on.
    mutating func note(_ notice: AskNotice) {
        let id: Bytes32
        let outcome: AskOutcome
        switch notice {
        case .granted(let ask, let token):
            (id, outcome) = (ask, Self.done(ask, token))
        case .closed(let ask, let token):
            (id, outcome) = (ask, Self.done(ask, token))
        case .expired(let ask):
            (id, outcome) = (ask, AskOutcome(ask: hexadecimal(ask.bytes), state: .over))
        case .answered: return
        }
        known.append((id, outcome))
        if known.count > Self.limit { known.removeFirst() }
    }

    private static func done(_ ask: Bytes32, _ token: Token) -> AskOutcome {
        AskOutcome(
            ask: hexadecimal(ask.bytes), state: .done, token: hexadecimal(token.bytes))
    }
}
