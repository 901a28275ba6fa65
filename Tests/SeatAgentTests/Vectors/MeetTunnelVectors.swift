// SPDX-License-Identifier: Apache-2.0
import Keys
import Protocol

@testable import Rendezvous
@testable import SeatAgent
@testable import Text

/// How tunnels are opened: OPENs with all that they are made of, and what must not count as one
/// (docs/meet.md section 8).
struct MeetTunnelVectors {
    /// A passenger with a box key.
    struct Person {
        let name: String
        let key: PeerKey
        let secret: [UInt8]
        let pair: PageKey
    }

    static let primitives = MeetVectors.primitives
    static let made = MeetCardVectors.made
    let ada: Person
    let bo: Person
    let cy: Person
    /// Nobody has a card of theirs; and their card has a box key with which all agree on zeros.
    let dan: Person
    let eve: Person

    init() throws {
        ada = try Self.person("ada", 1)
        bo = try Self.person("bo", 2)
        cy = try Self.person("cy", 3)
        dan = try Self.person("dan", 4)
        eve = try Self.person("eve", 5)
    }

    private static func person(_ name: String, _ number: UInt8) throws -> Person {
        let secret = (0..<32).map { UInt8(truncatingIfNeeded: Int(number) * 37 + $0 * 5) }
        return Person(
            name: name, key: try Scribe(name, number).key, secret: secret, pair: try pair(secret))
    }

    static func pair(_ secret: [UInt8]) throws -> PageKey {
        guard let pair = PageKey(seed: secret) else { throw DecodeError(.badValue) }
        return pair
    }

    func json() throws -> JSON {
        [
            "note": "docs/meet.md section 8: OPENs, frames, and what is none",
            "people": .array(people()), "opens": .array(try opens()),
            "unopened": .array(try unopened()),
            "frames": .array(try frames()), "unread": .array(try unread()),
            "bodies": .array(Self.bodies()), "refused_bodies": .array(Self.refusedBodies()),
        ]
    }

    /// Those of whom there are cards; secrets are what is drawn, before X25519 sets bits of it.
    private func people() -> [JSON] {
        [ada, bo, cy].map {
            [
                "name": .string($0.name), "key": .hex($0.key.bytes), "secret": .hex($0.secret),
                "boxkey": .hex($0.pair.key.bytes),
            ]
        } + [
            [
                "name": "eve", "key": .hex(eve.key.bytes), "secret": .null,
                "boxkey": .hex(Bytes32.zero.bytes),
            ]
        ]
    }

    // MARK: OPENs

    static func id(_ number: UInt8) throws -> TunnelID {
        guard let id = TunnelID((0..<16).map { number &* 16 &+ $0 }) else {
            throw DecodeError(.badValue)
        }
        return id
    }

    static func ephemeral(_ number: UInt8) -> [UInt8] { (0..<32).map { number &* 7 &+ $0 &* 3 } }

    /// The opening of the vectors' frames, of Ada's to Bo.
    func opening(
        _ number: UInt8 = 1, _ from: Person? = nil, _ to: Person? = nil, made: Int64? = nil
    ) throws -> (opening: TunnelOpening, bytes: [UInt8]) {
        let (from, to) = (from ?? ada, to ?? bo)
        let ends = TunnelOpening.Ends(
            from: from.key, own: from.pair, to: to.key, boxKey: to.pair.key)
        guard
            let found = TunnelOpening.make(
                try Self.id(number), ends, fresh: try Self.pair(Self.ephemeral(number)),
                at: UTCTime(seconds: made ?? Self.made.seconds), Self.primitives)
        else { throw DecodeError(.badValue) }
        return found
    }

    private func opens() throws -> [JSON] {
        let all: [(UInt8, Person, Person, Int64)] = [
            (1, ada, bo, Self.made.seconds), (2, bo, ada, Self.made.seconds + 59), (3, cy, bo, 0),
            (4, cy, ada, 23), (5, ada, cy, 24), (6, bo, cy, .max),
        ]
        return try all.map { number, from, to, made in
            let found = try opening(number, from, to, made: made)
            guard read(found.bytes, by: to) == found.opening else { throw DecodeError(.badValue) }
            let forge = try TunnelForge(from: from, to: to, number)
            // The forge makes the keys in its own way.
            guard try forge.bytes(made: made) == found.bytes else { throw DecodeError(.badValue) }
            return [
                "from": .string(from.name), "to": .string(to.name), "id": .hex(forge.id.bytes),
                "ephemeral_secret": .hex(Self.ephemeral(number)), "made": .int(Int(made)),
                "k1": .hex(forge.name.bytes), "k2": .hex(forge.body.bytes),
                "there": .hex(found.opening.keys.there.bytes),
                "back": .hex(found.opening.keys.back.bytes), "open": .hex(found.bytes),
            ]
        }
    }

    private func read(_ bytes: [UInt8], by reader: Person) -> TunnelOpening? {
        let people = [ada, bo, cy]
        return TunnelOpening(bytes, to: reader.key, own: reader.pair, Self.primitives) { key in
            key == eve.key ? .zero : people.first { $0.key == key }?.pair.key
        }
    }

    // MARK: What is no OPEN

    private func unopened() throws -> [JSON] {
        let all = try bent() + forged() + bodiesOfOpens()
        // Bo reads all of them.
        for (why, bytes) in all where read(bytes, by: bo) != nil {
            preconditionFailure("it opens: \(why)")
        }
        return all.map { ["why": .string($0.0), "open": .hex($0.1)] }
    }

    private func bent() throws -> [(String, [UInt8])] {
        let good = try opening().bytes
        func bent(_ place: Int) -> [UInt8] {
            var bytes = good
            bytes[place] ^= 1
            return bytes
        }
        return [
            ("nothing", []), ("a version alone", [2]), ("version 3", [3] + good.dropFirst()),
            ("version 0", [0] + good.dropFirst()), ("the id bent", bent(1)),
            ("the ephemeral key bent", bent(17)), ("the opener bent", bent(49)),
            ("the opener's tag bent", bent(96)), ("the body bent", bent(97)),
            ("the last byte bent", bent(good.count - 1)), ("a byte less", good.dropLast()),
            ("a byte more", good + [0]), ("another frame behind it", good + good),
        ]
    }

    private func forged() throws -> [(String, [UInt8])] {
        func forge(
            _ why: String, from: Person? = nil, _ change: (inout TunnelForge) throws -> Void
        ) throws -> (String, [UInt8]) {
            var forge = try TunnelForge(from: from ?? ada, to: bo, 1)
            try change(&forge)
            return (why, try forge.bytes(made: Self.made.seconds))
        }
        var small = Bytes32.zero.bytes
        small[0] = 1
        let order8: [UInt8] = [
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F,
            0xC4, 0x6A, 0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16,
            0x5F, 0x49, 0xB8, 0x00,
        ]
        return try [
            forge("in another's name", from: cy) { $0.from = ada.key },
            forge("of somebody without a card", from: dan) { _ in },
            forge("of the reader", from: bo) { _ in },
            forge("of somebody whose box key agrees on zeros", from: eve) { $0.second = .zero },
            forge("an ephemeral key of zeros") { $0.agreeOnZeros(Bytes32.zero.bytes) },
            forge("an ephemeral key of order 1") { $0.agreeOnZeros(small) },
            forge("an ephemeral key of order 8") { $0.agreeOnZeros(order8) },
            forge("sealed as version 1") { $0.head[0] = 1 },
            forge("for another passenger") { $0.to = cy.key },
            forge("for another box key") { $0.first = $0.second },
            forge("the two secrets turned") { ($0.first, $0.second) = ($0.second, $0.first) },
            forge("the opener bound to nothing") { $0.boundOpener = [] },
            forge("the body bound to the head alone") { $0.boundBody = $0.head },
            forge("the body bound to nothing") { $0.boundBody = [] },
            forge("with a nonce of ones") { $0.nonce = [UInt8](repeating: 1, count: 24) },
        ]
    }

    private func bodiesOfOpens() throws -> [(String, [UInt8])] {
        let forge = try TunnelForge(from: ada, to: bo, 1)
        let (key, other) = ([0x58, 0x20] + bo.key.bytes, [0x58, 0x20] + cy.key.bytes)
        let good = [0x83, 1] + key + [0x1A, 0, 0, 1, 0]
        guard let first = forge.bytes(body: [0x83, 1] + key + [0x1A, 0, 1, 0, 0]),
            read(first, by: bo) != nil
        else { throw DecodeError(.badValue) }
        let all: [(String, [UInt8])] = [
            ("to another in its body", [0x83, 1] + other + [0x1A, 0, 1, 0, 0]),
            ("kind 2 in its body", [0x83, 2] + key + [0x1A, 0, 1, 0, 0]),
            ("a number with too long a head", good), ("a negative time", [0x83, 1] + key + [0x20]),
            ("a time of 2^63", [0x83, 1] + key + [0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("a body of four", [0x84, 1] + key + [1, 1]), ("a body of two", [0x82, 1] + key),
            ("a time that is text", [0x83, 1] + key + [0x62, 0x31, 0x32]),
            ("bytes behind its body", [0x83, 1] + key + [1, 0]),
            ("a recipient of 31 bytes", [0x83, 1, 0x58, 0x1F] + key.dropFirst(3) + [0x18, 99]),
            ("a recipient that is text", [0x83, 1, 0x78] + key.dropFirst(1) + [1]),
            ("a body that is no array", [0xA3, 1] + key + [1]),
            ("a body without an end", [0x83, 1] + key + [0x1A, 0, 1]),
        ]
        return try all.map { why, body in
            guard let bytes = forge.bytes(body: body) else { throw DecodeError(.badValue) }
            return (why, bytes)
        }
    }
}

/// Makes an OPEN step by step, so that each step can be another one.
struct TunnelForge {
    let id: TunnelID
    /// What is said of both ends; what both secrets are.
    var from: PeerKey
    var to: PeerKey
    var first: Bytes32
    var second: Bytes32
    var head: [UInt8]
    /// What both halves are bound to where that is not what it must be; and their nonce.
    var boundOpener: [UInt8]?
    var boundBody: [UInt8]?
    var nonce = [UInt8](repeating: 0, count: 24)

    init(
        from: MeetTunnelVectors.Person, to: MeetTunnelVectors.Person, _ number: UInt8
    ) throws {
        id = try MeetTunnelVectors.id(number)
        (self.from, self.to) = (from.key, to.key)
        let fresh = try MeetTunnelVectors.pair(MeetTunnelVectors.ephemeral(number))
        guard let first = fresh.agree(with: to.pair.key),
            let second = from.pair.agree(with: to.pair.key)
        else { throw DecodeError(.badValue) }
        (self.first, self.second) = (first, second)
        head = [2] + id.bytes + fresh.key.bytes
    }

    /// An ephemeral key with which everybody agrees on zeros.
    mutating func agreeOnZeros(_ key: [UInt8]) {
        head = [2] + id.bytes + key
        first = .zero
    }

    private func made(_ material: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
        MeetTunnelVectors.primitives.hkdfSHA256(
            salt: Array("seatswap/meet/tunnel".utf8), material: material, info: info, count: count)
    }

    /// k1 and k2.
    var name: Bytes32 { Bytes32(made(first.bytes, Array("from".utf8) + head, 32)) ?? .zero }
    var body: Bytes32 {
        let info = Array("keys".utf8) + head + from.bytes + to.bytes
        return Bytes32(Array(made(first.bytes + second.bytes, info, 96).prefix(32))) ?? .zero
    }

    func bytes(made: Int64) throws -> [UInt8] {
        var writer = CBORWriter(capacity: 64)
        writer.array(3)
        writer.uint(1)
        writer.value(to)
        writer.uint(Int(made))
        guard let bytes = bytes(body: writer.bytes) else { throw DecodeError(.badValue) }
        return bytes
    }

    func bytes(body plain: [UInt8]) -> [UInt8]? {
        let primitives = MeetTunnelVectors.primitives
        guard
            let opener = primitives.seal(
                from.bytes, with: boundOpener ?? head, key: name, nonce: nonce)
        else { return nil }
        return primitives.seal(plain, with: boundBody ?? head + opener, key: body, nonce: nonce)
            .map { head + opener + $0 }
    }
}
