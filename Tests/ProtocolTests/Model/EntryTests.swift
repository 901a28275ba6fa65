// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let codec = EntryCodec(FakePrimitives())
private let signer = FakeSigner(1)

private func sign(_ body: EntryBody, seq: Int = 2) throws -> Entry {
    try codec.sign(
        body, flight: testFlight.id, seq: seq, previous: seq == 1 ? nil : EntryID(.zero),
        by: signer)
}

/// A contract of two with everything that a certificate needs.
struct Deal {
    var ada: Writer
    var bo: Writer
    let contract: Contract

    init() throws {
        ada = try .seated(1, "14C")
        bo = try .seated(2, "12A")
        let legs = [(ada, bo), (bo, ada)].map { from, to in
            Leg(
                token: from.entries[1].id.token,
                producer: Producer(claim: from.entries[1].id.token), from: from.key, to: to.key)
        }
        contract = try require(
            Contract(
                flight: testFlight.id, coordinator: ada.key,
                nonce: try require(ThreadID([UInt8](0..<16))), legs: legs,
                primitives: FakePrimitives()))
    }

    /// Both say yes; the certificate.
    mutating func agree() throws -> Commit {
        let ada = try self.ada.write(.vote(.yes(contract.id, slots: contract.slots(of: ada.key))))
        let bo = try self.bo.write(.vote(.yes(contract.id, slots: contract.slots(of: bo.key))))
        let claims = [self.ada.entries[1], self.bo.entries[1]].sorted { $0.id < $1.id }
        return Commit(contract: contract, votes: [ada, bo], claims: claims)
    }
}

@Suite struct EntryTests {
    @Test func everyBodyComesBack() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        let no = try deal.bo.write(.vote(.no(deal.contract.id)))
        let seat = try require(Seat("255Z"))
        let slot = Slot(token: Token(.zero), producer: Producer(.zero))
        let bodies: [EntryBody] = [
            .profile(name: "Zoë"), .claim(seat: seat, dependant: true), .retract(slot),
            .vote(.no(deal.contract.id)), .vote(.yes(deal.contract.id, slots: [slot])),
            .commit(commit), .abandon(deal.contract.id, no: no),
            .chat(text: "hi", replyTo: no.id), .chat(text: "", replyTo: nil),
            .chat(
                text: "", replyTo: nil, time: UTCTime(seconds: .max),
                after: [no.id, EntryID(.zero), commit.votes[0].id]),
            .wish(
                Wish(
                    offered: [Token(.zero)], ranks: [.all, SeatSet(seat)], asks: .nothing,
                    tag: deal.contract.nonce, note: "n")),
            .wish(Wish(offered: [], ranks: [], tag: deal.contract.nonce)),
            .sealed(
                SealedTalk(
                    nonce: Array(0..<24), sealed: Array(repeating: 7, count: 2200))),
            .seated(deal.contract.id, true), .seated(deal.contract.id, false),
            .hosting(Hosting(.host, FakeSigner(2).key)),
            .hosting(Hosting(.guest, FakeSigner(2).key, holds: false)),
            .unknown(type: 18, body: [0x80]), .unknown(type: 31, body: [0x82, 0x81, 0xF6, 0xA0]),
            .vouch(signer.key, seat), .end,
        ]
        for body in bodies {
            let entry = try sign(body)
            #expect(entry.body == body)
            #expect(try codec.decode(entry.bytes) == entry)
            #expect(codec.isSigned(entry))
        }
        let first = try sign(.genesis(name: "ada", agent: "x"), seq: 1)
        #expect(first.previous == nil)
    }

    @Test func theIdLeavesTheSignatureOut() throws {
        let entry = try sign(.profile(name: "ada"))
        var bytes = entry.bytes
        bytes[entry.signature.lowerBound] ^= 1
        let other = try codec.decode(bytes)
        #expect(other.id == entry.id)
        #expect(!codec.isSigned(other))
    }

    @Test func whatIsSignedBeginsLikeNothingElse() {
        // TLS 1.3 signs 64 spaces first, X.509 a DER sequence.
        let bytes = EntryCodec.toBeSigned([1])
        #expect(Array(bytes.prefix(12)) == [0x84, 0x6A] + Array("Signature1".utf8))
        #expect(bytes[0] != 0x20 && bytes[0] != 0x30)
    }

    @Test func formsThatAreNone() throws {
        func fault(_ body: EntryBody, seq: Int = 2) -> DecodeError.Code? {
            do throws(DecodeError) {
                _ = try codec.sign(
                    body, flight: testFlight.id, seq: seq,
                    previous: seq == 1 ? nil : EntryID(.zero), by: signer)
                return nil
            } catch { return error.code }
        }
        #expect(fault(.chat(text: String(repeating: "x", count: 2048), replyTo: nil)) == nil)
        #expect(fault(.chat(text: String(repeating: "x", count: 2049), replyTo: nil)) == .tooLarge)
        func after(_ ids: EntryID...) -> EntryBody {
            .chat(text: "", replyTo: nil, after: ids)
        }
        let ids = (1...4).map { EntryID(Bytes32(repeating: $0)) }
        #expect(fault(after(ids[2], ids[0], ids[1])) == nil)
        #expect(fault(after(ids[0], ids[1], ids[2], ids[3])) == .tooLarge)
        #expect(fault(after(ids[0], ids[0])) == .notSorted)
        #expect(fault(.profile(name: "")) == .tooSmall)
        #expect(fault(.profile(name: String(repeating: "x", count: 49))) == .tooLarge)
        #expect(fault(.genesis(name: "a", agent: ""), seq: 2) == .badValue)
        #expect(fault(.profile(name: "a"), seq: 1) == .badValue)
        #expect(fault(.profile(name: "a"), seq: 4096) == nil)
        #expect(fault(.profile(name: "a"), seq: 4097) == .tooLarge)
        let slot = Slot(token: Token(.zero), producer: Producer(.zero))
        #expect(fault(.vote(Vote(contract: ContractID(.zero), yes: true, slots: []))) == .tooSmall)
        let twice = Vote(contract: ContractID(.zero), yes: true, slots: [slot, slot])
        #expect(fault(.vote(twice)) == .notSorted)
        let noWithSlots = Vote(contract: ContractID(.zero), yes: false, slots: [slot])
        #expect(fault(.vote(noWithSlots)) == .tooLarge)
    }

    @Test func certificatesMustFit() throws {
        var deal = try Deal()
        let good = try deal.agree()
        func isRead(_ commit: Commit) -> Bool { (try? sign(.commit(commit))) != nil }
        #expect(isRead(good))
        let contract = deal.contract
        #expect(
            !isRead(Commit(contract: contract, votes: good.votes.reversed(), claims: good.claims)))
        #expect(!isRead(Commit(contract: contract, votes: [good.votes[0]], claims: good.claims)))
        #expect(!isRead(Commit(contract: contract, votes: good.votes, claims: [])))
        #expect(
            !isRead(Commit(contract: contract, votes: good.votes, claims: good.claims.reversed())))
        let no = try deal.bo.write(.vote(.no(contract.id)))
        #expect(
            !isRead(Commit(contract: contract, votes: [good.votes[0], no], claims: good.claims)))
    }

    @Test func contractsKeepTheStaticRules() throws {
        let deal = try Deal()
        func contract(_ legs: [Leg], coordinator: PeerKey? = nil) throws -> Contract? {
            Contract(
                flight: testFlight.id, coordinator: coordinator ?? deal.ada.key,
                nonce: try require(ThreadID([UInt8](0..<16))), legs: legs,
                primitives: FakePrimitives())
        }
        let legs = deal.contract.legs
        #expect(try contract(legs) != nil)
        #expect(try contract(legs.reversed())?.id == deal.contract.id)
        #expect(try contract([legs[0]]) == nil)
        #expect(try contract(legs + [legs[0]]) == nil)
        #expect(try contract(legs, coordinator: FakeSigner(9).key) == nil)
        let selfish = Leg(
            token: legs[0].token, producer: legs[0].producer, from: legs[0].from, to: legs[0].from)
        #expect(try contract([selfish, legs[1]]) == nil)
        let gift = Leg(
            token: Token(Bytes32(Array(repeating: 9, count: 32)) ?? .zero),
            producer: Producer(.zero), from: legs[0].from, to: legs[0].to)
        #expect(try contract(legs + [gift]) == nil)
        #expect(try Contract(deal.contract.bytes, primitives: FakePrimitives()) == deal.contract)
    }

    @Test func damagedEntriesNeverTrap() throws {
        var deal = try Deal()
        let commit = try deal.agree()
        var random = SeededRandom(seed: 3)
        for good in [try sign(.commit(commit)).bytes, try sign(.profile(name: "a")).bytes] {
            for _ in 0..<10_000 {
                var bytes = good
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
                if Bool.random(using: &random) {
                    bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
                }
                guard let entry = try? codec.decode(bytes) else { continue }
                #expect(entry.bytes == bytes)
            }
        }
    }
}

/// Stand-ins hash a label and what stands behind it as one message, as libsodium does.
@Test func partsAreHashedAsOneMessage() {
    let primitives = FakePrimitives()
    for count in [0, 1, 60] {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(
            primitives.sha256("seatswap/1 id", bytes.span.bytes)
                == primitives.sha256(Array("seatswap/1 id".utf8) + bytes))
    }
}

@Suite struct SignatureShapeTests {
    @Test func smallOrderAndUnreducedPointsAreRefused() throws {
        func point(_ hex: String) throws -> Bytes32 {
            try require(Bytes32(try require(bytes(hexadecimal: hex))))
        }
        // The points of small order, in canonical and other encodings.
        for hex in [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0000000000000000000000000000000000000000000000000000000000000080",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ] {
            #expect(!SignatureShape.isGoodPoint(try point(hex)), "\(hex)")
        }
        // Two below the prime, in either sign.
        for hex in [
            "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ] {
            #expect(SignatureShape.isGoodPoint(try point(hex)), "\(hex)")
        }
        #expect(
            SignatureShape.isGoodPoint(
                try point("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")))
    }

    @Test func scalarsStayBelowTheOrder() throws {
        let key = FakeSigner(1).key
        let point = key.bytes
        let order = try require(
            bytes(
                hexadecimal: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
        #expect(!SignatureShape.isCanonical(signature: point + order, key: key))
        var below = order
        below[0] -= 1
        #expect(SignatureShape.isCanonical(signature: point + below, key: key))
        // The highest byte decides before the others do.
        var high = [UInt8](repeating: 0, count: 32)
        high[31] = 0x20
        #expect(!SignatureShape.isCanonical(signature: point + high, key: key))
        let low = [UInt8](repeating: 0xFF, count: 31) + [0x0F]
        #expect(SignatureShape.isCanonical(signature: point + low, key: key))
        #expect(!SignatureShape.isCanonical(signature: point + below + [0], key: key))
        #expect(!SignatureShape.isCanonical(signature: point, key: key))
    }
}
