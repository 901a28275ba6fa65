// SPDX-License-Identifier: Apache-2.0
/// Who is at which place of a venue, and how many are (docs/protocol.md section 31).
///
/// What it says depends on the stays that stand, the hours and the time alone, not on the order in
/// which they came. A stay costs O(log n), a turn of time O(log n) for each stay that begins or
/// ends in it.
package struct Attendance: Sendable {
    /// Somebody with a stay.
    private struct Guest: Sendable {
        var stay: Stay
        /// When it ends, if they do not say so before.
        var closes: UTCTime
        var isIn = false
        /// Grows with each stay of anybody: turns of an older one mean nothing.
        var number: Int
    }

    /// A time at which somebody's stay begins to count, or ends by itself.
    private struct Turn: Comparable, Sendable {
        var time: UTCTime
        var number: Int
        var author: PeerKey

        static func < (left: Turn, right: Turn) -> Bool {
            left.time != right.time ? left.time < right.time : left.number < right.number
        }
    }

    private var guests: [PeerKey: Guest] = [:]
    /// By the number of the place.
    private var counts = Array(repeating: 0, count: Limits.venuePlaces.upperBound + 1)
    /// At most one turn of each guest means something.
    private var turns = Heap<Turn>()
    private var number = 0
    /// The time that all of it is of.
    package private(set) var now: UTCTime
    private let hours: StayHours

    /// Nobody, at a time.
    package init(hours: StayHours, at now: UTCTime) {
        self.hours = hours
        self.now = now
    }

    // MARK: Changes

    /// The stay of an author is this one now; `nil` for none any more.
    package mutating func set(_ stay: Stay?, of author: PeerKey) {
        if let old = guests.removeValue(forKey: author), old.isIn { counts[old.stay.place] -= 1 }
        guard let stay, let closes = hours.close(of: stay.place, after: stay.since) else { return }
        number += 1
        guests[author] = Guest(stay: stay, closes: closes, number: number)
        settle(author)
        tidy()
    }

    /// It is that time. Where clocks were set back, everybody is looked at again.
    package mutating func advance(to time: UTCTime) {
        guard time != now else { return }
        let isBack = time < now
        now = time
        if isBack {
            turns = Heap()
            for author in guests.keys.sorted() { settle(author) }
            return
        }
        while let turn = turns.first, turn.time <= now {
            _ = turns.popFirst()
            if guests[turn.author]?.number == turn.number { settle(turn.author) }
        }
    }

    /// Nothing changes by itself before this.
    package var nextTurn: UTCTime? { turns.first?.time }

    /// How many turns are kept, with those that mean nothing.
    var turnsKept: Int { turns.count }

    /// Judges one guest by the time that it is, and notes when to look again.
    private mutating func settle(_ author: PeerKey) {
        guard var guest = guests[author] else { return }
        // A clock that is a little ahead keeps nobody waiting.
        let begins = UTCTime(seconds: guest.stay.since.seconds - Limits.clockAhead)
        let isOpen = guest.stay.until == nil && now < guest.closes
        let isIn = isOpen && begins <= now
        if isIn != guest.isIn { counts[guest.stay.place] += isIn ? 1 : -1 }
        guest.isIn = isIn
        guests[author] = guest
        guard isOpen else { return }
        turns.insert(
            Turn(time: isIn ? guest.closes : begins, number: guest.number, author: author))
    }

    /// Throws turns away that mean nothing, once they are most: whoever changes their stay without
    /// end fills no memory.
    private mutating func tidy() {
        guard turns.count > 2 * guests.count + 64 else { return }
        let guests = guests
        turns.removeAll { guests[$0.author]?.number != $0.number }
    }

    // MARK: Reading

    /// How many are at a place.
    package func count(at place: Int) -> Int { counts.indices.contains(place) ? counts[place] : 0 }

    /// The places where somebody is, in order, and how many.
    package var places: [(place: Int, count: Int)] {
        counts.indices.filter { counts[$0] > 0 }.map { ($0, counts[$0]) }
    }

    /// Where somebody is now.
    package func place(of author: PeerKey) -> Int? {
        guests[author].flatMap { $0.isIn ? $0.stay.place : nil }
    }

    /// Who is at a place, sorted.
    package func people(at place: Int) -> [PeerKey] {
        guests.filter { $0.value.isIn && $0.value.stay.place == place }.map(\.key).sorted()
    }

    /// When a stay ends that its author did not end before: when the place closes. `nil` for
    /// whoever has none.
    package func closes(for author: PeerKey) -> UTCTime? { guests[author]?.closes }
}
