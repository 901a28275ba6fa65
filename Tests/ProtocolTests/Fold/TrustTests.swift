// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What evidence makes of claims (docs/protocol.md section 15): the fold is the same for everybody.
@Suite struct TrustTests {
    var p = Traveller(1)
    var q = Traveller(2)
    var z = Traveller(3)
    let sp: Slot
    let sq: Slot
    let rival: Slot

    init() {
        sp = p.claim("12A")
        sq = q.claim("3C")
        rival = z.claim("12A")
    }

    func place(_ trust: Trust, _ seat: String = "12A") throws -> SeatView.Place {
        let seat = try #require(Seat(seat))
        return try #require(SeatView(Fold.fold(Known(of: p, q, z)), trust).place(seat))
    }

    func vouch(_ key: PeerKey, _ seat: String, count: Int = 1) throws -> Trust.Vouch {
        Trust.Vouch(key: key, seat: try #require(Seat(seat)), count: count)
    }

    @Test func equalEvidenceIsADispute() throws {
        let both = [p.key, z.key].sorted()
        #expect(try place(.none).holding == .disputed(both))
        #expect(try place(.none).remarks.isEmpty)
        #expect(try place(Trust(verified: [p.key, z.key])).holding == .disputed(both))
        #expect(try place(Trust(party: [p.key, z.key])).holding == .disputed(both))
    }

    /// Each kind of evidence outweighs all before it, and what is outweighed is a remark.
    @Test func theOrderIsVerifiedPartyVouchedClaimedBlocked() throws {
        let vouches = [try vouch(z.key, "12A", count: 3)]
        let steps: [(Trust, PeerKey)] = [
            (Trust(blocked: [z.key]), p.key),
            (Trust(vouches: vouches), z.key),
            (Trust(party: [p.key], vouches: vouches), p.key),
            (Trust(verified: [z.key], party: [p.key], vouches: vouches), z.key),
            (Trust(verified: [z.key, p.key], blocked: [z.key]), p.key),
            (Trust(me: p.key, verified: [z.key]), p.key),
        ]
        for (trust, holder) in steps {
            let place = try place(trust)
            #expect(place.holding == .held(holder))
            #expect(place.remarks.map(\.token.holder) == [holder == p.key ? z.key : p.key])
            #expect(place.claims.map(\.token.holder).first == holder)
        }
        #expect(try place(steps[1].0).claims.map(\.assurance) == [.vouched(3), .claimed])
        #expect(Assurance.verified.outweighs(.party) && Assurance.party.outweighs(.vouched(9)))
        #expect(Assurance.vouched(1).outweighs(.claimed))
        #expect(!Assurance.vouched(2).outweighs(.vouched(1)), "no vote of many")
    }

    @Test func aVouchIsForOneSeatAndNotForThePerson() throws {
        let trust = Trust(vouches: [try vouch(z.key, "3C")])
        #expect(try place(trust).holding == .disputed([p.key, z.key].sorted()))
        #expect(trust.assurance(of: z.key, in: [try #require(Seat("12A"))]) == .claimed)
        #expect(trust.assurance(of: z.key, in: [try #require(Seat("3C"))]) == .vouched(1))
    }

    /// Else a liar's claim would become good by a swap with somebody whom the user knows.
    @Test mutating func evidenceStaysWithWhoMadeTheClaim() throws {
        let contract = swap(&z, rival, &q, sq)
        let fold = Fold.fold(Known(of: p, q, z))
        #expect(fold.applied(contract))
        let trust = Trust(verified: [q.key])
        let place = try place(trust)
        #expect(place.holding == .disputed([p.key, q.key].sorted()))
        #expect(place.claims.map(\.assurance) == [.claimed, .claimed])
        // And what they gave away keeps what it was worth: their own claim to 3C, now with the
        // liar.
        #expect(try self.place(trust, "3C").claims.map(\.assurance) == [.verified])
    }

    /// Weighing is a view: map and digest are everybody's.
    @Test func theFoldDoesNotChange() throws {
        let fold = Fold.fold(Known(of: p, q, z))
        let seats = fold.tokens.filter { !$0.ended }.map(\.seat.text).sorted()
        #expect(seats == ["12A", "12A", "3C"])
        let seat = try #require(Seat("12A"))
        for trust in [Trust.none, Trust(verified: [p.key]), Trust(blocked: [z.key])] {
            #expect(fold.claims(on: seat, trust).count == 2)
            #expect(SeatView(fold, trust).place(seat)?.rights.count == 2)
        }
    }

    // MARK: Whose token is meant

    @Test func tradableFollowsTheEvidence() throws {
        let fold = Fold.fold(Known(of: p, q, z))
        let seat = try #require(Seat("12A"))
        func holder(
            _ trust: Trust, from: PeerKey? = nil, override: Bool = false
        ) -> Result<PeerKey, Refusal> {
            fold.tradable(seat, from: from, override: override, trust).map(\.holder)
        }
        let both = [p.key, z.key].sorted()
        #expect(holder(.none) == .failure(.disputed(seat, both)))
        #expect(holder(.none, override: true) == .failure(.disputed(seat, both)), "whose is it?")
        #expect(holder(.none, from: p.key) == .failure(.disputed(seat, both)))
        #expect(holder(.none, from: p.key, override: true) == .success(p.key))
        #expect(holder(.none, from: z.key, override: true) == .success(z.key))
        #expect(holder(.none, from: q.key, override: true) == .failure(.notTheirs(seat, q.key)))
        let known = Trust(verified: [p.key])
        #expect(holder(known) == .success(p.key))
        #expect(holder(known, from: p.key) == .success(p.key))
        #expect(holder(known, from: z.key) == .failure(.disputed(seat, [p.key, z.key])))
        #expect(holder(known, from: z.key, override: true) == .success(z.key))
        // Whoever holds a claim to it gives that one, whatever others are worth.
        #expect(holder(Trust(me: z.key, verified: [p.key])) == .success(z.key))
    }
}
