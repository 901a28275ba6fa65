// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
package import Protocol

/// One thread, one `epoll`, everything the agent does.
///
/// A turn is: wait; handlers of the descriptors that are ready, those that share the turn's
/// time last and by ``TurnShares``; timers that are due, earliest first; ``onDeadline`` if
/// the agent's own deadline has come; then, until nothing is left to do, ``afterTurn`` and
/// the work put off with ``enqueue(_:)``. Level triggered: what a handler leaves unread is
/// told again in the next turn.
///
/// Not `Sendable`: it belongs to the thread that runs it.
package final class EventLoop {
    /// Called in the turn in which the descriptor became ready.
    package typealias Handler = (Readiness) -> Void

    /// Asked before each wait: when the agent's core wants to be called again.
    package var nextDeadline: () -> Instant? {
        get { hooks.nextDeadline }
        set { hooks.nextDeadline = newValue }
    }
    /// Called in a turn in which the instant of ``nextDeadline`` has come.
    package var onDeadline: (Instant) -> Void {
        get { hooks.onDeadline }
        set { hooks.onDeadline = newValue }
    }
    /// Called when all ready events of a turn were handled; the agent carries effects out here.
    /// Called again after put-off work ran, because that may have caused new effects.
    package var afterTurn: (Instant) -> Void {
        get { hooks.afterTurn }
        set { hooks.afterTurn = newValue }
    }
    /// The time at which this turn began: one reading of the clock for all handlers of a turn.
    package var now: Instant { turnBegan }
    /// Reads the clock, for deadlines set outside a turn.
    package let clock: () -> Instant
    /// 64 KiB that any handler may use until it returns.
    package let scratch: UnsafeMutableRawBufferPointer
    /// As much of ``scratch`` as a handler that shares the turn fills before
    /// it is the next one's turn.
    package var share: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: scratch[..<shareBytes])
    }

    /// What the owner of the loop set. Private, as is all that each turn reads: what another module
    /// could change meanwhile is watched at each look.
    private struct Hooks {
        var nextDeadline: () -> Instant? = { nil }
        var onDeadline: (Instant) -> Void = { _ in }
        var afterTurn: (Instant) -> Void = { _ in }
    }

    private struct Watch {
        let generation: UInt32
        let handler: Handler
        var interest: Readiness
        /// What its handler has cost; `nil` for a handler that does not share the turn.
        var cost: TurnShares.Cost?
        var isFavoured = false
    }

    /// Boxing the closure avoids a reabstraction thunk per array access.
    private struct Work {
        let action: () -> Void
    }

    /// No descriptor's.
    private static let alarmToken = UInt64.max
    private static let eventsPerTurn = 64
    private static let roundsPerTurn = 8

    private var hooks = Hooks()
    private var turnBegan: Instant
    private var shareBytes = TurnShares.whole
    private let poll: Int32
    private let alarm: LoopAlarm
    private let events: UnsafeMutablePointer<epoll_event>
    private var watches: [Watch?] = []
    private var generation: UInt32 = 0
    private var timers = LoopTimers()
    /// The earliest of ``timers``, read twice in each turn.
    private var earliestTimer: Instant?
    private var putOff: [Work] = []
    private var shares = TurnShares()
    private var running = false

    /// An idle loop. Throws when the process has no descriptor left.
    package init(clock: @escaping () -> Instant = SystemClock.now) throws(SystemError) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError.last }
        poll = descriptor
        do throws(SystemError) {
            alarm = try LoopAlarm()
        } catch {
            close(descriptor)
            throw error
        }
        self.clock = clock
        turnBegan = clock()
        scratch = .allocate(byteCount: 64 * 1024, alignment: 64)
        events = .allocate(capacity: Self.eventsPerTurn)
        events.initialize(repeating: epoll_event(), count: Self.eventsPerTurn)
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = Self.alarmToken
        guard epoll_ctl(poll, EPOLL_CTL_ADD, alarm.descriptor, &event) == 0 else {
            throw SystemError.last
        }
    }

    deinit {
        close(poll)
        scratch.deallocate()
        events.deallocate()
    }

    // MARK: Descriptors

    /// Calls `handler` in every turn in which `descriptor` is ready for a part of `interest`.
    ///
    /// One of those that are `sharing` may have to wait for a later turn, see ``TurnShares``.
    /// Unwatch before closing the descriptor. Throws what `epoll_ctl` answers: `EPERM` for a plain
    /// file, which is always ready and cannot be watched.
    package func watch(
        _ descriptor: Int32, _ interest: Readiness, sharing: Bool = false,
        _ handler: @escaping Handler
    ) throws(SystemError) {
        let index = Int(descriptor)
        precondition(index >= 0, "descriptor \(descriptor) is closed")
        while watches.count <= index { watches.append(nil) }
        precondition(watches[index] == nil, "descriptor \(descriptor) is watched already")
        generation &+= 1
        watches[index] = Watch(
            generation: generation, handler: handler, interest: [],
            cost: sharing ? shares.first : nil)
        do throws(SystemError) {
            try modify(descriptor, interest)
        } catch {
            watches[index] = nil
            throw error
        }
    }

    /// Changes what a watched descriptor is watched for; `[]` means not even for hang-ups.
    package func modify(_ descriptor: Int32, _ interest: Readiness) throws(SystemError) {
        guard let watch = watch(of: descriptor), watch.interest != interest else { return }
        var event = epoll_event()
        event.events = Self.mask(of: interest)
        event.data.u64 = Self.token(descriptor, watch.generation)
        let operation =
            watch.interest.isEmpty
            ? EPOLL_CTL_ADD : interest.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
        guard epoll_ctl(poll, operation, descriptor, &event) == 0 else { throw SystemError.last }
        watches[Int(descriptor)]?.interest = interest
    }

    /// Says whether a descriptor that shares the turn is favoured in it.
    package func favour(_ descriptor: Int32, _ isFavoured: Bool) {
        guard watch(of: descriptor) != nil else { return }
        watches[Int(descriptor)]?.isFavoured = isFavoured
    }

    /// Forgets a descriptor. Events of this turn that were meant for it are dropped, also when the
    /// kernel gives its number to a new descriptor in the same turn.
    package func unwatch(_ descriptor: Int32) {
        guard let watch = watch(of: descriptor) else { return }
        watches[Int(descriptor)] = nil
        guard !watch.interest.isEmpty else { return }
        var event = epoll_event()
        // The descriptor may be closed by now, and then the kernel has forgotten it already.
        _ = epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// How many descriptors are watched.
    package var watchCount: Int { watches.count { $0 != nil } }

    // MARK: Work

    /// Does `action` in the first turn at or after `deadline`.
    @discardableResult
    package func schedule(
        at deadline: Instant, _ action: @escaping () -> Void
    ) -> TimerToken {
        defer { earliestTimer = timers.next() }
        return timers.add(deadline, action)
    }

    /// Cancels a timer; nothing happens if it has already run.
    package func cancel(_ timer: TimerToken) {
        timers.cancel(timer)
        earliestTimer = timers.next()
    }

    /// Does `work` at the end of this turn, after ``afterTurn``; outside a turn, in the next one.
    package func enqueue(_ work: @escaping () -> Void) {
        putOff.append(Work(action: work))
    }

    // MARK: Running

    /// Runs turns until ``stop()``.
    package func run() {
        running = true
        while running { turn() }
    }

    /// Ends ``run()`` when the present turn is over.
    package func stop() { running = false }

    /// One turn; waits for an event or a deadline, at most `longest`.
    package func turn(waitingAtMost longest: TimeSpan? = nil) {
        let wait = waitMilliseconds(longest)
        let count = epoll_wait(poll, events, Int32(Self.eventsPerTurn), wait)
        precondition(count >= 0 || errno == EINTR, "epoll_wait: \(SystemError.last)")
        turnBegan = clock()
        deliverAll(Int(max(count, 0)))
        if let earliestTimer, earliestTimer <= now { runTimers() }
        if let deadline = nextDeadline(), deadline <= now { onDeadline(now) }
        finishTurn()
    }

    private func runTimers() {
        while let action = timers.popDue(at: now) {
            earliestTimer = timers.next()
            action()
        }
    }

    private func finishTurn() {
        afterTurn(now)
        // Bounded, so that two parts that wake each other cannot shut the sockets out.
        for _ in 0..<Self.roundsPerTurn {
            guard !putOff.isEmpty else { return }
            var atHand: [Work] = []
            swap(&putOff, &atHand)
            for work in atHand { work.action() }
            atHand.removeAll(keepingCapacity: true)
            // Reuse its storage.
            if putOff.isEmpty { swap(&putOff, &atHand) }
            afterTurn(now)
        }
    }

    private func deliverAll(_ count: Int) {
        // Mostly it is one, and the clock need not be asked what it costs.
        guard count > 1 else {
            if count == 1 { deliver(events[0]) }
            return
        }
        shares.begin()
        defer { shareBytes = TurnShares.whole }
        for index in 0..<count {
            if let cost = watch(of: events[index])?.cost {
                shares.add(index, cost)
            } else {
                deliver(events[index])
            }
        }
        guard shares.order() else { return }
        shareBytes = shares.bytes
        var last = clock()
        while let index = shares.next() {
            deliver(events[index])
            let now = clock()
            let watch = watch(of: events[index])
            let cost = shares.charge(now - last, isFavoured: watch?.isFavoured ?? false)
            last = now
            if watch != nil { watches[Int(Self.descriptor(of: events[index]))]?.cost = cost }
        }
    }

    /// What an event was meant for, while that is watched.
    private func watch(of event: epoll_event) -> Watch? {
        let generation = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        guard event.data.u64 != Self.alarmToken, let watch = watch(of: Self.descriptor(of: event)),
            watch.generation == generation
        else { return nil }
        return watch
    }

    private func deliver(_ event: epoll_event) {
        guard event.data.u64 != Self.alarmToken else { return alarm.rang() }
        guard let watch = watch(of: event) else { return }
        var ready: Readiness = []
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
            ready = watch.interest.union(.hangUp)
        } else {
            if event.events & EPOLLIN.rawValue != 0 { ready.insert(.read) }
            if event.events & EPOLLOUT.rawValue != 0 { ready.insert(.write) }
            // An earlier handler of this turn may have narrowed the interest.
            ready.formIntersection(watch.interest)
        }
        if !ready.isEmpty && !watch.interest.isEmpty { watch.handler(ready) }
    }

    /// Sets the alarm and gives the time that the wait may take beside it, -1 for any.
    private func waitMilliseconds(_ longest: TimeSpan?) -> Int32 {
        if !putOff.isEmpty { return 0 }
        var deadline = earliestTimer
        if let asked = nextDeadline() { deadline = min(deadline ?? asked, asked) }
        let now = clock()
        if let deadline, deadline <= now { return 0 }
        alarm.set(deadline, at: now)
        guard let longest else { return -1 }
        // Rounded up: waking a moment too early would turn the loop without work.
        let milliseconds = max(longest.nanoseconds, 0) / 1_000_000 + 1
        return longest.nanoseconds <= 0 ? 0 : Int32(min(milliseconds, 60_000))
    }

    private func watch(of descriptor: Int32) -> Watch? {
        let index = Int(descriptor)
        return watches.indices.contains(index) ? watches[index] : nil
    }

    private static func descriptor(of event: epoll_event) -> Int32 {
        Int32(truncatingIfNeeded: event.data.u64 & 0xffff_ffff)
    }

    private static func token(_ descriptor: Int32, _ generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }

    private static func mask(of interest: Readiness) -> UInt32 {
        var mask: UInt32 = 0
        if interest.contains(.read) { mask |= EPOLLIN.rawValue }
        if interest.contains(.write) { mask |= EPOLLOUT.rawValue }
        return mask
    }
}
