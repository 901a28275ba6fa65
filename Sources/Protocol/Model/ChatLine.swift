// SPDX-License-Identifier: Apache-2.0
/// A line to everyone, as its author wrote it.
public struct ChatLine: Hashable, Sendable {
    /// Hostile text.
    public let text: String
    /// The line that it answers.
    public let replyTo: EntryID?
    /// When it was said, by its author's clock: a statement and no proof.
    public let time: UTCTime
    /// Lines that its author knew and no other line named: it was said after them. Sorted, unique.
    public let after: [EntryID]

    /// A line; `after` is sorted here.
    public init(text: String, replyTo: EntryID?, time: UTCTime, after: [EntryID]) {
        self.text = text
        self.replyTo = replyTo
        self.time = time
        self.after = after.sorted()
    }
}

extension EntryBody {
    /// A line to everyone. Not every line has a time or something it was said after.
    public static func chat(
        text: String, replyTo: EntryID?, time: UTCTime = UTCTime(seconds: 0),
        after: [EntryID] = []
    ) -> EntryBody {
        .chat(ChatLine(text: text, replyTo: replyTo, time: time, after: after))
    }
}

extension EntryCodec {
    /// Whether `bytes` are an entry in a form that only fold version 1 had: a chat line
    /// of two items, or type 8.
    static func isOlder(_ bytes: [UInt8]) -> Bool {
        do throws(DecodeError) {
            var outer = CBORReader(bytes.span.bytes)
            try outer.array(4)
            _ = try outer.byteRange(3...3)
            _ = try outer.map(0...0)
            let payload = try outer.byteRange(1...Limits.entry)
            var reader = CBORReader(bytes.span.bytes.extracting(payload))
            try reader.array(7)
            _ = try reader.uint(in: 1...1)
            for _ in 0..<2 { _ = try reader.bytes32() }
            _ = try reader.uint(in: 1...Limits.entriesPerAuthor)
            if try !reader.takeNull() { _ = try reader.bytes32() }
            let type = try reader.uint(max: 15)
            let count = try reader.array(0...4)
            return type == 8 || type == 7 && count == 2
        } catch {
            return false
        }
    }

    static func write(_ line: ChatLine, to writer: inout CBORWriter) {
        writer.array(4)
        writer.text(line.text)
        if let replyTo = line.replyTo { writer.value(replyTo) } else { writer.null() }
        writer.uint(Int(line.time.seconds))
        writer.array(line.after.count)
        for id in line.after { writer.value(id) }
    }

    static func chat(_ reader: inout CBORReader) throws(DecodeError) -> ChatLine {
        try reader.array(4)
        let text = try reader.text(max: Limits.chatText)
        let replyTo = try reader.takeNull() ? nil : try reader.value(EntryID.self)
        let time = UTCTime(seconds: Int64(try reader.uint()))
        var after: [EntryID] = []
        for _ in 0..<(try reader.array(0...Limits.chatAfter)) {
            after.append(try reader.value(EntryID.self))
        }
        guard zip(after, after.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
        return ChatLine(text: text, replyTo: replyTo, time: time, after: after)
    }
}
