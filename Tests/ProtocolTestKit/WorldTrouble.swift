// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A network on which nothing is sure: what arrives first is chance, connections break with what is
/// under way, others stand and carry nothing.
extension World {
    /// Ends towards which bytes are under way that can arrive, in the order of their connections.
    private var underWay: [(wire: Int, end: Int)] {
        var found: [(wire: Int, end: Int)] = []
        for wire in wires.indices where wires[wire].isUp && !stuck.contains(pair(wire)) {
            for end in 0..<2 where !wires[wire].pending[end].isEmpty { found.append((wire, end)) }
        }
        return found
    }

    private func pair(_ wire: Int) -> [Int] { wires[wire].ends.map(\.host).sorted() }

    /// Delivers the next piece of bytes of one of the connections; tells whether there was any.
    package mutating func deliver(any random: inout SeededRandom) -> Bool {
        guard let next = underWay.randomElement(using: &random) else { return false }
        deliver(next.wire, next.end)
        return true
    }

    /// A connection ends for both sides, and what is under way on it is lost.
    package mutating func snap(any random: inout SeededRandom) {
        let up = wires.indices.filter { wires[$0].isUp }
        if let wire = up.randomElement(using: &random) { snap(wire) }
    }

    private mutating func snap(_ wire: Int) {
        wires[wire].isUp = false
        wires[wire].pending = [[], []]
        for end in wires[wire].ends { feed(end.host, .ended(end.id)) }
    }

    /// These pairs cannot reach each other from now on. Their connections break, or hang as if the
    /// other had gone silent.
    package mutating func part(_ pairs: [[Int]], hangs: Bool) {
        walls += pairs
        stuck += hangs ? pairs : []
        guard !hangs else { return }
        for wire in wires.indices where wires[wire].isUp && pairs.contains(pair(wire)) {
            snap(wire)
        }
    }

    /// Everybody can reach everybody, and looks for them at once.
    package mutating func meet() {
        walls = []
        stuck = []
        for one in hosts.indices {
            for other in 0..<one where hosts[other].isUp { feed(one, .typed(address(other))) }
        }
    }

    /// Time passes; whose deadline came is told, and nothing arrives. `utc` is what clocks show
    /// then.
    package mutating func pass(_ span: TimeSpan, utc: UTCTime) {
        now = Moment(instant: now.instant + span, utc: utc)
        for index in hosts.indices where hosts[index].isUp {
            if let due = hosts[index].node.nextDeadline, due <= now.instant { feed(index, .tick) }
        }
    }
}
