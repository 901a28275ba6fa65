// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A fast deterministic mixer of 64-bit words: hashes, signatures and the digest of a trace.
///
/// Nobody in a simulation looks for collisions, so it need not stand up to anybody who does.
package struct Mixer: Sendable {
    private var a: UInt64
    private var b: UInt64

    /// A mixer that starts from `seed`.
    package init(_ seed: UInt64) {
        a = seed ^ 0x9E37_79B9_7F4A_7C15
        b = seed &* 0xBF58_476D_1CE4_E5B9 &+ 0x94D0_49BB_1331_11EB
    }

    /// Takes a word in.
    package mutating func add(_ word: UInt64) {
        a = (a ^ word) &* 0x9FB2_1C65_1E98_DF25
        a ^= a >> 32
        b = (b &+ a) &* 0xD6E8_FEB8_6659_FD93
        b ^= b >> 29
    }

    /// Takes a number in.
    package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    /// Takes bytes in, and how many they are.
    package mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        let span = bytes.span.bytes
        var offset = 0
        while offset + 8 <= span.byteCount {
            add(span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < span.byteCount {
            rest = rest << 8 | UInt64(span.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            offset += 1
        }
        add(rest)
    }

    /// Takes text in.
    package mutating func add(_ text: String) { for byte in text.utf8 { add(UInt64(byte)) } }

    /// 64 bits of what came so far.
    package var word: UInt64 {
        var mixed = a ^ (b << 23 | b >> 41)
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// 256 bits of what came so far.
    package var digest: Bytes32 {
        var more = self
        var words: InlineArray<4, UInt64> = [0, 0, 0, 0]
        for index in words.indices {
            more.add(UInt64(index) &+ 0x51)
            words[index] = more.word
        }
        return Bytes32(words.span.bytes, at: 0) ?? .zero
    }
}

/// Fake cryptography, the only one that tests, simulator and fuzz stage have: fast, and the same on
/// each run. A signature is a hash of the key and the message, so wire and log checks notice any
/// wrong byte; nothing keeps one test from signing with another passenger's key but that none does.
package struct FakePrimitives: Primitives {
    /// Stand-ins.
    package init() {}

    package func sha256(_ message: [UInt8]) -> Bytes32 {
        var mixer = Mixer(1)
        mixer.add(message)
        return mixer.digest
    }

    package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        var mixer = Mixer(2)
        mixer.add(key)
        mixer.add(message)
        return mixer.digest
    }

    package func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        sha256(salt + password)
    }

    package func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature == Self.signature(of: message, by: key)
    }

    package func seal(
        _ plain: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        let sealed = Self.covered(plain, key, nonce)
        return sealed + Self.proof(sealed, data, key, nonce)
    }

    package func open(
        _ sealed: [UInt8], with data: [UInt8], key: Bytes32, nonce: [UInt8]
    ) -> [UInt8]? {
        guard sealed.count >= 16 else { return nil }
        let covered = Array(sealed.dropLast(16))
        guard Array(sealed.suffix(16)) == Self.proof(covered, data, key, nonce) else { return nil }
        return Self.covered(covered, key, nonce)
    }

    /// The bytes under a mask, which takes itself away again.
    private static func covered(
        _ bytes: [UInt8], _ key: Bytes32, _ nonce: [UInt8]
    ) -> [UInt8] {
        var mixer = Mixer(5)
        mixer.add(key.bytes)
        mixer.add(nonce)
        return bytes.map { byte in
            mixer.add(1)
            return byte ^ UInt8(truncatingIfNeeded: mixer.word)
        }
    }

    private static func proof(
        _ covered: [UInt8], _ data: [UInt8], _ key: Bytes32, _ nonce: [UInt8]
    ) -> [UInt8] {
        var mixer = Mixer(6)
        for part in [key.bytes, nonce, data, covered] { mixer.add(part) }
        return Array(mixer.digest.bytes.prefix(16))
    }

    /// 64 bytes that pass the checks of shape: R and S small enough.
    package static func signature(of message: [UInt8], by key: PeerKey) -> [UInt8] {
        var mixer = Mixer(3)
        mixer.add(key.raw.prefix8)
        mixer.add(message)
        var bytes = mixer.digest.bytes
        mixer.add(4)
        mixer.digest.append(to: &bytes)
        bytes[31] &= 0x0F
        bytes[63] &= 0x0F
        return bytes
    }
}

/// Signs for one passenger.
package struct FakeSigner: Signer {
    package let key: PeerKey

    /// The signer of `key`.
    package init(key: PeerKey) { self.key = key }

    /// A key that begins with `number`, so that the order of keys is known.
    package init(_ number: UInt8) {
        key = PeerKey(Bytes32([number] + Array(repeating: 0x21, count: 31)) ?? .zero)
    }

    /// The key of passenger `number` in the run of `seed`: its order among others is chance.
    package init(_ number: Int, seed: UInt64) {
        var mixer = Mixer(seed)
        mixer.add(number)
        var bytes = mixer.digest.bytes
        // A point that is surely none of small order and below the prime.
        bytes[31] = 0x21
        key = PeerKey(bytes) ?? PeerKey(.zero)
    }

    package func sign(_ message: [UInt8]) -> [UInt8] {
        FakePrimitives.signature(of: message, by: key)
    }
}

/// The flight of most tests.
package let testFlight = FlightKey(auth: .zero, primitives: FakePrimitives())
