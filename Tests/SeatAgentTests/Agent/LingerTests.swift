// SPDX-License-Identifier: Apache-2.0
@testable import Agent
import Testing

@testable import Protocol
@testable import SeatAgent

/// An agent that a view started leaves with the last view, and never out of a swap.
@Suite("Linger")
struct LingerTests {
    private func second(_ number: Int64) -> Instant { Instant.zero + .seconds(number) }

    private func linger(_ seconds: Int?, _ events: (Linger.Event, Int64)...) -> Linger {
        var linger = Linger(seconds, at: .zero)
        for (event, time) in events { linger.handle(event, at: second(time)) }
        return linger
    }

    @Test("Half a minute for the first view")
    func first() {
        let new = linger(5, (.views(0), 3))
        #expect(new.nextDeadline == second(30))
        #expect(!new.isOver(at: second(29)))
        #expect(new.isOver(at: second(30)))
    }

    @Test("A patience longer than half a minute counts for the first view too")
    func longPatience() {
        #expect(linger(90).nextDeadline == second(90))
    }

    @Test("Never while a view is there, then so many seconds after the last one")
    func last() {
        let watched = linger(5, (.views(1), 3), (.views(2), 40), (.views(1), 50))
        #expect(watched.nextDeadline == nil)
        #expect(!watched.isOver(at: second(1000)))
        let deserted = linger(5, (.views(1), 3), (.views(0), 100), (.views(0), 103))
        #expect(deserted.nextDeadline == second(105))
        #expect(!deserted.isOver(at: second(104)))
        #expect(deserted.isOver(at: second(105)))
    }

    @Test("A view that comes back in time is as if it had never gone")
    func back() {
        let back = linger(5, (.views(1), 3), (.views(0), 10), (.views(1), 14), (.views(0), 20))
        #expect(back.nextDeadline == second(25))
    }

    @Test("With no seconds, or once told, it stays")
    func stays() {
        #expect(linger(nil).stays)
        #expect(linger(nil, (.views(1), 3), (.views(0), 4)).nextDeadline == nil)
        let told = linger(5, (.views(1), 3), (.stay, 4), (.views(0), 5))
        #expect(told.stays)
        #expect(told.nextDeadline == nil)
        #expect(linger(5, (.stay, 4)).stays)
        #expect(linger(5, (.views(1), 1), (.views(0), 2), (.stay, 4)).stays)
        #expect(!linger(0).stays)
    }

    @Test("A swap without outcome keeps it, and then the wait begins anew")
    func bound() {
        let kept = linger(5, (.views(1), 3), (.bound(true), 8), (.views(0), 10))
        #expect(kept.isKept)
        #expect(kept.nextDeadline == nil)
        #expect(!kept.isOver(at: second(1000)))
        var decided = kept
        decided.handle(.bound(false), at: second(60))
        #expect(!decided.isKept)
        #expect(decided.nextDeadline == second(65))
        let watched = linger(5, (.views(1), 3), (.bound(true), 8), (.bound(false), 9))
        #expect(watched.nextDeadline == nil)
        let never = linger(5, (.bound(false), 8))
        #expect(never.nextDeadline == second(30))
    }
}
