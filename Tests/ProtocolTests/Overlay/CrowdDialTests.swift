// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let t0 = Instant.zero

/// Instances that somebody made up, beside honest ones: issue 20, A13.
@Suite struct CrowdDialTests {
    /// A made-up place answers nothing: a dial takes as long as it may, five seconds at most.
    private static let silence = TimeSpan.seconds(5)

    /// 500 made-up instances and an honest one at `place` among them; when
    /// the honest one is dialled.
    private func honestTry(
        at place: Int, plan: DialPlan, seed: UInt64, answers: Bool = false
    ) -> TimeSpan? {
        var random = SeededRandom(seed: seed)
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.labelled("0000")
        dialer.plan = plan
        let honest = PeerAddress(host: "10.1.0.1", port: 4000)
        for number in 0...500 {
            let host = "10.6.\(number / 250).\(number % 250 + 1)"
            let address = number == place ? honest : PeerAddress(host: host, port: 4000)
            dialer.found("\(1000 + number)", [address], random: &random, at: t0)
        }
        var now = t0
        var ends: [(at: Instant, dial: Int)] = []
        while now < t0 + .seconds(60) {
            for end in ends.filter({ $0.at <= now }) {
                dialer.failed(end.dial, random: &random, at: now)
            }
            ends.removeAll { $0.at <= now }
            for dial in dialer.tick(random: &random, at: now) {
                if dial.address == honest { return now - t0 }
                let time = min(dial.patience ?? Self.silence, Self.silence)
                ends.append((now + time, dial.number))
            }
            let next = (ends.map(\.at) + [dialer.nextDeadline].compactMap { $0 }).min()
            now = max(next ?? now + .seconds(60), now + .milliseconds(1))
        }
        return nil
    }

    @Test(arguments: [0, 250, 500])
    func anHonestInstanceAmongFiveHundredIsTriedWithinSeconds(place: Int) throws {
        for seed in UInt64(1)...3 {
            for plan in [DialPlan.everyone, .some(Limits.outbound, needed: [])] {
                let time = try #require(honestTry(at: place, plan: plan, seed: seed))
                #expect(time <= .seconds(8), "\(plan), seed \(seed): \(time)")
            }
        }
    }

    /// It is announced when all others were tried already, and again and again.
    @Test func whoIsNewGoesBeforeAllThatWereTried() throws {
        var random = SeededRandom(seed: 2)
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.labelled("0000")
        for number in 0..<100 {
            let place = PeerAddress(host: "10.6.0.\(number + 1)", port: 4000)
            dialer.found("\(1000 + number)", [place], random: &random, at: t0)
        }
        var now = t0
        var tries = 0
        while tries < 100 {
            let dials = dialer.tick(random: &random, at: now)
            tries += dials.count
            for dial in dials { dialer.failed(dial.number, random: &random, at: now) }
            now = now + .milliseconds(1)
        }
        // As many second tries as there can be are under way, and all others are due.
        now = now + .seconds(2)
        let second = dialer.tick(random: &random, at: now)
        #expect(second.count == Limits.dials && second.allSatisfy { $0.patience != nil })
        let honest = PeerAddress(host: "10.1.0.1", port: 4000)
        dialer.found("5555", [honest], random: &random, at: now)
        #expect(dialer.tick(random: &random, at: now).map(\.address) == [honest])
    }

    /// In a cabin without made-up places a dial has all its time, and no more
    /// are under way than before.
    @Test func withoutFailuresNothingIsHurried() {
        var random = SeededRandom(seed: 3)
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.labelled("0000")
        for number in 0..<30 {
            let place = PeerAddress(host: "10.0.0.\(number + 1)", port: 4000)
            dialer.found("\(1000 + number)", [place], random: &random, at: t0)
        }
        let dials = dialer.tick(random: &random, at: t0)
        #expect(dials.count == Limits.dials && dials.allSatisfy { $0.patience == nil })
    }

    /// Whatever is dialled and whatever fails, the deadline is never one at which nothing happens.
    @Test(arguments: 1...20) func aDeadlineIsNeverInVain(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.labelled("0000")
        var now = t0
        var open: [Int] = []
        for step in 0..<600 {
            let number = Int.random(in: 1...60, using: &random)
            let place = PeerAddress(host: "10.0.1.\(number)", port: 4000)
            let teller = FakeSigner(UInt8(100 + number % 3)).key
            let key = FakeSigner(UInt8(1 + number)).key
            switch step % 5 {
            case 0: dialer.found("\(1000 + number)", [place], random: &random, at: now)
            case 1: dialer.heard(of: key, at: [place], from: teller, random: &random, now: now)
            case 2: dialer.plan = number % 2 == 0 ? .everyone : .some(6, needed: [])
            default:
                if let dial = open.popLast() { dialer.failed(dial, random: &random, at: now) }
            }
            if let next = dialer.nextDeadline {
                now = max(now, next)
                let dials = dialer.tick(random: &random, at: now)
                #expect(!dials.isEmpty, "step \(step)")
                open += dials.map(\.number)
            } else {
                now = now + .milliseconds(100)
            }
        }
    }
}
