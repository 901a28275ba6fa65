// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Grammar
import Keys
import Launch
import Owner
import Protocol
import System
import Text
import Venues
import Wording

/// `seatagent checkin` and `checkout`: says where the user is in a venue, and that they left.
struct CheckCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Checks in, or out.
    func run(_ verb: Verb) throws(UserError) -> ExitCode {
        try verb == .checkin ? checkIn() : checkOut()
    }

    // MARK: In

    private func checkIn() throws(UserError) -> ExitCode {
        // A locked profile keeps no note, so nothing is said either.
        let book = try ActivityBook.read(call.place)
        let known = try VenueAgent(call, call.line.value("venue"))
        try refuseClosed(try counted(known), known)
        try refuseElsewhere(book, known)
        let (agent, status) = try known.ensure()
        // The operator may have signed newer words meanwhile.
        let place = try counted(agent)
        try refuseClosed(place, agent)
        if status.isIn, let stay = status.stay { throw isIn(stay, agent) }
        let tag = try tag(agent)
        let stay = try agent.ask(Op.CheckIn(place: place.id, tag: tag)).reply
        try note(stay, agent)
        let after = try agent.status()
        let people = after?.people(at: place.id) ?? 1
        let closes = stay.closing.map { "; it closes at \(agent.time($0))" } ?? ""
        let isAlone = after?.linked == 0
        return call.finish(
            json(stay, agent).adding([
                "people": .int(people), "of": .int(place.count),
                "linked": .int(after?.linked ?? 0),
            ]),
            [
                "You are at \(place.name) since \(agent.time(stay.begin))\(closes).",
                isAlone
                    ? "No other agent is within reach yet, so nobody else is counted."
                    : Self.free(people, place),
            ] + (tag == nil ? [] : ["Who knows your address finds you here today."]))
    }

    /// The place that is meant, if people are counted there.
    private func counted(_ agent: VenueAgent) throws(UserError) -> VenuePlace {
        let place = try agent.place(named: call.operands.first)
        guard place.mode == .counted else {
            throw UserError(
                .usage, "nobody checks in at \(place.name)",
                why: "its places are booked, not counted",
                advice: "seatagent venue show \(ShellWord.quoted(agent.venue.slug))")
        }
        return place
    }

    /// Nobody is in two venues at once.
    private func refuseElsewhere(
        _ book: ActivityBook, _ agent: VenueAgent
    ) throws(UserError) {
        let now = SystemClock.utc()
        let open = book.items.first {
            $0.end(at: now) == nil && $0.closes != nil && $0.venue != agent.venue.slug
        }
        guard let open else { return }
        throw UserError(
            .alreadySo, "you are at \(visible(open.name, cells: 60)) of \(open.venue)",
            why: "you are at one place at a time",
            advice: "seatagent checkout --venue \(ShellWord.quoted(open.venue))")
    }

    /// `34 of 120 free`; `full, 121 of 120` where more are there than it has places.
    static func free(_ people: Int, _ place: VenuePlace) -> String {
        StayText.free(people, of: place.count)
    }

    private func refuseClosed(
        _ place: VenuePlace, _ agent: VenueAgent
    ) throws(UserError) {
        guard let now = agent.clock else { return }
        let state = VenueDays(place, of: agent.venue).state(at: now)
        guard !state.isOpen else { return }
        throw UserError(
            .notAllowedNow, "\(place.name) is \(state.words(today: now.date))",
            why: "who is there is counted while it is open",
            advice: "seatagent venue show \(ShellWord.quoted(agent.venue.slug))")
    }

    private func isIn(_ stay: StayFacts, _ agent: VenueAgent) -> UserError {
        let name = agent.venue.place(stay.place)?.name ?? "place \(stay.place)"
        return UserError(
            .alreadySo, "you are at \(name) since \(agent.time(stay.begin))",
            why: "you are at one place at a time", advice: "seatagent checkout")
    }

    // MARK: Being found

    /// The tag by which friends find the user; `nil` unless they allowed it. Asks the first time.
    private func tag(_ agent: VenueAgent) throws(UserError) -> String? {
        var book = try FriendBook.read(call.place)
        if book.isFindable == nil, call.mayAsk {
            call.note(
                "who is in \(agent.venue.name) today can see that somebody is at this place, by a "
                    + "key that is new each day")
            if let address = try OwnerDetails.read(call.place)[.mail] {
                let isYes = call.confirm(
                    "May people who know \(visible(address, cells: 60)) find you here?")
                try FriendBook.change(call.place) { $0.isFindable = isYes }
                book.isFindable = isYes
            } else {
                call.hint("Let friends find you by your address: \(OwnerField.mail.line)")
            }
        }
        guard book.isFindable == true, let address = try OwnerDetails.read(call.place)[.mail] else {
            return nil
        }
        return hexadecimal(try Self.tag(address, agent).bytes)
    }

    /// The tag of an address in the venue today.
    static func tag(_ address: String, _ agent: VenueAgent) throws(UserError) -> ThreadID {
        guard let primitives = SodiumPrimitives(),
            let tag = ContactTag.tag(of: address, in: try agent.name(), primitives: primitives)
        else {
            throw UserError(.failed, "64 MiB of memory for the tag of an address are missing")
        }
        return tag
    }

    // MARK: Out

    private func checkOut() throws(UserError) -> ExitCode {
        _ = try ActivityBook.read(call.place)
        let agent = try checkedIn()
        let stay = try agent.ask(Op.CheckOut()).reply
        try note(stay, agent)
        let name = agent.venue.place(stay.place)?.name ?? "place \(stay.place)"
        let until = stay.end ?? SystemClock.utc()
        let seconds = until.seconds - stay.begin.seconds
        return call.finish(
            json(stay, agent).adding(["seconds": .int(Int(seconds))]),
            ["You left \(name) at \(agent.time(until)), after \(SpanText.words(seconds))."])
    }

    /// The venue where the user is: the one that is named, or the one whose agent says so.
    private func checkedIn() throws(UserError) -> VenueAgent {
        let nowhere = UserError(
            .notAllowedNow, "you are at no place", why: "you left, or it closed",
            advice: "seatagent activity")
        if let slug = call.line.value("venue") {
            let agent = try VenueAgent(call, slug)
            guard let status = try resumed(agent), status.isIn else { throw nowhere }
            return agent
        }
        var found: (agent: VenueAgent, since: UTCTime)?
        for known in try KnownVenues.read(call.place).venues where known.signed != nil {
            // What is wrong with one venue is no reason to stay in another.
            guard let agent = try? VenueAgent(call, known), let status = try? resumed(agent),
                status.isIn, let stay = status.stay
            else { continue }
            if found.map({ $0.since < stay.begin }) ?? true { found = (agent, stay.begin) }
        }
        guard let found else { throw nowhere }
        return found.agent
    }

    /// What the agent of a venue knows. One that was ended while the user was in is started again,
    /// so that what they say reaches the others.
    private func resumed(_ agent: VenueAgent) throws(UserError) -> VenueStatus? {
        if let status = try agent.status() { return status }
        let book = try ActivityBook.read(call.place)
        guard book.open(in: agent.venue.slug, at: SystemClock.utc()) != nil else { return nil }
        return try agent.ensure().status
    }

    // MARK: Notes

    /// Writes the stay into the user's own list.
    private func note(_ stay: StayFacts, _ agent: VenueAgent) throws(UserError) {
        let item = Self.item(stay, agent)
        try ActivityBook.change(call.place) { $0.note(item) }
    }

    static func item(_ stay: StayFacts, _ agent: VenueAgent) -> ActivityBook.Item {
        ActivityBook.Item(
            venue: agent.venue.slug, place: stay.place,
            name: agent.venue.place(stay.place)?.name ?? "place \(stay.place)",
            since: stay.begin, until: stay.end, closes: stay.closing,
            offset: Int(agent.zone.kind(at: stay.begin).offset / 60))
    }

    private func json(_ stay: StayFacts, _ agent: VenueAgent) -> JSON {
        Self.item(stay, agent).json.adding(["findable": .bool(stay.findable)])
    }
}

extension OwnerField {
    /// The line that sets it.
    var line: String { "seatagent profile set \(rawValue) \(ShellWord.quoted(sample))" }
}
