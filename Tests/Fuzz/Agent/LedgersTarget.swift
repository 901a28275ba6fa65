// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// Ledgers of a venue: what is read as an entry is written as the same bytes; and whatever a desk
/// writes, the running book is the whole one, no unit is over its capacity and no member over a
/// quota.
///
/// Input: what it is meant to be, then the entry, or choices of what a desk writes.
enum LedgersTarget {
    private static let codec = EntryCodec(
        LaxPrimitives.shared, rules: .venue(OperatorKey(Bytes32.zero)))

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return kind % 2 == 0 ? read(rest) : book(rest)
    }

    // MARK: Bytes

    private static func read(_ bytes: [UInt8]) -> Verdict {
        guard let entry = try? codec.decode(bytes) else { return .refused }
        let signer = KnownSignature(
            key: entry.author, signature: Array(entry.bytes[entry.signature]))
        let copy = try? codec.sign(
            entry.body, flight: entry.flight, seq: entry.seq, previous: entry.previous, by: signer)
        hold(copy?.bytes == entry.bytes, "written as other bytes")
        hold(copy?.id == entry.id && copy?.body == entry.body, "another entry")
        hold(![2, 3, 9].contains(entry.body.type), "a type of flights")
        _ = codec.isWitnessed(entry)
        var logs = LogSet()
        if case .added = logs.insert(bytes, flight: entry.flight, codec: codec) {
            hold(entry.seq == 1 && entry.ledger == nil, "a ledger of one entry")
        }
        return .accepted
    }

    // MARK: Books

    private static func book(_ bytes: [UInt8]) -> Verdict {
        var choices = Choices(bytes)
        guard !choices.isEmpty, var desk = try? SmallVenue() else { return .refused }
        var running = RunningBook()
        var tokens: [Token] = []
        var old = Book()
        while !choices.isEmpty, desk.desk.entries.count < 28 {
            guard (try? write(&choices, &desk, &tokens)) != nil else { continue }
            let logs = desk.desk.venue.logs(desk.desk)
            running.follow(logs)
            let whole = Book.whole(of: logs)
            hold(running.book == whole, "the running book is another")
            hold(BookInvariants.violations(of: whole).isEmpty, "over a capacity or a quota")
            hold(BookInvariants.violations(from: old, to: whole).isEmpty, "the past changed")
            old = whole
        }
        return .accepted
    }

    /// One entry of the desk.
    private static func write(
        _ choices: inout Choices, _ desk: inout SmallVenue, _ tokens: inout [Token]
    ) throws {
        let people = [SmallVenue.ada, SmallVenue.bo, SmallVenue.cy]
        func token() -> Token {
            tokens.isEmpty ? Token(.zero) : tokens[choices.below(tokens.count)]
        }
        switch choices.below(8) {
        case 0..<5:
            let replaced = choices.below(4) == 0 ? [token()] : []
            tokens.append(
                try desk.grant(
                    people[choices.below(3)], of: choices.below(4), 1 + choices.below(6),
                    choices.below(4), choices.below(24), 1 + choices.wide() % 400,
                    count: 1 + choices.below(3),
                    flags: Grant.Flags(rawValue: max(0, choices.below(7) - 3)),
                    replaces: replaced))
        case 5:
            try desk.desk.close(token(), .desk, spent: choices.below(2) == 0)
        case 6:
            try desk.desk.member(1 + choices.below(3), choices.below(3), people[choices.below(3)])
        default:
            try desk.desk.charter(
                revision: 2 + desk.desk.entries.count,
                try SmallVenue.rules(
                    court: 1 + choices.below(2), castles: 1 + choices.below(4),
                    turnover: choices.below(200)))
        }
    }
}
