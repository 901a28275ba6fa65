// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Work that a passenger does once an epoch, so that made-up passengers cost something
/// (docs/meet.md section 3): 8 bytes that make
/// `SHA-256("seatswap/meet/stamp" || group || author || stamp)` begin with 20 zero bits.
package enum MeetStamp {
    /// Bytes of a stamp.
    package static let bytes = 8

    /// Whether a stamp is of this author and group. One hash.
    package static func isGood(
        _ stamp: [UInt8], of author: PeerKey, group: String, bits: Int = MeetLimits.stampBits,
        primitives: any Primitives
    ) -> Bool {
        stamp.count == bytes
            && primitives.sha256(head(group, author) + stamp).prefix8.leadingZeroBitCount >= bits
    }

    /// The first good stamp at or behind `number`, and after at most `tries` tries; `nil` if there
    /// is none among them. A million hashes on average: callers look in stretches.
    package static func find(
        of author: PeerKey, group: String, from number: UInt64, tries: Int,
        bits: Int = MeetLimits.stampBits, primitives: any Primitives
    ) -> [UInt8]? {
        let head = head(group, author)
        var next = number
        for _ in 0..<tries {
            let stamp = next.bytes
            if primitives.sha256(head + stamp).prefix8.leadingZeroBitCount >= bits { return stamp }
            next &+= 1
        }
        return nil
    }

    private static func head(_ group: String, _ author: PeerKey) -> [UInt8] {
        Array("seatswap/meet/stamp".utf8) + Array(group.utf8) + author.bytes
    }
}
