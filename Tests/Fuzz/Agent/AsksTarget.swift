// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Asks of people in a venue and answers of its desk: whoever took the same ones, in whatever order
/// and parts, keeps the same ones, and nothing of what a ledger settled.
///
/// Input: what it is meant to be, then the payload of ASKS, or choices of who says what, in which
/// order, and when.
enum AsksTarget {
    private static let primitives = FakePrimitives()

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return kind % 2 == 0 ? list(rest) : keep(rest)
    }

    // MARK: Lists

    /// What a list leaves out is what the book has of the askers that it speaks of, and no more.
    private static func list(_ bytes: [UInt8]) -> Verdict {
        let frame = Frame(type: FrameType.asks.rawValue, payload: bytes)
        guard case .venue(.askMarks(let list))? = try? Message.decode(frame, rules: .venue)
        else { return .refused }
        hold(
            Message.venue(.askMarks(list)).encode() == frame.bytes, "two encodings of one list")
        hold(list.marks.allSatisfy { list.speaks(of: $0.asker) }, "a mark outside of its part")
        var watcher = AskWatcher()
        for number in 0..<64 {
            let who = FakeSigner(number, seed: 2)
            for nonce in 0...UInt64(number % 3) { watcher.take(MadeUpAsks.book(who, nonce)) }
        }
        let missing = watcher.book.missing(in: list)
        for one in watcher.book.statements {
            let mark = AskMark(asker: one.author, id: one.id(primitives))
            let isMissing =
                StatementBuckets.bucket(of: mark.asker) == list.bucket
                && list.speaks(of: mark.asker) && !list.marks.contains(mark)
            hold(missing.contains(one) == isMissing, "another answer to a list")
        }
        return .accepted
    }

    // MARK: Books

    /// Everything that may happen: somebody says something, or a ledger settles an ask.
    private enum Event {
        case said(VenueStatement)
        case settled(VenueStatement)
    }

    private static func keep(_ bytes: [UInt8]) -> Verdict {
        var choices = Choices(bytes)
        let turn = choices.wide()
        let now = MadeUpVenue.moment(Int64(choices.wide()))
        var events: [Event] = []
        while !choices.isEmpty, events.count < 48 { events.append(event(&choices)) }
        guard !events.isEmpty else { return .refused }

        var whole = AskWatcher()
        for one in events { happen(one, &whole) }
        let start = turn % events.count
        var other = AskWatcher()
        for one in (events[start...] + events[..<start]).reversed() { happen(one, &other) }
        hold(whole.digests() == other.digests(), "the book depends on the order")
        // Two who heard a part each, and tell each other; the ledger comes to both.
        var parts = [AskWatcher(), AskWatcher()]
        for (place, one) in events.enumerated() {
            let side = (turn >> (place % 16)) & 1
            happen(one, &parts[side])
            if case .settled = one { happen(one, &parts[1 - side]) }
        }
        for (one, two) in [(0, 1), (1, 0), (0, 1), (1, 0)] {
            for bucket in 0..<Limits.stayBuckets {
                let lists = lists(of: bucket, parts[one].book, atMost: 1 + turn % 9)
                for new in lists.flatMap({ parts[two].book.missing(in: $0) }) {
                    parts[one].take(new)
                }
            }
        }
        var all = [whole, other] + parts
        for place in all.indices { all[place].advance(to: now) }
        let digests = all[0].digests()
        for place in all.indices {
            hold(all[place].digests() == digests, "a part that was told is another book")
        }
        check(events, all[0], at: now)
        return .accepted
    }

    private static func happen(_ event: Event, _ watcher: inout AskWatcher) {
        switch event {
        case .said(let statement): watcher.take(statement)
        case .settled(let ask): watcher.settle([ask])
        }
    }

    private static func lists(of bucket: Int, _ book: AskBook, atMost most: Int) -> [AskList] {
        var lists: [AskList] = []
        while let next = book.list(of: bucket, after: lists.last?.last, atMost: most) {
            hold(next.after == lists.last?.last, "a gap between two lists")
            lists.append(next)
            guard next.last != nil else { break }
        }
        return lists
    }

    /// Nothing is kept that is over, by whatever.
    private static func check(_ events: [Event], _ watcher: AskWatcher, at now: Moment) {
        var settled: Set<Bytes32> = []
        for case .settled(let ask) in events { settled.insert(ask.id(primitives)) }
        var said: Set<VenueStatement> = []
        for case .said(let one) in events { said.insert(one) }
        let kept = watcher.book.statements
        hold(said.isSuperset(of: kept), "kept what nobody said")
        let open = watcher.book.open
        for one in open {
            hold(one.ask.until > now.utc, "an ask that is over")
            hold(!settled.contains(one.id), "an ask that a ledger settled")
            hold(watcher.book.ask(one.id) == one, "an ask is not found")
            let answer = watcher.book.answer(to: one.id, of: one.statement.author)?.answer
            guard one.target == nil else { continue }
            hold(answer?.isLast != true, "an ask that the desk ended")
            let isTakenBack = open.contains {
                $0.target == one.id && $0.statement.author == one.statement.author
            }
            hold(!isTakenBack, "an ask that its author took back")
        }
        for answer in kept.compactMap(\.answer) {
            hold(answer.until > now.utc, "an answer that is over")
            hold(!settled.contains(answer.ask), "an answer to what a ledger settled")
        }
    }

    // MARK: Choices

    /// At most eight asks and answers to eight are of one of six people: with more it matters which
    /// came first.
    private static func event(_ choices: inout Choices) -> Event {
        let number = choices.below(6)
        let who = FakeSigner(number, seed: 1)
        let nonce = UInt64(choices.below(3))
        let until = 100 + 50 * Int64(nonce)
        let ask = MadeUpAsks.book(who, nonce, until: until)
        switch choices.below(8) {
        case 0..<3: return .said(ask)
        case 3:
            return .said(MadeUpAsks.withdraw(who, ask, nonce: nonce, until: until + 25))
        case 4 where nonce < 2:
            // Somebody else's.
            let other = FakeSigner((number + 1) % 6, seed: 1)
            return .said(MadeUpAsks.withdraw(other, ask, nonce: 9 + nonce, until: until))
        case 5: return .settled(ask)
        default:
            let waiting = max(0, choices.below(6) - 2)
            let signer = choices.below(8) == 0 ? who : MadeUpAsks.desk
            return .said(
                MadeUpAsks.answer(
                    ask, reason: choices.below(32), waiting: waiting,
                    at: Int64(choices.below(4)), until: until, by: signer))
        }
    }
}
