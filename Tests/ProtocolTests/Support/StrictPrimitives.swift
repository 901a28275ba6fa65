// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Stand-ins with the right shape: hashes mix, and a signature is a hash that only the key's
/// owner's helper makes, so that a wrong byte anywhere is noticed.
struct StrictPrimitives: Primitives {
    func sha256(_ message: [UInt8]) -> Bytes32 {
        var mixing = Mixing(
            message, from: [0x6A09, 0xBB67, 0x3C6E, UInt64(message.count)], shift: 27)
        for round in 0..<12 { mixing.finish(round) }
        return mixing.digest
    }

    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        sha256(key + [0x36] + message + [0x5C])
    }

    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? { sha256(salt + password) }

    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        signature == Self.signature(of: message, by: key)
    }

    /// 64 bytes that pass the checks of shape: R and S small enough.
    static func signature(of message: [UInt8], by key: PeerKey) -> [UInt8] {
        let first = StrictPrimitives().sha256(key.bytes + message).bytes
        let second = StrictPrimitives().sha256(first + message).bytes
        return first.dropLast() + [first[31] & 0x0F] + second.dropLast() + [second[31] & 0x0F]
    }
}

/// Four lanes that a message is mixed into, byte by byte: what the tests' stand-ins hash with.
struct Mixing {
    private(set) var lanes: [UInt64]

    /// The lane whose turn it is stands first while it mixes: quick without an optimiser.
    init(_ message: [UInt8], from start: [UInt64], shift: UInt64) {
        lanes = start
        var (first, second, third, fourth) = (start[0], start[1], start[2], start[3])
        for byte in message {
            let mixed = (first ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            first = second ^ (mixed >> shift)
            second = third
            third = fourth
            fourth = mixed
        }
        for (offset, lane) in [first, second, third, fourth].enumerated() {
            lanes[(message.count + offset) & 3] = lane
        }
    }

    /// One round of the end: a lane takes in the one before it.
    mutating func finish(_ round: Int) {
        let lane = round & 3
        lanes[lane] = (lanes[lane] ^ (lanes[(lane + 3) & 3] >> 31)) &* 0xBF58_476D_1CE4_E5B9
    }

    /// All lanes, the highest byte first.
    var digest: Bytes32 {
        let bytes = lanes.flatMap { lane in
            (0..<8).map { UInt8(truncatingIfNeeded: lane >> UInt64(56 - 8 * $0)) }
        }
        return Bytes32(bytes) ?? .zero
    }
}

/// A passenger's key for tests: the number is in it, so that order is known.
struct StrictSigner: Signer {
    let key: PeerKey

    init(_ number: UInt8) {
        key = PeerKey(Bytes32([number] + Array(repeating: 0x21, count: 31)) ?? .zero)
    }

    init(key: PeerKey) { self.key = key }

    func sign(_ message: [UInt8]) -> [UInt8] { StrictPrimitives.signature(of: message, by: key) }
}

/// The flight of most tests.
let testFlight = FlightKey(auth: .zero, primitives: StrictPrimitives())

/// A log that is written by hand.
struct Writer {
    let signer: StrictSigner
    let codec = EntryCodec(StrictPrimitives())
    var entries: [Entry] = []

    init(_ number: UInt8) { signer = StrictSigner(number) }

    var key: PeerKey { signer.key }

    /// The next entry.
    @discardableResult
    mutating func write(_ body: EntryBody) throws -> Entry {
        let entry = try codec.sign(
            body, flight: testFlight.id, seq: entries.count + 1, previous: entries.last?.id,
            by: signer)
        entries.append(entry)
        return entry
    }

    /// A log that is open and claims `seat`.
    static func seated(_ number: UInt8, _ seat: String) throws -> Writer {
        var writer = Writer(number)
        try writer.write(.genesis(name: "p\(number)", agent: "test"))
        try writer.write(.claim(seat: try require(Seat(seat)), dependant: false))
        return writer
    }
}

/// `#require` for places where the macro cannot stand.
func require<T>(_ value: T?) throws -> T {
    guard let value else { throw DecodeError(.badValue) }
    return value
}
