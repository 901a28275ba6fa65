// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Synchronization
import Testing

@testable import Agent
@testable import System

/// Work beside the loop.
@Suite struct SideWorkTests {
    @Test func theLoopGoesOnMeanwhileAndGetsTheResult() throws {
        let loop = try EventLoop()
        let mayEnd = Mutex(false)
        let here = pthread_self()
        var result: (value: Int, isHere: Bool)?
        var turns = 0
        SideWork.run(on: loop) {
            while !mayEnd.withLock({ $0 }) { usleep(1000) }
            return 42
        } then: { value in
            result = (value, pthread_equal(here, pthread_self()) != 0)
        }
        for _ in 0..<5 {
            loop.turn(waitingAtMost: .milliseconds(5))
            turns += 1
        }
        #expect(turns == 5 && result == nil)
        mayEnd.withLock { $0 = true }
        for _ in 0..<1000 where result == nil { loop.turn(waitingAtMost: .milliseconds(20)) }
        #expect(result?.value == 42 && result?.isHere == true)
        #expect(loop.watchCount == 0)
    }

    @Test func searchesAreMadeOneAfterTheOther() throws {
        let loop = try EventLoop()
        let desk = MatchDesk(loop: loop)
        let empty = MatchScene([])
        var order: [Int] = []
        let scenes = MatchScenes(
            Fold.fold(LogSet()), [], .none, cabin: MatchCabin([]))
        #expect(scenes.own == empty && scenes.common == empty)
        let key = PeerKey(Bytes32.zero)
        for number in 0..<4 {
            desk.ask(MatchSearch(scenes: scenes, aim: .together, proposer: key)) { matcher in
                #expect(matcher.proposals.isEmpty)
                order.append(number)
            }
        }
        for _ in 0..<1000 where order.count < 4 { loop.turn(waitingAtMost: .milliseconds(20)) }
        #expect(order == [0, 1, 2, 3])
    }
}
