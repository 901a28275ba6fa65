// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Whether entries on the disk are what was written.
///
/// Checking thousands of signatures would take a second at each start, so each row has a checksum:
/// the first eight bytes of a SHA-256. Only if it does not match is the signature checked, which
/// also shows whether the bytes or the checksum were damaged. None of this helps against somebody
/// who can write the file.
extension Store {
    /// The checksum of a row; never 0, which means none.
    func sum(_ bytes: [UInt8], own: Int) -> Int64 {
        let place = [UInt8(own >> 8 & 255), UInt8(own & 255)]
        let word = codec.sum(of: bytes + place)
        return word == 0 ? 1 : Int64(bitPattern: word)
    }

    /// Reads all entries in the order of arrival. A damaged one is counted and left in place: the
    /// row of an own entry shows at each start that there was one.
    func loadEntries(_ stored: inout Stored) throws(StoreError) {
        var mended: [(place: Int64, entry: Entry)] = []
        let sql = "SELECT place, seen, bytes, sum, own FROM entry ORDER BY place"
        try database.prepare(sql).run { row in
            let bytes = row.blob(2)
            let own = Int(truncatingIfNeeded: row.integer(4))
            let isAsWritten = row.integer(3) == self.sum(bytes, own: own)
            let entry = try? self.codec.decode(bytes)
            guard let entry, isAsWritten || self.codec.isSigned(entry) else {
                stored.damaged += 1
                if own <= self.codec.rules.entries { stored.ownSeq = max(stored.ownSeq, own) }
                return
            }
            if !isAsWritten { mended.append((row.integer(0), entry)) }
            stored.entries.append(SeenEntry(entry: entry, seen: UTCTime(seconds: row.integer(1))))
        }
        guard !mended.isEmpty else { return }
        try transaction { () throws(StoreError) in
            for (place, entry) in mended {
                let own = entry.author == self.me ? entry.seq : 0
                try self.run(
                    "UPDATE entry SET sum = ?, own = ? WHERE place = ?",
                    [
                        .integer(self.sum(entry.bytes, own: own)), .integer(Int64(own)),
                        .integer(place),
                    ])
            }
        }
    }
}
