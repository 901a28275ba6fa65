// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Forms for the desk: to it alone, kept by both ends, answered every time.
@Suite("Forms") struct FormsTests {
    private func form(_ kind: VenueForm.Kind = .join, _ mail: String = "els@example.org") throws
        -> VenueForm
    {
        let fields = [
            VenueForm.Field(number: 1, text: mail), VenueForm.Field(number: 0, text: "Els"),
        ]
        return try #require(VenueForm(kind, fields))
    }

    private func send(_ world: inout World, _ index: Int, _ form: VenueForm) -> ThreadID? {
        guard case .success(.form(let record))? = world.wish(index, .booking(.form(form))) else {
            return nil
        }
        return record.key.id
    }

    private func state(_ world: World, _ index: Int, _ id: ThreadID) -> FormState? {
        world.hosts[index].node.forms.first { $0.key.id == id }?.state
    }

    @Test("A form reaches the desk and nobody else, and what it decides comes back")
    func decided() throws {
        var world = try recCentre(3)
        world.watched = []
        let id = try #require(send(&world, 1, try form()))
        world.run(seconds: 1)
        #expect(state(world, 1, id) == .kept && state(world, 0, id) == .kept)
        let record = try #require(world.hosts[0].node.forms.first)
        #expect(record.key == FormKey(peer: world.key(1), id: id))
        #expect(record.form.fields.map(\.text) == ["Els", "els@example.org"])
        #expect(world.hosts[0].notices.contains(.form(record)))
        // Its words are on no other link.
        let link = try #require(world.link(from: 1, to: 2))
        let said = (world.watched ?? []).filter { $0.host == 1 }
            .flatMap(\.effects.sends).filter { $0.link != link }.flatMap(\.bytes)
        let toOthers = (world.watched ?? []).filter { $0.host == 2 }.compactMap { turn in
            if case .received(_, let bytes) = turn.event { bytes } else { nil }
        }.flatMap { $0 }
        let words = Array("els@example.org".utf8)
        #expect(contains(said, words) && !contains(toOthers, words))

        let key = record.key
        let decision = LedgerIntent.decide(key, .admitted, "welcome, member 217")
        #expect(world.wish(0, .ledger(decision))?.refusal == nil)
        world.run(seconds: 1)
        let own = try #require(world.hosts[1].node.forms.first)
        #expect(own.state == .admitted && own.text == "welcome, member 217")
        // The desk's people have the words now: the core has not.
        #expect(world.hosts[0].node.forms.first?.form.fields == [])
        #expect(world.hosts[0].disk.stored.forms.first?.form.fields == [])
        #expect(world.wish(0, .ledger(.eraseForms(of: world.key(1))))?.refusal == nil)
        #expect(world.hosts[0].disk.stored.forms.isEmpty)
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == part[0] && Array(bytes[start..<start + part.count]) == part
        }
    }

    @Test("A form waits for a desk that is away or not known yet, and outlives the process")
    func waits() throws {
        var world = try recCentre(2)
        world.kill(0)
        let id = try #require(send(&world, 1, try form(.permit)))
        world.kill(1)
        world.restart(1)
        world.run(seconds: 5)
        #expect(state(world, 1, id) == nil)
        world.restart(0)
        world.run(seconds: 5)
        #expect(state(world, 1, id) == .kept)
        // A desk that decides while nobody is there tells it when they come.
        world.kill(1)
        let key = FormKey(peer: world.key(1), id: id)
        world.wish(0, .ledger(.decide(key, .refused, "full")))
        world.restart(1)
        world.run(seconds: 5)
        #expect(state(world, 1, id) == .refused)
        // Before any ledger is known.
        var other = World()
        other.venue = MadeUpVenue.setup()
        try other.add("1A")
        let early = try #require(send(&other, 0, try form()))
        other.run(seconds: 1)
        #expect(other.hosts[0].node.desk == nil && state(other, 0, early) == nil)
        try other.addDesk()
        other.run(seconds: 5)
        #expect(state(other, 0, early) == .kept)
    }

    @Test("A form is on disk before it is sent, and before it is acknowledged")
    func durable() throws {
        var world = try recCentre(2)
        world.death = World.Death(
            host: 0, commit: world.hosts[0].commits + 1, afterWrites: false)
        let id = try #require(send(&world, 1, try form()))
        world.run(seconds: 1)
        #expect(!world.hosts[0].isUp && state(world, 1, id) == nil)
        #expect(world.hosts[0].disk.stored.forms.isEmpty)
        world.restart(0)
        world.run(seconds: 10)
        #expect(state(world, 1, id) == .kept && world.hosts[0].disk.stored.forms.count == 1)
    }

    @Test("Whoever sends too many, or forms that nobody knows, fills no disk")
    func whoSendsTooManyFormsFillsNoDisk() throws {
        var world = try recCentre(3)
        for _ in 0..<4 { #expect(send(&world, 1, try form()) != nil) }
        #expect(world.wish(1, .booking(.form(try form())))?.refusal == .tooManyForms)
        world.run(seconds: 1)
        // A program that sends more: neither kept nor acknowledged.
        let fifth = try require(ThreadID([UInt8](repeating: 9, count: 16)))
        try world.say(.form(fifth, try form()), from: 1, to: 0)
        #expect(world.hosts[0].node.forms.count == 4)
        // Of another kind: said at once, and not kept.
        let later = VenueForm(number: 9, fields: [])
        world.watched = []
        try world.say(.form(fifth, later), from: 2, to: 0)
        let bytes = Message.venue(.formAck(fifth, .unknown, text: "")).encode()
        #expect((world.watched ?? []).flatMap(\.effects.sends).map(\.bytes).contains(bytes))
        #expect(world.hosts[0].node.forms.count == 4)
        // Whoever is not the desk keeps none, and takes nobody's word for a decision.
        try world.say(.form(fifth, try form()), from: 1, to: 2)
        #expect(world.hosts[2].node.forms.isEmpty)
        let own = try #require(world.hosts[1].node.forms.first)
        try world.say(.formAck(own.key.id, .admitted, text: ""), from: 2, to: 1)
        #expect(world.hosts[1].node.forms.first?.state == .kept)
        #expect(world.wish(1, .booking(.dropForm(own.key.id)))?.refusal == nil)
        #expect(world.wish(1, .booking(.dropForm(own.key.id)))?.refusal == .noSuchForm)
        #expect(world.hosts[1].disk.stored.forms.count == 3)
    }

    @Test("A desk accepts 40 links for a purpose, and ends each soon after its form")
    func aDeskHasATurnForEverybody() throws {
        var overlay = Overlay(guests: Limits.deskGuests, at: .zero)
        var random = SeededRandom(seed: 1)
        overlay.reshape(known: 200, random: &random, at: .zero)
        func link(_ number: Int, onDemand: Bool = true) -> Overlay.Link {
            Overlay.Link(
                id: LinkID(number), peer: FakeSigner(number, seed: 1).key, isOutbound: false,
                isOnDemand: onDemand, isRelayed: false, since: .zero, used: .zero + .seconds(60))
        }
        let mesh = (100..<114).map { link($0, onDemand: false) }
        let guests = (0..<40).map { link($0) }
        #expect(overlay.admits(link(50), among: mesh + guests.dropLast()))
        #expect(!overlay.admits(link(50), among: mesh + guests))
        // They cost the mesh none of its links.
        let gone = overlay.surplus(
            Array(mesh.prefix(8)) + guests, needed: [], random: &random, at: .zero + .seconds(61))
        #expect(gone.isEmpty)

        var forms = Forms([], me: FakeSigner(1).key)
        forms.leave(LinkID(3), at: .zero)
        forms.leave(LinkID(3), at: .zero + .seconds(1))
        #expect(forms.nextDeadline == Instant.zero + Limits.formLink)
        #expect(forms.takeLeaving(at: .zero + .seconds(1)) == [])
        #expect(forms.takeLeaving(at: .zero + .seconds(2)) == [LinkID(3)])
    }

    @Test("A form that cannot be written is none")
    func forms() throws {
        func field(_ number: Int, _ count: Int = 1) -> VenueForm.Field {
            VenueForm.Field(number: number, text: String(repeating: "x", count: count))
        }
        #expect(VenueForm(.join, (0..<16).map { field($0, 254) }) != nil)
        #expect(VenueForm(.join, (0..<17).map { field($0) }) == nil)
        for bad in [[field(256)], [field(-1)], [field(0, 255)], [field(3), field(3)]] {
            #expect(VenueForm(.join, bad) == nil)
        }
        let form = try #require(VenueForm(.newKey, [field(9), field(2)]))
        #expect(form.fields.map(\.number) == [2, 9])
        #expect(try VenueForm(decoding: form.encoded) == form)
    }
}
