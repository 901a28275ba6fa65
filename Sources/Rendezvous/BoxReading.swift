// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Reads boxes at one broker, a few filters at a time (docs/meet.md section 3).
///
/// A broker gives no sign that a filter is read: it is when the subscription was taken and a
/// quarter of a second passed in silence, or after 20 s.
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
    }

    private struct Running: Hashable {
        let step: Step
        let token: Int
        let began: Instant
        var heard: Instant?
        var isRefused = false
        var count = 0

        /// When it is read, if nothing more comes.
        var due: Instant {
            let last = began + BoxReading.longest
            return heard.map { min($0 + BoxReading.silence, last) } ?? last
        }
    }

    private static let silence = TimeSpan.milliseconds(250)
    private static let longest = TimeSpan.seconds(20)
    private static let atOnce = 4
    /// Messages of one filter: what a broker queues, and more is not meant well.
    private static let most = 1000
    /// Filters that wait.
    private static let waitingMost = 512

    private var waiting: [Step] = []
    private var next = 0
    private var running: [Running] = []

    /// Nothing is left to read.
    var isOver: Bool { running.isEmpty && next == waiting.count }
    /// Whether the own box is still being read.
    var isReadingOwn: Bool {
        running.contains { $0.step.isOwn } || waiting[next...].contains { $0.isOwn }
    }

    /// Whether letters of the newest epoch were asked for.
    private(set) var hasReadLetters = false

    mutating func begin(_ steps: [Step]) {
        hasReadLetters = false
        waiting = steps
        next = 0
        running = []
    }

    /// Reads more, behind what waits already.
    mutating func add(_ step: Step) {
        guard step.isOwn || waiting.count - next < Self.waitingMost,
            !waiting[next...].contains(step),
            !running.contains(where: { $0.step == step })
        else { return }
        if next == waiting.count {
            waiting = []
            next = 0
        }
        waiting.append(step)
    }

    /// The next filter to subscribe to, if another may be read now. The own box is read alone.
    func nextStep() -> Step? {
        guard next < waiting.count, running.count < Self.atOnce,
            waiting[next].isOwn || !running.contains(where: { $0.step.isOwn })
        else { return nil }
        return waiting[next]
    }

    /// The filter that ``nextStep()`` gave was asked for.
    mutating func starts(as token: Int, at now: Instant) {
        running.append(Running(step: waiting[next], token: token, began: now))
        if case .letters = waiting[next].filter { hasReadLetters = true }
        next += 1
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
        running.removeAll { $0.due <= now || $0.count >= Self.most }
        for one in over where one.isRefused && !one.step.isAgain {
            var step = one.step
            step.isAgain = true
            waiting.append(step)
        }
        return over.filter { !$0.isRefused }.map(\.step)
    }

    var nextDeadline: Instant? { running.map(\.due).min() }
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
