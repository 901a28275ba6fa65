// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
package import Rendezvous
package import System
package import Text

/// The brokers of a meeting point, or its cluster: carries out what a ``Meeting`` asks of them, and
/// tells it what comes of that (docs/meet.md section 5).
///
/// Each connection that was asked for is answered by `up` or by `down`, and each `up` is followed
/// by one `down`, unless a disconnection is asked for: then nothing more comes of it. Events come
/// at the end of a turn of the loop, never while something is asked.
package final class BrokerPool {
    /// What the configuration says.
    package struct Setup {
        /// Where the brokers are.
        package var address: MeetAddress
        /// Whom to trust.
        package var trust: ClientTrust?
        /// Who logs in; nobody by default.
        package var user: String?
        /// Their password.
        package var password: String?
        /// A folder of this user alone, for as long as it takes to connect.
        package var folder: String
        /// Times.
        package var limits = BrokerLimits()

        /// The brokers at `address`. Throws `usage` if a file of roots cannot be read.
        package init(
            address: MeetAddress, roots: String? = nil, folder: String
        ) throws(UserError) {
            self.address = address
            self.folder = folder
            trust = address.isTLS ? try ClientTrust(roots: roots) : nil
        }

        /// Begins to connect to one of them.
        func open(
            _ broker: MeetBroker, names: BrokerNames, loop: EventLoop,
            say: @escaping (BrokerNews) -> Void
        ) -> any BrokerLink {
            let target = BrokerStream.Target(
                broker: broker, names: certificateNames(of: broker), trust: trust,
                engine: address.engine)
            switch address.engine {
            case .mqtt:
                let login = MosquittoClient.Login(user: user, password: password)
                let link = MQTTLink.Setup(
                    target: target, login: login, folder: folder, limits: limits)
                return MQTTLink(link, names: names, loop: loop, say: say)
            case .nats:
                let login = NATSText.Login(user: user, password: password)
                let link = NATSLink.Setup(target: target, login: login, limits: limits)
                return NATSLink(link, names: names, loop: loop, say: say)
            }
        }

        /// Whose certificate a broker may show: the configured host's, and its own where it is a
        /// part of that. Else whoever answers for the DNS would choose who gets the password.
        private func certificateNames(of broker: MeetBroker) -> [String] {
            let host = address.host
            return broker.host.hasSuffix("." + host) ? [broker.host, host] : [host]
        }
    }

    /// Why there is no connection to a broker, or what it refused last; of those that were asked.
    package private(set) var troubles: [MeetBroker: BrokerTrouble] = [:]
    /// Why the brokers' names are not known.
    package private(set) var nameTrouble: BrokerTrouble?

    private let setup: Setup
    private let loop: EventLoop
    private let names: BrokerNames
    private let tell: (MeetEvent) -> Void
    private var brokers: [MeetBroker] = []
    private var links: [MeetBroker: any BrokerLink] = [:]
    /// The machines of a cluster that has one name; one after another is tried.
    private var machines: [MeetBroker] = []
    private var nextMachine = 0
    private var events: [MeetEvent] = []
    private var isTelling = false
    private var nextLookup: TimerToken?
    private var lastLookup: Instant?
    private var failedLookups = 0
    private var isOver = false

    /// Questions without an answer, after which the host itself is taken for the only broker.
    private static let patientLookups = 3

    /// Asks nothing before ``start()``; `tell` gets the events.
    package init(
        _ setup: Setup, loop: EventLoop, names: BrokerNames? = nil,
        tell: @escaping (MeetEvent) -> Void
    ) {
        self.setup = setup
        self.loop = loop
        self.names = names ?? BrokerNames(loop: loop)
        self.tell = tell
    }

    /// Finds the brokers out.
    package func start() {
        // Before the first socket: a broker that hangs up must not end the process.
        guard MosquittoClient.isReady else { return nameTrouble = .system(.last) }
        guard setup.address.hasRecords else { return takePool(nil) }
        look()
    }

    /// Ends everything, without a word.
    package func stop() {
        isOver = true
        for link in links.values { link.close() }
        links = [:]
        events = []
        if let nextLookup { loop.cancel(nextLookup) }
        nextLookup = nil
    }

    // MARK: Asks

    /// Does what a meeting asks for, in order.
    package func perform(_ asks: [MeetAsk]) {
        for ask in asks where !isOver {
            let broker = ask.broker
            switch ask.what {
            case .connect: connect(broker)
            case .disconnect: disconnect(broker)
            case .subscribe(let filter, let token, let withOwn):
                links[broker]?.subscribe(filter, token, withOwn: withOwn)
            case .unsubscribe(let filter): links[broker]?.unsubscribe(filter)
            case .publish(let topic, let payload, let stay, let token):
                links[broker]?.publish(topic, payload, stay: stay, token)
            }
        }
    }

    private func connect(_ broker: MeetBroker) {
        guard links[broker] == nil else { return }
        links[broker] = setup.open(machine(of: broker), names: names, loop: loop) {
            [weak self] news in self?.heard(news, from: broker)
        }
    }

    /// A cluster keeps everything together, so that any of its machines will do.
    private func machine(of broker: MeetBroker) -> MeetBroker {
        machines.isEmpty ? broker : machines[nextMachine % machines.count]
    }

    private func disconnect(_ broker: MeetBroker) {
        links.removeValue(forKey: broker)?.close()
        events.removeAll { $0.broker == broker }
    }

    // MARK: Events

    private func heard(_ news: BrokerNews, from broker: MeetBroker) {
        switch news {
        case .up:
            troubles[broker] = nil
            queue(.up(broker))
        case .subscribed(let token): queue(.subscribed(broker, token))
        case .given(let token): queue(.given(broker, token))
        case .stored(let token): queue(.stored(broker, token))
        case .came(let topic, let payload): queue(.came(broker, topic: topic, payload: payload))
        case .refused(let trouble, let token):
            troubles[broker] = trouble
            if let token { queue(.refused(broker, token)) }
        case .ended(let trouble):
            links[broker] = nil
            nextMachine += 1
            troubles[broker] = trouble
            queue(.down(broker))
            // One that left the pool tells nothing about the others.
            if setup.address.hasRecords, brokers.contains(broker) { lookAgain() }
        }
    }

    private func queue(_ event: MeetEvent) {
        events.append(event)
        guard !isTelling else { return }
        isTelling = true
        loop.enqueue { [weak self] in self?.tellAll() }
    }

    private func tellAll() {
        // One by one: what is asked in between may take others back.
        while !events.isEmpty { tell(events.removeFirst()) }
        isTelling = false
    }

    // MARK: The pool

    private func look() {
        lastLookup = loop.clock()
        plan(at: loop.clock() + setup.limits.lookup)
        names.services(of: setup.address.recordName) { [weak self] answer in
            self?.found(answer)
        }
    }

    private func plan(at time: Instant) {
        if let nextLookup { loop.cancel(nextLookup) }
        nextLookup = loop.schedule(at: time) { [weak self] in self?.look() }
    }

    /// A broker failed: perhaps it is gone for good.
    private func lookAgain() {
        let now = loop.clock()
        plan(at: max(now, lastLookup.map { $0 + setup.limits.lookupAgain } ?? now))
    }

    private func found(_ answer: NameQuestion.Answer<[UInt8]>) {
        guard !isOver else { return }
        let records: [MeetBroker]?
        switch answer {
        // Some networks say that nothing exists: what is known is not given up at once.
        case .none: records = brokers.isEmpty || failedLookups >= Self.patientLookups ? [] : nil
        case .found(let bytes): records = ServiceRecords.brokers(in: bytes)
        case .nobodySaid: records = nil
        }
        if let records {
            failedLookups = 0
            nameTrouble = nil
            return takePool(records.isEmpty ? nil : records)
        }
        failedLookups += 1
        nameTrouble = .noNames
        plan(at: loop.clock() + setup.limits.patience)
        // Some networks answer for addresses alone; what was known stays.
        if brokers.isEmpty, failedLookups >= Self.patientLookups { takePool(nil) }
    }

    private func takePool(_ records: [MeetBroker]?) {
        let own = [setup.address.broker].compactMap(\.self)
        if setup.address.engine == .nats, machines != (records ?? own).sorted() {
            machines = (records ?? own).sorted()
            nextMachine = machines.indices.randomElement() ?? 0
        }
        let pool = setup.address.engine == .nats ? own : (records ?? own).sorted()
        guard pool != brokers else { return }
        brokers = pool
        troubles = troubles.filter { pool.contains($0.key) }
        queue(.pool(pool))
    }
}

extension MeetEvent {
    /// Whom it is from.
    fileprivate var broker: MeetBroker? {
        switch self {
        case .up(let broker), .down(let broker), .subscribed(let broker, _),
            .given(let broker, _), .stored(let broker, _), .refused(let broker, _),
            .came(let broker, _, _):
            broker
        case .pool, .own, .learnt, .mail, .tunnel, .tick: nil
        }
    }
}
