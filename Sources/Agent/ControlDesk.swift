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
        /// A connection.
        case dial(PeerAddress)
        /// The end of the agent.
        case stop
        /// No end of it before it is told.
        case stay
        /// Another picture of the cabin.
        case use(CabinLayout)
    }

    /// Every operation, in the order of the manual.
    static let operations:
        [(name: String, run: @Sendable (ControlDesk) throws(UserError) -> Outcome)] = [
            ("hello", { (desk) throws(UserError) in desk.hello() }),
            ("status", { (desk) throws(UserError) in desk.status() }),
            ("peers", { (desk) throws(UserError) in desk.peers() }),
            ("seats", { (desk) throws(UserError) in desk.seats() }),
            ("cabin", { (desk) throws(UserError) in .done(["cabin": desk.host.cabin.json]) }),
            ("cabin-use", { (desk) throws(UserError) in try desk.useCabin() }),
            ("cabin-answer", { (desk) throws(UserError) in try desk.answerCabin() }),
            ("cabin-suggest", { (desk) throws(UserError) in try desk.suggestCabin() }),
            ("cabin-suggestions", { (desk) throws(UserError) in desk.suggestions() }),
            ("party", { (desk) throws(UserError) in desk.party() }),
            ("party-set", { (desk) throws(UserError) in try desk.setParty() }),
            ("who", { (desk) throws(UserError) in try desk.who() }),
            ("say", { (desk) throws(UserError) in try desk.say() }),
            ("msg", { (desk) throws(UserError) in try desk.message() }),
            ("search", { (desk) throws(UserError) in try desk.search() }),
            ("log", { (desk) throws(UserError) in try desk.log() }),
            ("watch", { (desk) throws(UserError) in try desk.watch() }),
            ("offer", { (desk) throws(UserError) in try desk.offer() }),
            ("withdraw", { (desk) throws(UserError) in desk.withdraw() }),
            ("swap", { (desk) throws(UserError) in try desk.swap() }),
            ("propose", { (desk) throws(UserError) in try desk.propose() }),
            ("requests", { (desk) throws(UserError) in try desk.requests() }),
            ("accept", { (desk) throws(UserError) in try desk.accept() }),
            ("decline", { (desk) throws(UserError) in try desk.decline() }),
            ("counter", { (desk) throws(UserError) in try desk.counter() }),
            ("cancel", { (desk) throws(UserError) in try desk.cancel() }),
            ("force", { (desk) throws(UserError) in try desk.force() }),
            ("receipt", { (desk) throws(UserError) in try desk.receipt() }),
            ("verify", { (desk) throws(UserError) in try desk.verify() }),
            ("compared", { (desk) throws(UserError) in try desk.compared() }),
            ("verify-cancel", { (desk) throws(UserError) in desk.cancelVerify() }),
            ("vouch", { (desk) throws(UserError) in try desk.vouch() }),
            ("block", { (desk) throws(UserError) in try desk.block(true) }),
            ("unblock", { (desk) throws(UserError) in try desk.block(false) }),
            ("silence", { (desk) throws(UserError) in try desk.silence() }),
            ("rename", { (desk) throws(UserError) in try desk.rename() }),
            ("claim", { (desk) throws(UserError) in try desk.claim() }),
            ("release", { (desk) throws(UserError) in try desk.release() }),
            ("export", { (desk) throws(UserError) in try desk.export() }),
            ("peer-add", { (desk) throws(UserError) in try desk.addPeer() }),
            ("stay", { (desk) throws(UserError) in .stay }),
            ("forget", { (desk) throws(UserError) in try desk.forget() }),
            ("down", { (desk) throws(UserError) in .stop }),
        ]

    /// What answering takes. Throws what the client is told.
    func outcome() throws(UserError) -> Outcome {
        if let operation = Self.operations.first(where: { $0.name == request.op }) {
            return try operation.run(self)
        }
        let nearest = Suggestions.nearest(
            to: request.op, among: Self.operations.map(\.name))
        throw UserError(
            .unknownOperation, "there is no operation \"\(visible(request.op, cells: 32))\"",
            why: nearest.map { "the nearest is \"\($0)\"" })
    }

    /// Everybody known.
    var book: PeopleBook { PeopleBook(host.node) }

    /// The passenger that `who` names; `command` is the one that a better word would go to.
    func passenger(
        _ command: String, then rest: String = "", notMe: Bool = true
    ) throws(UserError) -> Passenger {
        let found = try book.find(try request.text("who")) { word in
            "seatagent \(command) \(word)" + (rest.isEmpty ? "" : " \(rest)")
        }
        guard !found.isMe || !notMe else {
            throw UserError(.yourself, "that is you", advice: "seatagent peers")
        }
        return found
    }

    /// The seat at `key`.
    func seat(_ key: String) throws(UserError) -> Seat { try seat(named: try request.text(key)) }

    /// A seat as it is written. Throws `no-such-seat`; on the practice flight, whose cabin is
    /// known, also for one that is neither there nor anybody's.
    func seat(named text: String) throws(UserError) -> Seat {
        let seat = try SeatText.parse(text)
        guard host.node.flight.isPractice, !host.cabin.contains(seat),
            SeatHolders.of(host.node.seatView)[seat] == nil
        else { return seat }
        // What others suggest of a made-up cabin takes no seat away from it.
        return try SeatText.parse(text, in: .standard)
    }

    /// The seat at `key`, which may be left out.
    func optionalSeat(_ key: String) throws(UserError) -> Seat? {
        guard let text = try request.optionalText(key) else { return nil }
        return try seat(named: text)
    }

    // MARK: The agent itself

    func hello() -> Outcome {
        let facts = host.facts
        return .done([
            "version": .int(controlVersion), "agent": .string(Version.text),
            "commit": Version.json, "profile": .string(facts.profile), "pid": .int(Int(facts.pid)),
            "operations": .array(Self.operations.map { .string($0.name) }),
            "events": .array(EventName.allCases.map { .string($0.rawValue) }),
        ])
    }

    func watch() throws(UserError) -> Outcome {
        let words = try request.texts("events")
        guard request.arguments["events"] != nil else { return .watch(Set(EventName.allCases)) }
        var names: Set<EventName> = []
        for word in words {
            guard let name = EventName(rawValue: word) else {
                let all = EventName.allCases.map(\.rawValue)
                throw UserError(
                    .badRequest, "there is no event \"\(visible(word, cells: 32))\"",
                    why: "events are " + all.joined(separator: ", "),
                    advice: "seatagent watch "
                        + (Suggestions.nearest(to: word, among: all) ?? "request swap"))
            }
            names.insert(name)
        }
        return .watch(names)
    }

    /// Leaves the flight for good: claims are taken back, then the agent ends and its file goes.
    func forget() throws(UserError) -> Outcome {
        .perform(.leave(force: try request.flag("force"))) { _, desk in
            desk.host.forget()
            return ["flight": .string(desk.host.node.flight.text)]
        }
    }

    func useCabin() throws(UserError) -> Outcome {
        .use(try host.findCabin(try request.text("layout")))
    }

    func addPeer() throws(UserError) -> Outcome {
        let address = try AgentOptions.peer(try request.text("address"))
        return .dial(PeerAddress(host: address.host.description, port: address.port))
    }
}
