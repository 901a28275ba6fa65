// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Rendezvous
import System
import Text

/// One connection to a machine of a NATS cluster, from the question for its address to its end
/// (docs/meet.md section 10). What is kept lies in streams of JetStream, which the operator made.
final class NATSLink: BrokerLink {
    /// What a link needs to know.
    struct Setup {
        var target: BrokerStream.Target
        var login: NATSText.Login
        var limits: BrokerLimits
        /// Characters of the longest topic, and bytes of the largest payload.
        var longestTopic = MeetTopic.longest
        var largestPayload = MeetLimits.payloadSizes.last ?? 0
    }

    /// What is to be said when the server has answered a PING: it takes all in order.
    private enum Answer {
        case greeted
        case alive
        case subscribed(Int)
        case said(Int, subject: String)
    }

    private let setup: Setup
    private let loop: EventLoop
    private let say: (BrokerNews) -> Void
    private var stream: BrokerStream?
    private var wire: NATSWire?
    /// What a server may send: more than the boxes of a full flight, and then a little.
    private var intake: TokenBucket
    private var timer: TimerToken?
    private var greetingDue: TimerToken?
    /// How far it came.
    private(set) var reached = BrokerReach.name
    /// Seconds that the server's certificate was good for when TLS stood; `nil` without TLS.
    private(set) var certificateLife: Int64?
    private var isUp = false
    private var isOver = false
    private var answers: [Answer] = []
    private var requests = NATSRequests()
    private var filters = NATSFilters()
    /// Live messages that wait until what was left before them is there.
    private var held: [(subject: String, payload: [UInt8], token: Int)] = []
    private let inbox = NATSText.inboxName()
    private var heardAt: Instant
    private var askedAt: Instant?
    /// What the server complained of last: it ends the connection then, most times.
    private var complaint: String?
    private var looked: [String: NATSAnswer.Stream] = [:]
    private var onLooked: (([String: NATSAnswer.Stream]) -> Void)?

    /// The subscription of answers.
    private static let inboxNumber = 1

    /// Begins to connect.
    init(_ setup: Setup, names: BrokerNames, loop: EventLoop, say: @escaping (BrokerNews) -> Void) {
        self.setup = setup
        self.loop = loop
        self.say = say
        heardAt = loop.clock()
        intake = TokenBucket(
            perSecond: BrokerLimits.messagesPerSecond, burst: BrokerLimits.messages,
            at: loop.clock())
        stream = BrokerStream(setup.target, names: names, loop: loop, limits: setup.limits) {
            [weak self] result in
            switch result {
            case .success(let socket): self?.open(socket)
            case .failure(let trouble):
                self?.reached = self?.stream?.reached ?? .name
                self?.end(trouble)
            }
        }
    }

    deinit { close() }

    // MARK: Begin and end

    private func open(_ socket: BrokerSocket) {
        stream = nil
        reached = .login
        certificateLife = socket.certificateLife
        let wire = NATSWire(socket, loop: loop) { [weak self] in
            self?.take($0)
        } over: { [weak self] trouble in
            self?.wireEnded(trouble)
        }
        self.wire = wire
        wire.send(NATSText.connect(setup.login, isTLS: setup.target.trust != nil))
        ping(.greeted)
        heardAt = loop.clock()
        greetingDue = loop.schedule(at: loop.clock() + setup.limits.patience) { [weak self] in
            self?.end(.timedOut)
        }
        tick()
    }

    private func wireEnded(_ trouble: BrokerTrouble) {
        guard trouble == .closed, let complaint else { return end(trouble) }
        let isLogin = complaint.contains("uthoriz") || complaint.contains("uthentic")
        end(isLogin && !isUp ? .login : .says(visible(complaint, cells: 80)))
    }

    /// Ends the link and says so, once.
    private func end(_ trouble: BrokerTrouble) {
        guard !isOver else { return }
        close()
        say(.ended(trouble))
    }

    /// Ends the link without a word.
    func close() {
        guard !isOver else { return }
        isOver = true
        for timer in [timer, greetingDue].compactMap(\.self) { loop.cancel(timer) }
        stream?.cancel()
        wire?.close()
        (stream, wire, onLooked) = (nil, nil, nil)
    }

    // MARK: Time

    /// Once a second while it lasts: is the server there, and are its answers?
    private func tick() {
        timer = loop.schedule(at: loop.clock() + .seconds(1)) { [weak self] in
            guard let self else { return }
            lookForLife(at: loop.clock())
            guard !isOver else { return }
            let (again, lost) = requests.due(at: loop.clock())
            for (number, request) in again { ask(number, request.subject, request.body) }
            for request in lost where !isOver { gaveUp(request, .timedOut) }
            if !isOver { tick() }
        }
    }

    private func lookForLife(at now: Instant) {
        let quiet = TimeSpan.seconds(Int64(setup.limits.keepAlive))
        if let askedAt {
            if askedAt + quiet <= now { end(.silent) }
        } else if isUp, heardAt + quiet <= now {
            askedAt = now
            ping(.alive)
        }
    }

    private func ping(_ answer: Answer) {
        answers.append(answer)
        wire?.send(NATSText.ping)
    }

    // MARK: In

    private func take(_ operation: NATSReader.Operation) {
        guard !isOver else { return }
        (heardAt, askedAt) = (loop.now, nil)
        switch operation {
        case .ping: wire?.send(NATSText.pong)
        case .note: break
        case .pong: ponged()
        case .complaint(let words): complained(words)
        case .message(let message) where message.number == Self.inboxNumber: answered(message)
        case .message(let message): came(message)
        }
    }

    private func ponged() {
        guard !answers.isEmpty else { return end(.malformed) }
        switch answers.removeFirst() {
        case .greeted: greeted()
        case .alive: break
        case .subscribed(let number):
            if let token = filters[number]?.token { say(.subscribed(token)) }
        case .said(let token, _): say(.stored(token))
        }
    }

    /// The login was taken; it counts when one stream is as it should be.
    private func greeted() {
        wire?.send(NATSText.subscribe("\(inbox).*", Self.inboxNumber))
        isUp = true
        lookAtStreams(Array(NATSText.streams.prefix(1))) { [weak self] found in
            guard let self else { return }
            if let greetingDue { loop.cancel(greetingDue) }
            greetingDue = nil
            switch found.values.first {
            case .settings(let settings):
                if let lack = settings.lack { return end(.lacks(lack)) }
            case .refused(.lacks(let lack)): return end(.lacks(lack))
            // An operator may keep such questions for themselves.
            case .refused, nil: break
            }
            reached = .work
            say(.up)
        }
    }

    private func complained(_ words: String) {
        complaint = words
        guard let (subject, isReading) = NATSText.refused(in: words) else { return }
        if isReading {
            for (number, filter) in filters.of(subject) {
                filters.remove(number)
                requests.forget(reading: number)
                say(.refused(.filterRefused(NATSText.notAllowed), filter.token))
            }
            return
        }
        for request in requests.refused(subject) {
            gaveUp(request, .messageRefused(NATSText.notAllowed))
        }
        for (place, answer) in answers.enumerated() {
            guard case .said(let token, subject) = answer else { continue }
            answers[place] = .alive
            say(.refused(.messageRefused(NATSText.notAllowed), token))
        }
    }

    /// A message of a subscription.
    private func came(_ message: NATSMessage) {
        guard let filter = filters[message.number] else { return }
        guard pays() else { return end(.tooMuch) }
        guard let topic = NATSText.topic(of: message.subject) else { return }
        guard let body = message.body, body.count <= setup.largestPayload,
            topic.utf8.count <= setup.longestTopic
        else {
            // No agent writes this: what gives such messages is not asked for any longer.
            say(.refused(.tooLarge, nil))
            return unsubscribe(filter.text)
        }
        filters.saw(message.subject, message.number)
        say(.came(topic: topic, payload: body))
    }

    private func pays() -> Bool {
        guard intake.left(at: loop.now) > 0 else { return false }
        _ = intake.take(1, at: loop.now)
        return true
    }

    private func answered(_ message: NATSMessage) {
        let digits = message.subject.utf8.dropFirst(inbox.utf8.count + 1)
        guard let number = NATSReader.number(digits), let request = requests.answered(number)
        else { return }
        // Nobody answers: a cluster that elects does so soon, one without streams never.
        if message.status == 503, requests.postpone(number, request, at: loop.now) { return }
        switch request.what {
        case .put(let token):
            switch NATSAnswer.stored(message) {
            case .stored: say(.stored(token))
            case .refused(let trouble): say(.refused(trouble, token))
            case nil: end(.malformed)
            }
            tellHeld()
        case .read(let filter): read(NATSAnswer.kept(message), for: filter, request)
        case .look(let name):
            guard let found = NATSAnswer.stream(message) else { return end(.malformed) }
            lookedAt(name, found)
        }
    }

    private func read(
        _ answer: NATSAnswer.Kept?, for number: Int, _ request: NATSRequests.Request
    ) {
        guard let filter = filters[number] else { return }
        switch answer {
        case .none?: hasRead(number, filter)
        case .refused(let trouble): gaveUp(request, trouble)
        case .message(let subject, let sequence, let body):
            guard pays() else { return end(.tooMuch) }
            guard filters.reads(sequence, of: subject, number),
                let topic = NATSText.topic(of: subject), topic.utf8.count <= setup.longestTopic
            else { return end(.malformed) }
            guard body.count <= setup.largestPayload else {
                say(.refused(.tooLarge, nil))
                return unsubscribe(filter.text)
            }
            // An empty one was cleared, and what came live meanwhile is newer.
            if !body.isEmpty, !filter.live.contains(subject) {
                say(.came(topic: topic, payload: body))
            }
            guard let next = filters[number]?.next else { return hasRead(number, filter) }
            readOn(number, filter, from: next)
        case nil: end(.malformed)
        }
    }

    private func hasRead(_ number: Int, _ filter: NATSFilters.Filter) {
        filters.isRead(number)
        say(.subscribed(filter.token))
        say(.given(filter.token))
    }

    /// Nothing comes of a request.
    private func gaveUp(_ request: NATSRequests.Request, _ trouble: BrokerTrouble) {
        switch request.what {
        case .put(let token):
            say(.refused(trouble, token))
            tellHeld()
        case .read(let number):
            guard let filter = filters[number] else { return }
            filters.remove(number)
            wire?.send(NATSText.unsubscribe(number))
            say(.refused(trouble, filter.token))
        case .look(let name): lookedAt(name, .refused(trouble))
        }
    }

    // MARK: Out

    func subscribe(_ filter: String, _ token: Int, withOwn: Bool) {
        guard isReady(), let subject = NATSText.subject(of: filter) else { return }
        unsubscribe(filter)
        let stream = NATSText.stream(of: filter)
        let number = filters.add(filter, subject, stream: stream, token)
        wire?.send(NATSText.subscribe(subject, number))
        guard stream != nil, let added = filters[number] else { return ping(.subscribed(number)) }
        readOn(number, added, from: 1)
    }

    func unsubscribe(_ filter: String) {
        guard isUp, !isOver, let number = filters.number(of: filter) else { return }
        filters.remove(number)
        requests.forget(reading: number)
        wire?.send(NATSText.unsubscribe(number))
    }

    func publish(_ topic: String, _ payload: [UInt8], stay: Int64?, _ token: Int) {
        guard isReady(), let subject = NATSText.subject(of: topic) else { return }
        guard stay != nil, NATSText.stream(of: topic) != nil else {
            // A stream takes a while: who hears of new entries at once would not find them there.
            if requests.isPutting, topic.hasSuffix("/e") {
                return held.append((subject, payload, token))
            }
            return tell(subject, payload, token)
        }
        request(.put(token), subject, payload)
    }

    private func tell(_ subject: String, _ payload: [UInt8], _ token: Int) {
        wire?.send(NATSText.publish(subject, reply: nil, payload))
        ping(.said(token, subject: subject))
    }

    /// Says what waited for streams.
    private func tellHeld() {
        guard !held.isEmpty, !requests.isPutting else { return }
        let all = held
        held = []
        for (subject, payload, token) in all { tell(subject, payload, token) }
    }

    /// Asks what streams are; those that nobody tells of are left out.
    func lookAtStreams(
        _ names: [String] = NATSText.streams,
        then: @escaping ([String: NATSAnswer.Stream]) -> Void
    ) {
        looked = [:]
        onLooked = then
        for name in names { looked[name] = .refused(.timedOut) }
        for name in names { request(.look(name), NATSText.looking(name), []) }
    }

    private func lookedAt(_ name: String, _ found: NATSAnswer.Stream) {
        looked[name] = found
        guard !requests.isLooking, let onLooked else { return }
        self.onLooked = nil
        onLooked(looked)
    }

    private func readOn(_ number: Int, _ filter: NATSFilters.Filter, from next: Int) {
        guard let stream = filter.stream else { return }
        request(
            .read(number), NATSText.reading(stream),
            NATSText.next(from: next, of: filter.subject))
    }

    private func request(_ what: NATSRequests.What, _ subject: String, _ body: [UInt8]) {
        ask(requests.add(what, subject, body, at: loop.now), subject, body)
    }

    private func ask(_ number: Int, _ subject: String, _ body: [UInt8]) {
        wire?.send(NATSText.publish(subject, reply: "\(inbox).\(number)", body))
    }

    /// Whether something may be asked; a server that answers nothing is left.
    private func isReady() -> Bool {
        guard isUp, !isOver else { return false }
        guard requests.count + answers.count + held.count < BrokerLimits.unconfirmed else {
            end(.tooSlow)
            return false
        }
        return true
    }
}
