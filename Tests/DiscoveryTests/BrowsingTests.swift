// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Discovery

private let peer = MachineRig.peer

@Suite struct BrowsingTests {
    @Test func aPeerIsFoundWithItsAddress() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        #expect(rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(5, on: 2))])
    }

    @Test func ourselvesAndStrangersAreNotLookedUp() {
        var rig = MachineRig.published()
        for label in [MachineRig.own.text, "printer", "", "00000000000000BB", peer + "0"] {
            rig.say(.appeared(label: label, interface: 2), of: .browse)
        }
        #expect(rig.requests(.resolve).isEmpty)
    }

    @Test func oneLabelOnTwoInterfacesIsOnePeer() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.meet(on: 3, at: 6)
        #expect(
            rig.takeNotices() == [
                MachineRig.found(peer, MachineRig.address(5, on: 2)),
                MachineRig.found(
                    peer, MachineRig.address(5, on: 2), MachineRig.address(6, on: 3)),
            ])
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        #expect(rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(6, on: 3))])
        rig.say(.disappeared(label: peer, interface: 3), of: .browse)
        #expect(rig.takeNotices() == [.lost(label: peer)])
    }

    @Test func oneRoutableAddressOnTwoInterfacesIsOneAddress() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.meet(on: 3, at: 5)
        #expect(rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(5, on: 2))])
    }

    @Test func bothAddressFamiliesMustGoBeforeAPeerIsLost() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        #expect(rig.requests(.resolve).isEmpty)
        _ = rig.takeNotices()
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        #expect(rig.takeNotices() == [])
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        #expect(rig.takeNotices() == [.lost(label: peer)])
    }

    @Test func aPeerNeverToldIsNotLost() {
        var rig = MachineRig.published()
        rig.say(.appeared(label: peer, interface: 2), of: .browse)
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        rig.say(.disappeared(label: "00000000000000cc", interface: 2), of: .browse)
        #expect(rig.takeNotices() == [])
        #expect(rig.requests(.resolve).isEmpty)
    }

    @Test func aPeerThatComesBackIsFoundAgain() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.say(.disappeared(label: peer, interface: 2), of: .browse)
        rig.meet(on: 2, at: 5)
        let found = MachineRig.found(peer, MachineRig.address(5, on: 2))
        #expect(rig.takeNotices() == [found, .lost(label: peer), found])
    }

    @Test func nobodyIsLostWhileBrowsingRests() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        _ = rig.takeNotices()
        rig.send(.browsing(false))
        #expect(rig.open.map(\.request.kind) == [.register])
        rig.wait(1000 * DiscoveryLimits.second)
        #expect(rig.takeNotices() == [])
    }

    @Test func aNewBrowseTellsWhoIsStillThereAndWhoIsGone() {
        var rig = MachineRig.published()
        let other = "00000000000000cc"
        rig.meet(on: 2, at: 5)
        rig.meet(other, on: 2, at: 6)
        _ = rig.takeNotices()
        rig.send(.browsing(false))
        rig.send(.browsing(true))
        #expect(rig.send(.browsing(true)) == DiscoveryEffects())
        rig.meet(other, on: 2, at: 6)
        #expect(rig.takeNotices() == [MachineRig.found(other, MachineRig.address(6, on: 2))])
        rig.wait(DiscoveryLimits.confirmation)
        #expect(rig.takeNotices() == [.lost(label: peer)])
    }

    @Test func aRestartOfTheDaemonLosesOnlyWhoDoesNotComeBack() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.say(.failed(.broken), of: .browse)
        rig.toDeadline()
        rig.say(.registered(name: MachineRig.own.text), of: .register)
        _ = rig.takeNotices()
        rig.meet(on: 2, at: 5)
        #expect(rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(5, on: 2))])
        rig.wait(2 * DiscoveryLimits.confirmation)
        #expect(rig.takeNotices() == [])
    }

    @Test func nobodyIsLostWhileTheDaemonHangs() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.send(.networkChanged(ServiceLabel(random: 0xf)))
        _ = rig.takeNotices()
        rig.wait(3 * DiscoveryLimits.confirmation)
        #expect(rig.takeNotices() == [.trouble(.silent)])
        rig.say(.registered(name: ServiceLabel(random: 0xf).text), of: .register)
        _ = rig.takeNotices()
        rig.wait(DiscoveryLimits.confirmation)
        #expect(rig.takeNotices() == [.lost(label: peer)])
    }

    @Test func anInterfaceThatIsNotConfirmedLosesItsAddresses() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        rig.meet(on: 3, at: 6)
        rig.send(.browsing(false))
        rig.send(.browsing(true))
        rig.meet(on: 3, at: 6)
        _ = rig.takeNotices()
        rig.wait(DiscoveryLimits.confirmation)
        #expect(rig.takeNotices() == [MachineRig.found(peer, MachineRig.address(6, on: 3))])
    }

    @Test func aWishToBrowseBeforeTheStartIsKept() {
        var rig = MachineRig(browse: false)
        rig.send(.browsing(true))
        rig.send(.start)
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }

    @Test func aPeerThatTurnsOutToBeUsIsLost() {
        var rig = MachineRig.published()
        rig.meet(on: 2, at: 5)
        _ = rig.takeNotices()
        rig.send(.networkChanged(ServiceLabel(random: 0xbb)))
        #expect(rig.takeNotices() == [.lost(label: peer)])
    }

    @Test func theTableTakesSoManyLabelsAndNoMore() {
        var table = PeerTable()
        for number in 0..<DiscoveryLimits.labels {
            let key = LookupKey(label: ServiceLabel(random: UInt64(number)).text, interface: 2)
            #expect(table.makeRoom(for: key.label) == nil)
            #expect(table.appeared(key) == true)
            // The first one never has an address.
            if number > 0, let address = MachineRig.address(1, on: 2) {
                _ = table.learned([address], of: key)
            }
        }
        let next = LookupKey(label: peer + " #2", interface: 2)
        #expect(table.appeared(next) == false)
        #expect(table.makeRoom(for: next.label) == ServiceLabel(random: 0).text)
        #expect(table.appeared(next) == true)
        if let address = MachineRig.address(1, on: 2) { _ = table.learned([address], of: next) }
        #expect(table.makeRoom(for: peer + " #3") == nil)
        #expect(table.count == DiscoveryLimits.labels)
    }

    @Test func oneLabelHasSoManyInterfacesAndNoMore() {
        var table = PeerTable()
        for interface in 1...UInt32(DiscoveryLimits.interfacesPerLabel) {
            #expect(table.appeared(LookupKey(label: peer, interface: interface)) == true)
        }
        #expect(table.appeared(LookupKey(label: peer, interface: 99)) == false)
    }
}
