// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Many authors: from one who makes them up, and in an honest full cabin (docs/protocol.md section
/// 9).
@Suite struct AdmissionTests {
    private func key(_ number: Int) throws -> PeerKey {
        PeerKey(
            try require(
                Bytes32(
                    [UInt8(number / 256), UInt8(number % 256)] + Array(repeating: 9, count: 30))))
    }

    /// Logs of `count` authors, two entries each, sorted by key from `first`.
    private func crowd(_ count: Int, from first: Int = 0) throws -> LogSet {
        let codec = EntryCodec(FakePrimitives())
        var logs = LogSet()
        for number in first..<(first + count) {
            let signer = FakeSigner(key: try key(number))
            var last: Entry?
            let seat = try require(Seat(row: number / 26 + 1, column: number % 26))
            for body: EntryBody in [
                .genesis(name: "p", agent: ""), .claim(seat: seat, dependant: false),
            ] {
                let entry = try codec.sign(
                    body, flight: testFlight.id, seq: (last?.seq ?? 0) + 1, previous: last?.id,
                    by: signer)
                logs.restore(entry)
                last = entry
            }
        }
        return logs
    }

    private func admit(
        _ admission: inout Admission, _ numbers: Range<Int>, from introducer: Int,
        at seconds: Int64 = 0
    ) throws -> Int {
        try numbers.count { number in
            admission.admits(
                try key(number), from: try key(introducer), isMet: false,
                among: admission.hearsay, at: .zero + .seconds(seconds))
        }
    }

    // MARK: Limits, crossed by one

    @Test func limitAuthorsIntroducedAtOnce() throws {
        var admission = Admission(LogSet())
        #expect(try admit(&admission, 0..<(Limits.newcomers + 1), from: 9000) == Limits.newcomers)
        // Another introducer has a pace of their own.
        #expect(try admit(&admission, 100..<101, from: 9001) == 1)
    }

    @Test func limitAuthorsIntroducedInASecond() throws {
        var admission = Admission(LogSet())
        _ = try admit(&admission, 0..<Limits.newcomers, from: 9000)
        let more = 100..<(101 + Limits.newcomersPerSecond)
        #expect(try admit(&admission, more, from: 9000, at: 1) == Limits.newcomersPerSecond)
        #expect(admission.room(for: try key(9000), at: .zero + .seconds(1)).count == 0)
        // However long one waits, never more than the first time.
        #expect(
            admission.room(for: try key(9000), at: .zero + .seconds(3000)).count == Limits.newcomers
        )
    }

    private func admitMailed(
        _ admission: inout Admission, _ numbers: Range<Int>, at seconds: Int64 = 0
    ) throws -> Int {
        try numbers.count { number in
            admission.admitsMailed(
                try key(number), isMet: false, among: admission.hearsay,
                at: .zero + .seconds(seconds))
        }
    }

    @Test func limitAuthorsMailedAtOnce() throws {
        var admission = Admission(LogSet())
        let more = 0..<(Limits.mailedNewcomers + 1)
        #expect(try admitMailed(&admission, more) == Limits.mailedNewcomers)
        // Peers have paces of their own, and so does the meeting point.
        #expect(try admit(&admission, 500..<501, from: 9000) == 1)
    }

    @Test func limitAuthorsMailedInASecond() throws {
        var admission = Admission(LogSet())
        _ = try admitMailed(&admission, 0..<Limits.mailedNewcomers)
        let more = 100..<(101 + Limits.mailedPerSecond)
        #expect(try admitMailed(&admission, more, at: 1) == Limits.mailedPerSecond)
        // All together take no more places than hearsay may.
        var taken = admission.hearsay
        for second in 2..<200 {
            let numbers = (200 + 8 * second)..<(208 + 8 * second)
            taken += try admitMailed(&admission, numbers, at: Int64(second))
        }
        #expect(taken == Limits.authors - Limits.authorsKept)
    }

    @Test func limitPlacesThatHearsayTakes() throws {
        let places = Limits.authors - Limits.authorsKept
        var admission = Admission(LogSet())
        var taken = 0
        for round in 0..<60 {
            let numbers = (round * 16)..<(round * 16 + 16)
            taken += try admit(&admission, numbers, from: 9000 + round)
        }
        #expect(taken == places)
        #expect(
            admission.room(for: try key(8999), at: .zero) == Admission.Room(count: 0, more: nil))
        // Somebody who was announced and then came in person gives the place back.
        admission.met(try key(3))
        #expect(try admit(&admission, 5000..<5002, from: 8999) == 1)
    }

    @Test func limitAuthorsOfAFlight() throws {
        var admission = Admission(LogSet())
        func meets(_ authors: Int) throws -> Bool {
            admission.admits(
                try key(1), from: try key(1), isMet: true, among: authors, at: .zero)
        }
        #expect(try meets(Limits.authors - 1))
        #expect(try !meets(Limits.authors))
    }

    @Test func limitIntroducersRemembered() throws {
        var admission = Admission(LogSet())
        for number in 0..<Limits.introducers {
            #expect(try admit(&admission, number..<(number + 1), from: 9000 + number) == 1)
        }
        // Of one more nothing is taken as long as the others' paces are still of use.
        #expect(try admit(&admission, 700..<701, from: 9999) == 0)
        #expect(try admit(&admission, 700..<701, from: 9999, at: 1) == 1)
    }

    @Test func limitAuthorsThatAnchorsName() throws {
        // Two anchors that hold two entries of one unknown author prove their fork.
        var logs = try crowd(Limits.authors - Limits.authorsKept - 2)
        var fork = 0
        for (number, shift) in [(200, 0), (201, 1), (202, 2)] {
            var anchorer = Writer(UInt8(number))
            _ = try anchorer.write(.genesis(name: "a", agent: ""))
            let codec = EntryCodec(FakePrimitives())
            let cid = ContractID(FakePrimitives().sha256([UInt8(shift)]))
            for branch in [UInt8(1), 2] {
                let before = EntryID(FakePrimitives().sha256([branch]))
                let no = try codec.sign(
                    .vote(.no(cid)), flight: testFlight.id, seq: 2, previous: before,
                    by: FakeSigner(UInt8(210 + shift)))
                _ = try anchorer.write(.abandon(cid, no: no))
            }
            for entry in anchorer.entries { logs.restore(entry) }
            fork += logs.log(of: FakeSigner(UInt8(210 + shift)).key)?.proof == nil ? 0 : 1
        }
        // The first author has the last place that is not kept.
        #expect(fork == 1)
    }

    // MARK: In the real core

    @Test func manyAuthorsOfOneIntroducerComeSlowly() throws {
        var world = World()
        try world.add("1A")
        world.kill(0)
        world.hosts[0].disk.stored.entries += try crowd(60, from: 1024).logs.flatMap { log in
            log.entries.map { SeenEntry(entry: $0, seen: world.now.utc) }
        }
        world.restart(0)
        try world.add("2A")
        world.run(seconds: 2)
        let after = world.hosts[1].node.logs.logs.count
        #expect(after >= 2 + Limits.newcomers)
        #expect(after <= 2 + Limits.newcomers + 2 * Limits.newcomersPerSecond)
        // Whoever comes in person is let in at once, and trades.
        try world.add("3A")
        world.run(seconds: 3)
        #expect(world.holder("3A", seenBy: 1) == 2)
        world.wish(2, .swap(take: try require(Seat("2A")), give: nil, note: "", expires: nil))
        world.run(seconds: 2)
        world.wish(1, .accept(1, override: false))
        world.run(seconds: 5)
        #expect(world.seats(2) == ["2A"] && world.seats(1) == ["3A"])
        // Nothing was dropped and nobody is blamed: in the end all hold the same.
        world.run(seconds: 60)
        #expect(world.hosts.allSatisfy { $0.node.logs.logs.count == 63 } && world.agree)
        #expect(world.hosts[1].node.isLinked(world.key(0)))
    }

    @Test func whoMakesUpAThousandAuthorsLeavesTheKeptPlaces() throws {
        var school = School(try crowd(1100, from: 1024), teachers: 1)
        school.run(seconds: 60)
        #expect(school.known <= Limits.newcomers + 61 * Limits.newcomersPerSecond)
        school.run(seconds: 400, step: 4)
        #expect(school.known == Limits.authors - Limits.authorsKept)
        let other = try key(5)
        let isLetIn = school.admission.admits(
            other, from: other, isMet: true, among: school.known, at: school.now)
        #expect(isLetIn)
    }

    /// The counter-example to "16 from each introducer until they come themselves": with 8
    /// neighbours nobody would ever know more than 8 + 128 of 850 passengers.
    @Test func aNewcomerOfAFullCabinKnowsAllWithinAMinute() throws {
        var school = School(try crowd(850, from: 1024), teachers: 8)
        school.run(seconds: 60)
        #expect(school.known == 850)
    }
}

/// One who knows nobody, linked with some who know everybody: logs,
/// admission and replication alone.
private struct School {
    let all: LogSet
    let frontier: Frontier
    var logs = LogSet()
    var own: Frontier
    var admission = Admission(LogSet())
    var links: [(teacher: Replication, pupil: Replication)]
    var inboxes: [(teacher: [Message], pupil: [Message])]
    var now = Instant.zero
    var random = SeededRandom(seed: 1)
    let codec = EntryCodec(FakePrimitives())

    init(_ all: LogSet, teachers: Int) {
        self.all = all
        frontier = Frontier(all, primitives: FakePrimitives())
        own = Frontier(logs, primitives: FakePrimitives())
        let machine = Replication(at: .zero)
        links = Array(repeating: (machine, machine), count: teachers)
        inboxes = Array(repeating: ([], []), count: teachers)
    }

    var known: Int { logs.logs.count }

    private func key(_ teacher: Int) -> PeerKey { FakeSigner(UInt8(100 + teacher)).key }

    private func here(_ link: Int) -> Replication.Surroundings {
        var asked: Set<PeerKey> = []
        for other in links.indices where other != link {
            asked.formUnion(links[other].pupil.askedAuthors)
        }
        return Replication.Surroundings(
            logs: logs, frontier: own, map: .zero, room: Limits.bulkQueue, askedElsewhere: asked,
            newcomers: admission.room(for: key(link), at: now))
    }

    private var there: Replication.Surroundings {
        Replication.Surroundings(
            logs: all, frontier: frontier, map: .zero, room: Limits.bulkQueue)
    }

    private mutating func taught(_ message: Message, _ link: Int) {
        var output = Replication.Output()
        switch message {
        case .frontier(let frontier):
            output = links[link].teacher.frontier(frontier, there, at: now)
        case .want(let want): output = links[link].teacher.want(want, there)
        default: break
        }
        inboxes[link].pupil += output.messages
    }

    private mutating func learned(_ message: Message, _ link: Int) {
        var output = Replication.Output()
        switch message {
        case .frontier(let frontier):
            output = links[link].pupil.frontier(frontier, here(link), at: now)
        case .have(let list): output = links[link].pupil.have(list, here(link), at: now)
        case .entries(let batch):
            var admission = admission
            let introducer = key(link)
            let now = now
            let results = batch.entries.map { bytes in
                logs.insert(bytes, flight: testFlight.id, codec: codec) {
                    admission.admits(
                        $0, from: introducer, isMet: false, among: $1, at: now)
                }
            }
            self.admission = admission
            output = links[link].pupil.ingested(results, kind: batch.kind, here(link), at: now)
        default: break
        }
        inboxes[link].teacher += output.messages
    }

    /// Both ends do their work every `step` seconds.
    mutating func run(seconds: Int, step: Int = 1) {
        for _ in 0..<seconds / step {
            now = now + .seconds(Int64(step))
            own = Frontier(logs, primitives: FakePrimitives())
            for link in links.indices {
                let there = there
                inboxes[link].pupil +=
                    links[link].teacher.flush(there, random: &random, at: now)
                    .messages
                let here = here(link)
                inboxes[link].teacher +=
                    links[link].pupil.flush(here, random: &random, at: now)
                    .messages
            }
            for _ in 0..<4 {
                for link in links.indices {
                    let (teacher, pupil) = inboxes[link]
                    inboxes[link] = ([], [])
                    for message in teacher { taught(message, link) }
                    for message in pupil { learned(message, link) }
                }
            }
        }
    }
}
