// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What is to happen, in the order of time and, at one time, of being noted: a binary heap.
struct SimAgenda {
    enum Happening {
        case event(host: Int, process: Int, NodeEvent)
        case arrival(wire: Int, end: Int)
        case tick(host: Int, process: Int, at: Int64)
        case commit(host: Int, process: Int)
        case dialled(host: Int, process: Int, Dial)
        case then((SimWorld) -> Void)
    }

    /// Small, for it is moved often; what happens stays in its slot.
    private var heap: [(time: Int64, number: Int, slot: Int)] = []
    private var slots: [Happening?] = []
    private var free: [Int] = []
    private var noted = 0

    var count: Int { heap.count }

    mutating func note(_ happening: Happening, at time: Int64) {
        noted += 1
        if let slot = free.popLast() {
            slots[slot] = happening
            heap.append((time, noted, slot))
        } else {
            heap.append((time, noted, slots.count))
            slots.append(happening)
        }
        var place = heap.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func take() -> (time: Int64, happening: Happening)? {
        guard !heap.isEmpty else { return nil }
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in (2 * place + 1)...(2 * place + 2)
            where child < heap.count && isBefore(child, least) {
                least = child
            }
            if least == place { break }
            heap.swapAt(place, least)
            place = least
        }
        free.append(first.slot)
        guard let happening = slots[first.slot].take() else { return nil }
        return (first.time, happening)
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        heap[one].time != heap[other].time
            ? heap[one].time < heap[other].time : heap[one].number < heap[other].number
    }
}
