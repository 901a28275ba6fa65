// SPDX-License-Identifier: Apache-2.0
/// What somebody keeps of a part of one bucket of stays (docs/protocol.md section 31): the marks of
/// all authors behind one key up to another one.
///
/// Parts that follow each other cover a bucket whatever is in it, so that nobody hides a stay
/// behind authors that they made up.
package struct StayList: Hashable, Sendable {
    /// Which bucket, 0...63.
    package let bucket: Int
    /// It says nothing of this author or those before; `nil` from the first of the bucket on.
    package let after: PeerKey?
    /// The last author that it speaks of; `nil` to the end of the bucket.
    package let last: PeerKey?
    /// What is kept of them, sorted by author.
    package let marks: [StayMark]

    /// A list as an agent may write it. Throws `badValue` for another bucket, a key or mark of
    /// another bucket, an end that is not behind the begin, or a mark outside of both; `notSorted`
    /// for marks in another order; `tooLarge` for more than ``Limits/stayMarks``.
    package init(
        bucket: Int, after: PeerKey? = nil, last: PeerKey? = nil, _ marks: [StayMark]
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
            guard mark.bucket == bucket, speaks(of: mark.author) else {
                throw DecodeError(.badValue)
            }
            if place > 0, mark.author <= marks[place - 1].author { throw DecodeError(.notSorted) }
        }
    }

    /// What is kept in a bucket behind `after`, of which the book gives the marks as they are:
    /// sorted, and all up to `last`.
    init(kept marks: [StayMark], in bucket: Int, after: PeerKey?, last: PeerKey?) {
        self.bucket = bucket
        self.after = after
        self.last = last
        self.marks = marks
    }

    /// Whether an author of the bucket is in the part that it covers.
    package func speaks(of author: PeerKey) -> Bool {
        if let after, author <= after { return false }
        if let last, last < author { return false }
        return true
    }

    /// The mark that it has of an author. O(log n).
    package func mark(of author: PeerKey) -> StayMark? {
        let place = marks.partitionPoint { $0.author < author }
        return place < marks.count && marks[place].author == author ? marks[place] : nil
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
        var marks: [StayMark] = []
        for _ in 0..<(try reader.array(0...Limits.stayMarks)) {
            let start = reader.offset
            guard let mark = StayMark(try reader.bytes(68...68)) else {
                throw DecodeError(.badValue, at: start)
            }
            marks.append(mark)
        }
        try self.init(bucket: bucket, after: after, last: last, marks)
    }
}
