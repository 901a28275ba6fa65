// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import SeatAgent
@testable import System

/// A clock that a test moves.
final class HandClock {
    var now = Instant.zero
}

/// The two ends of a pipe of the kernel.
struct PipeEnds {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
    }

    func fill() { _ = write(writer, "x", 1) }

    func drain() {
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
    }

    func closeBoth() {
        close(reader)
        close(writer)
    }
}

@Suite struct LoopTests {
    private let clock = HandClock()
    private let loop: EventLoop

    init() throws {
        let clock = clock
        loop = try EventLoop(clock: { clock.now })
    }

    /// One turn that waits for nothing, at this time.
    private func turn(at milliseconds: Int64) {
        clock.now = Instant.zero + .milliseconds(milliseconds)
        loop.turn(waitingAtMost: .milliseconds(0))
    }

    @Test func timersRunInOrderOfTheirDeadlines() {
        var ran: [Int] = []
        for (name, at) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 40)] {
            loop.schedule(at: Instant.zero + .milliseconds(Int64(at))) { ran.append(name) }
        }
        turn(at: 9)
        #expect(ran == [])
        turn(at: 10)
        #expect(ran == [2, 4])
        turn(at: 35)
        #expect(ran == [2, 4, 3, 1])
        turn(at: 40)
        turn(at: 50)
        #expect(ran == [2, 4, 3, 1, 5])
    }

    @Test func manyTimersInAnyOrder() {
        var ran: [Int64] = []
        // 7 generates all residues modulo 101.
        for step in 1...100 {
            let at = Int64(step * 7 % 101)
            loop.schedule(at: Instant.zero + .milliseconds(at)) { ran.append(at) }
        }
        turn(at: 100)
        #expect(ran == Array(1...100))
    }

    /// On the machine's clock, as all that wait: the kernel's timer is set for the far one first.
    @Test func aNearerDeadlineWakesTheLoopInTime() throws {
        let loop = try EventLoop()
        var ran: [String] = []
        loop.schedule(at: SystemClock.now() + .seconds(30)) { ran.append("far") }
        loop.turn(waitingAtMost: .milliseconds(0))
        let near = SystemClock.now() + .milliseconds(20)
        loop.schedule(at: near) { ran.append("near") }
        loop.turn()
        #expect(ran == ["near"])
        #expect(loop.now >= near && loop.now < near + .seconds(10))
    }

    @Test func aDeadlineThatMovesOnWakesTheLoopOnceForNothing() throws {
        let loop = try EventLoop()
        var deadline: Instant? = SystemClock.now() + .milliseconds(200)
        var told: [Instant] = []
        loop.nextDeadline = { deadline }
        loop.onDeadline = { now in
            told.append(now)
            deadline = nil
        }
        loop.turn(waitingAtMost: .milliseconds(0))
        try #require(told.isEmpty)
        let moved = SystemClock.now() + .milliseconds(300)
        deadline = moved
        var turns = 0
        while told.isEmpty && turns < 100 {
            loop.turn()
            turns += 1
        }
        #expect(turns <= 2)
        #expect(told.allSatisfy { $0 >= moved })
    }

    @Test func withoutADeadlineTheKernelsTimerIsSilent() throws {
        let loop = try EventLoop()
        var deadline: Instant? = SystemClock.now() + .milliseconds(1)
        loop.nextDeadline = { deadline }
        loop.turn(waitingAtMost: .milliseconds(0))
        deadline = nil
        // It rings once more for the deadline that is gone.
        loop.turn(waitingAtMost: .milliseconds(50))
        let before = SystemClock.now()
        loop.turn(waitingAtMost: .milliseconds(50))
        #expect(SystemClock.now() - before >= .milliseconds(50))
    }

    @Test func aCancelledTimerDoesNotRun() {
        var ran: [Int] = []
        let first = loop.schedule(at: Instant.zero + .milliseconds(1)) { ran.append(1) }
        var second: TimerToken?
        loop.schedule(at: Instant.zero + .milliseconds(2)) { second.map(loop.cancel) }
        second = loop.schedule(at: Instant.zero + .milliseconds(3)) { ran.append(3) }
        loop.cancel(first)
        turn(at: 5)
        #expect(ran == [])
    }

    @Test func cancelledTimersDoNotPileUp() {
        var timers = LoopTimers()
        let kept = Instant.zero + .seconds(5)
        _ = timers.add(kept) {}
        for number in 0..<1000 {
            timers.cancel(timers.add(Instant.zero + .seconds(Int64(number))) {})
        }
        #expect(timers.count == 1 && timers.slotCount < 200)
        #expect(timers.next() == kept)
    }

    @Test func theAgentsDeadlineIsAskedForAndTold() {
        var told: [Instant] = []
        var deadline: Instant? = Instant.zero + .milliseconds(10)
        loop.nextDeadline = { deadline }
        loop.onDeadline = { now in
            told.append(now)
            deadline = nil
        }
        turn(at: 9)
        #expect(told == [])
        turn(at: 11)
        turn(at: 12)
        #expect(told == [Instant.zero + .milliseconds(11)])
    }

    @Test func aTurnEndsWithAfterTurnAndThenWorkPutOff() throws {
        let ends = try PipeEnds()
        defer { ends.closeBoth() }
        var story: [String] = []
        loop.afterTurn = { _ in story.append("after") }
        try loop.watch(ends.reader, .read) { _ in
            ends.drain()
            story.append("ready")
            loop.enqueue {
                story.append("late")
                loop.enqueue { story.append("later") }
            }
        }
        loop.schedule(at: Instant.zero + .milliseconds(1)) { story.append("timer") }
        ends.fill()
        turn(at: 1)
        #expect(story == ["ready", "timer", "after", "late", "after", "later", "after"])
        story = []
        turn(at: 2)
        #expect(story == ["after"])
        loop.unwatch(ends.reader)
    }

    @Test func workThatWakesItselfDoesNotShutTheOthersOut() {
        var count = 0
        func again() {
            count += 1
            loop.enqueue(again)
        }
        loop.enqueue(again)
        turn(at: 1)
        let first = count
        #expect(first > 0 && first < 100)
        turn(at: 2)
        #expect(count > first)
    }

    @Test func levelTriggered() throws {
        let ends = try PipeEnds()
        defer { ends.closeBoth() }
        var calls = 0
        try loop.watch(ends.reader, .read) { _ in calls += 1 }
        ends.fill()
        turn(at: 1)
        turn(at: 2)
        #expect(calls == 2)
        try loop.modify(ends.reader, [])
        turn(at: 3)
        #expect(calls == 2)
        try loop.modify(ends.reader, .read)
        turn(at: 4)
        #expect(calls == 3)
        loop.unwatch(ends.reader)
        turn(at: 5)
        #expect(calls == 3)
    }

    @Test func aHangUpComesWithWhatIsWatched() throws {
        let ends = try PipeEnds()
        var seen: Readiness?
        try loop.watch(ends.reader, .read) { seen = $0 }
        close(ends.writer)
        turn(at: 1)
        #expect(seen == [.read, .hangUp])
        // Not watched for anything: the hang-up must not spin the loop.
        seen = nil
        try loop.modify(ends.reader, [])
        turn(at: 2)
        #expect(seen == nil)
        loop.unwatch(ends.reader)
        close(ends.reader)
    }

    @Test func unwatchWithinTheOwnHandler() throws {
        let ends = try PipeEnds()
        var calls = 0
        try loop.watch(ends.reader, .read) { _ in
            calls += 1
            loop.unwatch(ends.reader)
            close(ends.reader)
        }
        ends.fill()
        turn(at: 1)
        turn(at: 2)
        #expect(calls == 1 && loop.watchCount == 0)
        close(ends.writer)
    }

    /// Both pipes are ready; the handler that comes first closes the other's descriptor and gives
    /// its number to a pipe that is not ready.
    @Test func anEventForAClosedDescriptorDoesNotReachItsNewOwner() throws {
        let pair = [try PipeEnds(), try PipeEnds()]
        let fresh = try PipeEnds()
        var calls: [String] = []
        for (index, ends) in pair.enumerated() {
            try loop.watch(ends.reader, .read) { _ in
                calls.append("old")
                guard calls.count == 1 else { return }
                ends.drain()
                let other = pair[1 - index].reader
                loop.unwatch(other)
                // Closes `other` and opens it again as the quiet pipe.
                #expect(dup2(fresh.reader, other) == other)
                #expect(throws: Never.self) {
                    try loop.watch(other, .read) { _ in calls.append("new") }
                }
            }
            ends.fill()
        }
        turn(at: 1)
        #expect(calls == ["old"])
        fresh.fill()
        turn(at: 2)
        #expect(calls == ["old", "new"])
        for ends in pair {
            loop.unwatch(ends.reader)
            ends.closeBoth()
        }
        fresh.closeBoth()
    }

    @Test func narrowedInterestHidesWhatWasReadyBefore() throws {
        let pair = [try PipeEnds(), try PipeEnds()]
        var calls = 0
        for (index, ends) in pair.enumerated() {
            try loop.watch(ends.reader, .read) { _ in
                calls += 1
                #expect(throws: Never.self) { try loop.modify(pair[1 - index].reader, []) }
            }
            ends.fill()
        }
        turn(at: 1)
        #expect(calls == 1)
        for ends in pair {
            loop.unwatch(ends.reader)
            ends.closeBoth()
        }
    }

    @Test func stopEndsTheRun() {
        var turns = 0
        loop.afterTurn = { _ in
            turns += 1
            if turns == 3 { loop.stop() } else { loop.enqueue {} }
        }
        loop.enqueue {}
        loop.run()
        #expect(turns >= 3)
    }

    @Test func aPlainFileCannotBeWatched() throws {
        let file = open("/proc/self/status", O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        #expect(throws: SystemError(code: EPERM)) { try loop.watch(file, .read) { _ in } }
        #expect(loop.watchCount == 0)
    }

    @Test func aSignalIsAnEvent() throws {
        var requests: [Signals.Request] = []
        let signals = try Signals(loop: loop) { requests.append($0) }
        // To this thread only: the others of the test process have not blocked it.
        pthread_kill(pthread_self(), SIGHUP)
        turn(at: 1)
        pthread_kill(pthread_self(), SIGTERM)
        turn(at: 2)
        #expect(requests == [.reload, .end])
        signals.stop()
    }
}
