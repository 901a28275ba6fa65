// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A random set of ledgers of one venue: desks that book at random in few places and days, so that
/// most rules are met; now and then other rules, a second desk, a next epoch, a fork, a log that is
/// known in part.
package struct RandomLedgers {
    /// What was written, each log with its forks: an agent may know any of it.
    package private(set) var entries: [Entry] = []
    /// The ledgers that were written, without forks.
    package private(set) var ledgers: [MadeUpLedger] = []

    private var random: SeededRandom
    private let venue: LedgerVenue
    private let signer: (Int) -> any Signer
    private let size: Int
    private var tokens: [Token] = []
    /// The number of each person, as the first note had it.
    private var numbers: [Int: Int] = [:]
    private let first: Int

    /// The set of that seed. `signer` gives the keys of desks (from 0) and of people (from 8).
    package init(
        seed: UInt64, size: Int = 40, in venue: LedgerVenue = .fake,
        signer: @escaping (Int) -> any Signer
    ) throws {
        random = SeededRandom(seed: seed)
        self.venue = venue
        self.signer = signer
        self.size = size
        first = 9000 + Int(seed % 300)
        try write()
    }

    /// The set of that seed in the venue of most tests.
    package static func fake(seed: UInt64, size: Int = 40) throws -> RandomLedgers {
        try RandomLedgers(seed: seed, size: size) { FakeSigner($0, seed: 77) }
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<max(bound, 1), using: &random)
    }

    /// Whether something happens that does so many times of a hundred.
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    // MARK: Ledgers

    private mutating func write() throws {
        let epochs = chance(60) ? 1 : 2 + below(2)
        var desk = below(4)
        var before: [MadeUpLedger] = []
        for epoch in 0..<epochs {
            var made: [MadeUpLedger] = []
            for _ in 0..<(chance(75) ? 1 : 2) {
                let ledger = try ledger(desk, epoch: 1 + 2 * epoch, before: before)
                desk += 1
                made.append(ledger)
            }
            before = made
            ledgers += made
        }
        let people = try swaps()
        for ledger in ledgers + people {
            let known = chance(80) ? ledger.entries.count : below(ledger.entries.count + 1)
            entries += ledger.entries.prefix(known)
            if chance(12) { try fork(ledger) }
        }
        // Somebody who says something and is no desk.
        var guest = MadeUpLedger(signer(12), in: venue)
        try guest.write(.genesis(name: "guest", agent: "test"))
        try guest.write(.chat(text: "hello", replyTo: nil, time: UTCTime(seconds: 1)))
        entries += guest.entries
    }

    // MARK: Swaps

    /// The logs of four people who change bookings, some of them twice.
    private mutating func swaps() throws -> [MadeUpLedger] {
        var people: [MadeUpLedger] = []
        for who in 8..<12 {
            var log = MadeUpLedger(signer(who), in: venue)
            try log.write(.genesis(name: "p\(who)", agent: "test"))
            people.append(log)
        }
        for round in 0..<below(5) {
            let logs = venue.logs((ledgers + people).flatMap(\.entries))
            let bookings = venue.fold(logs).bookings
            guard bookings.count > 1 else { break }
            let (one, other) = (below(bookings.count), below(bookings.count))
            let from = people.indices.filter { people[$0].key == bookings[one].holder }
            let to = people.indices.filter { people[$0].key == bookings[other].holder }
            guard let from = from.first, let to = to.first, from != to else { continue }
            let slots = [bookings[one], bookings[other]].map { chance(85) ? $0.slot : $0.mint.slot }
            try swap(&people, from, to, slots, round)
        }
        return people
    }

    private mutating func swap(
        _ people: inout [MadeUpLedger], _ from: Int, _ to: Int, _ slots: [Slot], _ round: Int
    ) throws {
        let keys = [people[from].key, people[to].key]
        let contract = Contract(
            flight: venue.gathering, coordinator: keys[0],
            nonce: ThreadID(high: UInt64(from), low: UInt64(round)),
            legs: [
                Leg(
                    token: slots[0].token, producer: slots[0].producer, from: keys[0], to: keys[1]),
                Leg(
                    token: slots[1].token, producer: slots[1].producer, from: keys[1], to: keys[0]),
            ], primitives: venue.primitives)
        guard let contract else { return }
        var votes: [Entry] = []
        for who in [from, to] {
            let slots = contract.slots(of: people[who].key)
            votes.append(try people[who].write(.vote(.yes(contract.id, slots: slots))))
        }
        guard chance(90) else { return }
        let commit = Commit(
            contract: contract, votes: votes.sorted { $0.author < $1.author }, claims: [])
        try people[from].write(.commit(commit))
    }

    private mutating func fork(_ ledger: MadeUpLedger) throws {
        guard ledger.entries.count > 1 else { return }
        var other = ledger.branch(at: 1 + below(ledger.entries.count - 1))
        try other.write(.chat(text: "fork", replyTo: nil, time: UTCTime(seconds: 2)))
        entries.append(contentsOf: other.entries.suffix(1))
    }

    private mutating func ledger(
        _ desk: Int, epoch: Int, before: [MadeUpLedger]
    ) throws -> MadeUpLedger {
        var named: [Charter.Before] = []
        for ledger in before where chance(75) {
            let seq = chance(50) ? ledger.entries.count : 1 + below(ledger.entries.count)
            named.append(Charter.Before(ledger: ledger.key, seq: seq))
        }
        var ledger = try MadeUpLedger(
            signer(desk), epoch: epoch, rules: try rules(), before: named, in: venue)
        var revision = 1
        for _ in 0..<(size / 2 + below(size)) {
            if chance(4) {
                revision += 1 + below(3)
                try ledger.charter(epoch: epoch, revision: revision, try rules())
            } else {
                try say(in: &ledger)
            }
        }
        return ledger
    }

    private mutating func rules() throws -> BookRules {
        let units = (0..<3).map { BookRules.Unit(number: $0 * 7, capacity: 2 + below(4)) }
        var places: [BookRules.Place] = []
        for number in 1...4 where number < 3 || chance(60) {
            var uses = [BookRules.Use(unit: 7 * below(3), amount: 1 + below(2))]
            if chance(30), uses[0].unit < 14 { uses.append(BookRules.Use(unit: 14, amount: 1)) }
            places.append(
                BookRules.Place(
                    number: number, group: below(3), turnover: chance(50) ? 0 : 30 * below(60),
                    uses: uses))
        }
        var classes: [[BookRules.Quota]] = []
        for _ in 0...below(3) {
            classes.append(
                (0..<below(3)).map { _ in
                    BookRules.Quota(
                        group: chance(40) ? nil : below(3),
                        minutes: chance(50) ? 0 : 60 * (1 + below(8)),
                        bookings: chance(50) ? 0 : 1 + below(4))
                })
        }
        let days = [first, first + 2].compactMap(VenueDay.init(number:))
        let rules = BookRules(
            first: days[0], last: days[1], units: units, places: places, classes: classes,
            swaps: BookRules.Swaps(rawValue: below(3)) ?? .none)
        guard let rules else { throw DecodeError(.badValue) }
        return rules
    }

    // MARK: What a desk says

    private mutating func say(in ledger: inout MadeUpLedger) throws {
        switch below(100) {
        case 0..<58: try grant(in: &ledger)
        case 58..<76: try close(in: &ledger)
        case 76..<88:
            let (who, number) = (below(4), 1 + below(4))
            let isNamed = chance(80)
            if isNamed, numbers[who] == nil { numbers[who] = number }
            try ledger.member(number, below(4), isNamed ? signer(8 + who).key : nil)
        case 88..<92: try lot(in: &ledger)
        case 92..<96:
            guard let token = tokens.last else { return }
            try ledger.note(
                chance(50) ? .paid(token, amount: 1, means: 0) : .visit(token, .arrived))
        default:
            try ledger.write(.chat(text: "open", replyTo: nil, time: UTCTime(seconds: 3)))
        }
    }

    private mutating func period() throws -> Period {
        let days = chance(96) ? below(3) : below(5)
        guard let day = VenueDay(number: first + days - (chance(3) ? 1 : 0)) else {
            throw DecodeError(.badValue)
        }
        let minutes = chance(70) ? 30 * (1 + below(6)) : 1 + below(chance(80) ? 1900 : 5000)
        let from = chance(80) ? 600 + 30 * below(10) : below(1440)
        guard let period = Period(day: day, from: from, minutes: minutes) else {
            throw DecodeError(.badValue)
        }
        return period
    }

    private mutating func grant(in ledger: inout MadeUpLedger) throws {
        let who = below(4)
        var grant = Grant(
            holder: signer(8 + who).key, member: chance(90) ? numbers[who] ?? 0 : below(5),
            place: 1 + below(chance(90) ? 2 : 4), period: try period())
        if chance(15) { grant.count = 1 + below(3) }
        if chance(10) { grant.flags = Grant.Flags(rawValue: 1 + below(3)) }
        if chance(25), !tokens.isEmpty {
            let some = (0...below(2)).map { _ in tokens[below(tokens.count)] }.sorted()
            grant.replaces = some.count == 2 && some[0] == some[1] ? [some[0]] : some
        }
        if chance(30) { grant.ask = venue.primitives.sha256([UInt8(below(9))]) }
        tokens.append(try ledger.grant(grant))
    }

    private mutating func close(in ledger: inout MadeUpLedger) throws {
        guard !tokens.isEmpty else { return }
        let token = chance(70) ? tokens[below(tokens.count)] : tokens[tokens.count - 1]
        guard chance(30) else {
            let reason = LedgerClose.Reason(rawValue: 1 + below(6)) ?? .desk
            return try ledger.close(token, reason, spent: chance(40))
        }
        let ask = BookingAsk(
            nonce: random.next(), until: UTCTime(seconds: 1000),
            wish: .giveBack(Slot(token: token, producer: Producer(claim: token)), to: nil))
        let said = VenueStatement(ask, gathering: venue.gathering, by: signer(8 + below(4)))
        guard let said, let close = LedgerClose(asked: said, spent: chance(40)) else { return }
        try ledger.write(.ledger(.close(close)))
    }

    private mutating func lot(in ledger: inout MadeUpLedger) throws {
        let bytes = ThreadID(high: 5, low: UInt64(below(2)))
        let hash = venue.primitives.sha256(bytes.bytes)
        if chance(60) { try ledger.note(.lotOpens(hash)) }
        if chance(70) { try ledger.note(.lot(bytes, hash: hash)) }
    }
}
