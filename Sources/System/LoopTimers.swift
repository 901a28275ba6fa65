// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Names one piece of work that an ``EventLoop`` shall do at a set time.
package struct TimerToken: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// Work with deadlines: a binary heap, earliest first, equal deadlines in the order they were set.
///
/// A cancelled timer leaves its slot in the heap and is dropped when the slot comes to the top, or
/// when more than half of the slots are dead.
struct LoopTimers {
    private struct Slot: Comparable {
        let deadline: Instant
        let number: UInt64

        static func < (left: Slot, right: Slot) -> Bool {
            left.deadline == right.deadline
                ? left.number < right.number : left.deadline < right.deadline
        }
    }

    private var heap = Heap<Slot>()
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// How many timers are set.
    var count: Int { actions.count }
    /// How many slots the heap has, dead ones included.
    var slotCount: Int { heap.count }

    mutating func add(_ deadline: Instant, _ action: @escaping () -> Void) -> TimerToken {
        lastNumber += 1
        actions[lastNumber] = action
        heap.insert(Slot(deadline: deadline, number: lastNumber))
        return TimerToken(number: lastNumber)
    }

    mutating func cancel(_ token: TimerToken) {
        actions[token.number] = nil
        guard heap.count > 64, heap.count > 2 * actions.count else { return }
        heap.removeAll { actions[$0.number] == nil }
    }

    /// The earliest deadline that still counts.
    mutating func next() -> Instant? {
        while let top = heap.first {
            if actions[top.number] != nil { return top.deadline }
            _ = heap.popFirst()
        }
        return nil
    }

    /// Takes out the earliest timer if it is due.
    mutating func popDue(at now: Instant) -> (() -> Void)? {
        guard let deadline = next(), deadline <= now, let top = heap.first else { return nil }
        _ = heap.popFirst()
        return actions.removeValue(forKey: top.number)
    }
}
