// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import SeatAgent
@testable import Text
@testable import Transport

/// An entry of every type, contracts, a certificate, a fork proof; and what must be refused.
struct EntryVectors {
    private var ada: Scribe
    private var bo: Scribe
    private let contract: Contract
    private let commit: Commit

    init() throws {
        ada = try Scribe("ada", 1)
        bo = try Scribe("bo", 2)
        let mine = try ada.board("14C")
        let theirs = try bo.board("12A")
        contract = try VectorFlight.contract([
            (mine, from: ada, to: bo), (theirs, from: bo, to: ada),
        ])
        let votes = [try bo.yes(contract), try ada.yes(contract)]
        commit = VectorFlight.certificate(contract, votes, [ada, bo])
        try ada.write(.commit(commit))
        let other = try VectorFlight.contract(
            [
                (contract.next(mine), from: bo, to: ada),
                (contract.next(theirs), from: ada, to: bo),
            ], nonce: 1)
        let no = try bo.no(other)
        try ada.write(.abandon(other.id, no: no))
        try ada.write(.profile(name: "Ada L."))
        let noon = UTCTime(seconds: 1_795_348_800)
        try ada.write(.chat(text: "hello", replyTo: nil, time: noon))
        try ada.write(
            .chat(
                text: "gr\u{FC}\u{DF} dich", replyTo: bo.log[0].id, time: noon,
                after: [ada.log[ada.log.count - 1].id, bo.log[1].id]))
        guard let window = Seat("12A") else { throw DecodeError(.badValue) }
        let windows = SeatSet([
            SeatSet.Block(columns: 1 << 5 | 1, first: 1, last: 12),
            SeatSet.Block(columns: 1 << 25, first: 12, last: 255),
            SeatSet.Block(columns: 1, first: 14, last: 32),
        ])
        guard let windows else { throw DecodeError(.badValue) }
        try ada.write(
            .wish(
                Wish(
                    offered: [theirs.token], ranks: [windows, SeatSet(window), .all],
                    asks: .anything, tag: ThreadID(high: 1, low: 2), note: "legs")))
        try ada.write(
            .sealed(SealedTalk(nonce: Array(1...24), sealed: Array(repeating: 0xA5, count: 17))))
        try ada.write(.seated(contract.id, true))
        try ada.write(.seated(contract.id, false))
        try ada.write(.hosting(Hosting(.host, bo.key)))
        try ada.write(.hosting(Hosting(.guest, bo.key, holds: false)))
        // What is no mark says nothing. The deepest that there may be, and every kind of item.
        try ada.write(
            .unknown(
                type: 18,
                body: [
                    0x86, 0, 0x41, 7, 0x61, 0x61, 0xF6, 0xA2, 0, 0xF4, 0x18, 24, 0xF5,
                    0x81, 0x81, 0x81, 0x81, 0x81, 0x80,
                ]))
        try ada.write(.unknown(type: 31, body: [0x80]))
        try ada.write(.vouch(bo.key, window))
        try ada.write(.retract(contract.next(theirs)))
        try ada.write(.end)
    }

    func json() throws -> JSON {
        [
            "note": "diagnostic: the payload; id: SHA-256(\"seatswap/1 id\" || payload)",
            "flight_id": .hex(VectorFlight.key.id.bytes),
            "entries": .array((ada.log + bo.log).map(Self.entry)),
            "refused": .array(try refused()),
        ]
    }

    private static func entry(_ entry: Entry) -> JSON {
        let payload = Array(entry.bytes[entry.payload])
        return [
            "author": .hex(entry.author.bytes), "seq": .int(entry.seq),
            "type": .int(entry.body.type), "payload": .hex(payload),
            "diagnostic": .string(VectorText.diagnostic(payload)), "id": .hex(entry.id.bytes),
            "signed_sha256": .hex(
                Array(
                    VectorFlight.primitives.sha256(
                        EntryCodec.toBeSigned(payload)
                    ).bytes)),
            "signature": .hex(Array(entry.bytes[entry.signature])), "entry": .hex(entry.bytes),
        ]
    }

    func contracts() -> JSON {
        let proof = try? Self.fork()
        return [
            "note": "cid: SHA-256(\"seatswap/1 contract\" || contract)",
            "contracts": [
                [
                    "contract": .hex(contract.bytes), "cid": .hex(contract.id.bytes),
                    "diagnostic": .string(VectorText.diagnostic(contract.bytes)),
                ]
            ],
            "certificates": [
                [
                    "contract": .hex(contract.bytes),
                    "votes": .array(commit.votes.map { .hex($0.bytes) }),
                    "claims": .array(commit.claims.map { .hex($0.bytes) }),
                    "commit_id": .hex(ada.log[3].id.bytes),
                ]
            ],
            "fork_proofs": .array(proof.map { [$0] } ?? []),
            "refused": .array(badContracts),
        ]
    }

    private static func fork() throws -> JSON {
        var mal = try Scribe("mal", 5)
        _ = try mal.board("1A")
        var other = mal.branch(at: 1)
        _ = try other.claim("2A")
        guard let proof = ForkProof(mal.log[1], other.log[1]) else {
            throw DecodeError(.badValue)
        }
        return [
            "author": .hex(mal.key.bytes), "seq": .int(proof.seq),
            "first": .hex(proof.first.bytes), "second": .hex(proof.second.bytes),
            "item": .hex(Bundle.Item.proof(proof.first.bytes, proof.second.bytes).bytes),
        ]
    }

    // MARK: Refused

    /// Signs any payload.
    private func signed(_ payload: [UInt8], by who: Scribe, map: [UInt8] = [0xA0]) -> [UInt8] {
        var entry = CBORWriter()
        entry.array(4)
        entry.bytes(EntryCodec.protected)
        entry.raw(map)
        entry.bytes(payload)
        entry.bytes(who.identity.sign(EntryCodec.toBeSigned(payload)))
        return entry.bytes
    }

    /// A payload for ada's first entry, or another place, with any tail.
    private func payload(
        seq: [UInt8] = [1], previous: [UInt8] = [0xF6], tail: [UInt8]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(7)
        writer.uint(1)
        writer.value(VectorFlight.key.id)
        writer.value(ada.key)
        writer.raw(seq + previous + tail)
        return writer.bytes
    }

    private func refused() throws -> [JSON] {
        let good = ada.log[0]
        func bad(_ why: String, _ bytes: [UInt8]) -> JSON {
            ["why": .string(why), "entry": .hex(bytes)]
        }
        func changed(_ index: Int, _ bit: UInt8) -> [UInt8] {
            var bytes = good.bytes
            bytes[index] ^= bit
            return bytes
        }
        // S + L: the same signature for whoever does not check that S is below the order.
        var heavy = good.bytes
        var carry = 0
        let order: [UInt8] = [
            0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9,
            0xDE, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ]
        let scalar = good.signature.lowerBound + 32
        for index in 0..<32 {
            carry += Int(heavy[scalar + index]) + Int(order[index])
            heavy[scalar + index] = UInt8(carry & 255)
            carry >>= 8
        }
        let name: [UInt8] = [0x61, 0x61]
        let genesis: [UInt8] = [0, 0x82] + name + [0x60]
        let zero: [UInt8] = [0x58, 32] + Array(repeating: 0, count: 32)
        return [
            bad("a bit of the signature", changed(good.signature.lowerBound, 1)),
            bad("a bit of the name", changed(good.payload.upperBound - 12, 1)),
            bad("S is not below the group order", heavy),
            bad("signed by another key", signed(payload(tail: genesis), by: bo)),
            bad(
                "unprotected header not empty",
                signed(payload(tail: genesis), by: ada, map: [0xA1, 1, 1])),
            bad(
                "number not in its shortest form",
                signed(payload(seq: [0x18, 1], tail: genesis), by: ada)),
            bad("seq 0", signed(payload(seq: [0], tail: genesis), by: ada)),
            bad(
                "seq 1 with a previous entry",
                signed(payload(previous: zero, tail: genesis), by: ada)),
            bad(
                "seq 2 without a previous entry",
                signed(payload(seq: [2], tail: [15, 0x80]), by: ada)),
            bad("seq 1 is no genesis", signed(payload(tail: [15, 0x80]), by: ada)),
            bad(
                "a genesis at seq 2",
                signed(payload(seq: [2], previous: zero, tail: genesis), by: ada)),
            bad("empty name", signed(payload(tail: [0, 0x82, 0x60, 0x60]), by: ada)),
            bad(
                "unknown type 10",
                signed(payload(seq: [2], previous: zero, tail: [10, 0x80]), by: ada)),
            bad(
                "row 0",
                signed(payload(seq: [2], previous: zero, tail: [2, 0x82, 0x82, 0, 0, 0]), by: ada)),
            bad(
                "a no with slots",
                signed(
                    payload(
                        seq: [2], previous: zero,
                        tail: [4, 0x83] + zero + [0xF4, 0x81, 0x82] + zero + zero), by: ada)),
            bad(
                "a yes without slots",
                signed(
                    payload(seq: [2], previous: zero, tail: [4, 0x83] + zero + [0xF5, 0x80]),
                    by: ada)),
            bad("bytes after the end", good.bytes + [0]),
        ] + laterForms()
    }

    /// Forms that fold version 2 took away, and what it asks of those that it brought.
    private func laterForms() -> [JSON] {
        let zero: [UInt8] = [0x58, 32] + Array(repeating: 0, count: 32)
        let one: [UInt8] = [0x58, 32] + Array(repeating: 1, count: 32)
        let tag: [UInt8] = [0x50] + Array(repeating: 0, count: 16)
        let all: [UInt8] = [0x83, 0x1A, 0x03, 0xFF, 0xFF, 0xFF, 1, 0x18, 255]
        func wish(_ set: [UInt8], asks: UInt8 = 1) -> [UInt8] {
            [16, 0x85, 0x80, 0x81] + set + [asks] + tag + [0x60]
        }
        func nested(_ count: Int) -> [UInt8] {
            [18] + Array(repeating: 0x81, count: count - 1) + [0x80]
        }
        let nonce: [UInt8] = [0x58, 24] + Array(repeating: 0, count: 24)
        let forms: [(String, [UInt8])] = [
            ("type 8, the wish of fold version 1", [8, 0x83, 0x80, 0x80, 0x60]),
            ("a chat line of fold version 1", [7, 0x82, 0x60, 0xF6]),
            ("chat: after not sorted", [7, 0x84, 0x60, 0xF6, 0, 0x82] + one + zero),
            ("chat: one line twice", [7, 0x84, 0x60, 0xF6, 0, 0x82] + one + one),
            ("chat: after four lines", [7, 0x84, 0x60, 0xF6, 0, 0x84] + zero + zero + zero + zero),
            ("wish: no block", wish([0x80])),
            ("wish: a seat in two blocks", wish([0x82] + all + [0x83, 1, 2, 2])),
            ("wish: blocks not sorted", wish([0x82, 0x83, 1, 2, 2, 0x83, 1, 1, 1])),
            ("wish: the last row before the first", wish([0x81, 0x83, 1, 2, 1])),
            ("wish: column 26", wish([0x81, 0x83, 0x1A, 0x04, 0, 0, 0, 1, 1])),
            ("wish: no column", wish([0x81, 0x83, 0, 1, 1])),
            ("wish: asks 3", wish([0x81] + all, asks: 3)),
            ("sealed: 16 bytes", [17, 0x82] + nonce + [0x50] + Array(repeating: 0, count: 16)),
            ("type 18 with a map", [18, 0xA0]),
            ("type 18 with a float", [18, 0x81, 0xF9, 0, 0]),
            ("type 18 with a map whose key is text", [18, 0x81, 0xA1, 0x60, 0]),
            ("nine arrays inside each other", nested(8)),
            ("type 32", [0x18, 32, 0x80]),
        ]
        return forms.map { why, tail in
            [
                "why": .string(why),
                "entry": .hex(signed(payload(seq: [2], previous: zero, tail: tail), by: ada)),
            ]
        }
    }

    private var badContracts: [JSON] {
        func made(_ why: String, _ change: (inout [UInt8]) -> Void) -> JSON {
            var bytes = contract.bytes
            change(&bytes)
            return ["why": .string(why), "contract": .hex(bytes)]
        }
        // 1 flight(34) key(34) nonce(17): parties from 87, two of 34 bytes;
        // legs after one more head.
        let parties = 88
        let legs = parties + 2 * 34 + 1
        func swap(_ bytes: inout [UInt8], _ one: Int, _ other: Int, _ count: Int) {
            let kept = Array(bytes[one..<one + count])
            bytes.replaceSubrange(one..<one + count, with: bytes[other..<other + count])
            bytes.replaceSubrange(other..<other + count, with: kept)
        }
        return [
            made("version 2") { $0[1] = 2 },
            made("parties not sorted") { swap(&$0, parties, parties + 34, 34) },
            made("legs not sorted") { swap(&$0, legs, legs + 137, 137) },
            made("the coordinator is no party") { $0[40] ^= 1 },
            made("somebody only gives") { bytes in
                bytes.replaceSubrange(
                    legs + 103..<legs + 137, with: bytes[legs + 69..<legs + 103])
            },
            made("a byte after the end") { $0.append(0) },
        ]
    }
}
