// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Row 6: a chat line from bytes and to bytes. Inside its envelope it has ten fields: version,
/// flight, author, place, the entry before, type, text, what it answers, its time, and the lines
/// it was said after.
enum CodecRow {
    private static let batch = 20_000

    /// The entry, and a codec that leaves hashing out: CBOR alone is compared.
    static func sample() -> (codec: EntryCodec, entry: Entry) {
        var cabin = Core.cabin(2)
        guard let entry = cabin.talk(2, by: 0) else { fail("no line") }
        return (EntryCodec(NoHash()), entry)
    }

    static func measure(rounds: Int) {
        let (codec, entry) = sample()
        let whole = EntryCodec(Core.cabin(2).primitives)
        for _ in 0..<rounds {
            Sample.print(
                "codec.decode", Clock.measure { decode(batch, entry.bytes, codec) }.time,
                per: batch, "ns", 1)
            Sample.print(
                "codec.decode+id", Clock.measure { decode(batch, entry.bytes, whole) }.time,
                per: batch, "ns", 1)
            Sample.print(
                "codec.encode", Clock.measure { encode(batch, entry) }.time, per: batch, "ns", 1)
        }
    }

    static func decode(_ count: Int) {
        let (codec, entry) = sample()
        decode(count, entry.bytes, codec)
    }

    static func countDecode() {
        let (codec, entry) = sample()
        counted { decode(1000, entry.bytes, codec) }
    }

    static func countEncode() {
        let (_, entry) = sample()
        counted { encode(1000, entry) }
    }

    private static func decode(_ count: Int, _ bytes: [UInt8], _ codec: EntryCodec) {
        var places = 0
        for _ in 0..<count {
            guard let entry = try? codec.decode(bytes) else { fail("not an entry") }
            places += entry.seq
        }
        guard places == 3 * count else { fail("another entry") }
    }

    /// Signing with a signer who does nothing: encoding, and the decoding that it ends with.
    private static func encode(_ count: Int, _ entry: Entry) {
        let codec = EntryCodec(NoHash())
        let signer = NoSigner(
            key: entry.author, signature: Array(entry.bytes[entry.signature]))
        var size = 0
        for _ in 0..<count {
            let made = try? codec.sign(
                entry.body, flight: entry.flight, seq: entry.seq, previous: entry.previous,
                by: signer)
            size += made?.bytes.count ?? 0
        }
        guard size == count * entry.bytes.count else { fail("another entry") }
    }
}

/// Gives the signature that was made before.
private struct NoSigner: Signer {
    let key: PeerKey
    let signature: [UInt8]
    func sign(_ message: [UInt8]) -> [UInt8] { signature }
}

/// Primitives of which none does anything.
private struct NoHash: Primitives {
    func sha256(_ message: [UInt8]) -> Bytes32 { .zero }
    func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 { .zero }
    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 { .zero }
    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { nil }
    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool { true }
}
