// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Statements of people in a venue: what is read is written as the same bytes, and whoever took the
/// same ones, in whatever order and parts, keeps the same ones and counts the same people.
///
/// Input: what it is meant to be, then the statement, the payload of STATEMENTS, or choices of who
/// says what, in which order, and when.
enum StatementsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return switch kind % 4 {
        case 0: read(rest)
        case 2: list(rest)
        default: keep(rest)
        }
    }

    // MARK: Bytes

    private static func read(_ bytes: [UInt8]) -> Verdict {
        guard let statement = try? VenueStatement(decoding: bytes) else { return .refused }
        hold(statement.encoded == bytes, "two encodings of one statement")
        hold(Limits.statementBody.contains(statement.body.count), "a body of another length")
        let signer = KnownSignature(key: statement.author, signature: statement.signature)
        let gathering = MadeUpVenue.gathering.id
        let again: VenueStatement? =
            switch statement.content {
            case .stay(let stay, let revision):
                VenueStatement(stay, revision: revision, gathering: gathering, by: signer)
            case .ask(let ask): VenueStatement(ask, gathering: gathering, by: signer)
            case .answer(let answer): VenueStatement(answer, gathering: gathering, by: signer)
            case .later: statement
            }
        hold(again == statement, "what was read says something else")
        if case .stay(let stay, _) = statement.content {
            hold((stay.until ?? stay.since) >= stay.since, "an end before the begin")
        }
        return .accepted
    }

    /// What a list leaves out is what the book has of the authors that it speaks of, and no more.
    private static func list(_ bytes: [UInt8]) -> Verdict {
        let frame = Frame(type: FrameType.statements.rawValue, payload: bytes)
        guard case .venue(.marks(let list))? = try? Message.decode(frame, rules: .venue)
        else { return .refused }
        hold(
            Message.venue(.marks(list)).encode() == frame.bytes, "two encodings of one list")
        hold(list.marks.allSatisfy { list.speaks(of: $0.author) }, "a mark outside of its part")
        var watcher = Watcher()
        let gossip = FakeSigner(0, seed: 3).key
        for number in 0..<64 {
            let one = MadeUpVenue.statement(FakeSigner(number, seed: 2), 1, at: 1, since: 0)
            watcher.take(one, from: gossip, at: MadeUpVenue.moment(0))
        }
        let newer = watcher.book.newer(than: list)
        for one in newer { hold(list.speaks(of: one.author), "an answer to no question") }
        let rest = watcher.book.statements.filter { one in
            StatementBook.bucket(of: one.author) == list.bucket && list.speaks(of: one.author)
                && list.mark(of: one.author) == nil
        }
        hold(rest.allSatisfy(newer.contains), "a stay that nobody listed was not sent")
        return .accepted
    }

    // MARK: Books

    /// When each statement is offered to whom.
    private static func keep(_ bytes: [UInt8]) -> Verdict {
        var choices = Choices(bytes)
        let turn = choices.wide()
        let now = MadeUpVenue.moment(Int64(choices.wide()) * 3)
        var said: [VenueStatement] = []
        var times: [PeerKey: Int] = [:]
        while !choices.isEmpty, said.count < 48 {
            let one = statement(&choices)
            // At most so many changes of one author are taken at once.
            guard times[one.author, default: 0] < Limits.stayBurst else { continue }
            times[one.author, default: 0] += 1
            said.append(one)
        }
        guard !said.isEmpty else { return .refused }

        var whole = Watcher()
        for one in said { whole.take(one, from: one.author, at: MadeUpVenue.moment(0)) }
        var other = Watcher()
        let start = turn % said.count
        for one in (said[start...] + said[..<start]).reversed() {
            other.take(one, from: one.author, at: MadeUpVenue.moment(0))
        }
        hold(whole.digests() == other.digests(), "the book depends on the order")
        // Two who have a part each, and tell each other.
        var parts = [Watcher(), Watcher()]
        for (place, one) in said.enumerated() {
            parts[(turn >> (place % 16)) & 1].take(
                one, from: one.author, at: MadeUpVenue.moment(0))
        }
        let gossip = FakeSigner(0, seed: 3).key
        for (one, two) in [(0, 1), (1, 0)] {
            for bucket in 0..<Limits.stayBuckets {
                let lists = parts[one].book.lists(of: bucket, atMost: 1 + turn % 5)
                hold(lists.first?.after == nil, "a bucket is not listed from its begin on")
                hold(lists.last?.last == nil, "a bucket is not listed to its end")
                for (list, next) in zip(lists, lists.dropFirst()) {
                    hold(list.last != nil && list.last == next.after, "a gap between two lists")
                }
                for list in lists {
                    for new in parts[two].book.newer(than: list) {
                        parts[one].take(new, from: gossip, at: MadeUpVenue.moment(0))
                    }
                }
            }
        }
        var all = [whole, other] + parts
        for place in all.indices { all[place].advance(to: now) }
        let digests = all[0].digests()
        for place in all.indices {
            hold(all[place].digests() == digests, "a part that was told is another book")
            hold(all[place].counts == all[0].counts, "the counts depend on the order")
            hold(all[place].book.count <= said.count, "more is kept than was said")
        }
        let people = all[0].book.statements.filter { all[0].attendance.place(of: $0.author) != nil }
        hold(all[0].counts.reduce(0) { $0 + $1[1] } == people.count, "somebody is counted twice")
        return .accepted
    }

    /// What one of sixteen people says.
    private static func statement(_ choices: inout Choices) -> VenueStatement {
        let who = FakeSigner(choices.below(16), seed: 1)
        let shape = choices.byte()
        let since = Int64(choices.wide()) * 3 - 9
        let revision = 1 + Int(shape & 7)
        return MadeUpVenue.statement(
            who, revision, at: 1 + Int(shape >> 3 & 3), since: since,
            until: shape & 32 == 0 ? nil : since + Int64(shape >> 6) * 600)
    }
}
