// SPDX-License-Identifier: Apache-2.0
import Protocol

/// The number of a tunnel: 16 bytes that its opener drew.
struct TunnelID: Hashable, Sendable {
    /// The bytes.
    let bytes: [UInt8]
    /// How many they are.
    static let count = 16

    /// Takes 16 bytes; `nil` for another count.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }
}

/// What seals the frames of one tunnel (docs/meet.md section 8).
struct TunnelKeys: Hashable, Sendable {
    /// Of what the opener sends, and of what they get.
    let there: Bytes32
    let back: Bytes32
    /// Of the second half of OPEN.
    fileprivate let open: Bytes32

    private static let salt = Array("seatswap/meet/tunnel".utf8)

    /// The key under which an OPEN says whose it is.
    fileprivate static func ofOpener(
        _ fresh: Bytes32, header: [UInt8], _ primitives: any Primitives
    ) -> Bytes32? {
        Bytes32(
            primitives.hkdfSHA256(
                salt: salt, material: fresh.bytes, info: Array("from".utf8) + header,
                count: Bytes32.count))
    }

    /// The others, which only the two can make.
    fileprivate init?(
        _ fresh: Bytes32, _ lasting: Bytes32, header: [UInt8], from: PeerKey, to: PeerKey,
        _ primitives: any Primitives
    ) {
        let info = Array("keys".utf8) + header + from.bytes + to.bytes
        let bytes = primitives.hkdfSHA256(
            salt: Self.salt, material: fresh.bytes + lasting.bytes, info: info,
            count: 3 * Bytes32.count)
        guard let open = Bytes32(Array(bytes[0..<32])),
            let there = Bytes32(Array(bytes[32..<64])), let back = Bytes32(Array(bytes[64...]))
        else { return nil }
        (self.open, self.there, self.back) = (open, there, back)
    }
}

/// The first frame of a tunnel, which tells its recipient alone who wants to reach them, and shows
/// them that it is so (docs/meet.md section 8).
///
///     0x02 id (16) ephemeral (32) sealed opener (48) sealed body
struct TunnelOpening: Hashable, Sendable {
    let id: TunnelID
    let from: PeerKey
    let made: UTCTime
    let keys: TunnelKeys

    static let version: UInt8 = 2
    private static let header = 1 + TunnelID.count + Bytes32.count
    private static let opener = Bytes32.count + 16
    /// Bytes of one: the body has 37 to 45, and its tag 16.
    static let sizes = header + opener + 16 + 37...header + opener + 16 + 45
    private static let nonce = [UInt8](repeating: 0, count: 24)

    /// Who makes it and for whom.
    struct Ends {
        let from: PeerKey
        let own: any KeyAgreement
        let to: PeerKey
        let boxKey: Bytes32
    }

    /// Makes one and its bytes. `fresh` is used for nothing else. `nil` for a box key that no pair
    /// has, and without a cipher.
    static func make(
        _ id: TunnelID, _ ends: Ends, fresh: any KeyAgreement, at now: UTCTime,
        _ primitives: any Primitives
    ) -> (opening: TunnelOpening, bytes: [UInt8])? {
        let header = [version] + id.bytes + fresh.key.bytes
        guard let first = fresh.agree(with: ends.boxKey),
            let second = ends.own.agree(with: ends.boxKey),
            let sealing = TunnelKeys.ofOpener(first, header: header, primitives),
            let keys = TunnelKeys(
                first, second, header: header, from: ends.from, to: ends.to, primitives),
            let name = primitives.seal(ends.from.bytes, with: header, key: sealing, nonce: nonce)
        else { return nil }
        var writer = CBORWriter(capacity: 48)
        writer.array(3)
        writer.uint(1)
        writer.value(ends.to)
        writer.uint(Int(max(0, now.seconds)))
        let before = header + name
        guard let body = primitives.seal(writer.bytes, with: before, key: keys.open, nonce: nonce)
        else { return nil }
        return (TunnelOpening(id: id, from: ends.from, made: now, keys: keys), before + body)
    }

    private init(id: TunnelID, from: PeerKey, made: UTCTime, keys: TunnelKeys) {
        (self.id, self.from, self.made, self.keys) = (id, from, made, keys)
    }

    /// Reads one that came to `me`; `boxKey` tells that of a passenger. `nil` for anything that
    /// was not made for this recipient by the passenger whom it names.
    init?(
        _ bytes: [UInt8], to me: PeerKey, own: any KeyAgreement, _ primitives: any Primitives,
        boxKey: (PeerKey) -> Bytes32?
    ) {
        guard Self.sizes.contains(bytes.count), bytes[0] == Self.version,
            let id = TunnelID(Array(bytes[1..<1 + TunnelID.count])),
            let fresh = Bytes32(Array(bytes[(1 + TunnelID.count)..<Self.header])),
            let first = own.agree(with: fresh)
        else { return nil }
        let header = Array(bytes[..<Self.header])
        let before = Array(bytes[..<(Self.header + Self.opener)])
        guard let sealing = TunnelKeys.ofOpener(first, header: header, primitives),
            let name = primitives.open(
                Array(before[Self.header...]), with: header, key: sealing, nonce: Self.nonce),
            let from = PeerKey(name), from != me, let theirs = boxKey(from),
            let second = own.agree(with: theirs),
            let keys = TunnelKeys(
                first, second, header: header, from: from, to: me, primitives),
            let body = primitives.open(
                Array(bytes[before.count...]), with: before, key: keys.open, nonce: Self.nonce),
            let made = try? Self.made(body, to: me)
        else { return nil }
        self.init(id: id, from: from, made: made, keys: keys)
    }

    private static func made(_ body: [UInt8], to me: PeerKey) throws(DecodeError) -> UTCTime {
        var reader = CBORReader(body.span.bytes)
        try reader.array(3)
        _ = try reader.uint(in: 1...1)
        guard try reader.value(PeerKey.self) == me else { throw DecodeError(.badValue) }
        let made = UTCTime(seconds: Int64(try reader.uint()))
        try reader.finish()
        return made
    }
}

/// A frame of a tunnel as it travels (docs/meet.md section 8).
///
///     0x03 id (16) seq (4) sealed body
enum TunnelFrame {
    static let version: UInt8 = 3
    static let header = 1 + TunnelID.count + 4
    /// Bytes of one: a body has 2 or more, and at most a piece and 5 bytes of heads.
    static let sizes = header + 16 + 2...header + 16 + TunnelLimits.piece + 5

    /// Seals a body as number `seq` of its direction; `nil` without a cipher.
    static func seal(
        _ body: TunnelBody, _ id: TunnelID, seq: UInt32, key: Bytes32,
        _ primitives: any Primitives
    ) -> [UInt8]? {
        let header = [version] + id.bytes + seq.bigEndianBytes
        return primitives.seal(body.encoded, with: header, key: key, nonce: nonce(seq)).map {
            header + $0
        }
    }

    /// The tunnel and number that a frame names; `nil` for what no agent writes.
    static func place(_ bytes: [UInt8]) -> (id: TunnelID, seq: UInt32)? {
        guard sizes.contains(bytes.count), bytes[0] == version,
            let id = TunnelID(Array(bytes[1..<1 + TunnelID.count]))
        else { return nil }
        let seq = bytes[(1 + TunnelID.count)..<header].reduce(0) { $0 << 8 | UInt32($1) }
        return seq > 0 ? (id, seq) : nil
    }

    /// What a frame says; `nil` if somebody else wrote it.
    static func open(
        _ bytes: [UInt8], seq: UInt32, key: Bytes32, _ primitives: any Primitives
    ) -> TunnelBody? {
        let plain = primitives.open(
            Array(bytes[header...]), with: Array(bytes[..<header]), key: key, nonce: nonce(seq))
        return plain.flatMap { try? TunnelBody(decoding: $0) }
    }

    private static func nonce(_ seq: UInt32) -> [UInt8] {
        [UInt8](repeating: 0, count: 20) + seq.bigEndianBytes
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
