// SPDX-License-Identifier: Apache-2.0
@testable import Aviation
@testable import ControlAPI
@testable import Text
@testable import Trips

/// The types of the control socket, for its manual.
struct ControlTypes {
    /// The question and the answer of one type of operation.
    struct Exchange {
        let members: [JSONMember]
        let question: [JSONObject]
        let answer: [JSONObject]

        init<Operation: ControlOperation>(_ operation: Operation.Type) throws {
            members = try Operation.members() + Operation.Reply.members()
            question = try Operation.objects().enumerated().map { place, object in
                place > 0
                    ? object
                    : JSONObject(
                        name: object.name,
                        members: object.members.filter {
                            !Operation.repeated.contains($0.name)
                        })
            }
            answer = try Operation.Reply.objects()
        }
    }

    /// All that is asked under one name; a draft is a type of its own.
    static func exchanges(_ name: OperationName) throws -> [Exchange] {
        switch name {
        case .hello: [try Exchange(Op.Hello.self)]
        case .status: [try Exchange(Op.Status.self)]
        case .peers: [try Exchange(Op.Peers.self)]
        case .seats: [try Exchange(Op.Seats.self)]
        case .cabin: [try Exchange(Op.Cabin.self)]
        case .useCabin: [try Exchange(Op.UseCabin.self)]
        case .answerCabin: [try Exchange(Op.AnswerCabin.self)]
        case .suggestCabin: [try Exchange(Op.SuggestCabin.self)]
        case .suggestions: [try Exchange(Op.Suggestions.self)]
        case .needs: [try Exchange(Op.Needs.self)]
        case .setNeeds: [try Exchange(Op.SetNeeds.self)]
        case .party: [try Exchange(Op.Party.self)]
        case .newParty: [try Exchange(Op.NewParty.self)]
        case .joinParty: [try Exchange(Op.JoinParty.self)]
        case .inviteToParty: [try Exchange(Op.InviteToParty.self)]
        case .answerParty: [try Exchange(Op.AnswerParty.self)]
        case .sayToParty: [try Exchange(Op.SayToParty.self)]
        case .removeFromParty: [try Exchange(Op.RemoveFromParty.self)]
        case .trustParty: [try Exchange(Op.TrustParty.self)]
        case .leaveParty: [try Exchange(Op.LeaveParty.self)]
        case .who: [try Exchange(Op.Who.self)]
        case .say: [try Exchange(Op.Say.self)]
        case .message: [try Exchange(Op.Message.self)]
        case .search: [try Exchange(Op.Search.self)]
        case .log: [try Exchange(Op.Log.self)]
        case .watch: [try Exchange(Op.Watch.self)]
        case .wish: [try Exchange(Op.Wish.self)]
        case .offer: [try Exchange(Op.Offer.self)]
        case .withdraw: [try Exchange(Op.Withdraw.self)]
        case .swap: [try Exchange(Op.Swap.self), try Exchange(Op.DraftSwap.self)]
        case .ring: [try Exchange(Op.Ring.self), try Exchange(Op.DraftRing.self)]
        case .together: [try Exchange(Op.Together.self)]
        case .match: [try Exchange(Op.Match.self)]
        case .propose: [try Exchange(Op.Propose.self), try Exchange(Op.DraftPropose.self)]
        case .requests: [try Exchange(Op.Requests.self)]
        case .accept: [try Exchange(Op.Accept.self)]
        case .decline: [try Exchange(Op.Decline.self)]
        case .counter: [try Exchange(Op.Counter.self), try Exchange(Op.DraftCounter.self)]
        case .cancel: [try Exchange(Op.Cancel.self)]
        case .force: [try Exchange(Op.Force.self)]
        case .undo: [try Exchange(Op.Undo.self), try Exchange(Op.DraftUndo.self)]
        case .receipt: [try Exchange(Op.Receipt.self)]
        case .seated: [try Exchange(Op.Seated.self)]
        case .verify: [try Exchange(Op.Verify.self)]
        case .compared: [try Exchange(Op.Compared.self)]
        case .cancelVerify: [try Exchange(Op.CancelVerify.self)]
        case .hosting: [try Exchange(Op.Hosting.self)]
        case .vouch: [try Exchange(Op.Vouch.self)]
        case .block: [try Exchange(Op.Block.self)]
        case .unblock: [try Exchange(Op.Unblock.self)]
        case .silence: [try Exchange(Op.Silence.self)]
        case .rename: [try Exchange(Op.Rename.self)]
        case .claim: [try Exchange(Op.Claim.self)]
        case .release: [try Exchange(Op.Release.self)]
        case .export: [try Exchange(Op.Export.self)]
        case .addPeer: [try Exchange(Op.AddPeer.self)]
        case .venue, .checkIn, .checkOut, .friend, .day, .days, .book, .giveBack, .moveBooking,
            .withdrawAsk, .asked, .bookings, .swapBookings, .bookingSwaps, .answerSwap,
            .wishBookings, .bookingRings, .sendForm, .forms, .desk, .deskOpen, .deskAway,
            .deskAnswer, .deskBook, .deskBlock, .deskClose, .deskPaid, .deskVisit, .deskLate,
            .deskMember, .deskMove, .deskDecide, .deskBookings, .deskBackup:
            try booked(name)
        case .game, .play: try played(name)
        case .takeKey, .stay, .forget, .down: [try lasting(name)]
        }
    }

    /// The same of how long the agent runs.
    private static func lasting(_ name: OperationName) throws -> Exchange {
        if name == .stay { return try Exchange(Op.Stay.self) }
        if name == .forget { return try Exchange(Op.Forget.self) }
        return try name == .down ? Exchange(Op.Down.self) : Exchange(Op.TakeKey.self)
    }

    /// The same of a game.
    private static func played(_ name: OperationName) throws -> [Exchange] {
        [try name == .game ? Exchange(Op.Game.self) : Exchange(Op.Play.self)]
    }

    /// The same of operations about bookings and the desk.
    private static func booked(_ name: OperationName) throws -> [Exchange] {
        if name == .venue { return [try Exchange(Op.Venue.self)] }
        if name == .checkIn { return [try Exchange(Op.CheckIn.self)] }
        if name == .checkOut { return [try Exchange(Op.CheckOut.self)] }
        if name == .friend { return [try Exchange(Op.Friend.self)] }
        if name == .day { return [try Exchange(Op.Day.self)] }
        if name == .days { return [try Exchange(Op.Days.self)] }
        if name == .book { return [try Exchange(Op.Book.self)] }
        if name == .giveBack { return [try Exchange(Op.GiveBack.self)] }
        if name == .moveBooking { return [try Exchange(Op.MoveBooking.self)] }
        if name == .withdrawAsk { return [try Exchange(Op.WithdrawAsk.self)] }
        if name == .asked { return [try Exchange(Op.Asked.self)] }
        if name == .bookings { return [try Exchange(Op.Bookings.self)] }
        if name == .swapBookings { return [try Exchange(Op.SwapBookings.self)] }
        if name == .bookingSwaps { return [try Exchange(Op.BookingSwaps.self)] }
        if name == .wishBookings { return [try Exchange(Op.WishBookings.self)] }
        if name == .bookingRings { return [try Exchange(Op.BookingRings.self)] }
        if name == .answerSwap { return [try Exchange(Op.AnswerSwap.self)] }
        if name == .sendForm { return [try Exchange(Op.SendForm.self)] }
        if name == .forms { return [try Exchange(Op.Forms.self)] }
        if name == .desk { return [try Exchange(Op.Desk.self)] }
        if name == .deskOpen { return [try Exchange(Op.DeskOpen.self)] }
        if name == .deskAway { return [try Exchange(Op.DeskAway.self)] }
        if name == .deskAnswer { return [try Exchange(Op.DeskAnswer.self)] }
        if name == .deskBook { return [try Exchange(Op.DeskBook.self)] }
        if name == .deskBlock { return [try Exchange(Op.DeskBlock.self)] }
        if name == .deskClose { return [try Exchange(Op.DeskClose.self)] }
        if name == .deskPaid { return [try Exchange(Op.DeskPaid.self)] }
        if name == .deskVisit { return [try Exchange(Op.DeskVisit.self)] }
        if name == .deskLate { return [try Exchange(Op.DeskLate.self)] }
        if name == .deskMember { return [try Exchange(Op.DeskMember.self)] }
        if name == .deskMove { return [try Exchange(Op.DeskMove.self)] }
        if name == .deskDecide { return [try Exchange(Op.DeskDecide.self)] }
        if name == .deskBookings { return [try Exchange(Op.DeskBookings.self)] }
        return [try Exchange(Op.DeskBackup.self)]
    }

    /// The objects of an event.
    static func objects(_ name: EventName) throws -> [JSONObject] {
        switch name {
        case .peer: try PeerNews.objects()
        case .chat: try ChatNews.objects()
        case .message: try PrivateMessage.objects()
        case .offer: try OfferNews.objects()
        case .seat: try SeatNews.objects()
        case .request: try SwapRequest.objects()
        case .swap: try SwapRequest.objects()
        case .seated: try SeatedNews.objects()
        case .verify: try ComparingNews.objects()
        case .party: try PartyNews.objects()
        case .cabin: try CabinNews.objects()
        case .layout: try LayoutNews.objects()
        case .awake: try AwakeNews.objects()
        case .woke: try WokeNews.objects()
        case .attendance: try AttendanceNews.objects()
        case .booking: try BookingNews.objects()
        case .trouble: try TroubleNews.objects()
        case .window: try WindowFacts.objects()
        case .ready: []
        }
    }

    /// What an event of the log, or with more to say, may be instead.
    static func others(_ name: EventName) throws -> [JSONObject] {
        switch name {
        case .seat: try ClaimNews.objects()
        case .swap: try SwapNews.objects()
        case .layout: try LayoutQuestion.objects()
        case .peer, .chat, .message, .offer, .request, .seated, .verify, .party, .cabin, .awake,
            .woke, .attendance, .booking, .trouble, .window, .ready:
            []
        }
    }

    private var objects: [String: JSONObject] = [:]

    private mutating func keep(_ more: [JSONObject]) {
        for object in more { objects[object.name] = object }
    }

    /// The part of the manual that has every member of every type.
    static func text() throws -> String {
        var types = ControlTypes()
        return try types.written()
    }

    private mutating func written() throws -> String {
        var lines = ["| Operation | Asked with | Answer |", "|---|---|---|"]
        for name in OperationName.allCases {
            let exchanges = try Self.exchanges(name)
            for exchange in exchanges {
                keep(Array(exchange.question.dropFirst()))
                keep(
                    Self.isNamed(exchange.answer[0])
                        ? exchange.answer : Array(exchange.answer.dropFirst()))
            }
            let answers = exchanges.map { Self.answer($0.answer[0]) }
            lines.append(
                "| `\(name.rawValue)` | \(Self.members(exchanges[0].question[0])) | "
                    + answers.joined(separator: "; of a draft ") + " |")
        }
        lines += ["", "| Event | Has |", "|---|---|"]
        for name in EventName.allCases {
            let (first, more) = (try Self.objects(name), try Self.others(name))
            keep(first)
            keep(more)
            let kinds = [first.first, more.first].compactMap { $0 }.map { "`\($0.name)`" }
            let text =
                kinds.isEmpty
                ? "nothing more" : kinds.joined(separator: name == .layout ? " and " : " or ")
            lines.append("| `\(name.rawValue)` | \(text) |")
        }
        keep(try Greeting.objects())
        let sorted = objects.values.filter { !$0.members.isEmpty }.sorted { $0.name < $1.name }
        lines += ["", "| Object | Members |", "|---|---|"]
        lines += sorted.map { "| `\(Self.short($0.name))` | \(Self.members($0)) |" }
        lines += ["", "| Word | One of |", "|---|---|"]
        lines += try words().map { name, words in
            "| `\(name)` | \(words.map { "`\($0)`" }.joined(separator: ", ")) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// All closed lists, by name.
    private func words() throws -> [(String, [String])] {
        var lists: [String: [String]] = [:]
        let questions = try OperationName.allCases.flatMap { try Self.exchanges($0) }
        let tops = questions.flatMap { [$0.question[0], $0.answer[0]] }
        for member in (tops + objects.values).flatMap(\.members) {
            if case .word(let name, let words) = member.kind.inner {
                // Those stand in tables of their own.
                guard ![OperationName.words, EventName.words].contains(words) else { continue }
                lists[name] = words
            }
        }
        return lists.sorted { $0.key < $1.key }
    }

    // MARK: Words

    /// Whether an answer has a type of its own, and is not only that of one operation.
    private static func isNamed(_ object: JSONObject) -> Bool { !object.name.hasPrefix("Op.") }

    private static func short(_ name: String) -> String {
        name.hasPrefix("Op.") ? String(name.dropFirst(3)) : name
    }

    private static func answer(_ object: JSONObject) -> String {
        object.members.isEmpty || !isNamed(object) ? members(object) : "`\(object.name)`"
    }

    private static func members(_ object: JSONObject) -> String {
        let members = object.members.map { member in
            "`\(member.name)`\(member.mayLack ? "?" : "") \(kind(member.kind))"
        }
        return members.isEmpty ? "nothing" : members.joined(separator: ", ")
    }

    private static func kind(_ kind: JSONKind) -> String {
        switch kind {
        case .flag: "flag"
        case .number: "number"
        case .text: "text"
        case .any: "any"
        case .ifTrue: "`true`"
        case .form(let name): name
        case .word(let name, _): "`\(name)`"
        case .object(let name): "`\(short(name))`"
        case .list(let kind): "list of \(Self.kind(kind))"
        case .byWord(let kind): "\(Self.kind(kind)) by word"
        case .orNull(let kind): "\(Self.kind(kind)) or `null`"
        }
    }
}

extension Vocabulary {
    fileprivate static var words: [String] { allCases.map(\.rawValue) }
}

extension JSONKind {
    /// What a list, or what may be `null`, is made of.
    fileprivate var inner: JSONKind {
        switch self {
        case .list(let kind), .byWord(let kind), .orNull(let kind): kind.inner
        case .flag, .number, .text, .any, .form, .word, .object, .ifTrue: self
        }
    }
}
