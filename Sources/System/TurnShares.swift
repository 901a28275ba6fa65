// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Decides who is served in a turn of the loop, in which order, and how much each may use.
///
/// Whoever has cost the least time so far comes first, so that a peer who says little never waits
/// for peers who say much, however many they are. When the turn's time is over, the others wait for
/// the next turn, where they come first. A peer who was quiet or is new comes ``head`` before those
/// that wait; nobody can save up more.
struct TurnShares {
    /// Nanoseconds that a handler has taken, beside those of the others.
    typealias Cost = Int64

    /// What all handlers that share may take together before the rest of the turn has to come:
    /// commands, timers and whatever is sent wait as long.
    static let time = TimeSpan.milliseconds(30)
    /// How far ahead of the others a quiet one may be: a line of chat and its
    /// answer take a tenth of it.
    static let head: Cost = 50_000_000
    /// Bytes that each reads where no more than ``few`` are ready.
    static let whole = 64 * 1024
    /// Links that are ready at once where all goes well: a line of chat comes from three.
    static let few = 8
    /// Bytes that each reads where more are: four milliseconds of signatures.
    static let part = 16 * 1024

    /// A favoured one's time counts as so much less: what it costs is mostly what others told it.
    static let favour: Int64 = 16

    private struct Sharer {
        let index: Int
        let cost: Cost
    }

    /// What those that wait have cost at least.
    private var level: Cost = 0
    /// What a newcomer is said to have cost.
    var first: Cost { level - Self.head }
    /// Bytes that each may read in this turn.
    private(set) var bytes = Self.whole
    private var ready: [Sharer] = []
    private var served = 0
    private var spent = TimeSpan.zero

    /// A turn begins.
    mutating func begin() {
        bytes = Self.whole
        ready.removeAll(keepingCapacity: true)
        served = 0
        spent = .zero
    }

    /// One that is ready, and what it has cost so far.
    mutating func add(_ index: Int, _ cost: Cost) {
        ready.append(Sharer(index: index, cost: max(cost, first)))
    }

    /// All are known; whether there are any.
    mutating func order() -> Bool {
        ready.sort { ($0.cost, $0.index) < ($1.cost, $1.index) }
        level = max(level, ready.first?.cost ?? level)
        bytes = ready.count > Self.few ? Self.part : Self.whole
        return !ready.isEmpty
    }

    /// Whose turn it is; `nil` when all were served or the time is over.
    func next() -> Int? {
        served < ready.count && spent < Self.time ? ready[served].index : nil
    }

    /// It took so long; what it has cost by now.
    mutating func charge(_ span: TimeSpan, isFavoured: Bool) -> Cost {
        defer { served += 1 }
        spent = spent + span
        return ready[served].cost + max(0, span.nanoseconds) / (isFavoured ? Self.favour : 1)
    }
}
