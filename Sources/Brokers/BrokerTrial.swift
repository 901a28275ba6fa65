// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import System

/// Tries one broker as an agent would use it, in a group that nobody is in: says something to
/// itself, has something kept, reads it over a second connection and clears it.
final class BrokerTrial {
    /// What is under way.
    private enum Step {
        case connecting
        case listening
        case looping(left: Int, since: Instant)
        case keeping
        case reading
        case asking
        case clearing
        case readingAgain
        case over
    }

    private let setup: BrokerPool.Setup
    private let loop: EventLoop
    private let resolver: BrokerNames
    private let names: MeetNames
    private let payload: [UInt8]
    private var step = Step.connecting
    private var links: [Line: any BrokerLink] = [:]
    private var silence: TimerToken?
    private var trips: [TimeSpan] = []
    private var came: [UInt8]?
    private(set) var facts: BrokerFacts

    /// Who writes and talks to itself; who reads; who asks for everything; who reads again.
    private enum Line: Int {
        case writer, reader, stranger, again
    }

    /// Messages to itself: one alone can be lucky.
    private static let trips = 5
    /// What is kept comes within so long after a subscription was taken.
    private static let patience = TimeSpan.milliseconds(1500)
    /// What was cleared comes within so long, if it still comes.
    private static let calm = TimeSpan.milliseconds(300)
    /// Nobody finds what a trial that died left behind after so many seconds.
    private static let stay: Int64 = 300

    /// Begins; `names` are those of a group that nobody is in.
    init(
        _ broker: MeetBroker, _ setup: BrokerPool.Setup, names: MeetNames, resolver: BrokerNames,
        loop: EventLoop
    ) {
        self.setup = setup
        self.loop = loop
        self.resolver = resolver
        self.names = names
        // As long as the smallest sealed one, and nothing that an agent would take for one.
        payload = (0..<(MeetLimits.payloadSizes.first ?? 0)).map { _ in UInt8.random(in: 2...255) }
        facts = BrokerFacts(broker)
        open(.writer)
    }

    var isOver: Bool { if case .over = step { true } else { false } }

    /// Ends it here.
    func end(_ trouble: BrokerTrouble?) {
        guard !isOver else { return }
        // One that is stuck or late must not leave anything behind.
        if let trouble {
            links[.writer]?.publish(box, [], stay: 0, 0)
            facts.trouble = trouble
        }
        step = .over
        if let silence { loop.cancel(silence) }
        if let writer = links[.writer] { facts.reached = max(facts.reached, writer.reached) }
        for link in links.values { link.close() }
        links = [:]
    }

    private var box: String { MeetTopic.card(names.trialBox).text(in: names) }
    private var ear: String { MeetTopic.tunnel(inbox: names.trialBox).text(in: names) }
    private var bucket: String { MeetFilter.cards(names.trialBox.bucket).text(in: names) }

    /// What gives a stranger the names of groups.
    private var everything: String {
        switch setup.address.engine {
        case .mqtt: return "sa1/#"
        case .nats:
            // A stream is asked, and a stream has whole shards.
            let words = names.prefix.split(separator: "/")
            return words.prefix(2).joined(separator: "/") + "/+/c/+/+"
        }
    }

    private func listen() { links[.writer]?.subscribe(ear, 0, withOwn: true) }

    private func open(_ line: Line) {
        links[line] = setup.open(facts.broker, names: resolver, loop: loop) {
            [weak self] news in self?.heard(news, on: line)
        }
    }

    private func close(_ line: Line) { links.removeValue(forKey: line)?.close() }

    private func wait(_ span: TimeSpan, then: @escaping (BrokerTrial) -> Void) {
        if let silence { loop.cancel(silence) }
        silence = loop.schedule(at: loop.clock() + span) { [weak self] in
            guard let self else { return }
            silence = nil
            then(self)
        }
    }

    // MARK: What comes

    private func heard(_ news: BrokerNews, on line: Line) {
        switch news {
        case .up: up(line)
        case .subscribed: subscribed(line)
        case .given: break
        case .stored: stored()
        case .came(let topic, let payload): came(topic, payload, on: line)
        case .refused(let trouble, _): refused(trouble, line)
        case .ended(let trouble):
            guard line == .stranger else { return end(trouble) }
            // To hang up at the question is an answer too; before it, nothing was found out.
            if links[line]?.reached == .work { answered(.narrow) } else { clear() }
        }
    }

    private func up(_ line: Line) {
        switch line {
        case .writer:
            facts.certificateLife = links[.writer]?.certificateLife
            step = .listening
            guard let link = links[.writer] as? NATSLink else { return listen() }
            link.lookAtStreams { [weak self] found in
                self?.facts.streams = StreamFacts(found)
                self?.listen()
            }
        case .reader, .again: links[line]?.subscribe(bucket, 0, withOwn: true)
        case .stranger: links[line]?.subscribe(everything, 0, withOwn: true)
        }
    }

    private func subscribed(_ line: Line) {
        switch line {
        case .writer: sayAgain(Self.trips)
        case .reader: wait(Self.patience) { $0.took(.forgotten) }
        case .stranger: wait(Self.calm) { $0.answered(.silent) }
        case .again: wait(Self.calm) { $0.end(nil) }
        }
    }

    private func refused(_ trouble: BrokerTrouble, _ line: Line) {
        guard line == .stranger else { return end(trouble) }
        // What was too large was given all the same.
        if case .filterRefused = trouble { answered(.narrow) } else { answered(.wide) }
    }

    private func came(_ topic: String, _ payload: [UInt8], on line: Line) {
        switch (line, step) {
        case (.writer, .looping(let left, let since)) where topic == ear:
            trips.append(loop.clock() - since)
            sayAgain(left - 1)
        case (.reader, .reading) where topic == box:
            took(payload == self.payload ? .kept : .changed)
        case (.stranger, .asking): answered(.wide)
        case (.again, .readingAgain) where topic == box && !payload.isEmpty:
            facts.keeping = .stuck
            end(nil)
        default: break
        }
    }

    // MARK: What is done, in order

    private func sayAgain(_ left: Int) {
        guard left == 0 else {
            step = .looping(left: left, since: loop.clock())
            links[.writer]?.publish(ear, payload, stay: nil, 0)
            return wait(setup.limits.patience) { $0.end(.timedOut) }
        }
        if let silence { loop.cancel(silence) }
        facts.roundTrip = trips.sorted()[trips.count / 2]
        step = .keeping
        links[.writer]?.publish(box, payload, stay: Self.stay, 0)
    }

    private func stored() {
        switch step {
        case .keeping:
            step = .reading
            open(.reader)
        case .clearing:
            step = .readingAgain
            open(.again)
        default: break
        }
    }

    private func took(_ keeping: BrokerFacts.Keeping) {
        // The wait for it is over, or a slow connection that comes next would be taken for silence.
        if let silence { loop.cancel(silence) }
        silence = nil
        facts.keeping = keeping
        close(.reader)
        step = .asking
        open(.stranger)
    }

    private func answered(_ width: BrokerFacts.Width) {
        guard case .asking = step else { return }
        facts.width = width
        clear()
    }

    private func clear() {
        close(.stranger)
        if let silence { loop.cancel(silence) }
        step = .clearing
        links[.writer]?.publish(box, [], stay: 0, 0)
    }
}
