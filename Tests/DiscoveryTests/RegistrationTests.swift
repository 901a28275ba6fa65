// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Discovery

private let absent = ReferenceFailure.absent(DaemonFacts(hasBus: true, isInstalled: true))
private let noDaemon = DiscoveryNotice.trouble(
    .noDaemon(DaemonFacts(hasBus: true, isInstalled: true)))
private let own = MachineRig.own

@Suite struct RegistrationTests {
    @Test func startAsksForOneRegistrationAndOneBrowse() {
        var rig = MachineRig(port: 4000, interface: "va")
        let effects = rig.send(.start)
        #expect(
            effects.starts.map(\.request) == [
                .browse(interface: "va"), .register(label: own.text, port: 4000, interface: "va"),
            ])
        #expect(effects.notices.isEmpty)
        #expect(rig.send(.start) == DiscoveryEffects())
    }

    @Test func withoutBrowsingOnlyARegistration() {
        var rig = MachineRig(browse: false)
        rig.send(.start)
        #expect(rig.open.map(\.request.kind) == [.register])
    }

    @Test func confirmationIsToldOnce() {
        var rig = MachineRig()
        rig.send(.start)
        rig.say(.registered(name: own.text), of: .register)
        rig.say(.registered(name: own.text), of: .register)
        #expect(rig.takeNotices() == [.registered(label: own.text)])
    }

    @Test func aNameChosenByAvahiIsOurs() {
        var rig = MachineRig()
        let chosen = own.text + " #2"
        rig.send(.start)
        rig.say(.registered(name: chosen), of: .register)
        #expect(
            rig.takeNotices() == [
                .trouble(.labelTaken(chosen: chosen)), .registered(label: chosen),
            ])
        rig.say(.appeared(label: chosen, interface: 2), of: .browse)
        #expect(rig.requests(.resolve).isEmpty)
    }

    @Test(arguments: [MachineRig.Kind.register, .browse])
    func anAbsentDaemonIsToldOnceAndTriedQuietly(said kind: MachineRig.Kind) {
        var rig = MachineRig()
        rig.send(.start)
        var waits: [Int64] = []
        for _ in 0..<8 {
            rig.say(.failed(absent), of: kind)
            #expect(rig.open.isEmpty)
            waits.append((rig.machine.nextDeadline ?? 0) - rig.now)
            rig.toDeadline()
        }
        #expect(waits.map { $0 / DiscoveryLimits.second } == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(rig.takeNotices() == [noDaemon])
        rig.say(.registered(name: own.text), of: .register)
        #expect(rig.takeNotices() == [.recovered, .registered(label: own.text)])
    }

    @Test func nothingIsTriedBeforeItsTime() {
        var rig = MachineRig()
        rig.send(.start)
        rig.say(.failed(absent), of: .register)
        rig.now = (rig.machine.nextDeadline ?? 0) - 1
        #expect(rig.send(.tick) == DiscoveryEffects())
        rig.now += 1
        #expect(rig.send(.tick).starts.map(\.request.kind) == [.browse, .register])
    }

    @Test(arguments: [MachineRig.Kind.register, .browse])
    func aDaemonThatGoesTakesEverythingWithIt(said kind: MachineRig.Kind) {
        var rig = MachineRig.published()
        rig.say(.appeared(label: MachineRig.peer, interface: 2), of: .browse)
        rig.say(.failed(.broken), of: kind)
        #expect(rig.open.isEmpty)
        #expect(rig.takeNotices() == [.trouble(.daemonLost)])
        rig.toDeadline()
        rig.say(.failed(absent), of: .register)
        #expect(rig.takeNotices() == [])
        rig.toDeadline()
        rig.say(.registered(name: own.text), of: .register)
        #expect(rig.takeNotices() == [.recovered, .registered(label: own.text)])
    }

    @Test func reportsOfReferencesGivenBackChangeNothing() throws {
        var rig = MachineRig.published()
        let old = rig.open
        rig.say(.failed(.broken), of: .register)
        rig.toDeadline()
        for start in old {
            #expect(rig.send(.report(start.id, .failed(.broken))) == DiscoveryEffects())
        }
        #expect(rig.open.map(\.request.kind) == [.browse, .register])
    }

    @Test func silenceIsToldOnceAndTheRequestStands() {
        var rig = MachineRig()
        rig.send(.start)
        rig.wait(DiscoveryLimits.silence - 1)
        #expect(rig.takeNotices() == [])
        rig.wait(1)
        #expect(rig.takeNotices() == [.trouble(.silent)])
        rig.wait(10 * DiscoveryLimits.silence)
        #expect(rig.takeNotices() == [])
        rig.say(.registered(name: own.text), of: .register)
        #expect(rig.takeNotices() == [.recovered, .registered(label: own.text)])
    }

    @Test func troubleOfAnotherKindIsToldToo() {
        var rig = MachineRig(interface: "va")
        rig.send(.start)
        rig.say(.failed(absent), of: .register)
        rig.toDeadline()
        rig.say(.failed(.noInterface("va")), of: .register)
        rig.toDeadline()
        rig.say(.failed(.refused(DNSServiceError(code: -65552))), of: .register)
        #expect(
            rig.takeNotices() == [
                noDaemon, .trouble(.noInterface("va")),
                .trouble(.refused(DNSServiceError(code: -65552))),
            ])
    }

    @Test func aChangeOfNetworkRegistersUnderTheNewLabel() {
        var rig = MachineRig.published()
        let fresh = ServiceLabel(random: 0xf)
        let before = rig.open.map(\.id)
        let effects = rig.send(.networkChanged(fresh))
        #expect(effects.stops.count == before.count && Set(effects.stops) == Set(before))
        #expect(
            effects.starts.map(\.request) == [
                .browse(interface: nil), .register(label: fresh.text, port: 4000, interface: nil),
            ])
        rig.say(.registered(name: fresh.text), of: .register)
        #expect(rig.takeNotices() == [.registered(label: fresh.text)])
        // The old label may linger in caches: it is us, not a peer.
        rig.say(.appeared(label: own.text, interface: 2), of: .browse)
        #expect(rig.requests(.resolve).isEmpty)
    }

    @Test func aChangeOfNetworkEndsTheWaiting() {
        var rig = MachineRig()
        rig.send(.start)
        rig.say(.failed(absent), of: .register)
        let effects = rig.send(.networkChanged(ServiceLabel(random: 0xf)))
        #expect(effects.starts.map(\.request.kind) == [.browse, .register])
    }

    @Test func aChangeOfNetworkBeforeTheStartOnlyChangesTheLabel() {
        var rig = MachineRig(browse: false)
        let fresh = ServiceLabel(random: 0xf)
        #expect(rig.send(.networkChanged(fresh)) == DiscoveryEffects())
        rig.send(.start)
        #expect(
            rig.open.map(\.request) == [
                .register(label: fresh.text, port: 4000, interface: nil)
            ])
    }

    @Test func stopGivesEverythingBackForGood() {
        var rig = MachineRig.published()
        rig.say(.appeared(label: MachineRig.peer, interface: 2), of: .browse)
        #expect(rig.send(.stop).stops.count == 3)
        #expect(rig.open.isEmpty)
        #expect(rig.machine.nextDeadline == nil)
        for event in [
            DiscoveryEvent.start, .tick, .browsing(true), .stop,
            .networkChanged(ServiceLabel(random: 1)),
        ] {
            #expect(rig.send(event) == DiscoveryEffects())
        }
    }
}
