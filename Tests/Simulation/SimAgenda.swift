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

    private var heap: [(time: Int64, number: Int, happening: Happening)] = []
    private var noted = 0

    var count: Int { heap.count }

    mutating func note(_ happening: Happening, at time: Int64) {
        noted += 1
        heap.append((time, noted, happening))
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
            if least == place { return (first.time, first.happening) }
            heap.swapAt(place, least)
            place = least
        }
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        heap[one].time != heap[other].time
            ? heap[one].time < heap[other].time : heap[one].number < heap[other].number
    }
}
