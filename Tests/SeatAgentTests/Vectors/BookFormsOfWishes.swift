// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Text

/// Wishes of a venue.
extension BookForms {
    private static func want(_ place: Int, _ group: Int?, _ window: Part = list(9000, 600, 60))
        -> Part
    {
        .list([.number(place), group.map { .number($0) } ?? .null, window])
    }

    mutating func wishes() {
        let good = Part.list([
            .list([.bytes(Self.some(3)), .bytes(Self.some(4))]),
            .list([
                .list([Self.want(0, nil), Self.want(0, 5), Self.want(7, nil)]),
                .list([Self.want(8, nil)]),
            ]), .number(1), .bytes(Self.some(5, 16)), .text("any court"),
        ])
        accepted.append(("a wish", 16, good))
        bound("the place of a want", 16, good, [1, 1, 0, 0], 0...4095)
        bound("the group of a want", 16, good, [1, 0, 1, 1], 0...63)
        bound("the day of a want", 16, good, [1, 1, 0, 2, 0], 0...65_535)
        bound("the minute of a want", 16, good, [1, 1, 0, 2, 1], 0...1439)
        bound("the minutes of a want", 16, good, [1, 1, 0, 2, 2], 1...44_640)
        bound("what may be asked for", 16, good, [2], 0...2)
        exact("an offered token", 16, good, [0, 0], 32)
        exact("the tag of a wish", 16, good, [3], 16)
        for (name, path) in [
            ("a wish", []), ("a want", [1, 1, 0]), ("the window of a want", [1, 1, 0, 2]),
        ] { fixed(name, 16, good, path) }
        refuse("a place and a group", 16, good, [1, 1, 0, 1], .number(5))
        refuse("a place that is null", 16, good, [1, 1, 0, 0], .null)
        lists(good)
        orders(good)
    }

    private mutating func lists(_ good: Part) {
        func tokens(_ count: Int) -> Part {
            .list((0..<count).map { .bytes(Self.some(UInt8($0))) })
        }
        func wants(_ count: Int) -> Part { .list((0..<count).map { Self.want($0, nil) }) }
        func ranks(_ count: Int) -> Part { .list((0..<count).map { _ in wants(1) }) }
        for count in [0, 9] { accept("\(count) offered", 16, good, [0], tokens(count)) }
        refuse("ten offered", 16, good, [0], tokens(10))
        for count in [1, 16] { accept("\(count) wants", 16, good, [1, 1], wants(count)) }
        for count in [0, 17] { refuse("\(count) wants", 16, good, [1, 1], wants(count)) }
        for count in [0, 4] { accept("\(count) ranks", 16, good, [1], ranks(count)) }
        refuse("five ranks", 16, good, [1], ranks(5))
        accept("an empty note of a wish", 16, good, [4], .text(""))
        accept(
            "a wish's note of 200 bytes", 16, good, [4], .text(String(repeating: "é", count: 100)))
        refuse(
            "a wish's note of 201 bytes", 16, good, [4], .text(String(repeating: "x", count: 201)))
        // What flights have in its place.
        refuse("seats", 16, good, [1], .list([.list([Self.list(1, 3, 9)])]))
        refuse("every seat", 16, good, [1], .list([.list([Self.list(1 << 26 - 1, 1, 255)])]))
    }

    private mutating func orders(_ good: Part) {
        refuse(
            "offered in another order", 16, good, [0],
            .list([.bytes(Self.some(4)), .bytes(Self.some(3))]))
        refuse(
            "offered twice", 16, good, [0], .list([.bytes(Self.some(3)), .bytes(Self.some(3))]))
        // Sorted by place, group, day, minute and length; what is not named comes first.
        let sorted = [
            Self.want(0, nil, Self.list(9000, 600, 60)),
            Self.want(0, nil, Self.list(9000, 600, 61)),
            Self.want(0, nil, Self.list(9000, 601, 30)), Self.want(0, nil, Self.list(9001, 0, 30)),
            Self.want(0, 0, Self.list(8000, 0, 30)), Self.want(0, 24, Self.list(7000, 0, 30)),
            Self.want(1, nil, Self.list(6000, 0, 30)), Self.want(24, nil, Self.list(5000, 0, 30)),
            Self.want(255, nil, Self.list(4000, 0, 30)),
            Self.want(256, nil, Self.list(3000, 0, 30)),
        ]
        accept("wants in their order", 16, good, [1, 1], .list(sorted))
        for place in sorted.indices.dropLast() {
            refuse(
                "wants \(place) and \(place + 1) in another order", 16, good, [1, 1],
                .list([sorted[place + 1], sorted[place]]))
        }
        refuse("a want twice", 16, good, [1, 1], .list([sorted[0], sorted[0]]))
    }
}
