// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What everybody on one flight can make of its key: the names of its boxes at a meeting point,
/// and the key that seals what is in them (docs/meet.md section 1).
///
/// Whoever guesses the flight can make them too: a cabin code is what keeps others out.
package struct MeetKeys: Sendable {
    private let root: [UInt8]
    private let primitives: any Primitives

    /// Those of a flight.
    package init(_ flight: FlightKey, primitives: any Primitives) {
        root = primitives.hkdfSHA256(
            salt: Array("seatswap/meet/v1".utf8), material: flight.auth.bytes,
            info: Array("root".utf8), count: 32)
        self.primitives = primitives
    }

    /// The names of one epoch.
    package func names(in epoch: MeetEpoch) -> MeetNames {
        let group = Base32.encode(expand("group", epoch.bytes).bytes.prefix(16))
        let digest = primitives.sha256(Array(group.utf8))
        return MeetNames(
            epoch: epoch, group: group, shard: hexadecimal([digest.bytes[0]]),
            seal: expand("seal", epoch.bytes))
    }

    /// What decides which brokers the flight lives on, 26 characters: the same in all epochs, so
    /// that boxes of earlier ones are found where they were left. It is never sent.
    package var pool: String { Base32.encode(expand("pool", []).bytes.prefix(16)) }

    /// The name of a passenger's box in an epoch, 13 characters.
    package func box(of key: PeerKey, in epoch: MeetEpoch) -> MeetBox {
        MeetBox(tag("box", epoch, [key]))
    }

    /// The name under which a passenger gets letters and tunnels, 13 characters.
    package func inbox(of key: PeerKey, in epoch: MeetEpoch) -> MeetBox {
        MeetBox(tag("inbox", epoch, [key]))
    }

    /// The name of the one place in a recipient's inbox that is a sender's, 13 characters.
    package func lane(from sender: PeerKey, to recipient: PeerKey, in epoch: MeetEpoch) -> MeetBox {
        MeetBox(tag("lane", epoch, [sender, recipient]))
    }

    /// HKDF-Expand (RFC 5869) of one block.
    private func expand(_ word: StaticString, _ info: [UInt8]) -> Bytes32 {
        primitives.hmacSHA256(key: root, Array("\(word)".utf8) + info + [1])
    }

    private func tag(_ word: StaticString, _ epoch: MeetEpoch, _ keys: [PeerKey]) -> [UInt8] {
        let message = Array("\(word)".utf8) + epoch.bytes + keys.flatMap(\.bytes)
        return Array(primitives.hmacSHA256(key: root, message).bytes.prefix(8))
    }
}

/// What a group is called in one epoch, and what seals its messages.
package struct MeetNames: Hashable, Sendable {
    /// When they count.
    package let epoch: MeetEpoch
    /// The group, 26 characters of base32: 128 bits that nobody guesses without the flight.
    package let group: String
    /// Two hexadecimal digits by which an operator may divide the groups.
    package let shard: String
    /// The key of everything that is sealed in this epoch.
    package let seal: Bytes32

    init(epoch: MeetEpoch, group: String, shard: String, seal: Bytes32) {
        self.epoch = epoch
        self.group = group
        self.shard = shard
        self.seal = seal
    }

    /// The names of a group that nobody is in, made of random bytes: to try a broker with.
    package init(trial random: Bytes32, in epoch: MeetEpoch, primitives: any Primitives) {
        let group = Base32.encode(random.bytes.prefix(16))
        let shard = primitives.sha256(Array(group.utf8)).bytes[0]
        self.init(epoch: epoch, group: group, shard: hexadecimal([shard]), seal: random)
    }

    /// The name of the one box of such a group.
    package var trialBox: MeetBox { MeetBox(Array(seal.bytes.suffix(8))) }

    /// What all topics of the group begin with.
    package var prefix: String { "sa1/\(shard)/\(group)" }
}

/// 64 bits that stand for a passenger in a topic, in base32.
package struct MeetBox: Hashable, Sendable {
    /// 13 characters of `a`-`z` and `2`-`7`.
    package let text: String

    /// Characters of one.
    package static let length = 13

    init(_ bytes: [UInt8]) { text = Base32.encode(bytes) }

    /// Reads one; `nil` for anything that 8 bytes are not spelled as.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, Base32.decode(text.utf8)?.count == 8 else {
            return nil
        }
        self.text = String(text)
    }

    /// Which of the 16 buckets it is in: its first character's five bits without the highest, as a
    /// hexadecimal digit.
    package var bucket: MeetBucket {
        MeetBucket(Int(Base32.value(of: text.utf8[text.utf8.startIndex]) ?? 0) & 15)
    }
}

/// One of 16 parts of a group's boxes; readers ask for one after another.
package struct MeetBucket: Hashable, Sendable {
    /// 0...15.
    package let number: Int

    /// The bucket with a number of 0...15; of others the low four bits count.
    package init(_ number: Int) { self.number = number & 15 }

    /// Reads its digit; `nil` for anything but one of `0`-`9` and `a`-`f`.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 1, let digit = Self.digits.firstIndex(of: text.utf8.first ?? 0)
        else { return nil }
        number = digit
    }

    /// Its digit.
    package var text: String { String(UnicodeScalar(Self.digits[number])) }

    /// All, in order.
    package static let all = (0..<MeetLimits.buckets).map(MeetBucket.init)

    private static let digits = Array("0123456789abcdef".utf8)
}
