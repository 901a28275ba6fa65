// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func secret(_ byte: UInt8) throws -> PartySecret {
    try require(PartySecret(Array(repeating: byte, count: PartySecret.count)))
}

/// How often a party may change its secret (docs/protocol.md section 30).
@Suite struct PartyChangeTests {
    /// A companion who never stops changing the code uses up nobody's wishes.
    @Test func onlySoManyNewSecretsAreFollowedInAnHour() throws {
        let (ada, bo, cy) = (FakeSigner(2).key, FakeSigner(3).key, FakeSigner(4).key)
        let primitives = FakePrimitives()
        let flight = testFlight.id
        let state = PartyState(
            secrets: [try secret(1)], isFromHome: false,
            members: [ada, bo, cy].map { PartyMember(key: $0, standing: .companion) })
        var fellows = Companions(
            state, me: FakeSigner(1).key, flight: flight, primitives: primitives)
        var last = try secret(1)
        func follow(
            _ number: Int, from peer: PeerKey, at seconds: Int64, without out: PeerKey? = nil
        ) throws -> Bool {
            let next = try secret(UInt8(100 + number))
            let out = out ?? FakeSigner(UInt8(10 + number)).key
            let proof = PartyKeys(last, flight: flight, primitives: primitives)
                .proof(of: next, without: out)
            let said = NextParty(secret: next, removed: out, proof: proof)
            let asked = fellows.follow(said, from: peer, [], at: .zero + .seconds(seconds))
            if asked != nil { last = next }
            return asked != nil
        }
        let followed = try (0..<20).filter { try follow($0, from: ada, at: Int64($0)) }
        #expect(followed == Array(0..<Limits.partyChangesOfOne))
        // Nor do they keep the others from taking them out.
        #expect(try follow(20, from: bo, at: 30, without: ada))
        #expect(try !follow(21, from: ada, at: 31))
        let more = try (22..<40).filter { try follow($0, from: $0 % 2 == 0 ? bo : cy, at: 40) }
        #expect(more.count == Limits.partyChanges - Limits.partyChangesOfOne - 1)
        #expect(try follow(50, from: cy, at: 3700))
    }

    /// Nor does this agent make secrets that the others would not follow: the party would be two.
    @Test func onlySoManyNewSecretsAreMadeInAnHour() throws {
        let (me, bo) = (FakeSigner(1).key, FakeSigner(3).key)
        let (flight, primitives) = (testFlight.id, FakePrimitives())
        func fellows(_ me: PeerKey) throws -> Companions {
            let members = (1..<40).map {
                PartyMember(key: FakeSigner(UInt8($0)).key, standing: .companion)
            }
            let state = PartyState(
                secrets: [try secret(1)], isFromHome: false,
                members: members.filter { $0.key != me })
            return Companions(state, me: me, flight: flight, primitives: primitives)
        }
        var (mine, theirs) = (try fellows(me), try fellows(bo))
        for number in 0..<Limits.partyChangesOfOne {
            let now = Instant.zero + .seconds(Int64(number))
            let out = FakeSigner(UInt8(20 + number)).key
            let news = try mine.remove(out, next: secret(UInt8(100 + number)), [], at: now).get()
                .news
            #expect(theirs.follow(news, from: me, [], at: now) != nil)
        }
        let last = FakeSigner(30).key
        let refused = mine.remove(last, next: try secret(120), [], at: .zero + .seconds(60))
        #expect(throws: PartyRefusal.tooOften) { try refused.get() }
        #expect(
            mine.state?.members.contains { $0.key == last && $0.standing == .companion } == true)
        let later = Instant.zero + .seconds(3700)
        let news = try mine.remove(last, next: secret(121), [], at: later).get().news
        #expect(theirs.follow(news, from: me, [], at: later) != nil)
    }
}
