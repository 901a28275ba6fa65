// SPDX-License-Identifier: Apache-2.0
/// What is to happen, in the order of time and, at one time, of being noted: a binary heap.
struct Agenda<Happening> {
    private var heap: [(time: Int, number: Int, happening: Happening)] = []
    private var noted = 0

    /// When the next thing happens.
    var next: Int? { heap.first?.time }

    mutating func note(_ happening: Happening, at time: Int) {
        noted += 1
        heap.append((time, noted, happening))
        var place = heap.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func take() -> (time: Int, happening: Happening)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && isBefore(child, least) {
                least = child
            }
            if least == place { return (first.time, first.happening) }
            heap.swapAt(place, least)
            place = least
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (heap[one].time, heap[one].number) < (heap[other].time, heap[other].number)
    }
}
