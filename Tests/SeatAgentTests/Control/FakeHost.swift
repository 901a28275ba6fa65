// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import Aviation
@testable import ControlAPI
@testable import Protocol
@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Transport

/// The core as a plain value: what the desk reads, set as a test wants it.
struct FakeNode: NodeReading {
    var me: PeerKey
    var flight = FlightName.practice
    var flightKey: FlightKey
    var window: SelectionWindow?
    var passengers: [Passenger] = []
    var links: [LinkView] = []
    var fold: SeatFold
    var mapDigest: Bytes32
    var swapRecords: [SwapRecord] = []
    var consents: [Int: [PeerKey]] = [:]
    func consented(to number: Int) -> [PeerKey] { consents[number] ?? [] }
    func isLinked(_ key: PeerKey) -> Bool { links.contains { $0.peer == key } }
    /// Until when whoever was asked would do it.
    var word: UTCTime?
    func wouldDo(_ record: SwapRecord) -> UTCTime? { word }
    var messages: [DirectMessage] = []
    var leftOut = (logs: 0, messages: 0)
    var timeline: [TimelineItem] = []
    var logs: LogSet
    var canAppend = true
    var party: PartyView?
    func party(at now: Moment) -> PartyView? { party }
    var partyLines: [PartyLine] = []
    var verificationState = Verification.State.idle
    var verified: [VerifiedPeer] = []
    var overlayShape = Overlay.Shape.full
    var agentsKnown: Int { links.count }
    var circuitsCarried = 0
    var silentPlaces: [(address: PeerAddress, tries: Int)] = []

    var trust = Trust.none
    var heard: [Token: UTCTime] = [:]
    func heard(_ token: Token) -> UTCTime? { heard[token] }

    func scenes(_ known: KnownSeats) -> MatchScenes {
        let mine = fold.held(by: me)
        let ranks = ownWish.ranks.map { ranks in
            mine.map { MatchFacts.Ranks(seat: $0.seat, ranks: ranks) }
        }
        return MatchScenes(
            fold, logs.wishes,
            MatchFacts(
                party: [me] + (party?.companions ?? []), ranks: ranks ?? [], needs: known.needs,
                never: known.refusers, absent: known.staying,
                stale: mine.filter { known.kept.contains($0.seat) }.map(\.token)),
            trust: trust, cabin: known.cabin)
    }

    var venueView: VenueView?
    var desk: DeskFacts?
    var ownAsks: [AskFacts] = []
    var bookView = BookView(Book(), BookRoom(RunningBook()), moved: [], paid: [:], visits: [:])
    func bookingRings(at _: Moment) -> BookingMatch {
        BookingMatch(bookView, [], at: 0) { _ in false }
    }
    var forms: [FormRecord] = []
    var deskState: DeskState?
    var deskRequests: [DeskRequest] = []
    var staysTagged: [(author: PeerKey, stay: Stay)] = []
    func stays(tagged tag: ThreadID) -> [(author: PeerKey, stay: Stay)] {
        staysTagged.filter { $0.stay.tag == tag }
    }
    func place(of author: PeerKey) -> Int? {
        staysTagged.first { $0.author == author && $0.stay.until == nil }?.stay.place
    }
    func closes(_ stay: Stay) -> UTCTime? { nil }
    func isBlocked(_ key: PeerKey) -> Bool { false }
    var ownWish = OwnWish()
    func wishDue(at now: Instant) -> Int? { nil }

    var seatView: SeatView { SeatView(fold, trust) }

    /// ada's view of the logs of a voyage, all three linked.
    init(_ voyage: Voyage) {
        me = voyage.ada.key
        flightKey = voyage.flight
        fold = voyage.fold
        mapDigest = fold.digest(voyage.primitives)
        logs = voyage.logs
        let people = [(voyage.ada, "ada"), (voyage.bo, "bo"), (voyage.cy, "cy")]
        for (who, name) in people {
            passengers.append(
                Passenger(
                    key: who.key, name: name, agent: "test 1",
                    seats: fold.held(by: who.key).map(\.seat), isMe: who.key == me,
                    isLinked: who.key != me, ways: [], assurance: .claimed, isBlocked: false,
                    isForked: false,
                    hasLeft: false,
                    firstSeen: UTCTime(seconds: 0), wish: nil))
            guard who.key != me else { continue }
            links.append(
                LinkView(
                    peer: who.key, remote: PeerAddress(host: "10.0.0.2", port: 4000),
                    dialled: true, stage: .mdns, since: .zero))
        }
    }

    /// A record of a negotiation between ada and bo.
    static func record(
        _ number: Int, _ contract: Contract, role: SwapRecord.Role, stage: SwapRecord.Stage
    ) -> SwapRecord {
        var record = SwapRecord(
            number: number, thread: contract.nonce, role: role, contract: contract, stage: stage,
            note: "hi", created: UTCTime(seconds: 1000), expires: UTCTime(seconds: 2800))
        record.isFinal = stage == .committed
        return record
    }
}

/// An agent that remembers what it was asked to do and answers as told.
final class FakeHost: ControlHost {
    var node: FakeNode
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1000))
    var performed: [Intent] = []
    var answer: Result<IntentReply, Refusal> = .success(.done)
    /// What a core would answer; in place of `answer` where it is there.
    var decides: ((Intent, FakeNode) -> Result<IntentReply, Refusal>)?
    var endings = SwapEndings()
    var askEndings = AskEndings()
    let random16 = ThreadID(high: 1, low: 2)
    /// Searches whose answer is still to come; `nil` where each is answered at once.
    var searches: [() -> Void]?
    func match(_ search: MatchSearch, then: @escaping (Matcher) -> Void) {
        guard searches != nil else { return then(search.answer) }
        searches?.append { then(search.answer) }
    }
    func keep(_ notices: [Notice], isOwn: Bool) {
        endings.keep(notices, by: node.me, isOwn: isOwn)
    }
    var dialled: [PeerAddress] = []
    var isStopped = false
    var linger: Int?
    /// Answers are held back until the test gives them, as a core does that still catches up.
    var held: [() -> Void] = []
    var holdsAnswers = false

    var votes: [CabinVote] = []
    var answers = CabinAnswers()
    var cabinQuestion: CabinQuestion? {
        CabinQuestion(votes, answers, drawn: cabin) { node.claimedSeats }
    }
    func settle(_ question: CabinQuestion, takes: Bool) {
        answers.settle(question.vote, takes: takes)
        if takes { cabin = question.vote.layout }
    }

    var automatic = AutomaticYes()
    func keep(_ automatic: AutomaticYes) { self.automatic = automatic }

    var silence: Silence?
    func keep(_ silence: Silence?) { self.silence = silence }

    var needs = Needs()
    var judged: (cabin: CabinLayout, isChosen: Bool)?
    func keep(_ needs: Needs) { self.needs = needs }

    init(_ node: FakeNode) { self.node = node }

    var facts: AgentFacts {
        AgentFacts(
            profile: "ada", pid: 7, started: UTCTime(seconds: 900), interface: "lo",
            linger: linger, listening: ["127.0.0.1:7711"], port: 7711, mdns: true, trouble: nil,
            logTrouble: nil)
    }

    func perform(_ intent: Intent, then: @escaping (Result<IntentReply, Refusal>) -> Void) {
        performed.append(intent)
        let answer = decides?(intent, node) ?? answer
        if holdsAnswers { held.append { then(answer) } } else { then(answer) }
    }

    var cabin = CabinLayout.standard

    func findCabin(_ id: String) throws(UserError) -> CabinLayout {
        try CabinShelf(directory: "/nonexistent").find(id)
    }

    func use(_ layout: CabinLayout) { cabin = layout }

    var found: [SearchHit] = []

    func search(_ query: SearchQuery, limit: Int) -> (hits: [SearchHit], more: Bool) {
        (Array(found.prefix(limit)), found.count > limit)
    }

    func dial(_ address: PeerAddress) { dialled.append(address) }

    func copyFile(to path: String) throws(UserError) {}
    func stop() { isStopped = true }
    func stay() { linger = nil }
    func forget() { isStopped = true }
    func takeKey(
        _ passphrase: [UInt8], then: @escaping (Result<Op.TakeKey.Reply, UserError>) -> Void
    ) {
        then(.success(Op.TakeKey.Reply(text: "seatkey1:")))
    }

    /// The desk's answer to one request: the result, or the error.
    func ask(_ op: String, _ arguments: [String: JSON] = [:]) -> Result<JSON, UserError> {
        let answer = asked(op, arguments)
        // What stands for an answer of the server is a list or a word.
        if case .success(let result) = answer, result.members != nil {
            // A withdrawn offer and the like have nothing to say; a request
            // of no core has no record.
            if result != [:] { Proof.check(op, arguments, result) }
        }
        return answer
    }

    private func asked(_ op: String, _ arguments: [String: JSON]) -> Result<JSON, UserError> {
        let request = ControlRequest(id: 1, op: op, arguments: arguments)
        let desk = ControlDesk(host: self, request: request)
        do throws(UserError) {
            switch try desk.outcome() {
            case .done(let result): return .success(result)
            case .watch(let names): return .success(.array(names.map { .string($0.rawValue) }))
            case .dial(let address): return .success(.string(address.text))
            case .stop: return .success("stop")
            case .take: return .success(["text": "seatkey1:"])
            case .stay:
                stay()
                return .success("stay")
            case .use(let layout):
                use(layout)
                return .success(["cabin": layout.json])
            case .match(let search, let result): return result(search.answer, desk)
            case .perform(let intent, let result):
                var answered: Result<JSON, UserError>?
                perform(intent) { outcome in
                    answered = outcome.map { result($0, desk) }.mapError(desk.error)
                }
                return answered ?? .success(.null)
            }
        } catch {
            return .failure(error)
        }
    }

    /// The error of a request that must be refused.
    func refusal(_ op: String, _ arguments: [String: JSON] = [:]) -> UserError? {
        if case .failure(let error) = ask(op, arguments) { return error }
        return nil
    }

    /// The result of a request that must be answered.
    func result(_ op: String, _ arguments: [String: JSON] = [:]) -> JSON? {
        if case .success(let result) = ask(op, arguments) { return result }
        return nil
    }
}
