// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let ada = FakeSigner(1).key
private let bo = FakeSigner(2).key

/// A man in the middle with two TLS sessions of their own: the best plays, a thousand times each.
@Suite struct ManInTheMiddleTests {
    private struct Victim {
        var machine: Verification
        let exporter: Bytes32
        var notices: [Verification.Notice] = []
        var out: [VerifyMessage] = []

        mutating func give(_ event: Verification.Event) {
            let output = machine.handle(event, at: .zero)
            notices += output.notices.map(\.notice)
            out += output.sends.map(\.message)
        }

        mutating func agree() { give(.agree) }

        var code: [Int]? {
            for case .code(let secret) in notices { return secret.code }
            return nil
        }

        var isVerified: Bool { notices.contains(.verified) }
    }

    private func bytes(_ round: Int, _ what: String) -> Bytes32 {
        primitives.sha256(Array(what.utf8) + [UInt8(round & 255), UInt8(round >> 8)])
    }

    /// Two sessions of M: one with ada, to whom M is `towardsAda`, one with bo.
    private func victims(
        _ round: Int, towardsAda: PeerKey, towardsBo: PeerKey
    ) -> (ada: Victim, bo: Victim) {
        func victim(_ me: PeerKey, _ what: String) -> Victim {
            Victim(
                machine: Verification(
                    me: me, flight: testFlight.id, secret: bytes(round, what + " secret"),
                    primitives: primitives), exporter: bytes(round, what + " exporter"))
        }
        var sides = (ada: victim(ada, "ada"), bo: victim(bo, "bo"))
        sides.ada.give(.wish(towardsAda))
        sides.ada.give(.linked(towardsAda, exporter: sides.ada.exporter))
        return sides
    }

    /// M hands every message on as it is.
    @Test func relayingGivesOtherCodes() {
        var different = 0
        for round in 0..<1000 {
            let keys = (FakeSigner(3).key, FakeSigner(4).key)
            var (one, two) = victims(round, towardsAda: keys.0, towardsBo: keys.1)
            while let message = one.out.first ?? two.out.first {
                if one.out.isEmpty {
                    two.out.removeFirst()
                    one.give(.message(message, from: keys.0, exporter: one.exporter))
                } else {
                    one.out.removeFirst()
                    two.give(.message(message, from: keys.1, exporter: two.exporter))
                    two.agree()
                }
            }
            // bo's side refuses the opening: it fits another transcript, keys and all.
            if one.code == nil || two.code == nil || one.code != two.code { different += 1 }
            #expect(!one.isVerified && !two.isVerified)
        }
        #expect(different == 1000)
    }

    /// M plays each role: commits to a nonce of their own towards bo,
    /// answers ada with another.
    @Test func playingBothRolesGivesOtherCodes() throws {
        var different = 0
        for round in 0..<1000 {
            let mallory = FakeSigner(UInt8(3 + round % 200)).key
            var (one, two) = victims(round, towardsAda: mallory, towardsBo: mallory)
            let own = bytes(round, "nonce of M")
            guard case .start(let attempt, _, _)? = one.out.first else {
                Issue.record("ada does not begin")
                return
            }
            // Towards bo, M commits before seeing bo's nonce; the attempt's number is M's choice.
            let transcript = VerificationTranscript(
                flight: testFlight.id, attempt: attempt, initiator: mallory, responder: bo)
            let commitment = transcript.commitment(to: own, primitives: primitives)
            two.give(
                .message(
                    .start(attempt, method: 1, commitment: commitment), from: mallory,
                    exporter: two.exporter))
            two.agree()
            guard case .nonce(_, let bosNonce)? = two.out.last else {
                Issue.record("bo does not answer")
                return
            }
            // ada gets bo's nonce, or one of M's own: M may choose, but not undo the commitment.
            let choice = round % 2 == 0 ? bosNonce : own
            one.give(.message(.nonce(attempt, choice), from: mallory, exporter: one.exporter))
            two.give(.message(.open(attempt, own), from: mallory, exporter: two.exporter))
            let first = try #require(one.code)
            let second = try #require(two.code)
            if first != second { different += 1 }
            // Users who look say no; what M can prove to one is no proof for the other.
            one.give(.compared(isSame: first == second))
            two.give(.compared(isSame: first == second))
            for case .mac(_, let proof) in one.out {
                two.give(.message(.mac(attempt, proof), from: mallory, exporter: two.exporter))
            }
            #expect(!one.isVerified && !two.isVerified)
        }
        #expect(different == 1000)
    }

    /// M opens the commitment to something else once bo's nonce is known.
    @Test func aCommitmentCannotBeOpenedTwice() {
        for round in 0..<1000 {
            let mallory = FakeSigner(9).key
            var (_, two) = victims(round, towardsAda: mallory, towardsBo: mallory)
            guard let attempt = ThreadID(Array(bytes(round, "tx").bytes.prefix(16))) else { return }
            let transcript = VerificationTranscript(
                flight: testFlight.id, attempt: attempt, initiator: mallory, responder: bo)
            let commitment = transcript.commitment(
                to: bytes(round, "first"), primitives: primitives)
            two.give(
                .message(
                    .start(attempt, method: 1, commitment: commitment), from: mallory,
                    exporter: two.exporter))
            two.agree()
            two.give(
                .message(
                    .open(attempt, bytes(round, "second")), from: mallory, exporter: two.exporter))
            #expect(two.code == nil)
            #expect(two.notices.last == .alarm(.wrongProof))
        }
    }
}
