// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

@Suite struct PenaltiesTests {
    private let rude = FakeSigner(1).key
    private let other = FakeSigner(2).key
    private let t0 = Instant.zero

    @Test func keyAndHostRestForTenMinutes() {
        var penalties = Penalties()
        penalties.add(rude, host: "10.0.0.1", isAlone: true, at: t0)
        let last = Instant(nanoseconds: 599_999_999_999)
        let end = t0 + .seconds(600)
        for (peer, host) in [(rude, "10.0.0.1"), (rude, "10.0.0.2"), (other, "10.0.0.1")] {
            #expect(penalties.bars(peer, host: host, at: last))
            #expect(!penalties.bars(peer, host: host, at: end))
        }
        #expect(!penalties.bars(other, host: "10.0.0.2", at: t0))
    }

    @Test(arguments: ["127.0.0.1", "127.3.4.5", "::1"])
    func onLoopbackTheKeyAlone(host: String) {
        var penalties = Penalties()
        penalties.add(rude, host: host, isAlone: true, at: t0)
        #expect(penalties.bars(rude, host: host, at: t0))
        #expect(!penalties.bars(other, host: host, at: t0))
    }

    @Test func anAddressThatOthersUseRestsAfterThreeKeys() throws {
        var penalties = Penalties()
        let home = "10.0.0.1"
        func fault(_ number: UInt8, after seconds: Int64, isAlone: Bool = false) {
            penalties.add(
                FakeSigner(number).key, host: home, isAlone: isAlone, at: t0 + .seconds(seconds))
        }
        func rests(after seconds: Int64, _ host: String = "10.0.0.1") -> Bool {
            penalties.bars(FakeSigner(9).key, host: host, at: t0 + .seconds(seconds))
        }
        fault(1, after: 0)
        fault(2, after: 1)
        fault(2, after: 2)
        #expect(!rests(after: 3))
        #expect(penalties.bars(FakeSigner(1).key, host: "10.0.0.2", at: t0 + .seconds(3)))
        // The first of three is ten minutes ago.
        fault(3, after: 600)
        #expect(!rests(after: 600))
        fault(4, after: 601)
        #expect(rests(after: 601))
        #expect(!rests(after: 601, "10.0.0.2"))
        #expect(rests(after: 1200))
        #expect(!rests(after: 1201))
    }

    @Test func anAddressRestsToItsEndWhoeverComesMeanwhile() {
        var penalties = Penalties()
        penalties.add(rude, host: "10.0.0.1", isAlone: true, at: t0)
        penalties.add(rude, host: "10.0.0.1", isAlone: false, at: t0 + .seconds(1))
        #expect(penalties.bars(other, host: "10.0.0.1", at: t0 + .seconds(599)))
        #expect(!penalties.bars(other, host: "10.0.0.1", at: t0 + .seconds(600)))
        #expect(penalties.bars(rude, host: "10.0.0.1", at: t0 + .seconds(600)))
    }

    @Test func theListIsBounded() throws {
        var penalties = Penalties()
        func key(_ number: Int) throws -> PeerKey {
            try require(
                PeerKey(
                    [UInt8(number >> 8), UInt8(number & 255)] + Array(repeating: 9, count: 30)))
        }
        for number in 0...Limits.penalties {
            penalties.add(
                try key(number), host: "10.1.\(number >> 8).\(number & 255)", isAlone: true, at: t0)
        }
        #expect(!penalties.bars(try key(0), host: "x", at: t0))
        #expect(penalties.bars(try key(1), host: "x", at: t0))
        #expect(penalties.bars(try key(Limits.penalties), host: "x", at: t0))
    }
}
