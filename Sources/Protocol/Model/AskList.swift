// SPDX-License-Identifier: Apache-2.0
/// Identifies a statement about what somebody asks of the desk: an ask of theirs, or the desk's
/// answer to one. Agents compare marks before they send statements (docs/protocol.md section 32).
public struct AskMark: Hashable, Comparable, Sendable {
    /// Who asks.
    public let asker: PeerKey
    /// The id of the statement.
    public let id: Bytes32

    /// Statement `id` about what `asker` asks.
    public init(asker: PeerKey, id: Bytes32) {
        self.asker = asker
        self.id = id
    }

    /// By asker, then id.
    public static func < (left: AskMark, right: AskMark) -> Bool {
        left.asker != right.asker ? left.asker < right.asker : left.id < right.id
    }

    /// Asker (32 bytes), id (32).
    package var bytes: [UInt8] { asker.bytes + id.bytes }

    /// Reads the 64 bytes; `nil` for another count.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 64, let asker = PeerKey(bytes[0..<32]),
            let id = Bytes32(bytes[32..<64])
        else { return nil }
        self.init(asker: asker, id: id)
    }
}

/// What somebody keeps of a part of one bucket of asks: the marks of all askers behind one key up
/// to another one. As ``StayList``, but an asker may have several marks, which are in one list.
package struct AskList: Hashable, Sendable {
    /// Which bucket, 0...63: the first six bits of the asker.
    package let bucket: Int
    /// It says nothing of this asker or those before; `nil` from the first of the bucket on.
    package let after: PeerKey?
    /// The last asker that it speaks of; `nil` to the end of the bucket.
    package let last: PeerKey?
    /// What is kept of them, sorted.
    package let marks: [AskMark]

    /// A list as an agent may write it. Throws `badValue` for another bucket, a key or mark of
    /// another bucket, an end that is not behind the begin, or a mark outside of both; `notSorted`
    /// for marks in another order; `tooLarge` for more than ``Limits/stayMarks``.
    package init(
        bucket: Int, after: PeerKey? = nil, last: PeerKey? = nil, _ marks: [AskMark]
    ) throws(DecodeError) {
        guard marks.count <= Limits.stayMarks else { throw DecodeError(.tooLarge) }
        let isOfBucket = [after, last].allSatisfy { key in
            key.map { StatementBuckets.bucket(of: $0) == bucket } ?? true
        }
        guard 0..<Limits.stayBuckets ~= bucket, isOfBucket else { throw DecodeError(.badValue) }
        if let after, let last, last <= after { throw DecodeError(.badValue) }
        self.bucket = bucket
        self.after = after
        self.last = last
        self.marks = marks
        for place in marks.indices {
            let mark = marks[place]
            guard StatementBuckets.bucket(of: mark.asker) == bucket, speaks(of: mark.asker) else {
                throw DecodeError(.badValue)
            }
            if place > 0, mark <= marks[place - 1] { throw DecodeError(.notSorted) }
        }
    }

    /// What is kept in a bucket behind `after`, of which the book gives the marks as they are:
    /// sorted, and all up to `last`.
    init(kept marks: [AskMark], in bucket: Int, after: PeerKey?, last: PeerKey?) {
        self.bucket = bucket
        self.after = after
        self.last = last
        self.marks = marks
    }

    /// Whether an asker of the bucket is in the part that it covers.
    package func speaks(of asker: PeerKey) -> Bool {
        if let after, asker <= after { return false }
        if let last, last < asker { return false }
        return true
    }

    /// Whether a mark is in it. O(log n).
    package func has(_ mark: AskMark) -> Bool {
        let place = marks.partitionPoint { $0 < mark }
        return place < marks.count && marks[place] == mark
    }

    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.uint(bucket)
        for key in [after, last] {
            if let key { writer.value(key) } else { writer.null() }
        }
        writer.array(marks.count)
        for mark in marks { writer.bytes(mark.bytes) }
    }

    /// Reads what stands behind the head of the array.
    init(members reader: inout CBORReader) throws(DecodeError) {
        let bucket = try reader.uint(in: 0...Limits.stayBuckets - 1)
        let after = try reader.takeNull() ? nil : try reader.value(PeerKey.self)
        let last = try reader.takeNull() ? nil : try reader.value(PeerKey.self)
        var marks: [AskMark] = []
        for _ in 0..<(try reader.array(0...Limits.stayMarks)) {
            let start = reader.offset
            guard let mark = AskMark(try reader.bytes(64...64)) else {
                throw DecodeError(.badValue, at: start)
            }
            marks.append(mark)
        }
        try self.init(bucket: bucket, after: after, last: last, marks)
    }
}
