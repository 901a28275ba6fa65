// SPDX-License-Identifier: Apache-2.0
@testable import Grammar
@testable import Aviation
@testable import CivilTime
@testable import ControlAPI
@testable import Notify
@testable import Protocol
@testable import SeatAgent
@testable import Text
@testable import Trips
@testable import View
@testable import Wording

/// Objects of the socket as tests write them: with the members that matter, read as from an agent.
func told<Value: Decodable>(_ json: JSON) -> Value {
    do throws(JSONFault) {
        return try Value(told: json)
    } catch {
        preconditionFailure("\(json.line) is no \(Value.self): \(error.sentence)")
    }
}

/// The same for an object that may be missing or `null`.
func told<Value: Decodable>(some json: JSON?) -> Value? {
    json.flatMap { $0 == .null ? nil : told($0) }
}

extension RequestText {
    init(request: JSON) { self.init(told(request)) }
}

extension EventText {
    init(event: JSON, slash: Bool = false, ascii: Bool = false) {
        let event = ToldEvent(event).event
        self.init(event: event, slash: slash, ascii: ascii)
    }

    static func clock(_ date: String) -> String { clock(Stamp(text: date)) }
    static func mark(_ word: String, ascii: Bool) -> String {
        mark(Word(text: word), ascii: ascii)
    }
}

extension WhoText {
    static func short(_ who: JSON?) -> String { short(told(some: who) as Person?) }
    static func tagged(_ who: JSON?) -> String { tagged(told(some: who) as Person?) }
    static func seated(_ who: JSON?) -> String { seated(told(some: who) as Person?) }
    static func full(_ who: JSON?) -> String { full(told(some: who) as Person?) }
    static func seats(_ who: JSON?) -> String { seats(told(some: who) as Person?) }
}

extension PressingText {
    init?(_ json: JSON?) { self.init(told(some: json) as Pressing?) }
}

extension CabinAskText {
    init?(_ json: JSON?) { self.init(told(some: json) as LayoutQuestion?) }
}

extension PeerColumns {
    init(_ people: [JSON]) { self.init(people.map { told($0) as Person }) }
}

extension ClaimText {
    static func lines(_ item: JSON, _ peers: [String: JSON]) -> [String] {
        lines(told(item), peers.mapValues { told($0) as Person })
    }
}

extension WindowText {
    static func line(_ window: JSON?) -> String { line(told(some: window) as WindowFacts?) }
}

extension SeatMarks {
    static func marks(map: JSON, peers: [JSON], requests: [JSON]) -> [Seat: SeatMark] {
        let list: SeatList = told(map)
        return marks(
            map: list.seats, peers: peers.map { told($0) }, requests: requests.map { told($0) })
    }
}

extension Mention {
    init(_ who: JSON) { self.init(told(who) as Person) }
}

extension Notifier {
    init(_ settings: NotifySettings, me: JSON, requests: [JSON] = []) {
        self.init(settings, me: told(me) as Person, requests: requests.map { told($0) })
    }

    mutating func handle(
        _ event: JSON, looking: Looking, at now: Instant
    ) -> [Notify.Notification] {
        handle(ToldEvent(event).event, looking: looking, at: now)
    }
}

extension CompletionAnswer {
    static func passengers(_ peers: JSON) -> [Candidate] {
        passengers((told(peers) as PeerList).peers)
    }
    static func seatsOfOthers(_ peers: JSON, _ cabin: CabinLayout) -> [Candidate] {
        seatsOfOthers((told(peers) as PeerList).peers, cabin)
    }
    static func ownSeats(_ status: JSON) -> [Candidate] { ownSeats(told(status) as AgentStatus) }
    static func requests(_ answer: JSON, for use: RequestUse) -> [Candidate] {
        requests((told(answer) as RequestList).requests, for: use)
    }
}

extension SearchCommand {
    static func line(_ event: JSON, _ today: LocalDay?, ascii: Bool) -> String? {
        line(ToldEvent(event).event, today, ascii: ascii)
    }
}

extension ChatListener {
    func line(_ event: JSON) -> String? { line(ToldEvent(event).event) }
    mutating func sent(_ answer: JSON) -> DeliveryMark {
        answer["linked"] == nil
            ? sent(told(answer) as PrivateMessage) : sent(told(answer) as Op.Say.Reply)
    }
}

extension ViewState {
    mutating func handle(event: JSON) -> [ViewIntent] {
        handle(event: ToldEvent(event).event)
    }
}

extension ViewIntent {
    /// A question with the arguments that it has on the socket.
    static func ask(op: String, arguments: [String: JSON], _ purpose: Purpose) -> ViewIntent {
        let operation = OperationName(rawValue: op) ?? .hello
        return .call(ControlCall(operation: operation, arguments: .object(arguments)), purpose)
    }

    /// The arguments of the question `operation`; `nil` for anything else.
    func arguments(of operation: OperationName) -> JSON? {
        guard case .call(let call, _) = self, call.operation == operation else { return nil }
        return call.arguments
    }
}

/// A case of `Purpose` has the name of the function above.
private func read(_ arguments: [String: JSON]) -> Op.Swap { told(.object(arguments)) }

extension Purpose {
    static func draft(arguments: [String: JSON], line: String? = nil) -> Purpose {
        Purpose.draft(.swap(read(arguments)), line: line)
    }
}
