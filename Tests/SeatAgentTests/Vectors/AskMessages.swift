// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

@testable import Text

/// ASKS, FORM and FORM_ACK, with what must be refused in a venue.
struct AskMessages {
    private typealias Part = BookForms.Part

    private let thread = BookForms.some(1, 16)

    func messages() throws -> JSON {
        let mark = mark(5, 1)
        let long = String(repeating: "é", count: 127)
        guard let id = ThreadID(thread),
            let form = VenueForm(
                .join, [.init(number: 0, text: "Els de Vries"), .init(number: 7, text: "")]),
            let plate = VenueForm(.permit, [.init(number: 255, text: "AB-123-C")]),
            let erase = VenueForm(.erase, []), let newKey = VenueForm(.newKey, []),
            let largest = VenueForm(
                .join, (0..<16).map { .init(number: $0, text: long) })
        else { throw DecodeError(.badValue) }
        let all: [(String, VenueMessage)] = [
            ("ASKS, digests", .askDigests((0..<64).map { digest(UInt8($0)) })),
            ("ASKS, marks", .askMarks(try AskList(bucket: 0, [mark]))),
            (
                "ASKS, several marks of one asker",
                .askMarks(try AskList(bucket: 0, [mark, self.mark(5, 2), self.mark(6, 1)]))
            ), ("ASKS, an empty bucket", .askMarks(try AskList(bucket: 63, []))),
            (
                "ASKS, as many marks as fit",
                .askMarks(
                    try AskList(
                        bucket: 0, last: key(63),
                        (0..<512).map { self.mark(UInt16($0 / 8), UInt8($0 % 8)) }))
            ),
            (
                "ASKS, the part behind it to the end of the bucket",
                .askMarks(try AskList(bucket: 0, after: key(63), [self.mark(64, 0)]))
            ),
            (
                "ASKS, a part that ends with its last asker",
                .askMarks(try AskList(bucket: 0, after: key(5), last: key(6), [self.mark(6, 0)]))
            ),
            (
                "ASKS, a part of which nothing is kept",
                .askMarks(try AskList(bucket: 0, after: key(5), last: key(6), []))
            ),
            ("FORM, to join", .form(id, form)), ("FORM, a permit", .form(id, plate)),
            ("FORM, to be forgotten", .form(id, erase)), ("FORM, a new key", .form(id, newKey)),
            ("FORM, the largest", .form(id, largest)),
            ("FORM, of a later kind", .form(id, VenueForm(number: 15, fields: []))),
            ("FORM_ACK, kept", .formAck(id, .kept, text: "")),
            ("FORM_ACK, admitted", .formAck(id, .admitted, text: "Welkom!")),
            (
                "FORM_ACK, refused",
                .formAck(id, .refused, text: String(repeating: "é", count: 100))
            ), ("FORM_ACK, not known", .formAck(id, .unknown, text: "")),
        ]
        return .array(
            all.map { name, message in
                let bytes = Message.venue(message).encode()
                return [
                    "name": .string(name), "type": .int(Int(bytes[4])), "frame": .hex(bytes),
                    "value": .string(VectorText.diagnostic(Array(bytes[5...]))),
                ]
            })
    }

    private func digest(_ number: UInt8) -> Bytes32 { VectorFlight.primitives.sha256([number]) }

    private func key(_ number: UInt16) -> PeerKey {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[30] = UInt8(number >> 8)
        bytes[31] = UInt8(truncatingIfNeeded: number)
        return PeerKey(Bytes32(bytes) ?? .zero)
    }

    /// A mark of an asker of bucket 0.
    private func mark(_ number: UInt16, _ id: UInt8) -> AskMark {
        AskMark(asker: key(number), id: Bytes32(BookForms.some(id)) ?? .zero)
    }

    // MARK: Refused

    /// Frames that end the connection with a payload that is wrong.
    func refused() -> JSON {
        let asks = (digests() + lists()).map { ($0.0, FrameType.asks, $0.1) }
        let all = asks + forms().map { ($0.0, .form, $0.1) } + acks().map { ($0.0, .formAck, $0.1) }
        return .array(
            all.map { why, type, payload in
                let frame = Frame(type: type.rawValue, payload: payload.encoded)
                precondition((try? Message.decode(frame, rules: .venue)) == nil, why)
                return ["why": .string(why), "frame": .hex(frame.bytes)]
            })
    }

    private func digests() -> [(String, Part)] {
        func digests(_ count: Int, _ length: Int) -> Part {
            .list(Array(repeating: .bytes(BookForms.some(1, length)), count: count))
        }
        return [
            ("63 digests", digests(63, 32)), ("65 digests", digests(65, 32)),
            ("digests of 31 bytes", digests(64, 31)), ("digests of 33 bytes", digests(64, 33)),
        ]
    }

    private func lists() -> [(String, Part)] {
        let five = key(5).bytes
        let mark = mark(5, 1).bytes
        func list(
            _ bucket: Int, _ marks: [[UInt8]], after: [UInt8]? = nil, last: [UInt8]? = nil
        ) -> Part {
            .list([
                .number(bucket), after.map { .bytes($0) } ?? .null,
                last.map { .bytes($0) } ?? .null,
                .list(marks.map { .bytes($0) }),
            ])
        }
        let most = (0..<513).map { self.mark(UInt16($0), 0).bytes }
        let other = [4] + [UInt8](repeating: 0, count: 31)
        return [
            ("three parts", .list([.number(0), .null, .list([])])), ("bucket 64", list(64, [])),
            ("a mark of another bucket", list(1, [mark])),
            ("askers out of order", list(0, [self.mark(6, 1).bytes, mark])),
            ("ids out of order", list(0, [self.mark(5, 2).bytes, mark])),
            ("a mark twice", list(0, [mark, mark])), ("513 marks", list(0, most)),
            ("a mark of 63 bytes", list(0, [Array(mark.dropLast())])),
            ("a mark of 68 bytes", list(0, [mark + [0, 0, 0, 0]])),
            ("an asker that it begins behind", list(0, [mark], after: five)),
            ("an asker before its begin", list(0, [mark], after: key(6).bytes)),
            ("an asker behind its end", list(0, [mark], last: key(4).bytes)),
            ("an end that is its begin", list(0, [], after: five, last: five)),
            ("an end before its begin", list(0, [], after: five, last: key(4).bytes)),
            ("a begin in another bucket", list(0, [], after: other)),
            ("an end in another bucket", list(0, [mark], last: other)),
            ("a begin of 31 bytes", list(0, [], after: Array(five.dropLast()))),
            ("an end of 33 bytes", list(0, [], last: five + [0])),
        ]
    }

    private func forms() -> [(String, Part)] {
        func field(_ number: Int, _ text: String = "x") -> Part {
            .list([.number(number), .text(text)])
        }
        func form(_ fields: [Part]) -> Part {
            .list([.bytes(thread), .number(1), .list(fields)])
        }
        let good = form([field(1), field(2)])
        return [
            ("two parts", .list([.bytes(thread), .number(1)])),
            ("four parts", .list([.bytes(thread), .number(1), .list([]), .null])),
            ("a number of 15 bytes", good.with([0]) { _ in .bytes(BookForms.some(1, 15)) }),
            ("a number of 17 bytes", good.with([0]) { _ in .bytes(BookForms.some(1, 17)) }),
            ("kind 0", good.with([1]) { _ in .number(0) }),
            ("kind 16", good.with([1]) { _ in .number(16) }),
            ("no list of answers", good.with([2]) { _ in .null }),
            ("17 answers", form((0..<17).map { field($0) })),
            ("question 256", form([field(256)])),
            ("questions out of order", form([field(2), field(1)])),
            ("a question twice", form([field(1), field(1)])),
            ("an answer of 255 bytes", form([field(1, String(repeating: "x", count: 255))])),
            ("an answer of bytes", form([.list([.number(1), .bytes([120])])])),
            ("a question without an answer", form([.list([.number(1)])])),
            ("an answer with more", form([.list([.number(1), .text("x"), .null])])),
        ]
    }

    private func acks() -> [(String, Part)] {
        let good = Part.list([.bytes(thread), .number(0), .text("")])
        return [
            ("an ack of two parts", .list([.bytes(thread), .number(0)])),
            ("an ack of four parts", .list([.bytes(thread), .number(0), .text(""), .null])),
            ("an ack of 15 bytes", good.with([0]) { _ in .bytes(BookForms.some(1, 15)) }),
            ("an ack of 17 bytes", good.with([0]) { _ in .bytes(BookForms.some(1, 17)) }),
            ("state 4", good.with([1]) { _ in .number(4) }),
            (
                "201 bytes of words",
                good.with([2]) { _ in .text(String(repeating: "x", count: 201)) }
            ), ("words that are bytes", good.with([2]) { _ in .bytes([]) }),
        ]
    }
}
