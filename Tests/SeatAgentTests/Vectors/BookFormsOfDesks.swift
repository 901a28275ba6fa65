// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text

/// Grants, closes and notes.
extension BookForms {
    static let grant = Part.list([
        .bytes(some(1)), .number(5), .number(7), list(9000, 600, 60), .number(1),
        .list([.text("USD"), .number(2000)]), .number(0), .bytes(some(2)),
        .list([.bytes(some(3)), .bytes(some(4))]), .bytes(some(5, 16)), .text("for Els"),
    ])

    mutating func grants() {
        let good = Self.grant
        bound("member", 11, good, [1], 0...65_535)
        bound("place", 11, good, [2], 1...4095)
        bound("day", 11, good, [3, 0], 0...65_535)
        bound("minute of the day", 11, good, [3, 1], 0...1439)
        bound("minutes", 11, good, [3, 2], 1...44_640)
        bound("count", 11, good, [4], 1...1000)
        bound("amount due", 11, good, [5, 1], 0...4_294_967_295)
        bound("flags", 11, good, [6], 0...3)
        exact("holder", 11, good, [0], 32)
        exact("ask", 11, good, [7], 32, isOptional: true)
        exact("a token that is replaced", 11, good, [8, 0], 32)
        exact("tag", 11, good, [9], 16, isOptional: true)
        for (name, path) in [("a grant", []), ("a period", [3]), ("what is due", [5])] {
            fixed(name, 11, good, path)
        }
        accept("nothing due", 11, good, [5], .null)
        for (name, text) in [
            ("in small letters", "usd"), ("of two letters", "US"), ("of four letters", "USDD"),
            ("with a digit", "US1"), ("of three bytes and two letters", "UÉ"),
        ] { refuse("a currency \(name)", 11, good, [5, 0], .text(text)) }
        accept("an empty note", 11, good, [10], .text(""))
        accept("a note of 200 bytes", 11, good, [10], .text(String(repeating: "é", count: 100)))
        refuse("a note of 201 bytes", 11, good, [10], .text(String(repeating: "x", count: 201)))
        func tokens(_ numbers: [UInt8]) -> Part { .list(numbers.map { .bytes(Self.some($0)) }) }
        accept("nothing replaced", 11, good, [8], tokens([]))
        accept("eight replaced", 11, good, [8], tokens(Array(1...8)))
        refuse("nine replaced", 11, good, [8], tokens(Array(1...9)))
        refuse("replaced in another order", 11, good, [8], tokens([4, 3]))
        refuse("replaced twice", 11, good, [8], tokens([3, 3]))
    }

    /// A statement with such a body.
    private static func statement(_ body: Part) -> Part {
        .inner(.list([.bytes(some(6)), .inner(body), .bytes(some(7, 64))]))
    }

    /// An ask to give back the token of threes.
    private static func giveBack(_ ask: Part? = nil) -> Part {
        let plain = Part.list([
            .number(1), .list([.bytes(some(3)), .bytes(some(4))]), .null,
        ])
        return .list([.number(0), .bytes(some(1, 8)), .number(5), ask ?? plain])
    }

    mutating func closes() {
        let good = Part.list([.bytes(Self.some(3)), .number(1), .bool(true), .null])
        bound("reason of the desk", 12, good, [1], 1...6)
        exact("token", 12, good, [0], 32)
        refuse("spent that is a number", 12, good, [2], .number(1))
        fixed("a close", 12, good, [])
        let asked = good.with([1]) { _ in .number(0) }
        func carried(_ body: Part) -> Part {
            asked.with([3]) { _ in Self.statement(body) }
        }
        accepted.append(("asked", 12, carried(Self.giveBack())))
        refused.append(("asked without an ask", 12, asked))
        refused.append(
            (
                "an ask, but the desk's reason", 12,
                carried(Self.giveBack()).with([1]) { _ in .number(1) }
            ))
        let asks: [(String, Part)] = [
            ("about another token", Self.giveBack().with([3, 1, 0]) { _ in .bytes(Self.some(9)) }),
            ("that names somebody", Self.giveBack().with([3, 2]) { _ in .bytes(Self.some(9)) }),
            ("to withdraw", Self.giveBack(.list([.number(3), .bytes(Self.some(3))]))),
            (
                "to move",
                Self.giveBack(
                    .list([
                        .number(2), .list([.bytes(Self.some(3)), .bytes(Self.some(4))]), .number(1),
                        Self.list(1, 1, 1),
                    ]))
            ),
            ("without its nonce", Self.giveBack().with([1]) { _ in .bytes(Self.some(1, 7)) }),
            ("with a long nonce", Self.giveBack().with([1]) { _ in .bytes(Self.some(1, 9)) }),
            ("with a fourth part", .list([.number(0), .bytes(Self.some(1, 8)), .number(5)])),
            ("that is a stay", Self.giveBack().with([0]) { _ in .number(1) }),
            ("of a later kind", Self.giveBack().with([0]) { _ in .number(2) }),
            (
                "with more behind it",
                Self.giveBack().with([3]) { part in
                    if case .list(let parts) = part { .list(parts + [.null]) } else { part }
                }
            ),
            (
                "about a short token",
                Self.giveBack().with([3, 1, 1]) { _ in .bytes(Self.some(4, 31)) }
            ),
        ]
        for (name, body) in asks { refused.append(("an ask " + name, 12, carried(body))) }
        accepted.append(
            (
                "an ask of a later holder", 12,
                carried(Self.giveBack().with([3, 1, 1]) { _ in .bytes(Self.some(9)) })
            ))
        refused.append(
            (
                "a statement without a signature", 12,
                carried(Self.giveBack()).with([3, 2]) { _ in .bytes([]) }
            ))
    }

    mutating func notes() {
        let key = Part.bytes(Self.some(1))
        let member = Part.list([.number(0), .number(5), .number(0), key])
        bound("number of a member", 13, member, [1], 1...65_535)
        bound("class of a member", 13, member, [2], 0...15)
        exact("key of a member", 13, member, [3], 32, isOptional: true)
        let waiting = Part.list([.number(1), key, .number(5)])
        bound("place in the queue", 13, waiting, [2], 1...999)
        exact("ask that waits", 13, waiting, [1], 32)
        let paid = Part.list([.number(2), key, .number(5), .number(5)])
        bound("amount paid", 13, paid, [2], 0...4_294_967_295)
        bound("means", 13, paid, [3], 0...7)
        exact("token that was paid", 13, paid, [1], 32)
        let visit = Part.list([.number(3), key, .number(0)])
        bound("what became of it", 13, visit, [2], 0...2)
        exact("token of a visit", 13, visit, [1], 32)
        let lot = Part.list([.number(4), .bytes(Self.some(1, 16))])
        exact("bytes of a lot", 13, lot, [1], 16)
        let opens = Part.list([.number(5), key])
        exact("hash of a lot", 13, opens, [1], 32)
        for (name, note) in [
            ("member", member), ("waiting", waiting), ("paid", paid), ("visit", visit),
            ("lot", lot), ("lot opens", opens),
        ] {
            accepted.append((name, 13, note))
            fixed("note: " + name, 13, note, [])
        }
        refuse("note of kind 6", 13, opens, [0], .number(6))
        refused.append(("an empty note", 13, .list([])))
        for type in [2, 3, 9] {
            let seat = Self.list(1, 1)
            let body: Part =
                type == 2
                ? .list([seat, .number(0)])
                : .list([.bytes(Self.some(1)), type == 3 ? .bytes(Self.some(2)) : seat])
            refused.append(("type \(type)", type, body))
        }
        for type in [8, 14] { refused.append(("type \(type)", type, .list([]))) }
    }

    /// Bodies of statements of kind 0: which of them are asks.
    mutating func asks() {
        func whole(_ ask: Part) -> Part {
            .list([.number(0), .bytes(Self.some(1, 8)), .number(5), ask])
        }
        let tenure = Part.list([.bytes(Self.some(3)), .bytes(Self.some(4))])
        let book = whole(
            .list([
                .number(0), .number(7), Self.list(9000, 600, 60), .number(1), .bool(true),
                .bytes(Self.some(5, 16)), .text("for Els"),
            ]))
        let back = Self.giveBack()
        let move = whole(.list([.number(2), tenure, .number(7), Self.list(9000, 600, 60)]))
        let withdraw = whole(.list([.number(3), .bytes(Self.some(3))]))
        // What is allowed and what is not comes about as it does for entries.
        var forms = self
        (forms.accepted, forms.refused) = ([], [])
        for (name, ask, path) in [("booked", book, [3, 1]), ("moved to", move, [3, 2])] {
            forms.bound("place " + name, 0, ask, path, 1...4095)
            forms.bound("day " + name, 0, ask, [3, path[1] + 1, 0], 0...65_535)
        }
        forms.bound("count", 0, book, [3, 3], 1...1000)
        forms.exact("tag", 0, book, [3, 5], 16, isOptional: true)
        forms.refuse("waits by a number", 0, book, [3, 4], .number(1))
        for (count, isGood) in [(0, true), (200, true), (201, false)] {
            let body = book.with([3, 6]) { _ in .text(String(repeating: "x", count: count)) }
            if isGood {
                forms.accepted.append(("a note of \(count)", 0, body))
            } else {
                forms.refused.append(("a note of \(count)", 0, body))
            }
        }
        forms.exact("who gets it", 0, back, [3, 2], 32, isOptional: true)
        forms.exact("ask that is withdrawn", 0, withdraw, [3, 1], 32)
        for (name, ask) in [
            ("book", book), ("give back", back), ("move", move), ("withdraw", withdraw),
        ] {
            forms.accepted.append((name, 0, ask))
            forms.fixed(name, 0, ask, [])
            forms.fixed(name + ", the wish", 0, ask, [3])
            forms.exact("nonce of " + name, 0, ask, [1], 8)
            forms.refuse("no end of " + name, 0, ask, [2], .null)
        }
        for (name, ask) in [("give back", back), ("move", move)] {
            forms.exact("token to " + name, 0, ask, [3, 1, 0], 32)
            forms.exact("producer to " + name, 0, ask, [3, 1, 1], 32)
            forms.fixed("tenure to " + name, 0, ask, [3, 1])
        }
        forms.refuse("a wish of kind 4", 0, withdraw, [3, 0], .number(4))
        asked =
            forms.accepted.map { ($0.0, $0.2, true) } + forms.refused.map { ($0.0, $0.2, false) }
    }
}
