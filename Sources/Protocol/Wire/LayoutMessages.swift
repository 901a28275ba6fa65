// SPDX-License-Identifier: Apache-2.0
/// What agents say of suggested layouts (docs/protocol.md section 27). Both types are odd: who does
/// not know them swaps seats as well.
package enum LayoutMessage: Hashable, Sendable {
    /// LAYOUT: one suggestion, the sender's own or another's.
    case suggestion(LayoutSuggestion)
    /// LAYOUTS: the digest of all that the sender keeps; with the list, what
    /// it wants is what is newer.
    case known(digest: Bytes32, marks: [LayoutMark]?)

    var type: FrameType {
        switch self {
        case .suggestion: .layout
        case .known: .layouts
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .suggestion(let suggestion):
            writer.array(4)
            writer.value(suggestion.author)
            writer.uint(suggestion.revision)
            writer.bytes(suggestion.signature)
            writer.bytes(suggestion.layout)
        case .known(let digest, let marks):
            writer.array(2)
            writer.bytes32(digest)
            if let marks { LayoutMark.write(marks, to: &writer) } else { writer.null() }
        }
    }

    static func readKnown(_ reader: inout CBORReader) throws(DecodeError) -> LayoutMessage {
        try reader.array(2)
        let digest = try reader.bytes32()
        let marks = try reader.takeNull() ? nil : try LayoutMark.list(&reader)
        return .known(digest: digest, marks: marks)
    }

    static func readSuggestion(
        _ reader: inout CBORReader
    ) throws(DecodeError) -> LayoutMessage {
        try reader.array(4)
        let author = try reader.value(PeerKey.self)
        let revision = try reader.uint(in: Limits.layoutRevisions)
        let signature = try reader.bytes(64...64)
        return .suggestion(
            LayoutSuggestion(
                author: author, revision: revision, signature: signature,
                layout: try reader.bytes(0...Limits.layout)))
    }
}

extension LayoutMark {
    /// The list alone: what the digest covers. One item of CBOR each: author (32),
    /// revision (4), hash (32).
    static func write(_ marks: [LayoutMark], to writer: inout CBORWriter) {
        writer.array(marks.count)
        for mark in marks {
            let revision = stride(from: 24, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: mark.revision >> $0)
            }
            writer.bytes(mark.author.bytes + revision + mark.hash.bytes)
        }
    }

    static func list(_ reader: inout CBORReader) throws(DecodeError) -> [LayoutMark] {
        var marks: [LayoutMark] = []
        for _ in 0..<(try reader.array(0...Limits.layoutAuthors)) {
            let start = reader.offset
            let bytes = try reader.bytes(68...68)
            let revision = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
            guard let author = PeerKey(bytes[0..<32]), let hash = Bytes32(bytes[36..<68]),
                Limits.layoutRevisions.contains(revision)
            else { throw DecodeError(.badValue, at: start) }
            if let last = marks.last, last.author >= author {
                throw DecodeError(.notSorted, at: start)
            }
            marks.append(LayoutMark(author: author, revision: revision, hash: hash))
        }
        return marks
    }
}
