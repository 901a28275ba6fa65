// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What is to happen, in the order of time and, at one time, of being noted.
package struct Agenda<Time: Comparable, Happening> {
    /// Small, for it is moved often; what happens stays in its slot.
    @usableFromInline
    struct Note: Comparable {
        @usableFromInline let time: Time
        @usableFromInline let number: Int
        @usableFromInline let slot: Int

        @inlinable
        init(time: Time, number: Int, slot: Int) {
            self.time = time
            self.number = number
            self.slot = slot
        }

        @inlinable
        static func < (left: Note, right: Note) -> Bool {
            left.time != right.time ? left.time < right.time : left.number < right.number
        }
    }

    @usableFromInline var notes = Heap<Note>()
    @usableFromInline var slots: [Happening?] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var noted = 0

    /// Nothing.
    @inlinable package init() {}

    /// How much is to happen.
    @inlinable package var count: Int { notes.count }

    /// When the next thing happens.
    @inlinable package var next: Time? { notes.first?.time }

    /// Notes what is to happen at a time, behind all that was noted for that time before.
    @inlinable
    package mutating func note(_ happening: Happening, at time: Time) {
        noted += 1
        if let slot = free.popLast() {
            slots[slot] = happening
            notes.insert(Note(time: time, number: noted, slot: slot))
        } else {
            notes.insert(Note(time: time, number: noted, slot: slots.count))
            slots.append(happening)
        }
    }

    /// Takes out what happens next.
    @inlinable
    package mutating func take() -> (time: Time, happening: Happening)? {
        guard let first = notes.popFirst() else { return nil }
        free.append(first.slot)
        guard let happening = slots[first.slot].take() else { return nil }
        return (first.time, happening)
    }
}
