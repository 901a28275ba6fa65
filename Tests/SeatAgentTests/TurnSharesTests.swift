// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import System

/// Whoever says much does not make whoever says little wait.
@Suite struct TurnSharesTests {
    private let clock = HandClock()
    private let loop: EventLoop

    init() throws {
        let clock = clock
        loop = try EventLoop(clock: { clock.now })
    }

    /// Pipes that are ready all the time, and whose handlers take so many milliseconds.
    private final class Crowd {
        private let loop: EventLoop
        private let clock: HandClock
        private var pipes: [PipeEnds] = []
        var story: [Int] = []
        var shares: [Int] = []

        init(_ loop: EventLoop, _ clock: HandClock) {
            self.loop = loop
            self.clock = clock
        }

        func add(taking milliseconds: Int64, sharing: Bool = true) throws {
            let number = pipes.count
            let ends = try PipeEnds()
            pipes.append(ends)
            try loop.watch(ends.reader, .read, sharing: sharing) { _ in
                self.story.append(number)
                self.shares.append(self.loop.share.count)
                self.clock.now = self.clock.now + .milliseconds(milliseconds)
            }
            ends.fill()
        }

        func favour(_ number: Int) { loop.favour(pipes[number].reader, true) }

        func quiet(_ number: Int) { pipes[number].drain() }

        func speak(_ number: Int) { pipes[number].fill() }

        /// Who was served in one turn.
        func turn() -> [Int] {
            story = []
            loop.turn(waitingAtMost: .zero)
            return story
        }

        deinit {
            for ends in pipes { ends.closeBoth() }
        }
    }

    @Test func whoeverFindsNoTimeInATurnComesFirstInTheNext() throws {
        let crowd = Crowd(loop, clock)
        for _ in 0..<5 { try crowd.add(taking: 20) }
        let turns = (0..<5).map { _ in crowd.turn() }
        // Thirty milliseconds are two of twenty: the second began before they were over.
        #expect(turns.map(\.count) == [2, 2, 2, 2, 2])
        #expect(Set(turns.joined().prefix(5)) == [0, 1, 2, 3, 4])
        #expect(turns.joined().count { $0 == 0 } == 2)
    }

    @Test func whoeverSaysLittleComesBeforeSixtyWhoSayMuch() throws {
        let crowd = Crowd(loop, clock)
        try crowd.add(taking: 1)
        crowd.quiet(0)
        for _ in 0..<60 { try crowd.add(taking: 40) }
        for _ in 0..<90 { #expect(crowd.turn().count == 1) }
        // Quiet for all that time, and then again after each line of chat.
        for _ in 0..<5 {
            crowd.speak(0)
            #expect(crowd.turn().first == 0)
            crowd.quiet(0)
            for _ in 0..<3 { #expect(crowd.turn().count == 1) }
        }
    }

    @Test func nobodySavesTimeUp() throws {
        let crowd = Crowd(loop, clock)
        try crowd.add(taking: 40)
        crowd.quiet(0)
        for _ in 0..<2 { try crowd.add(taking: 40) }
        for _ in 0..<100 { _ = crowd.turn() }
        crowd.speak(0)
        let served = (0..<30).flatMap { _ in crowd.turn() }
        #expect(served.first == 0)
        // Its third of the time, and at most two times more for what it did not use.
        #expect((10...12).contains(served.count { $0 == 0 }))
    }

    /// A neighbour whom the user verified tells what all others wrote: that is as much as they say.
    @Test func whoeverIsFavouredHasTimeForMuch() throws {
        let crowd = Crowd(loop, clock)
        for _ in 0..<16 { try crowd.add(taking: 40) }
        crowd.favour(0)
        for _ in 0..<32 { _ = crowd.turn() }
        let served = (0..<310).flatMap { _ in crowd.turn() }
        // Sixteen times what each of the fifteen has, and no more: they go on.
        #expect((150...170).contains(served.count { $0 == 0 }))
        #expect((1..<16).allSatisfy { one in served.count { $0 == one } >= 9 })
    }

    @Test func commandsDoNotWaitForWhatIsShared() throws {
        let crowd = Crowd(loop, clock)
        for _ in 0..<20 { try crowd.add(taking: 40) }
        try crowd.add(taking: 0, sharing: false)
        for _ in 0..<10 { #expect(crowd.turn().first == 20) }
    }

    @Test func eachReadsLessWhereManyAreReady() throws {
        let crowd = Crowd(loop, clock)
        for _ in 0..<TurnShares.few { try crowd.add(taking: 0) }
        #expect(crowd.turn().count == TurnShares.few)
        #expect(crowd.shares.allSatisfy { $0 == TurnShares.whole })
        crowd.shares = []
        try crowd.add(taking: 0)
        #expect(crowd.turn().count == TurnShares.few + 1)
        #expect(crowd.shares.allSatisfy { $0 == TurnShares.part })
        for number in 1...TurnShares.few { crowd.quiet(number) }
        crowd.shares = []
        #expect(crowd.turn() == [0])
        #expect(crowd.shares == [TurnShares.whole])
    }
}
