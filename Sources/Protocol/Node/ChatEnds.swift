// SPDX-License-Identifier: Apache-2.0
/// Lines of the chat that no other known line names: what the next own line was said after.
///
/// They depend only on which lines came, never on who is blocked here: leaving a line out would
/// tell others whom this user blocks.
package struct ChatEnds: Hashable, Sendable {
    /// In the order in which they came, at most ``Limits/chatEnds``.
    private var ends: [EntryID] = []
    /// Lines that were named before they came, the newest last.
    private var awaited: [EntryID] = []

    /// The latest ones, sorted: what a new line names.
    package var latest: [EntryID] { ends.suffix(Limits.chatAfter).sorted() }

    /// Takes in a line that came.
    package mutating func note(_ id: EntryID, after: [EntryID]) {
        for earlier in after {
            if let index = ends.firstIndex(of: earlier) {
                ends.remove(at: index)
            } else {
                // It may be known and named before, or still on its way.
                awaited.append(earlier)
            }
        }
        if awaited.count > Limits.chatEnds { awaited.removeFirst(awaited.count - Limits.chatEnds) }
        if let index = awaited.firstIndex(of: id) {
            awaited.remove(at: index)
            return
        }
        ends.append(id)
        if ends.count > Limits.chatEnds { ends.removeFirst() }
    }

    /// Forgets lines that a fork cut off.
    package mutating func forget(_ isGone: (EntryID) -> Bool) { ends.removeAll(where: isGone) }
}
