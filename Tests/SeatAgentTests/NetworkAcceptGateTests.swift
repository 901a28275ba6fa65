// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import SeatAgent
@testable import Transport
@testable import System

@Suite struct NetworkAcceptGateTests {
    private let t0 = Instant.zero

    private func gate(_ seed: UInt64 = 1) -> AcceptGate {
        AcceptGate(perPlace: 4, total: 32, settled: .milliseconds(500), seed: seed)
    }

    private func host(_ number: UInt32) -> Address.Host { .v4(0x0a4d_0000 | number) }

    /// Eight addresses take all slots with connections that say nothing: today's newcomer comes in,
    /// and is not the next one to go.
    @Test(arguments: 1...20) func aNewcomerComesInAndStays(seed: UInt64) {
        var gate = gate(seed)
        for number in 0..<32 { _ = gate.admit(host(UInt32(number / 4)), at: t0) }
        let (newcomer, replaced) = gate.admit(host(99), at: t0)
        #expect(replaced != nil)
        for number in 0..<200 {
            let (_, gone) = gate.admit(host(UInt32(number % 8)), at: t0)
            #expect(gone != newcomer)
        }
        #expect(gate.holds(newcomer))
    }

    /// As many addresses as slots, and all connections as young: who speaks stays.
    @Test func theSilentGoBeforeThoseThatSpeak() {
        var gate = gate()
        for number in 0..<32 { _ = gate.admit(host(UInt32(number)), at: t0) }
        let (newcomer, _) = gate.admit(host(500), at: t0)
        gate.spoke(newcomer)
        for number in 100..<400 { _ = gate.admit(host(UInt32(number)), at: t0) }
        #expect(gate.holds(newcomer))
    }

    /// Strangers that say a byte and then nothing: the old ones go first.
    @Test func theOldGoBeforeTheYoung() {
        var gate = gate()
        let old = (0..<32).map { gate.admit(host(UInt32($0)), at: t0).ticket }
        for ticket in old { gate.spoke(ticket) }
        let later = t0 + .milliseconds(500)
        let young = (100..<132).map { gate.admit(host($0), at: later) }
        #expect(Set(young.map(\.replaced)) == Set(old))
    }

    /// Which one goes is chance, and the same chance for the same seed.
    @Test func whoGoesIsChance() {
        func gone(_ seed: UInt64) -> [Int?] {
            var gate = gate(seed)
            for number in 0..<32 { _ = gate.admit(host(UInt32(number)), at: t0) }
            return (100..<110).map { gate.admit(host($0), at: t0).replaced }
        }
        #expect(gone(1) == gone(1))
        #expect(Set((1...20).map { gone($0)[0] }).count > 5)
    }

    @Test func oneAddressHoldsFourAndPaysForItsOwn() {
        var gate = gate()
        let others = (0..<8).map { gate.admit(host(UInt32($0)), at: t0).ticket }
        var own: Set<Int> = []
        for _ in 0..<50 {
            let (ticket, replaced) = gate.admit(host(77), at: t0)
            if let replaced { #expect(own.remove(replaced) != nil) }
            own.insert(ticket)
        }
        #expect(own.count == 4 && others.allSatisfy { gate.holds($0) })
    }

    /// The addresses of one IPv6 network are one place; those of a link are not.
    @Test func aNetworkOf64BitsIsOnePlace() throws {
        func place(_ text: String, scope: UInt32 = 0) throws -> Address.Host {
            guard case .v6(let high, let low, _) = try Address.Host(parsing: text) else {
                return AcceptGate.place(of: try Address.Host(parsing: text))
            }
            return AcceptGate.place(of: .v6(high: high, low: low, scope: scope))
        }
        #expect(try place("2001:db8:1:2::1") == place("2001:db8:1:2:ffff::9"))
        #expect(try place("2001:db8:1:2::1") != place("2001:db8:1:3::1"))
        #expect(try place("fe80::1", scope: 2) != place("fe80::2", scope: 2))
        #expect(try place("fe80::1", scope: 2) != place("fe80::1", scope: 3))
        #expect(try place("10.77.0.1") != place("10.77.0.2"))
        #expect(try place("::1") == .loopback6)
        var gate = gate()
        for low in 1...10 {
            _ = gate.admit(.v6(high: 0x2001_0db8_0000_0000, low: UInt64(low), scope: 0), at: t0)
        }
        let kept = (1...10).count { gate.holds($0) }
        #expect(kept == 4)
    }
}
