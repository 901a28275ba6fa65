// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text

/// What ledgers say, in every form that is just allowed or just not: each number at its bounds and
/// one beyond, each list too short and too long. Nothing is signed: form is judged before
/// signatures.
struct BookForms {
    /// A value of CBOR, to be changed at any place.
    indirect enum Part: Sendable {
        case number(Int)
        case bytes([UInt8])
        case text(String)
        case list([Part])
        case bool(Bool)
        case null
        /// A byte string that holds CBOR.
        case inner(Part)

        func write(to writer: inout CBORWriter) {
            switch self {
            case .number(let number): writer.uint(number)
            case .bytes(let bytes): writer.bytes(bytes)
            case .text(let text): writer.text(text)
            case .bool(let bool): writer.bool(bool)
            case .null: writer.null()
            case .list(let parts):
                writer.array(parts.count)
                for part in parts { part.write(to: &writer) }
            case .inner(let part): writer.bytes(part.encoded)
            }
        }

        var encoded: [UInt8] {
            var writer = CBORWriter()
            write(to: &writer)
            return writer.bytes
        }

        /// With another part at a path of places in lists.
        func with(_ path: [Int], _ change: (Part) -> Part) -> Part {
            guard let place = path.first else { return change(self) }
            switch self {
            case .list(var parts):
                guard parts.indices.contains(place) else { return self }
                parts[place] = parts[place].with(Array(path.dropFirst()), change)
                return .list(parts)
            case .inner(let part): return .inner(part.with(path, change))
            case .number, .bytes, .text, .bool, .null: return self
            }
        }
    }

    var accepted: [(String, Int, Part)] = []
    var refused: [(String, Int, Part)] = []

    var asked: [(String, Part, Bool)] = []

    init() {
        charters()
        rules()
        largest()
        grants()
        closes()
        notes()
        wishes()
        asks()
    }

    func json(_ primitives: any Primitives) -> JSON {
        [
            "note": "section 32: forms of what ledgers say; nothing is signed",
            "accepted": .array(
                accepted.map { why, type, body in
                    let bytes = Self.entry(type, body)
                    return [
                        "form": .string(why), "type": .int(type), "entry": .hex(bytes),
                        "id": .hex(
                            primitives.sha256(
                                Array("seatswap/1 id".utf8) + Self.payload(type, body)
                            ).bytes),
                    ]
                }),
            "refused": .array(
                refused.map { ["why": .string($0), "entry": .hex(Self.entry($1, $2))] }),
            "asks": .array(
                asked.map { name, body, isAsk in
                    ["form": .string(name), "body": .hex(body.encoded), "is_ask": .bool(isAsk)]
                }),
        ]
    }

    private static func payload(_ type: Int, _ body: Part, seq: Int = 2) -> [UInt8] {
        Part.list([
            .number(1), .bytes(Self.some(7)), .bytes(Self.some(8)), .number(seq),
            .bytes(Self.some(9)), .number(type), body,
        ]).encoded
    }

    private static func entry(_ type: Int, _ body: Part) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(4)
        writer.bytes(EntryCodec.protected)
        writer.map(0)
        writer.bytes(payload(type, body))
        writer.bytes(some(5, 64))
        return writer.bytes
    }

    static func some(_ byte: UInt8, _ count: Int = 32) -> [UInt8] {
        Array(repeating: byte, count: count)
    }

    // MARK: Ways to change one

    /// A number at both its bounds, and one beyond each.
    mutating func bound(
        _ name: String, _ type: Int, _ body: Part, _ path: [Int], _ range: ClosedRange<Int>
    ) {
        for good in Set([range.lowerBound, range.upperBound]).sorted() {
            accepted.append(("\(name) \(good)", type, body.with(path) { _ in .number(good) }))
        }
        for bad in [range.lowerBound - 1, range.upperBound + 1] where bad >= 0 {
            refused.append(("\(name) \(bad)", type, body.with(path) { _ in .number(bad) }))
        }
    }

    /// Bytes of one more and one fewer, and something else in their place.
    mutating func exact(
        _ name: String, _ type: Int, _ body: Part, _ path: [Int], _ count: Int,
        isOptional: Bool = false
    ) {
        for other in [count - 1, count + 1] {
            refused.append(
                (
                    "\(name) of \(other) bytes", type,
                    body.with(path) { _ in .bytes(Self.some(1, other)) }
                ))
        }
        refused.append(("\(name) that is a number", type, body.with(path) { _ in .number(1) }))
        let null = ("\(name) that is null", type, body.with(path) { _ in .null })
        if isOptional { accepted.append(null) } else { refused.append(null) }
    }

    /// A list of one more and one fewer.
    mutating func fixed(_ name: String, _ type: Int, _ body: Part, _ path: [Int]) {
        func changed(_ change: ([Part]) -> [Part]) -> Part {
            body.with(path) { part in
                switch part {
                case .list(let parts): .list(change(parts))
                case .inner(.list(let parts)): .inner(.list(change(parts)))
                case .number, .bytes, .text, .bool, .null, .inner: part
                }
            }
        }
        refused.append(("\(name), one fewer", type, changed { Array($0.dropLast()) }))
        refused.append(("\(name), one more", type, changed { $0 + [.number(0)] }))
    }

    mutating func refuse(
        _ name: String, _ type: Int, _ body: Part, _ path: [Int], _ part: Part
    ) { refused.append((name, type, body.with(path) { _ in part })) }

    mutating func accept(
        _ name: String, _ type: Int, _ body: Part, _ path: [Int], _ part: Part
    ) { accepted.append((name, type, body.with(path) { _ in part })) }

    static func list(_ numbers: Int...) -> Part { .list(numbers.map { .number($0) }) }

    // MARK: Charters

    private static let goodRules = Part.list([
        .number(1), .number(3),
        .list([list(0, 1), list(7, 2), list(9, 65_535)]),
        .list([
            .list([.number(1), .number(0), .number(0), .list([list(0, 1)])]),
            .list([.number(9), .number(1), .number(30), .list([list(0, 1), list(7, 65_535)])]),
        ]),
        .list([.list([.list([.null, .number(0), .number(0)])]), .list([])]), .number(2),
    ])

    private static let charter = Part.list([
        .number(1), .number(1), .inner(goodRules), .bytes(some(1)),
        .list([.list([.bytes(some(2)), .number(5)]), .list([.bytes(some(3)), .number(6)])]),
        .bytes(some(4, 64)),
    ])

    private mutating func charters() {
        let good = Self.charter
        bound("epoch", 10, good, [0], 1...255)
        bound("revision", 10, good, [1], 1...65_535)
        bound("seq of an earlier ledger", 10, good, [4, 0, 1], 1...32_768)
        exact("words", 10, good, [3], 32)
        exact("an earlier ledger", 10, good, [4, 0, 0], 32)
        exact("the operator's signature", 10, good, [5], 64)
        for (name, path) in [("a charter", []), ("an earlier ledger and its seq", [4, 0])] {
            fixed(name, 10, good, path)
        }
        func before(_ count: Int) -> Part {
            .list((0..<count).map { .list([.bytes(Self.some(UInt8($0))), .number(2)]) })
        }
        for count in [0, 8] { accept("\(count) earlier ledgers", 10, good, [4], before(count)) }
        refuse("nine earlier ledgers", 10, good, [4], before(9))
        let pair = [2, 3].map { Part.list([.bytes(Self.some($0)), .number(2)]) }
        refuse("earlier ledgers in another order", 10, good, [4], .list(pair.reversed()))
        refuse("an earlier ledger twice", 10, good, [4], .list([pair[0], pair[0]]))
        refuse("no rules", 10, good, [2], .bytes([]))
        refuse("rules that are no bytes", 10, good, [2], Self.goodRules)
        refuse("bytes behind the rules", 10, good, [2], .bytes(Self.goodRules.encoded + [0]))
    }

    private mutating func rules() {
        let good = Self.charter
        bound("the first day", 10, good, [2, 0], 0...3)
        bound("the last day", 10, good, [2, 1], 1...65_535)
        bound("a capacity", 10, good, [2, 2, 0, 1], 1...65_535)
        bound("a unit behind another", 10, good, [2, 2, 2, 0], 8...4095)
        bound("a place behind another", 10, good, [2, 3, 1, 0], 2...4095)
        bound("a place before another", 10, good, [2, 3, 0, 0], 1...8)
        bound("a group", 10, good, [2, 3, 0, 1], 0...63)
        bound("a turnover", 10, good, [2, 3, 0, 2], 0...10_080)
        bound("an amount", 10, good, [2, 3, 0, 3, 0, 1], 1...65_535)
        bound("the group of a quota", 10, good, [2, 4, 0, 0, 0], 0...63)
        bound("the minutes of a quota", 10, good, [2, 4, 0, 0, 1], 0...44_640)
        bound("the bookings of a quota", 10, good, [2, 4, 0, 0, 2], 0...255)
        bound("swaps", 10, good, [2, 5], 0...2)
        for (name, path) in [
            ("rules", [2]), ("a unit", [2, 2, 0]), ("a place", [2, 3, 0]),
            ("a use", [2, 3, 0, 3, 0]), ("a quota", [2, 4, 0, 0]),
        ] { fixed(name, 10, good, path) }
        func counted(_ name: String, _ path: [Int], _ range: ClosedRange<Int>, _ one: (Int) -> Part)
            -> [(String, Part, Bool)]
        {
            (range.lowerBound - 1...range.upperBound + 1).filter {
                $0 >= 0 && ($0 <= range.lowerBound || $0 >= range.upperBound)
            }.map { count in
                let list = Part.list((0..<count).map(one))
                return ("\(count) \(name)", good.with(path) { _ in list }, range.contains(count))
            }
        }
        let use = Part.list([Self.list(0, 1)])
        let lists =
            counted("units", [2, 2], 2...256) { Self.list($0 * 7, 1) }
            + counted("places", [2, 3], 1...256) {
                .list([.number($0 + 1), .number(0), .number(0), use])
            } + counted("classes", [2, 4], 1...16) { _ in .list([]) }
            + counted("quotas", [2, 4, 0], 0...8) { _ in Self.list(1, 2, 3) }
        for (name, body, isGood) in lists { judge(name, body, isGood) }
        let units = Part.list((0..<9).map { Self.list($0, 1) })
        for count in [0, 1, 8, 9] {
            let uses = Part.list((0..<count).map { Self.list($0, 1) })
            let body = good.with([2, 2]) { _ in units }.with([2, 3]) { _ in
                .list([.list([.number(1), .number(0), .number(0), uses])])
            }
            judge("\(count) uses", body, 1...8 ~= count)
        }
        refuse(
            "units in another order", 10, good, [2, 2], .list([Self.list(7, 1), Self.list(0, 1)]))
        refuse(
            "uses in another order", 10, good, [2, 3, 1, 3],
            .list([Self.list(7, 1), Self.list(0, 1)]))
        refuse("a unit that is not there", 10, good, [2, 3, 0, 3], .list([Self.list(8, 1)]))
        accept("no quotas in a class", 10, good, [2, 4], .list([.list([])]))
    }

    /// The largest numbers and the most bytes, where a part of the rules rests on another.
    private mutating func largest() {
        let good = Self.charter
        for day in [65_535, 65_536] {
            let body = good.with([2, 0]) { _ in .number(day) }.with([2, 1]) { _ in .number(day) }
            judge("first and last day \(day)", body, day < 65_536)
        }
        for unit in [4095, 4096] {
            let body = good.with([2, 2, 2, 0]) { _ in .number(unit) }
                .with([2, 3, 1, 3, 1, 0]) { _ in .number(unit) }
            judge("unit \(unit) in use", body, unit < 4096)
        }
        for count in [6144, 6145] {
            let body = good.with([2]) { _ in .bytes(Self.rules(of: count)) }
            judge("rules of \(count) bytes", body, count < 6145)
        }
    }

    private mutating func judge(_ name: String, _ charter: Part, _ isGood: Bool) {
        if isGood {
            accepted.append((name, 10, charter))
        } else {
            refused.append((name, 10, charter))
        }
    }

    /// Good rules of just so many bytes.
    private static func rules(of count: Int) -> [UInt8] {
        func rules(_ uses: Int, _ longer: Int) -> Part {
            let places = (0..<256).map { number in
                let more = uses / 256 + (number < uses % 256 ? 1 : 0)
                return Part.list([
                    .number(256 + number), .number(0), .number(number < longer ? 100 : 0),
                    .list((0...more).map { Self.list($0, 65_535) }),
                ])
            }
            return .list([
                .number(1), .number(3), .list((0..<8).map { Self.list($0, 65_535) }),
                .list(places), .list([.list([])]), .number(2),
            ])
        }
        // Another use takes five bytes, a longer turnover one.
        let base = rules(0, 0).encoded.count
        let long = (count - base) / 5
        return rules(long, count - rules(long, 0).encoded.count).encoded
    }
}
