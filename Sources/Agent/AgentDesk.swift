// SPDX-License-Identifier: Apache-2.0
import Bookings
import CivilTime
import DeskShell
import Keys
import Launch
import Protocol
import System
import Text
import Venues

/// What makes an agent the desk of a venue: what its operator signed for it, and what it goes by.
struct DeskCharter {
    let charter: Charter
    let terms: DeskTerms
}

/// The desk of a venue, where this agent is it: its charter, its policy, and who joins.
extension Agent {
    /// What makes this agent a desk; `nil` for all others. Throws what people should be told.
    static func deskStart(
        _ options: AgentOptions, _ opened: FlightStore.Opened, _ primitives: any Primitives
    ) throws(UserError) -> DeskCharter? {
        guard let start = options.venue, let path = start.deskKey else { return nil }
        return try deskStart(start, path, opened, primitives)
    }

    private static func deskStart(
        _ start: VenueStart, _ path: String, _ opened: FlightStore.Opened,
        _ primitives: any Primitives
    ) throws(UserError) -> DeskCharter {
        guard let page = start.page, let venue = start.venue,
            let zone = TimeZoneRules.named(venue.zone),
            let clock = VenueClock(zone, of: start.name.volume)
        else {
            throw UserError(
                .badVenue, "the desk of \(start.name.slug) cannot read its words",
                advice: "seatagent venue show \(start.name.slug)")
        }
        guard let key = try OperatorFile.read(path), OperatorKey(key.key.raw) == start.name.runBy
        else {
            throw UserError(
                .notYours, "the desk of \(start.name.slug) needs the operator's key",
                why: "it is not in \(visible(path))", advice: "seatagent help desk")
        }
        let rules: BookRules
        do throws(FormFault) {
            rules = try venue.bookRules(for: start.name.volume)
        } catch {
            throw UserError(
                .badVenue, "\(start.name.slug) has no desk", why: error.sentence,
                advice: "seatagent venue check \(start.name.slug)")
        }
        let last = opened.charter
        let begin = try last == nil ? beginning(start, opened) : nil
        let charter = Charter(
            epoch: last?.epoch ?? begin?.epoch ?? 1, revision: page.revision, rules: rules,
            words: primitives.sha256(page.bytes), before: last?.before ?? begin?.before ?? [],
            ledger: opened.identity.key, gathering: opened.flightKey.id, by: key)
        guard let charter else {
            throw UserError(
                .badVenue, "the charter of \(start.name.slug) cannot be written",
                advice: "seatagent help desk")
        }
        return DeskCharter(
            charter: charter,
            terms: DeskTerms(policy: venue.deskPolicy(for: start.name.volume), clock: clock))
    }

    /// What the first charter of a ledger goes on from; `nil` where nothing was before. Throws
    /// `not-allowed-now` if another desk is known, and nobody said that it is lost.
    private static func beginning(
        _ start: VenueStart, _ opened: FlightStore.Opened
    ) throws(UserError) -> (epoch: Int, before: [Charter.Before])? {
        let earlier = CountedLedger.takingOver(opened.stored.entries.map(\.entry))
        let slug = ShellWord.quoted(start.name.slug)
        guard let earlier else {
            guard start.begins == nil else {
                throw UserError(
                    .notAllowedNow, "there is nothing to take over at \(start.name.slug)",
                    why: "no earlier desk of it is known here", advice: "seatagent desk up \(slug)")
            }
            return nil
        }
        guard start.begins != nil else {
            let tags = earlier.before.map { $0.ledger.shortTag }.joined(separator: " and ")
            throw UserError(
                .alreadySo, "\(start.name.slug) has a desk already: \(tags)",
                why: "of two desks one counts; --instead takes over from one that is lost",
                advice: "seatagent desk up \(slug) --instead")
        }
        return earlier
    }

    /// Newer words have other hours, prices and places: the desk goes by them at once.
    func takeDeskWords(_ newer: VenueStart) {
        guard let path = options.venue?.deskKey else { return }
        do throws(UserError) {
            let start = try Self.deskStart(newer, path, opened, primitives)
            feed(.desk(start.terms, start.charter))
        } catch {
            Log.line("the desk goes on by the words before: \(error.lines.joined(separator: " "))")
        }
    }

    // MARK: Who joins

    /// Decides the forms that came, as far as no person has to.
    func serveForms(_ notices: [Notice]) {
        guard node.deskState != nil, let venue = words?.venue else { return }
        for case .form(let record) in notices where record.key.peer != node.me && record.isOpen {
            decide(record, venue)
        }
    }

    /// The same for those that wait since an earlier start.
    func serveKeptForms() {
        guard node.deskState != nil, let venue = words?.venue else { return }
        for record in node.forms where record.key.peer != node.me && record.isOpen {
            decide(record, venue)
        }
    }

    private func decide(_ record: FormRecord, _ venue: Venue) {
        switch record.form.kind {
        case .join: join(record, venue)
        case .erase: erase(record)
        case .permit: permit(record, venue)
        // The people at the desk look at these.
        case .newKey: break
        case nil: settle(record, .unknown, "this desk does not know such a form")
        }
    }

    /// Making keys costs nothing. Whom nobody vouches for is admitted while less than half of the
    /// ledger is full (docs/protocol.md section 33); behind that the people at the desk decide.
    var admitsStrangers: Bool {
        guard let log = node.logs.log(of: node.me) else { return true }
        return log.entries.count < Limits.ledgerForStrangers
            && log.size < Limits.ledgerBytesForStrangers
    }

    private func join(_ record: FormRecord, _ venue: Venue) {
        let fields = record.form.fields.map { (number: $0.number, text: $0.text) }
        let request: JoinRequest
        do throws(FormFault) {
            request = try JoinRequest(fields, of: venue)
        } catch {
            return settle(record, .refused, error.sentence)
        }
        do throws(UserError) {
            let roster = try Roster.read(options.place, of: venue)
            let members = try MemberBook.read(options.place)
            let known = node.bookView.book
            let decision = JoinDecision(request, of: venue, roster, members) { number in
                known.members.contains { $0.number == number && !$0.keys.isEmpty }
            }
            switch decision {
            case .admit(let memberClass):
                guard admitsStrangers || venue.classes[memberClass].proof == .roster else { return }
                try admit(record, request, memberClass, venue)
            case .known(let number):
                guard known.member(of: record.key.peer) == number else { return }
                let memberClass = known.memberClass(number) ?? venue.classes.count - 1
                settle(record, .admitted, venue.memberClass(memberClass).name)
            case .look: return
            }
        } catch {
            Log.line("a form waits: \(error.lines.joined(separator: " "))")
        }
    }

    /// A number first, on disk; then the ledger; then the answer.
    private func admit(
        _ record: FormRecord, _ request: JoinRequest, _ memberClass: Int, _ venue: Venue
    ) throws(UserError) {
        // The list of a desk that was lost may have been lost with it.
        let known = node.bookView.book.members.last?.number ?? 0
        let member = try MemberBook.change(options.place) { (book) throws(UserError) in
            try book.admit(
                who: request.who, name: request.name, mail: request.mail, card: request.card,
                suite: request.answers[.suite], above: known)
        }
        let intent = DeskIntent.member(
            number: member.number, class: memberClass, key: record.key.peer)
        perform(.desk(intent)) { [weak self] result in
            guard let self, case .success = result else { return }
            settle(record, .admitted, venue.memberClass(memberClass).name)
        }
    }

    private func erase(_ record: FormRecord) {
        let number = node.bookView.book.member(of: record.key.peer)
        do throws(UserError) {
            try MemberBook.change(options.place) { (book) throws(UserError) in
                if book.member(number) != nil { try book.forget(number) }
            }
        } catch {
            return Log.line("a form waits: \(error.lines.joined(separator: " "))")
        }
        settle(record, .admitted, "what you said of yourself is deleted here")
    }

    func settle(_ record: FormRecord, _ state: FormState, _ text: String) {
        var words = text
        while words.utf8.count > Limits.formAnswer { words.removeLast() }
        perform(.ledger(.decide(record.key, state, words))) { _ in }
    }

    var random16: ThreadID {
        ThreadID(SodiumPrimitives.random(16)) ?? ThreadID(high: 0, low: 0)
    }
}
