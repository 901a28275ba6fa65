// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Reads boxes at one broker, a few filters at a time (docs/meet.md section 3).
///
/// A broker of MQTT gives no sign that a filter is read: it is when the subscription was taken and
/// a quarter of a second passed in silence, or after 20 s. JetStream says when it has no more.
/// Others need not wait for that: a mark that this agent says to itself comes back behind what a
/// broker queued before, and only what it may still have queued counts against its queue.
struct BoxReading: Hashable, Sendable {
    /// One filter in one epoch.
    struct Step: Hashable, Sendable {
        var filter: MeetFilter
        var epoch: MeetEpoch
        /// Whether the subscription stays when it is read.
        var stays = false
        /// Whether the own box is known when it is read.
        var isOwn = false
        /// Whether it was refused once: then it is not asked for again.
        var isAgain = false
        /// Whether it goes ahead of what is read of everybody.
        var isNext = false

        /// Whether it reads the same, whenever that is.
        func isSame(as other: Step) -> Bool {
            filter == other.filter && epoch == other.epoch && stays == other.stays
                && isOwn == other.isOwn && isAgain == other.isAgain
        }
    }

    private struct Running: Hashable {
        let step: Step
        let token: Int
        let began: Instant
        var heard: Instant?
        let weight: Int
        var isRefused = false
        var isWhole = false
        var count = 0
        /// Whether a mark that was said behind it came back.
        var isMarked = false

        /// When it is read, if nothing more comes.
        var due: Instant {
            if isWhole { return began }
            let last = began + BoxReading.longest
            return heard.map { min($0 + BoxReading.silence, last) } ?? last
        }
    }

    private struct Mark: Hashable {
        let bytes: [UInt8]
        let token: Int
    }

    private static let silence = TimeSpan.milliseconds(250)
    private static let longest = TimeSpan.seconds(20)
    /// Messages that may wait for this agent: a broker queues 1000 and more (docs/meet.md section
    /// 5), and drops the rest without a word.
    private static let atOnce = 800
    /// Subscriptions in a second, after so many at once: brokers end connections that ask for more.
    private static let perSecond = 16
    private static let burst = 150
    private static let pause = TimeSpan.milliseconds(70)
    /// Marks that are under way.
    private static let marksMost = 8
    /// Messages of one filter: what a broker queues, and more is not meant well.
    private static let most = 1000
    /// Filters that wait.
    private static let waitingMost = 512

    private var waiting: [Step] = []
    private var next = 0
    private var running: [Running] = []
    /// Cards that came of buckets, so far.
    private var cards: [Step: Int] = [:]
    private var pace: TokenBucket?
    /// When the next subscription may be asked for, where there were too many.
    private var pausesUntil: Instant?
    /// Marks that were said, each with the last subscription before it.
    private var marks: [Mark] = []

    /// Whether one more box can be asked for.
    var hasSpace: Bool { waiting.count - next <= Self.waitingMost - 4 }
    /// Nothing is left to read.
    var isOver: Bool { running.isEmpty && next == waiting.count }
    /// Whether the own box is still being read.
    var isReadingOwn: Bool {
        running.contains { $0.step.isOwn } || waiting[next...].contains { $0.isOwn }
    }

    /// Whether letters of the newest epoch were asked for.
    private(set) var hasReadLetters = false

    mutating func begin(_ steps: [Step], at now: Instant) {
        self = BoxReading()
        waiting = steps
        pace = TokenBucket(perSecond: Self.perSecond, burst: Self.burst, at: now)
    }

    /// Reads more, behind what waits already; `isNext` of one box, ahead of everybody's.
    mutating func add(_ step: Step, isNext: Bool = false) {
        guard step.isOwn || waiting.count - next < Self.waitingMost,
            !waiting[next...].contains(where: { $0.isSame(as: step) }),
            !running.contains(where: { $0.step.isSame(as: step) })
        else { return }
        if next == waiting.count {
            waiting = []
            next = 0
        }
        let own = waiting[next...].prefix { $0.isOwn || $0.isNext }.count
        var step = step
        step.isNext = isNext
        waiting.insert(step, at: isNext ? next + own : waiting.count)
    }

    /// The next filter to subscribe to, if another may be read now. Nothing is read beside the own
    /// box before that came.
    mutating func nextStep(at now: Instant) -> Step? {
        pausesUntil = nil
        let queued = running.filter { !$0.isMarked }
        guard next < waiting.count,
            waiting[next].isOwn || !queued.contains(where: { $0.step.isOwn }),
            queued.isEmpty
                || queued.reduce(weight(of: waiting[next]), { $0 + $1.weight }) <= Self.atOnce
        else { return nil }
        guard pace?.left(at: now) ?? 1 > 0 else {
            pausesUntil = now + Self.pause
            return nil
        }
        return waiting[next]
    }

    /// How many messages a filter may match, as far as the cards of its bucket tell.
    private func weight(of step: Step) -> Int {
        switch step.filter {
        case .cards: Limits.authors / MeetLimits.buckets
        case .logs(let bucket):
            MeetLimits.parts
                * (cards[Step(filter: .cards(bucket), epoch: step.epoch)]
                    ?? Limits.authors / MeetLimits.buckets)
        case .log: MeetLimits.parts
        case .letters: MeetLimits.lanes
        case .card, .live, .tunnels: 1
        }
    }

    /// The filter that ``nextStep(at:)`` gave was asked for.
    mutating func starts(as token: Int, at now: Instant) {
        let step = waiting[next]
        running.append(Running(step: step, token: token, began: now, weight: weight(of: step)))
        if case .letters = step.filter { hasReadLetters = true }
        _ = pace?.take(1, at: now)
        next += 1
    }

    /// A mark was said behind all that was asked for so far.
    mutating func says(_ mark: [UInt8]) {
        guard let token = running.map(\.token).max() else { return }
        if marks.count == Self.marksMost { marks.removeFirst() }
        marks.append(Mark(bytes: mark, token: token))
    }

    /// A mark came back: what a broker had of the filters before it has come, if it sends in order.
    /// One that does not gives a longer queue, and loses nothing: all are read until it is silent.
    mutating func came(_ mark: [UInt8]) {
        guard let place = marks.firstIndex(where: { $0.bytes == mark }) else { return }
        for index in running.indices where running[index].token <= marks[place].token {
            running[index].isMarked = true
            tell(running[index])
        }
        marks.removeFirst(place + 1)
    }

    /// Notes how many cards a bucket has.
    private mutating func tell(_ one: Running) {
        guard case .cards = one.step.filter, !one.isRefused else { return }
        cards[Step(filter: one.step.filter, epoch: one.step.epoch)] = one.count
    }

    /// A broker refused one: it is asked for once more when its time is over.
    mutating func refused(_ token: Int) {
        guard let index = running.firstIndex(where: { $0.token == token }) else { return }
        running[index].isRefused = true
    }

    mutating func acknowledged(_ token: Int, at now: Instant) {
        guard let index = running.firstIndex(where: { $0.token == token }) else { return }
        running[index].heard = now
    }

    /// All came that a broker keeps for one.
    mutating func finished(_ token: Int) {
        guard let index = running.firstIndex(where: { $0.token == token }) else { return }
        running[index].isWhole = true
    }

    /// A message came that one of the filters matches.
    mutating func heard(_ topic: MeetTopic, in epoch: MeetEpoch, at now: Instant) {
        for index in running.indices where running[index].step.epoch == epoch {
            guard running[index].step.filter.matches(topic) else { continue }
            running[index].count += 1
            if running[index].heard != nil { running[index].heard = now }
        }
    }

    /// Those that are read.
    mutating func ended(at now: Instant) -> [Step] {
        let over = running.filter { $0.due <= now || $0.count >= Self.most }
        for one in over { tell(one) }
        running.removeAll { $0.due <= now || $0.count >= Self.most }
        for one in over where one.isRefused && !one.step.isAgain {
            var step = one.step
            step.isAgain = true
            waiting.append(step)
        }
        return over.filter { !$0.isRefused }.map(\.step)
    }

    var nextDeadline: Instant? { (running.map(\.due) + [pausesUntil].compactMap(\.self)).min() }
}

extension MeetFilter {
    /// Whether a topic of the same group is among those that the filter names.
    func matches(_ topic: MeetTopic) -> Bool {
        switch (self, topic) {
        case (.cards(let bucket), .card(let box)): box.bucket == bucket
        case (.logs(let bucket), .part(let box, _)): box.bucket == bucket
        case (.card(let mine), .card(let box)): box == mine
        case (.log(let mine), .part(let box, _)): box == mine
        case (.live, .live): true
        case (.letters(let mine), .letters(let inbox, _)): inbox == mine
        case (.tunnels(let mine), .tunnel(let inbox)): inbox == mine
        default: false
        }
    }
}
