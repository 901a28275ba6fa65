// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Rendezvous
import System

/// One connection to a broker, from the question for its address to its end: one client of MQTT 5
/// without a session (docs/meet.md section 5).
final class MQTTLink: BrokerLink {
    typealias News = BrokerNews

    /// What a link needs to know.
    struct Setup {
        var target: BrokerStream.Target
        var login: MosquittoClient.Login
        /// Where the door is made: a folder of this user alone.
        var folder: String
        var limits: BrokerLimits
        /// Characters of the longest topic, and bytes of the largest payload.
        var longestTopic = MeetTopic.longest
        var largestPayload = MeetLimits.payloadSizes.last ?? 0
    }

    private let setup: Setup
    private let loop: EventLoop
    private let say: (News) -> Void
    private var stream: BrokerStream?
    private var pump: BrokerPump?
    private var client: MosquittoClient?
    /// What a broker may send: more than the boxes of a full flight, and then a little.
    private var intake: TokenBucket
    private var watched: Int32?
    private var interest: Readiness = []
    private var timer: TimerToken?
    private var greetingDue: TimerToken?
    private var isUp = false
    /// How far it came.
    private(set) var reached = BrokerReach.name
    /// Seconds that the broker's certificate was good for when TLS stood; `nil` without TLS.
    private(set) var certificateLife: Int64?
    private var isOver = false
    /// Why the broker's end of the stream is over, until the library has read what came before.
    private var streamTrouble: BrokerTrouble?
    private var filters: Set<String> = []
    private var subscriptions: [Int32: Int] = [:]
    private var messages: [Int32: Int] = [:]

    /// Begins to connect.
    init(
        _ setup: Setup, names: BrokerNames, loop: EventLoop, say: @escaping (News) -> Void
    ) {
        self.setup = setup
        self.loop = loop
        self.say = say
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
        let client = MosquittoClient(
            setup.login, keepAlive: setup.limits.keepAlive, largest: setup.largestPayload)
        guard let client else {
            socket.close()
            return end(.system(SystemError(code: ENOMEM)))
        }
        self.client = client
        do throws(SystemError) {
            let door = try Door(in: setup.folder)
            let inside = try door.admit { (try? client.connect(to: $0)) != nil }
            let pump = try BrokerPump(socket, door: inside, loop: loop) { [weak self] trouble in
                self?.streamEnded(trouble)
            }
            self.pump = pump
            pump.onDelivered = { [weak self] in self?.turn() }
            try loop.watch(client.socket, .read) { [weak self] _ in self?.turn() }
            watched = client.socket
            interest = .read
            pump.carryUp()
        } catch {
            socket.close()
            return end(.system(error))
        }
        greetingDue = loop.schedule(at: loop.clock() + setup.limits.patience) { [weak self] in
            self?.end(.timedOut)
        }
        tick()
    }

    /// Once a second while it lasts: the library counts its keep-alive.
    private func tick() {
        timer = loop.schedule(at: loop.clock() + .seconds(1)) { [weak self] in
            guard let self, let client else { return }
            do throws(MosquittoClient.Fault) {
                try client.tend()
                settle()
                tick()
            } catch {
                ended(by: error)
            }
        }
    }

    /// The library reads what is left in the door, and then its end.
    private func streamEnded(_ trouble: BrokerTrouble) {
        streamTrouble = trouble
        turn()
        // It stopped to read because it cannot write either.
        end(trouble)
    }

    private func ended(by fault: MosquittoClient.Fault) {
        hear()
        if fault.isSilence { return end(.silent) }
        end(streamTrouble ?? (fault.isEnd ? .closed : .malformed))
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
        if isUp { client?.disconnect() }
        for timer in [timer, greetingDue].compactMap(\.self) { loop.cancel(timer) }
        stream?.cancel()
        pump?.close()
        if let watched { loop.unwatch(watched) }
        watched = nil
        (stream, pump, client) = (nil, nil, nil)
    }

    // MARK: In

    private func turn() {
        guard let client, !isOver else { return }
        do throws(MosquittoClient.Fault) {
            if client.wantsWrite { try client.write() }
            // It answers each message, and its answers have no bound of their own: while the broker
            // takes none, nothing more is read.
            var packets = 0
            var hasMore = true
            while hasMore, !client.wantsWrite, packets < BrokerLimits.packetsPerTurn {
                try client.read()
                hasMore = hear()
                packets += 1
            }
            settle()
        } catch {
            ended(by: error)
        }
    }

    /// Watches for what the library wants next.
    private func settle() {
        guard let client, let watched, !isOver else { return }
        // The library closes its end at a DISCONNECT of the broker; the number may be another's
        // soon.
        guard client.socket == watched else { return end(streamTrouble ?? .closed) }
        let wanted: Readiness = client.wantsWrite ? .write : .read
        guard wanted != interest else { return }
        interest = wanted
        try? loop.modify(watched, wanted)
    }

    /// Passes on what the library heard; whether that was anything.
    @discardableResult private func hear() -> Bool {
        guard let client else { return false }
        let heard = client.takeHeard()
        for one in heard where !isOver { take(one) }
        return !heard.isEmpty && !isOver
    }

    private func take(_ heard: MosquittoClient.Heard) {
        switch heard {
        case .greeted(let greeting): greeted(greeting)
        case .subscribed(let number, let code):
            guard let token = subscriptions.removeValue(forKey: number) else { return }
            if let code { return say(.refused(.filterRefused(code), token)) }
            say(.subscribed(token))
        case .stored(let number, let code):
            guard let token = messages.removeValue(forKey: number) else { return }
            if let code { return say(.refused(.messageRefused(code), token)) }
            say(.stored(token))
        case .came(let topic, let payload):
            guard let payload, topic.utf8.count <= setup.longestTopic else { return shun(topic) }
            guard intake.left(at: loop.now) > 0 else { return end(.tooMuch) }
            _ = intake.take(1, at: loop.now)
            say(.came(topic: topic, payload: payload))
        case .alias: end(.malformed)
        }
    }

    private func greeted(_ greeting: Greeting) {
        if let greetingDue { loop.cancel(greetingDue) }
        greetingDue = nil
        if let trouble = greeting.trouble { return end(trouble) }
        reached = .work
        isUp = true
        say(.up)
    }

    /// No agent writes this: what gives such messages is not asked for any longer.
    private func shun(_ topic: String) {
        say(.refused(.tooLarge, nil))
        for filter in filters where MosquittoClient.matches(filter, topic) { unsubscribe(filter) }
    }

    // MARK: Out

    /// Asks for the messages of a filter.
    func subscribe(_ filter: String, _ token: Int, withOwn: Bool) {
        call { client throws(MosquittoClient.Fault) in
            subscriptions[try client.subscribe(filter, withOwn: withOwn)] = token
            filters.insert(filter)
        }
    }

    /// Asks for them no longer.
    func unsubscribe(_ filter: String) {
        call { client throws(MosquittoClient.Fault) in
            filters.remove(filter)
            try client.unsubscribe(filter)
        }
    }

    /// Says something; with `stay`, it is kept for so many seconds.
    func publish(_ topic: String, _ payload: [UInt8], stay: Int64?, _ token: Int) {
        call { client throws(MosquittoClient.Fault) in
            let stay = stay.map { UInt32(clamping: $0) }
            messages[try client.publish(topic, payload, stay: stay)] = token
        }
    }

    private func call(
        _ ask: (MosquittoClient) throws(MosquittoClient.Fault) -> Void
    ) {
        guard let client, isUp, !isOver else { return }
        guard messages.count + subscriptions.count < BrokerLimits.unconfirmed else {
            return end(.tooSlow)
        }
        do throws(MosquittoClient.Fault) {
            try ask(client)
            settle()
        } catch {
            ended(by: error)
        }
    }
}
