// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()
private let ada = FakeSigner(1).key
private let bo = FakeSigner(2).key
private let t0 = Instant.zero

private func exporter(_ number: Int) -> Bytes32 {
    primitives.sha256([UInt8(number & 255), UInt8(number >> 8 & 255), 77])
}

private func machine(_ me: PeerKey, _ seed: Int) -> Verification {
    Verification(me: me, flight: testFlight.id, secret: exporter(seed), primitives: primitives)
}

/// Two machines and what is under way between them.
private struct Talk {
    var ends: [PeerKey: Verification]
    var notices: [PeerKey: [Verification.Notice]] = [:]
    var wire: [(to: PeerKey, from: PeerKey, message: VerifyMessage)] = []
    let exporter: Bytes32

    init(_ seed: Int = 1) {
        exporter = ProtocolTests.exporter(seed)
        ends = [ada: machine(ada, 2 * seed), bo: machine(bo, 2 * seed + 1)]
    }

    mutating func give(_ key: PeerKey, _ event: Verification.Event, at now: Instant = t0) {
        guard let output = ends[key]?.handle(event, at: now) else { return }
        take(output, from: key)
    }

    mutating func take(_ output: Verification.Output, from key: PeerKey) {
        notices[key, default: []] += output.notices.map(\.notice)
        for (to, message) in output.sends { wire.append((to, key, message)) }
    }

    mutating func wish(_ key: PeerKey, _ other: PeerKey) {
        give(key, .wish(other))
        give(key, .linked(other, exporter: exporter))
    }

    mutating func agree(_ key: PeerKey) { give(key, .agree) }

    mutating func rest() {
        while !wire.isEmpty {
            let next = wire.removeFirst()
            give(next.to, .message(next.message, from: next.from, exporter: exporter))
        }
    }

    func code(_ key: PeerKey) -> String? {
        for case .code(let secret) in notices[key] ?? [] { return secret.text }
        return nil
    }
}

@Suite struct VerificationTests {
    private func comparing(_ seed: Int = 1) -> Talk {
        var talk = Talk(seed)
        talk.wish(ada, bo)
        talk.rest()
        talk.agree(bo)
        talk.rest()
        return talk
    }

    @Test func bothSeeOneCodeAndBothMustPress() throws {
        var talk = comparing()
        let code = try #require(talk.code(ada))
        #expect(talk.code(bo) == code)
        #expect(code.count == 18 && code.split(separator: " ").count == 5)
        talk.give(ada, .compared(isSame: true))
        talk.rest()
        #expect(talk.notices[ada]?.contains(.verified) == false)
        #expect(talk.notices[bo]?.contains(.verified) == false)
        talk.give(bo, .compared(isSame: true))
        talk.rest()
        #expect(talk.notices[ada]?.last == .verified && talk.notices[bo]?.last == .verified)
    }

    @Test func theNonceWaitsForTheUser() {
        var talk = Talk()
        talk.wish(ada, bo)
        talk.rest()
        #expect(talk.notices[bo] == [.asked])
        #expect(talk.code(ada) == nil && talk.code(bo) == nil)
        #expect(talk.ends[bo]?.isWanted == false)
    }

    @Test func whenBothBeginTheSmallerKeyStays() throws {
        var talk = Talk()
        talk.wish(ada, bo)
        talk.wish(bo, ada)
        talk.rest()
        let code = try #require(talk.code(ada))
        #expect(talk.code(bo) == code)
        guard case .comparing(let attempt, _, _, _)? = talk.ends[bo]?.state else {
            Issue.record("bo does not compare")
            return
        }
        #expect(attempt.transcript.initiator == min(ada, bo))
    }

    @Test func aMismatchIsLoudOnBothSidesAndNotTriedAgain() {
        var talk = comparing()
        talk.give(bo, .compared(isSame: false))
        talk.rest()
        #expect(talk.notices[bo]?.last == .alarm(.differs))
        #expect(talk.notices[ada]?.last == .alarm(.differsThere))
        #expect(talk.ends[ada]?.state == .idle && talk.ends[bo]?.state == .idle)
        talk.give(ada, .tick, at: t0 + .seconds(3600))
        #expect(talk.wire.isEmpty)
    }

    @Test func threeFailuresRestForTenMinutes() throws {
        var talk = Talk()
        for round in 0..<Limits.verifyFailures {
            #expect(talk.ends[bo]?.rests(ada, at: t0) == false, "\(round)")
            talk.notices = [:]
            talk.wish(ada, bo)
            talk.rest()
            talk.agree(bo)
            talk.rest()
            talk.give(bo, .compared(isSame: false))
            talk.rest()
        }
        #expect(talk.ends[bo]?.rests(ada, at: t0) == true)
        #expect(talk.ends[ada]?.rests(bo, at: t0) == true)
        // Also from the other side: it is told that this one is busy, nothing more.
        var fresh = Talk()
        fresh.ends[bo] = talk.ends[bo]
        fresh.wish(ada, bo)
        fresh.rest()
        #expect(fresh.notices[ada] == [.ended(.busy)])
        #expect(talk.ends[bo]?.rests(ada, at: t0 + Limits.verifyPause) == false)
    }

    @Test func anAttemptHasItsTime() {
        var talk = comparing()
        talk.give(ada, .tick, at: t0 + .milliseconds(119_999))
        #expect(talk.ends[ada]?.state != .idle)
        talk.give(ada, .tick, at: t0 + .seconds(120))
        talk.rest()
        #expect(talk.notices[ada]?.last == .ended(.expired))
        #expect(talk.notices[bo]?.last == .ended(.expired))
    }

    /// Every message of an attempt put in place of every other one, doubled, or from another
    /// attempt: nobody is ever verified by it.
    @Test func replaysRolesAndOrdersVerifyNobody() throws {
        var old = comparing(7)
        old.give(ada, .compared(isSame: true))
        old.give(bo, .compared(isSame: true))
        let stale = old.wire.map(\.message)
        for place in 0..<4 {
            for substitute in 0..<6 {
                var talk = Talk()
                talk.wish(ada, bo)
                var seen: [VerifyMessage] = []
                var step = 0
                for _ in 0..<20 where !talk.wire.isEmpty {
                    let next = talk.wire.removeFirst()
                    seen.append(next.message)
                    var message = next.message
                    if step == place {
                        let choices =
                            seen + stale + [
                                .mac(next.message.attempt, .zero),
                                .open(next.message.attempt, .zero),
                            ]
                        message = choices[substitute % choices.count]
                    }
                    step += 1
                    let isChanged = message != next.message
                    talk.give(
                        next.to, .message(message, from: next.from, exporter: talk.exporter))
                    if case .asked? = talk.ends[bo]?.state { talk.agree(bo) }
                    if case .comparing? = talk.ends[ada]?.state, !isChanged {
                        talk.give(ada, .compared(isSame: talk.code(ada) == talk.code(bo)))
                    }
                }
                if place < step, substitute > 0 {
                    #expect(talk.notices[ada]?.contains(.verified) != true)
                }
            }
        }
    }

    @Test func aMessageOfAnotherSessionIsNothing() {
        var talk = Talk()
        talk.wish(ada, bo)
        talk.rest()
        talk.agree(bo)
        let nonce = talk.wire.removeFirst()
        talk.give(ada, .message(nonce.message, from: bo, exporter: exporter(99)))
        #expect(talk.code(ada) == nil)
        #expect(talk.wire.isEmpty)
    }
}
