// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Discovery

private let peer = MachineRig.peer
private let linkLocal: [UInt8] = [0xfe, 0x80] + Array(repeating: 0, count: 13) + [9]

/// A published rig that has seen one peer on interface 2 and resolved it.
private func resolved(host: String = "b.local.", port: UInt16 = 7) -> MachineRig {
    var rig = MachineRig.published()
    rig.say(.appeared(label: peer, interface: 2), of: .browse)
    rig.say(.resolved(host: host, port: port, interface: 2), of: .resolve)
    return rig
}

@Suite struct LookupTests {
    @Test func resolvingGivesItsReferenceBackAndAsksForBothFamilies() {
        var rig = MachineRig.published()
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        #expect(rig.requests(.resolve) == [.resolve(label: peer, interface: 2)])
        rig.say(.resolved(host: "b.local.", port: 7, interface: 2), of: .resolve)
        #expect(rig.requests(.resolve).isEmpty)
        #expect(
            rig.requests(.ipv4) == [.addresses(host: "b.local.", family: .ipv4, interface: 2)])
        #expect(
            rig.requests(.ipv6) == [.addresses(host: "b.local.", family: .ipv6, interface: 2)])
    }

    @Test func theFirstAddressIsToldAtOnceAndTheSecondAdded() throws {
        var rig = resolved()
        rig.say(.address(bytes: linkLocal, interface: 2), of: .ipv6)
        let scoped = try #require(ServiceAddress(bytes: linkLocal, port: 7, interface: 2))
        #expect(rig.takeNotices() == [MachineRig.found(peer, scoped)])
        #expect(scoped.host == "fe80::9%2")
        rig.say(.address(bytes: [10, 0, 0, 5], interface: 2), of: .ipv4)
        #expect(
            rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(5, on: 2), scoped)])
    }

    @Test func afterTheFirstAddressTheOtherFamilyHasAShortTime() {
        var rig = resolved()
        rig.say(.address(bytes: [10, 0, 0, 5], interface: 2), of: .ipv4)
        #expect(rig.machine.nextDeadline == rig.now + DiscoveryLimits.addressGrace)
        rig.toDeadline()
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
        rig.wait(100 * DiscoveryLimits.second)
        #expect(rig.requests(.resolve).isEmpty)
    }

    @Test func anAddressSaidTwiceOrTakenBackIsNotKept() {
        var rig = resolved()
        rig.say(.address(bytes: [10, 0, 0, 5], interface: 2), of: .ipv4)
        rig.say(.address(bytes: [10, 0, 0, 5], interface: 2), of: .ipv4)
        rig.say(.address(bytes: [10, 0, 0, 6], interface: 2), of: .ipv4)
        rig.say(.noAddress(bytes: [10, 0, 0, 5], interface: 2), of: .ipv4)
        #expect(
            rig.takeNotices() == [
                MachineRig.found(peer, MachineRig.address(5, on: 2)),
                MachineRig.found(peer, MachineRig.address(5, on: 2), MachineRig.address(6, on: 2)),
                MachineRig.found(peer, MachineRig.address(6, on: 2)),
            ])
    }

    @Test func aLookupIsGivenBackAfterItsTimeAndTriedAgain() {
        var rig = MachineRig.published()
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        var starts: [Int64] = []
        var seen: [ReferenceID] = []
        let begin = rig.now
        for _ in 0..<20 {
            for start in rig.open where start.request.kind == .resolve && !seen.contains(start.id) {
                seen.append(start.id)
                starts.append((rig.now - begin) / (DiscoveryLimits.second / 10))
            }
            rig.toDeadline()
        }
        #expect(rig.requests(.resolve).isEmpty)
        // In tenths of a second.
        #expect(starts == [0, 1, 21, 121, 471])
        rig.wait(1000 * DiscoveryLimits.second)
        #expect(rig.requests(.resolve).isEmpty)
        #expect(rig.machine.nextDeadline == nil)
        // Announced again: tried again.
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        #expect(rig.requests(.resolve).count == 1)
    }

    @Test func aHostWithoutAddressesIsTriedAgain() {
        var rig = resolved()
        rig.toDeadline()
        #expect(rig.requests(.ipv4).isEmpty && rig.requests(.ipv6).isEmpty)
        rig.wait(DiscoveryLimits.lookupRetries[0])
        #expect(rig.requests(.resolve).count == 1)
    }

    @Test func aFailedLookupIsNoTrouble() {
        var rig = MachineRig.published()
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        rig.say(.failed(.broken), of: .resolve)
        #expect(rig.takeNotices() == [])
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }

    @Test(arguments: ["example.com.", "local.", "local.example.", ""])
    func namesOfOtherNetworksAreNotAskedFor(host: String) {
        let rig = resolved(host: host)
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }

    @Test func portZeroIsNoService() {
        let rig = resolved(port: 0)
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }

    @Test func addressesThatCannotBeDialledAreNotTold() {
        var rig = resolved()
        for bytes: [UInt8] in [[127, 0, 0, 1], [224, 0, 0, 251], [1, 2, 3], []] {
            rig.say(.address(bytes: bytes, interface: 2), of: .ipv4)
        }
        #expect(rig.takeNotices() == [])
    }

    @Test func neverMoreLookupsThanAllowedAndEverybodyGetsThere() {
        var rig = MachineRig.published()
        let labels = (1...40).map { ServiceLabel(random: UInt64($0) << 20).text }
        for label in labels { rig.say(.appeared(label: label, interface: 2), of: .browse) }
        #expect(rig.requests(.resolve).count == DiscoveryLimits.lookups)
        for step in 0..<1000 where rig.open.count > 2 {
            let last = UInt8(1 + step % 200)
            if rig.say(.address(bytes: [10, 0, 0, last], interface: 2), of: .ipv4) != nil {
                rig.say(.failed(.broken), of: .ipv4)
                rig.say(.failed(.broken), of: .ipv6)
            } else {
                rig.say(.resolved(host: "b.local", port: 7, interface: 2), of: .resolve)
            }
        }
        #expect(rig.mostLookups == DiscoveryLimits.lookups)
        let found = rig.takeNotices().compactMap { notice -> String? in
            if case .found(let sighting) = notice { sighting.label } else { nil }
        }
        #expect(Set(found) == Set(labels))
    }

    /// 500 labels that lead nowhere, and an honest one before, among or behind them.
    @Test(arguments: [0, 250, 499, 500])
    func anHonestLabelAmongFiveHundredIsLookedUpWithinSeconds(place: Int) {
        var rig = MachineRig.published()
        let honest = ServiceLabel(random: 0xbeef).text
        for number in 0...500 {
            let other = ServiceLabel(random: UInt64(number + 1) << 20).text
            let label = number == place ? honest : other
            rig.say(.appeared(label: label, interface: 2), of: .browse)
        }
        #expect(timeToTry(honest, &rig) <= 7 * DiscoveryLimits.second)
    }

    /// Whoever is announced while hundreds are tried again does not wait for them.
    @Test func whatIsNewGoesBeforeWhatFailed() {
        var rig = MachineRig.published()
        for number in 0..<200 {
            let label = ServiceLabel(random: UInt64(number + 1) << 20).text
            rig.say(.appeared(label: label, interface: 2), of: .browse)
        }
        rig.wait(4 * DiscoveryLimits.second)
        let honest = ServiceLabel(random: 0xbeef).text
        rig.say(.appeared(label: honest, interface: 2), of: .browse)
        #expect(timeToTry(honest, &rig) <= DiscoveryLimits.second)
    }

    /// How long it takes until `label` is asked for; a day where it never is.
    private func timeToTry(_ label: String, _ rig: inout MachineRig) -> Int64 {
        let begin = rig.now
        for _ in 0..<5000 {
            if rig.requests(.resolve).contains(.resolve(label: label, interface: 2)) {
                return rig.now - begin
            }
            rig.toDeadline()
        }
        return 86_400 * DiscoveryLimits.second
    }

    @Test func onePeerHasSoManyAddressesAndNoMore() {
        var rig = resolved()
        for last in 1...(UInt8(DiscoveryLimits.addressesPerLabel) + 5) {
            rig.say(.address(bytes: [10, 0, 0, last], interface: 2), of: .ipv4)
        }
        guard case .found(let sighting) = rig.takeNotices().last else {
            Issue.record("nothing found")
            return
        }
        #expect(sighting.addresses.count == DiscoveryLimits.addressesPerLabel)
    }

    @Test func whoLeavesIsLookedUpNoMore() {
        var rig = resolved()
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
        rig.wait(1000 * DiscoveryLimits.second)
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }
}
