// SPDX-License-Identifier: Apache-2.0
/// Lines of the chat that came and that nobody was told of, and where the told ones stand.
///
/// What was told is never moved: whoever reads must not find new words above old ones.
/// So lines that come in one answer wait for each other and are told together, in the
/// order in which they are read.
package struct UntoldChat: Hashable, Sendable {
    private struct Line: Hashable, Sendable {
        let item: TimelineItem
        let seq: Int
        /// The smaller of the stated time and that of arrival; 0 states none.
        let time: UTCTime
        let after: [EntryID]

        var place: ReadingOrder.Line {
            ReadingOrder.Line(
                id: item.id, author: item.author, seq: seq, time: time, after: after)
        }
    }

    /// In the order in which they came.
    private var lines: [Line] = []
    /// When each told line was said as far as it is known: never before what it names.
    private var times: [EntryID: UTCTime] = [:]
    /// The latest of them.
    private var newest: UTCTime?
    /// Where the last told line stands.
    private var lastPlace: UTCTime?
    /// How many lines waited after the last look for those that need not.
    private var looked = 0

    /// How many lines wait to be told.
    var count: Int { lines.count }
    /// Whether a line was ever told here.
    var hasTold: Bool { lastPlace != nil }
    /// Whether a line that came at `time` may have been told with those that wait: within a second
    /// of the last of them, while the first one still waited.
    func joins(_ time: UTCTime) -> Bool {
        guard let first = lines.first?.item.at, let last = lines.last?.item.at else { return true }
        let hold = hasTold ? Limits.chatHold : Limits.firstChatHold
        return 0...1 ~= time.seconds - last.seconds
            && time.seconds - first.seconds <= hold.wholeSeconds
    }

    /// A line came.
    mutating func take(_ entry: Entry, seen: UTCTime, _ line: ChatLine, _ standing: Standing) {
        var item = TimelineItem(at: seen, author: entry.author, id: entry.id, what: .chat(line))
        item.standing = standing
        let time = line.time.seconds > 0 ? min(line.time, seen) : seen
        lines.append(Line(item: item, seq: entry.seq, time: time, after: line.after))
    }

    /// Gives the lines that wait, in the order in which they are read; they are told from now on.
    mutating func tell() -> [TimelineItem] {
        let ordered = ordered
        lines = []
        looked = 0
        return tell(ordered)
    }

    /// The same of those that need not wait: said just now, after nothing that was not told. So
    /// nobody who keeps others waiting for records holds up the talk.
    mutating func tellCurrent() -> [TimelineItem] {
        guard hasTold, looked != lines.count, lines.count <= Limits.chatEnds else { return [] }
        var current: [Line] = []
        var times = times
        var held: Set<PeerKey> = []
        for line in ordered {
            let said = said(line, times)
            let isCurrent =
                line.item.at.seconds - said.seconds <= Limits.lateLine
                && line.after.allSatisfy { times[$0] != nil } && !held.contains(line.item.author)
            guard isCurrent else {
                held.insert(line.item.author)
                continue
            }
            times[line.item.id] = said
            current.append(line)
        }
        let told = Set(current.map(\.item.id))
        lines.removeAll { told.contains($0.item.id) }
        looked = lines.count
        return tell(current)
    }

    private var ordered: [Line] { ReadingOrder.of(lines.map(\.place)).map { lines[$0] } }

    private mutating func tell(_ ordered: [Line]) -> [TimelineItem] {
        // Whoever has read nothing yet reads what was said before they came where it was said.
        let floor = hasTold ? ordered.map(\.item.at).min() : nil
        let known = newest
        return ordered.map { line in
            var item = line.item
            let said = said(line, times)
            times[item.id] = said
            newest = max(newest ?? said, said)
            // What was said under a clock that ran ahead for a while makes nothing late.
            if let known {
                item.isLate = min(known, item.at).seconds - said.seconds > Limits.lateLine
            }
            item.place = max(min(lastPlace ?? said, item.at), floor ?? said, said)
            lastPlace = item.place
            return item
        }
    }

    /// When a line was said as far as it is known: never before what it names.
    private func said(_ line: Line, _ times: [EntryID: UTCTime]) -> UTCTime {
        line.after.compactMap { times[$0] }.reduce(line.time, max)
    }

    /// A fork cut a log to `left`: gives the waiting lines that were never said.
    mutating func cut(_ author: PeerKey, to left: Set<EntryID>) -> Set<EntryID> {
        let ids = lines.lazy.filter { $0.item.author == author }.map(\.item.id)
        let gone = Set(ids).subtracting(left)
        lines.removeAll { gone.contains($0.item.id) }
        looked = 0
        return gone
    }

    /// Only these lines are still in the history.
    mutating func keep(_ items: [TimelineItem]) {
        var kept: [EntryID: UTCTime] = [:]
        for item in items { if let time = times[item.id] { kept[item.id] = time } }
        times = kept
    }
}
