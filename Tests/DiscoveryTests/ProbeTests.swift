// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Discovery

private let own = ServiceLabel(probe: 0xa)
private let peer = MachineRig.peer

@Suite struct ProbeTests {
    private func machine(isProbe: Bool) -> (DiscoveryMachine, browse: ReferenceID, own: String) {
        let label = isProbe ? own : MachineRig.own
        var machine = DiscoveryMachine(
            options: DiscoveryOptions(port: 4000, isProbe: isProbe), label: label)
        let starts = machine.handle(.start, at: 0).starts
        _ = machine.handle(.report(starts[1].id, .registered(name: label.text)), at: 0)
        return (machine, starts[0].id, label.text)
    }

    @Test func aProbeIsToldWhereItSeesItselfAndUnderWhichHost() throws {
        var (machine, browse, name) = machine(isProbe: true)
        let seen = machine.handle(.report(browse, .appeared(label: name, interface: 3)), at: 1)
        #expect(seen.notices == [.ownSeen(interface: 3)] && seen.stops == [])
        let asked = try #require(seen.starts.first)
        #expect(asked.request == .resolve(label: own.text, interface: 3))
        // The name of the host beside it is told, once.
        let report = ReferenceReport.resolved(host: "adas-thinkpad.local.", port: 7, interface: 3)
        let told = machine.handle(.report(asked.id, report), at: 0)
        #expect(
            told
                == DiscoveryEffects(
                    stops: [asked.id], notices: [.ownHost("adas-thinkpad.local.")]))
    }

    @Test func anAgentIsNotToldThatItSeesItself() {
        var (machine, browse, name) = machine(isProbe: false)
        let seen = machine.handle(.report(browse, .appeared(label: name, interface: 3)), at: 1)
        #expect(seen == DiscoveryEffects())
    }

    @Test func agentsLeaveProbesAloneAndProbesFollowBoth() {
        for (isProbe, label, followed) in [
            (false, "doctor-00000000000000bb", false), (true, "doctor-00000000000000bb", true),
            (true, peer, true), (true, "doctor-x", false), (true, "printer", false),
        ] {
            var (machine, browse, _) = machine(isProbe: isProbe)
            let event = DiscoveryEvent.report(browse, .appeared(label: label, interface: 3))
            #expect(machine.handle(event, at: 1).starts.isEmpty == !followed, "\(label)")
        }
    }

    @Test func factsAreTheLatestOfEverything() throws {
        let address = try #require(MachineRig.address(5, on: 2))
        let first = Sighting(label: peer, addresses: [address])
        let other = Sighting(label: "00000000000000aa", addresses: [address])
        var facts = ProbeFacts()
        for notice: DiscoveryNotice in [
            .trouble(.silent), .registered(label: own.text), .ownSeen(interface: 3),
            .ownSeen(interface: 2), .ownSeen(interface: 3), .found(first), .found(other),
            .found(first), .trouble(.labelTaken(chosen: "doctor-0 #2")),
        ] { facts.hear(notice) }
        #expect(facts.isPublished && facts.trouble == nil)
        #expect(facts.ownSeenOn == [2, 3])
        #expect(facts.sightings == [other, first])
        facts.hear(.lost(label: peer))
        facts.hear(.trouble(.daemonLost))
        #expect(facts.sightings == [other] && !facts.isPublished && facts.trouble == .daemonLost)
    }
}
