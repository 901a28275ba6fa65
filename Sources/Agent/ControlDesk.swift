// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Launch
import Protocol
import Text
import Transport

/// One request at the desk: what it wants, checked against what is known.
struct ControlDesk {
    /// The agent.
    let host: any ControlHost
    /// What is asked.
    let request: ControlRequest

    /// What an answer takes.
    enum Outcome {
        /// Nothing more.
        case done(JSON)
        /// A turn of the core; the result is made once it is durable.
        case perform(Intent, (IntentReply, ControlDesk) -> JSON)
        /// From now on these events go to this client.
        case watch(Set<EventName>)
        /// A search, and what is made of it.
        case match(MatchSearch, (Matcher, ControlDesk) -> Result<JSON, UserError>)
        /// A connection.
        case dial(PeerAddress)
        /// The end of the agent.
        case stop
        /// No end of it before it is told.
        case stay
        /// The end of it, and its key sealed by these bytes.
        case take([UInt8])
        /// Another picture of the cabin.
        case use(CabinLayout)
    }

    /// What is needed to answer an operation whose answer is a `Reply`.
    struct Work<Reply: Encodable> {
        let outcome: Outcome

        /// An answer that is known already.
        static func done(_ reply: Reply) -> Work { Work(outcome: .done(JSON(reply))) }

        /// A turn of the core, and the answer that is known after it; `nil` if there is nothing to
        /// say.
        static func perform(
            _ intent: Intent, _ reply: @escaping (IntentReply, ControlDesk) -> Reply?
        ) -> Work {
            Work(outcome: .perform(intent) { reply($0, $1).map { JSON($0) } ?? [:] })
        }
    }

    /// What is needed to answer. Throws what the client is told.
    func outcome() throws(UserError) -> Outcome {
        if let operation {
            if let error = seatless(operation) { throw error }
            return try outcome(operation)
        }
        let nearest = Suggestions.nearest(
            to: request.op, among: OperationName.allCases.map(\.rawValue))
        throw UserError(
            .unknownOperation, "there is no operation \"\(visible(request.op, cells: 32))\"",
            why: nearest.map { "the nearest is \"\($0)\"" })
    }

    /// The requested operation; `nil` if this agent has none of that name.
    var operation: OperationName? { OperationName(rawValue: request.op) }

    private func outcome(_ operation: OperationName) throws(UserError) -> Outcome {
        switch operation {
        case .hello: hello().outcome
        case .status: status().outcome
        case .peers: peers().outcome
        case .seats: seats().outcome
        case .cabin: Work.done(CabinInUse(cabin: host.cabin.json)).outcome
        case .useCabin: .use(try host.findCabin((try request.asked() as Op.UseCabin).layout))
        case .answerCabin: try run(answerCabin)
        case .suggestCabin: try run(suggestCabin)
        case .suggestions: suggestions().outcome
        case .needs: needs().outcome
        case .setNeeds: try run(setNeeds)
        case .party: party().outcome
        case .newParty: try newParty().outcome
        case .joinParty: try run(joinParty)
        case .inviteToParty: inviteToParty().outcome
        case .answerParty: try run(answerParty)
        case .sayToParty: try run(sayToParty)
        case .removeFromParty: try run(removeFromParty)
        case .trustParty: try run(trustParty)
        case .leaveParty: leaveParty().outcome
        case .who: try run(who)
        case .say: try run(say)
        case .message: try run(message)
        case .game, .play: try played(operation)
        case .search: try run(search)
        case .log: try run(log)
        case .watch: try watch(try request.asked())
        case .wish: try run(wish)
        case .offer: try run(offer)
        case .withdraw: try withdraw().outcome
        case .together: try together()
        case .match: try match()
        case .swap: try swap(try request.asked())
        case .ring: try ring(try request.asked())
        case .propose: try propose(try request.asked())
        case .requests: try run(requests)
        case .accept: try run(accept)
        case .decline: try run(decline)
        case .counter: try counter(try request.asked())
        case .cancel: try run(cancel)
        case .force: try run(force)
        case .undo: try undo(try request.asked())
        case .receipt: try run(receipt)
        case .seated: try run(seated)
        case .verify: try run(verify)
        case .compared: try run(compared)
        case .cancelVerify: cancelVerify().outcome
        case .hosting: try run(hosting)
        case .vouch: try run(vouch)
        case .block: try block((try request.asked() as Op.Block).who, true).outcome
        case .unblock: try block((try request.asked() as Op.Unblock).who, false).outcome
        case .silence: try run(silence)
        case .rename: try run(rename)
        case .claim: try run(claim)
        case .release: try run(release)
        case .export: try run(export)
        case .addPeer: try addPeer(try request.asked())
        case .venue, .checkIn, .checkOut, .friend, .day, .days, .book, .giveBack, .moveBooking,
            .withdrawAsk, .asked, .bookings, .swapBookings, .bookingSwaps, .answerSwap,
            .wishBookings, .bookingRings, .sendForm, .forms, .desk, .deskOpen, .deskAway,
            .deskAnswer, .deskBook, .deskBlock, .deskClose, .deskPaid, .deskVisit, .deskLate,
            .deskMember, .deskMove, .deskDecide, .deskBookings, .deskBackup:
            try atVenue(operation)
        case .takeKey, .stay, .forget, .down: try lasting(operation)
        }
    }

    /// The requested operation about how long the agent runs.
    private func lasting(_ operation: OperationName) throws(UserError) -> Outcome {
        if operation == .stay { return .stay }
        if operation == .forget { return try run(forget) }
        if operation == .down { return .stop }
        return .take(Array((try request.asked() as Op.TakeKey).passphrase.utf8))
    }

    /// The requested operation about a game.
    private func played(_ operation: OperationName) throws(UserError) -> Outcome {
        operation == .game ? try run(game) : try run(play)
    }

    /// The requested operation about a venue: who is there, bookings, and the desk that gives them
    /// out.
    private func atVenue(_ operation: OperationName) throws(UserError) -> Outcome {
        if operation == .venue { return try venue().outcome }
        if operation == .checkIn { return try run(checkIn) }
        if operation == .checkOut { return try run(checkOut) }
        if operation == .friend { return try run(friend) }
        if operation == .day { return try run(day) }
        if operation == .days { return try run(days) }
        if operation == .book { return try run(book) }
        if operation == .giveBack { return try run(giveBack) }
        if operation == .moveBooking { return try run(moveBooking) }
        if operation == .withdrawAsk { return try run(withdrawAsk) }
        if operation == .asked { return try run(asked) }
        if operation == .bookings { return try run(bookings) }
        if operation == .swapBookings { return try run(swapBookings) }
        if operation == .bookingSwaps { return try run(bookingSwaps) }
        if operation == .answerSwap { return try run(answerSwap) }
        if operation == .wishBookings { return try run(wishBookings) }
        if operation == .bookingRings { return try run(bookingRings) }
        if operation == .sendForm { return try run(sendForm) }
        if operation == .forms { return try forms().outcome }
        if operation == .desk { return try desk().outcome }
        if operation == .deskOpen { return try run(deskOpen) }
        if operation == .deskAway { return try deskAway().outcome }
        if operation == .deskAnswer { return try run(deskAnswer) }
        if operation == .deskBook { return try run(deskBook) }
        if operation == .deskBlock { return try run(deskBlock) }
        if operation == .deskClose { return try run(deskClose) }
        if operation == .deskPaid { return try run(deskPaid) }
        if operation == .deskVisit { return try run(deskVisit) }
        if operation == .deskLate { return try run(deskLate) }
        if operation == .deskMember { return try run(deskMember) }
        if operation == .deskMove { return try run(deskMove) }
        if operation == .deskDecide { return try run(deskDecide) }
        if operation == .deskBookings { return try run(deskBookings) }
        return try run(deskBackup)
    }

    /// Reads the question and answers it with the operation's own reply.
    private func run<Operation: ControlOperation>(
        _ answer: (Operation) throws(UserError) -> Work<Operation.Reply>
    ) throws(UserError) -> Outcome {
        try answer(try request.asked()).outcome
    }

    /// Everybody known.
    var book: PeopleBook { PeopleBook(host.node, there: host.there) }

    /// The passenger that `who` names; `command` is the command line for a better word.
    func passenger(
        _ who: String, _ command: String, then rest: String = "", notMe: Bool = true
    ) throws(UserError) -> Passenger {
        let found = try book.find(who) { word in
            "seatagent \(command) \(word)" + (rest.isEmpty ? "" : " \(rest)")
        }
        guard !found.isMe || !notMe else {
            throw UserError(.yourself, "that is you", advice: "seatagent peers")
        }
        return found
    }

    /// A seat as it is written. Throws `no-such-seat`; on the practice flight, whose cabin is
    /// known, also for one that is neither there nor anybody's.
    func seat(named text: String) throws(UserError) -> Seat {
        let seat = try SeatText.parse(text)
        guard host.node.flight.isPractice, !host.cabin.contains(seat),
            SeatHolders.of(host.node.seatView)[seat] == nil
        else { return seat }
        // Suggestions about an invented cabin take no seat away from it.
        return try SeatText.parse(text, in: .standard)
    }

    /// The same for a seat that may be left out.
    func optionalSeat(named text: String?) throws(UserError) -> Seat? {
        guard let text else { return nil }
        return try seat(named: text)
    }

    // MARK: The agent itself

    func hello() -> Work<Op.Hello.Reply> {
        let facts = host.facts
        return .done(
            Op.Hello.Reply(
                version: controlVersion, agent: Version.text, commit: Version.commit,
                profile: facts.profile, pid: Int(facts.pid),
                operations: OperationName.allCases.map { Word($0) },
                events: EventName.allCases.map { Word($0) }))
    }

    func watch(_ asked: Op.Watch) throws(UserError) -> Outcome {
        guard let words = asked.events else { return .watch(Set(EventName.allCases)) }
        var names: Set<EventName> = []
        for word in words {
            guard let name = word.known else {
                let all = EventName.allCases.map(\.rawValue)
                throw UserError(
                    .badRequest, "there is no event \"\(visible(word.text, cells: 32))\"",
                    why: "events are " + all.joined(separator: ", "),
                    advice: "seatagent watch "
                        + (Suggestions.nearest(to: word.text, among: all) ?? "request swap"))
            }
            names.insert(name)
        }
        return .watch(names)
    }

    /// Leaves the flight for good: takes claims back, then ends the agent and deletes its file.
    func forget(_ asked: Op.Forget) -> Work<Op.Forget.Reply> {
        .perform(.leave(force: asked.force)) { _, desk in
            desk.host.forget()
            return Op.Forget.Reply(flight: desk.host.node.flight.text)
        }
    }

    func addPeer(_ asked: Op.AddPeer) throws(UserError) -> Outcome {
        let address = try AgentOptions.peer(asked.address, line: "seatagent peers --add ")
        return .dial(PeerAddress(host: address.host.description, port: address.port))
    }
}
