// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Discovery

/// A search and the references that it has open.
private struct SearchRig {
    var machine = VenueSearchMachine(interface: nil)
    private(set) var open: [ReferenceStart] = []
    private(set) var most = 0
    var now: Int64 = 1000

    /// One whose question the daemon took.
    static func asked() -> SearchRig {
        var rig = SearchRig()
        rig.send(.start)
        rig.browsed(.opened)
        return rig
    }

    static func label(_ number: Int) -> String { ServiceLabel(random: UInt64(number)).text }

    mutating func send(_ event: VenueSearchMachine.Event) {
        let effects = machine.handle(event, at: now)
        open.removeAll { effects.stops.contains($0.id) }
        open += effects.starts
        most = max(most, open.count)
    }

    mutating func browsed(_ report: ReferenceReport) {
        guard let browse = open.first(where: { $0.request.kind == .browse }) else { return }
        send(.report(browse.id, report))
    }

    mutating func see(_ number: Int, on interface: UInt32 = 2) {
        browsed(.appeared(label: Self.label(number), interface: interface))
    }

    /// The labels that are looked up.
    var lookups: [(id: ReferenceID, label: String, interface: UInt32)] {
        open.compactMap { start in
            guard case .resolveVenue(let label, let interface) = start.request else { return nil }
            return (start.id, label, interface)
        }
    }

    mutating func read(_ number: Int, _ text: [UInt8]) {
        guard let lookup = lookups.first(where: { $0.label == Self.label(number) }) else { return }
        send(.report(lookup.id, .text(text)))
    }

    mutating func toEnd() {
        while let deadline = machine.nextDeadline {
            now = deadline
            send(.tick)
        }
    }
}

@Suite("Looking for venues") struct VenueSearchTests {
    @Test("What is read is found, each venue once and in one order, and then it ends early")
    func finds() throws {
        let links = [
            try SampleVenue.link("gym", kind: .week), try SampleVenue.link("uva"),
            try SampleVenue.link("uva", key: "b" + SampleVenue.key.dropFirst()),
        ]
        var results: [VenueSearchResult] = []
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            var rig = SearchRig.asked()
            for number in order + [7] {
                rig.see(number)
                // Of two families of addresses, and on two interfaces.
                rig.see(number)
                rig.see(number, on: 3)
            }
            for number in order { rig.read(number, VenueRecord.text(links[number])) }
            // Two agents of one operator announce the same.
            rig.read(7, VenueRecord.text(links[0]))
            rig.toEnd()
            #expect(rig.machine.isDone && rig.open.isEmpty)
            #expect(rig.now == 1000 + DiscoveryLimits.venueCalm)
            results.append(rig.machine.result)
        }
        #expect(results[0].venues == links && results[0].unread == 0 && results[0].trouble == nil)
        #expect(results.allSatisfy { $0 == results[0] })
    }

    @Test("Where nobody is, it ends in time; a daemon that never answers is trouble")
    func nobody() {
        var rig = SearchRig.asked()
        rig.toEnd()
        #expect(rig.now == 1000 + DiscoveryLimits.venueSearch && rig.machine.isDone)
        #expect(rig.machine.result == VenueSearchResult())
        var silent = SearchRig()
        silent.send(.start)
        silent.toEnd()
        #expect(silent.machine.result.trouble == .silent && silent.open.isEmpty)
        for failure: ReferenceFailure in [
            .broken, .noRoom, .noInterface("va"), .refused(.unknown),
            .absent(DaemonFacts(hasBus: true, isInstalled: false)),
        ] {
            var rig = SearchRig.asked()
            rig.see(1)
            rig.browsed(.failed(failure))
            #expect(rig.machine.isDone && rig.open.isEmpty)
            #expect(rig.machine.result.trouble == failure.trouble)
        }
    }

    @Test("Names that no agent has, and what has gone again, are not looked at")
    func others() throws {
        var rig = SearchRig.asked()
        for label in ["Anna's phone", "\u{1b}[2J", "", "doctor-0000000000000001"] {
            rig.browsed(.appeared(label: label, interface: 2))
        }
        #expect(rig.lookups.isEmpty)
        rig.see(1)
        rig.see(2)
        rig.read(2, VenueRecord.text(try SampleVenue.link()))
        for number in [1, 2] {
            rig.browsed(.disappeared(label: SearchRig.label(number), interface: 2))
        }
        #expect(rig.lookups.isEmpty)
        rig.toEnd()
        #expect(rig.machine.result == VenueSearchResult())
    }

    @Test("A record that does not come is asked for on the next interface, and then left")
    func slow() {
        var rig = SearchRig.asked()
        rig.see(1, on: 2)
        rig.see(1, on: 3)
        #expect(rig.lookups.map(\.interface) == [2])
        rig.now += DiscoveryLimits.venueTimes[0]
        rig.send(.tick)
        #expect(rig.lookups.map(\.interface) == [3])
        let late = rig.lookups[0].id
        rig.now += DiscoveryLimits.venueTimes[1]
        rig.send(.tick)
        #expect(rig.lookups.isEmpty && rig.machine.result.unread == 1)
        // Its last word comes too late to mean anything.
        rig.send(.report(late, .text([1, 2, 3])))
        #expect(rig.machine.result.unread == 1)
        rig.toEnd()
        #expect(rig.machine.isDone)
    }

    @Test("A thousand false venues keep neither the first nor the last one from being read")
    func flood() throws {
        for place in [0, 1000] {
            var rig = SearchRig.asked()
            for number in 0...1000 { rig.see(number) }
            let real = try SampleVenue.link()
            // Nobody answers but the real one.
            while let deadline = rig.machine.nextDeadline {
                rig.read(place, VenueRecord.text(real))
                rig.now = max(rig.now, deadline)
                rig.send(.tick)
            }
            #expect(rig.machine.result.venues == [real])
            #expect(rig.machine.result.unread == 1000)
            #expect(rig.most <= DiscoveryLimits.lookups + 1 && rig.open.isEmpty)
            #expect(rig.now <= 1000 + DiscoveryLimits.venueSearch)
        }
    }

    @Test("More announcements than there is a place for are counted, not kept")
    func many() {
        var rig = SearchRig.asked()
        for number in 0..<DiscoveryLimits.labels + 50 { rig.see(number) }
        #expect(rig.machine.result.unread == DiscoveryLimits.labels + 50)
        while let lookup = rig.lookups.first {
            rig.send(.report(lookup.id, .failed(.broken)))
        }
        rig.send(.stop)
        rig.see(1)
        rig.send(.tick)
        #expect(rig.machine.isDone && rig.open.isEmpty && rig.machine.nextDeadline == nil)
    }
}

@Suite("Announcing a venue") struct VenueAnnouncementTests {
    @Test("It is published with its record under a label that says nothing, and nobody is browsed")
    func announces() throws {
        let link = try SampleVenue.link()
        let options = DiscoveryOptions(venue: link, port: 7, interface: "va")
        var machine = DiscoveryMachine(options: options, label: MachineRig.own)
        func announcement(_ label: ServiceLabel) -> ReferenceRequest {
            .announce(
                label: label.text, port: 7, interface: "va", text: VenueRecord.text(link))
        }
        let begun = machine.handle(.start, at: 0)
        #expect(begun.starts.map(\.request) == [announcement(MachineRig.own)])
        let id = begun.starts[0].id
        let told = machine.handle(.report(id, .registered(name: MachineRig.own.text)), at: 1)
        #expect(told.notices == [.registered(label: MachineRig.own.text)])
        // A new network, then a daemon that starts anew.
        let next = ServiceLabel(random: 0xb)
        let moved = machine.handle(.networkChanged(next), at: 2)
        #expect(moved.stops == [id] && moved.starts.map(\.request) == [announcement(next)])
        let lost = machine.handle(.report(moved.starts[0].id, .failed(.broken)), at: 3)
        #expect(lost.notices == [.trouble(.daemonLost)])
        let retry = try #require(machine.nextDeadline)
        #expect(machine.handle(.tick, at: retry).starts.map(\.request) == [announcement(next)])
    }
}
