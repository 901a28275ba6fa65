// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let here = PeerAddress(host: "10.0.0.1", port: 1)
private let there = PeerAddress(host: "10.0.0.2", port: 2)
private let t0 = Instant.zero
/// All of 10.0.0.0/8 is one link.
let wholeTen = OwnNetworks([NetworkPrefix(own: .v4(0x0aff_fffe), length: 8)])

@Suite struct DialerTests {
    private func dialer(_ label: String) -> Dialer {
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.labelled(label)
        return dialer
    }

    @Test func theSmallerLabelDialsAtOnce() {
        var random = SeededRandom(seed: 1)
        var small = dialer("1111")
        small.found("2222", [there], random: &random, at: t0)
        #expect(small.tick(random: &random, at: t0).map(\.address) == [there])
        var large = dialer("3333")
        large.found("2222", [there], random: &random, at: t0)
        #expect(large.tick(random: &random, at: t0 + .milliseconds(2999)).isEmpty)
        #expect(large.tick(random: &random, at: t0 + .seconds(5)).map(\.address) == [there])
    }

    /// Nobody sees it yet, so nobody else will dial.
    @Test func whoIsNotAnnouncedYetDialsAtOnce() {
        var random = SeededRandom(seed: 1)
        var dialer = Dialer(FakeSigner(1).key)
        dialer.networks = wholeTen
        dialer.found("2222", [there], random: &random, at: t0)
        #expect(dialer.tick(random: &random, at: t0).map(\.address) == [there])
        dialer.labelled("3333")
        dialer.found("2223", [here], random: &random, at: t0)
        #expect(dialer.tick(random: &random, at: t0 + .milliseconds(2999)).isEmpty)
    }

    /// Whatever changes, the deadline that is kept is the one that is found
    /// by looking at all places.
    @Test func theKeptDeadlineIsTheNextOne() {
        var random = SeededRandom(seed: 3)
        let keys = (2...9).map { FakeSigner(UInt8($0)).key }
        var looked = dialer("4444")
        var kept = looked
        var now = t0
        for step in 0..<4000 {
            let key = keys[Int.random(in: keys.indices, using: &random)]
            let place = PeerAddress(
                host: "10.0.0.3", port: UInt16.random(in: 1...9, using: &random))
            let label = String(Int.random(in: 1111...1119, using: &random) * (step % 2 * 3 + 1))
            let number = Int.random(in: 0...step / 4, using: &random)
            let change = Int.random(in: 0..<12, using: &random)
            let chance = random
            func apply(_ dialer: inout Dialer) {
                var random = chance
                switch change {
                case 0: dialer.found(label, [place, there], random: &random, at: now)
                case 1: dialer.lost(label)
                case 2:
                    dialer.heard(of: key, at: [place], from: keys[0], random: &random, now: now)
                case 3: dialer.heardOnly(of: [key, keys[1], keys[2]])
                case 4: dialer.typed(place, at: now)
                case 5: dialer.reached(number, key)
                case 6: dialer.linked(key, at: place, now: now)
                case 7: dialer.unlinked(key, random: &random, at: now)
                case 8: dialer.failed(number, random: &random, at: now)
                case 9: dialer.plan = step % 2 == 0 ? .everyone : .some(step % 3, needed: [key])
                case 10: dialer.shunned = [key]
                default: _ = dialer.tick(random: &random, at: now)
                }
            }
            apply(&looked)
            apply(&kept)
            #expect(kept.nextDeadline == looked.nextDeadline, "after \(change)")
            kept.findNext()
            #expect(kept.nextDeadline == looked.nextDeadline)
            now = now + .milliseconds(Int64.random(in: 0...300, using: &random))
        }
    }

    @Test func itNeverDialsItself() {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.found("1111", [here], random: &random, at: t0)
        #expect(dialer.tick(random: &random, at: t0 + .seconds(60)).isEmpty)
    }

    @Test func allAddressesAreTriedThenItBacksOff() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.found("2222", [here, there], random: &random, at: t0)
        let first = try #require(dialer.tick(random: &random, at: t0).first)
        #expect(first.address == here)
        dialer.failed(first.number, random: &random, at: t0)
        let second = try #require(dialer.tick(random: &random, at: t0).first)
        #expect(second.address == there)
        dialer.failed(second.number, random: &random, at: t0)
        let due = try #require(dialer.nextDeadline)
        #expect(due <= t0 + .seconds(1))
        var now = t0
        for _ in 0..<20 {
            now = max(now, dialer.nextDeadline ?? now)
            for dial in dialer.tick(random: &random, at: now) {
                dialer.failed(dial.number, random: &random, at: now)
            }
        }
        let last = try #require(dialer.nextDeadline)
        #expect(last <= now + .seconds(60))
    }

    @Test func aLinkedPeerIsLeftAlone() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.found("2222", [there], random: &random, at: t0)
        let dial = try #require(dialer.tick(random: &random, at: t0).first)
        let peer = FakeSigner(5).key
        dialer.reached(dial.number, peer)
        dialer.linked(peer, at: there, now: t0)
        dialer.found("2222", [there], random: &random, at: t0 + .seconds(9))
        #expect(dialer.tick(random: &random, at: t0 + .seconds(99)).isEmpty)
        dialer.unlinked(peer, random: &random, at: t0 + .seconds(100))
        #expect(dialer.tick(random: &random, at: t0 + .seconds(200)).map(\.address) == [there])
    }

    @Test func whoIsReachedIsNotDialledAgainWhileTheSessionOpens() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        let peer = FakeSigner(5).key
        dialer.found("2222", [there], random: &random, at: t0)
        let dial = try #require(dialer.tick(random: &random, at: t0).first)
        dialer.reached(dial.number, peer)
        dialer.found("2222", [there, here], random: &random, at: t0)
        #expect(dialer.tick(random: &random, at: t0 + .seconds(9)).isEmpty)
        dialer.unlinked(peer, random: &random, at: t0 + .seconds(10))
        #expect(dialer.tick(random: &random, at: t0 + .seconds(20)).count == 1)
    }

    @Test func whoDialledUsBeforeHeWasSeenIsLeftAlone() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("3333")
        let peer = FakeSigner(5).key
        dialer.linked(peer, at: there, now: t0)
        dialer.found("2222", [here], random: &random, at: t0)
        dialer.found("2222", [here, there], random: &random, at: t0)
        dialer.found("1111", [there], random: &random, at: t0)
        #expect(dialer.tick(random: &random, at: t0 + .seconds(99)).isEmpty)
        dialer.unlinked(peer, random: &random, at: t0 + .seconds(100))
        #expect(dialer.tick(random: &random, at: t0 + .seconds(200)).count == 2)
    }

    @Test func onlyEightAtOnce() {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("0000")
        for number in 1..<20 {
            let address = PeerAddress(host: "10.0.0.\(number)", port: 1)
            dialer.found("aa\(number)", [address], random: &random, at: t0)
        }
        #expect(dialer.tick(random: &random, at: t0).count == Limits.dials)
        #expect(dialer.tick(random: &random, at: t0).isEmpty)
        #expect(dialer.nextDeadline == nil)
    }

    /// Nineteen dead places before it in the list do not keep the twentieth from its turn.
    @Test func whoWaitsLongestIsDialledNext() {
        var random = SeededRandom(seed: 3)
        var dialer = dialer("0000")
        for number in 1...20 {
            let address = PeerAddress(host: "10.0.0.\(number)", port: 1)
            dialer.found("aa\(number)", [address], random: &random, at: t0)
        }
        var dialled: [PeerAddress] = []
        var now = t0
        for _ in 0..<3 {
            let dials = dialer.tick(random: &random, at: now)
            dialled += dials.map(\.address)
            // A dial of a dead host takes seconds, so the first ones are due again by then.
            now = now + .seconds(5)
            for dial in dials { dialer.failed(dial.number, random: &random, at: t0) }
        }
        #expect(Set(dialled).count == 20)
    }

    @Test func afterALossTheLargerLabelWaitsToo() throws {
        var random = SeededRandom(seed: 1)
        let peer = FakeSigner(5).key
        var large = dialer("3333")
        large.found("2222", [there], random: &random, at: t0)
        // The other one dialled us; their HELLO named the port.
        large.linked(peer, at: there, now: t0)
        #expect(large.tick(random: &random, at: t0 + .seconds(10)).isEmpty)
        large.unlinked(peer, random: &random, at: t0 + .seconds(100))
        #expect(large.tick(random: &random, at: t0 + .milliseconds(102_999)).isEmpty)
        #expect(large.tick(random: &random, at: t0 + .seconds(104)).map(\.address) == [there])
    }

    @Test func aNewAnnouncementGivesOneTryAtOnce() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.found("2222", [there], random: &random, at: t0)
        var now = t0
        for _ in 0..<12 {
            now = max(now, dialer.nextDeadline ?? now)
            for dial in dialer.tick(random: &random, at: now) {
                dialer.failed(dial.number, random: &random, at: now)
            }
        }
        dialer.found("2222", [there], random: &random, at: now)
        let dials = dialer.tick(random: &random, at: now)
        #expect(dials.map(\.address) == [there])
        for dial in dials { dialer.failed(dial.number, random: &random, at: now) }
        let due = try #require(dialer.nextDeadline)
        #expect(due <= now + .seconds(1))
    }

    @Test func whoIsLostIsNotDialled() {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.found("2222", [there], random: &random, at: t0)
        dialer.lost("2222")
        #expect(dialer.tick(random: &random, at: t0 + .seconds(60)).isEmpty)
        #expect(dialer.nextDeadline == nil)
    }

    @Test func typedAddressesAreDialledForEver() throws {
        var random = SeededRandom(seed: 1)
        var dialer = dialer("1111")
        dialer.typed(there, at: t0)
        var now = t0
        var dials = 0
        for _ in 0..<50 {
            now = max(now, dialer.nextDeadline ?? now)
            for dial in dialer.tick(random: &random, at: now) {
                dials += 1
                dialer.failed(dial.number, random: &random, at: now)
            }
        }
        #expect(dials == 50)
        #expect(dialer.isTyped(there))
    }
}

@Suite struct DuplicateTests {
    private let small = FakeSigner(1).key
    private let large = FakeSigner(2).key

    /// Both sides judge the same two connections, each in the order in which it saw them.
    @Test func bothSidesKeepTheSameOne() {
        for smallFirst in [true, false] {
            let bySmall = ConnectionClaim(initiator: small, connection: 1, boot: 7)
            let byLarge = ConnectionClaim(initiator: large, connection: 1, boot: 7)
            let verdict =
                smallFirst
                ? bySmall.verdict(newer: byLarge, me: small, own: 1, ownNewer: 2)
                : byLarge.verdict(newer: bySmall, me: small, own: 1, ownNewer: 2)
            #expect(verdict == (smallFirst ? .keepOld : .keepNew))
        }
    }

    @Test func ofOneDirectionTheLaterStays() {
        let first = ConnectionClaim(initiator: large, connection: 4, boot: 7)
        let second = ConnectionClaim(initiator: large, connection: 5, boot: 7)
        #expect(first.verdict(newer: second, me: small, own: 9, ownNewer: 8) == .keepNew)
        #expect(second.verdict(newer: first, me: small, own: 8, ownNewer: 9) == .keepOld)
        let mine = ConnectionClaim(initiator: small, connection: 5, boot: 7)
        #expect(mine.verdict(newer: mine, me: small, own: 8, ownNewer: 9) == .keepNew)
    }

    @Test func anotherProcessIsNoDuplicate() {
        let old = ConnectionClaim(initiator: large, connection: 4, boot: 7)
        let new = ConnectionClaim(initiator: large, connection: 1, boot: 8)
        #expect(old.verdict(newer: new, me: small, own: 1, ownNewer: 2) == .otherBoot)
    }
}
