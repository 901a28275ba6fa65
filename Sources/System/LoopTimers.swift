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
    private struct Slot {
        let deadline: Instant
        let number: UInt64

        func comes(before other: Slot) -> Bool {
            deadline == other.deadline ? number < other.number : deadline < other.deadline
        }
    }

    private var heap: [Slot] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// How many timers are set.
    var count: Int { actions.count }
    /// How many slots the heap has, dead ones included.
    var slotCount: Int { heap.count }

    mutating func add(_ deadline: Instant, _ action: @escaping () -> Void) -> TimerToken {
        lastNumber += 1
        actions[lastNumber] = action
        heap.append(Slot(deadline: deadline, number: lastNumber))
        siftUp(heap.count - 1)
        return TimerToken(number: lastNumber)
    }

    mutating func cancel(_ token: TimerToken) {
        actions[token.number] = nil
        guard heap.count > 64, heap.count > 2 * actions.count else { return }
        heap = heap.filter { actions[$0.number] != nil }
        // A sorted array is a heap.
        heap.sort { $0.comes(before: $1) }
    }

    /// The earliest deadline that still counts.
    mutating func next() -> Instant? {
        while let top = heap.first {
            if actions[top.number] != nil { return top.deadline }
            removeTop()
        }
        return nil
    }

    /// Takes out the earliest timer if it is due.
    mutating func popDue(at now: Instant) -> (() -> Void)? {
        guard let deadline = next(), deadline <= now, let top = heap.first else { return nil }
        removeTop()
        return actions.removeValue(forKey: top.number)
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].comes(before: heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].comes(before: heap[first]) { first = child }
            }
            guard first != parent else { return }
            heap.swapAt(parent, first)
            parent = first
        }
    }
}
