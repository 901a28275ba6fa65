// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let venue = LedgerVenue.fake
private let primitives = FakePrimitives()

/// What becomes of the last entry of a log, after the others.
private func last(_ log: MadeUpLedger) -> Insertion {
    var logs = LogSet()
    var found = Insertion.refused(.authors)
    for entry in log.entries {
        found = logs.insert(entry.bytes, flight: venue.gathering, codec: venue.codec)
    }
    return found
}

private func isAdded(_ insertion: Insertion) -> Bool {
    if case .added = insertion { true } else { false }
}

@Suite("Ledgers among logs") struct LedgerRecordsTests {
    @Test("A log whose second entry is a charter of the operator is a ledger")
    func ledger() throws {
        let desk = try SmallVenue().desk
        #expect(isAdded(last(desk)))
        #expect(venue.logs(desk).log(of: desk.key)?.isLedger == true)
        // Signed by somebody else, for another ledger, or in another gathering.
        let rules = try SmallVenue.rules()
        for (signer, ledger, gathering) in [
            (FakeSigner(5), desk.key, venue.gathering),
            (MadeUpVenue.runBy, FakeSigner(2).key, venue.gathering),
            (MadeUpVenue.runBy, desk.key, testFlight.id),
        ] {
            var other = MadeUpLedger(FakeSigner(1), in: venue)
            try other.write(.genesis(name: "desk", agent: "test"))
            let charter = try #require(
                Charter(
                    epoch: 1, revision: 1, rules: rules, words: .zero, ledger: ledger,
                    gathering: gathering, by: signer))
            try other.write(.ledger(.charter(charter)))
            #expect(last(other) == .refused(.signature))
        }
    }

    @Test("A6: what ledgers say stands in no other log, nor does a charter behind the second entry")
    func elsewhere() throws {
        var guest = MadeUpLedger(FakeSigner(3), in: venue)
        try guest.write(.genesis(name: "guest", agent: "test"))
        for said: LedgerEntry in [
            .grant(Grant(holder: guest.key, place: 1, period: try SmallVenue.period(0, 10, 60))),
            .close(LedgerClose(Token(.zero), .desk)),
            .note(.member(number: 1, class: 0, key: guest.key)),
        ] {
            var log = guest
            try log.write(.ledger(said))
            #expect(last(log) == .refused(.body))
        }
        try guest.write(.chat(text: "hello", replyTo: nil))
        try guest.charter(revision: 1, try SmallVenue.rules())
        #expect(last(guest) == .refused(.body))
    }

    @Test("Within a ledger the epoch stays, and the revision grows")
    func charters() throws {
        let rules = try SmallVenue.rules()
        func next(_ epoch: Int, _ revision: Int) throws -> Insertion {
            var desk = try MadeUpLedger(FakeSigner(1), epoch: 2, rules: rules, in: venue)
            try desk.charter(epoch: 2, revision: 5, rules)
            try desk.charter(epoch: epoch, revision: revision, rules)
            return last(desk)
        }
        for revision in [6, 65_535] { #expect(isAdded(try next(2, revision))) }
        for (epoch, revision) in [(2, 5), (2, 4), (1, 6), (3, 6)] {
            #expect(try next(epoch, revision) == .refused(.body))
        }
    }

    @Test("A give-back in a close is signed by whoever gives it back, in this gathering")
    func witnesses() throws {
        func close(_ gathering: FlightID, bend: Bool = false) throws -> Insertion {
            var venue = try SmallVenue()
            let token = try venue.block(1, 0, 10, 60)
            let ask = BookingAsk(
                nonce: 1, until: UTCTime(seconds: 5),
                wish: .giveBack(Slot(token: token, producer: Producer(claim: token)), to: nil))
            let said = try #require(
                VenueStatement(ask, gathering: gathering, by: FakeSigner(7)))
            var bytes = said.encoded
            if bend { bytes[bytes.count - 3] ^= 1 }
            let close = try #require(LedgerClose(asked: try VenueStatement(decoding: bytes)))
            try venue.desk.write(.ledger(.close(close)))
            return last(venue.desk)
        }
        #expect(isAdded(try close(venue.gathering)))
        #expect(try close(testFlight.id) == .refused(.signature))
        #expect(try close(venue.gathering, bend: true) == .refused(.signature))
    }

    @Test(
        "A fork at the second entry leaves no ledger; one behind it leaves the charters before it")
    func forks() throws {
        var desk = try SmallVenue().desk
        try desk.charter(revision: 2, try SmallVenue.rules(castles: 4))
        let branch = try {
            var other = desk.branch(at: 2)
            try other.write(.chat(text: "fork", replyTo: nil))
            return other
        }()
        var logs = venue.logs(desk, branch)
        #expect(logs.log(of: desk.key)?.charter?.revision == 1)
        #expect(logs.log(of: desk.key)?.isLedger == true)
        var other = desk.branch(at: 1)
        try other.write(.chat(text: "no desk", replyTo: nil))
        logs = venue.logs(desk, other)
        #expect(logs.log(of: desk.key)?.isLedger == false && logs.log(of: desk.key)?.fork == 2)
    }

    /// What becomes of one more line in a log with so many entries, of so many bytes in all.
    private func oneMore(isLedger: Bool, entries: Int, bytes: Int) throws -> EntryFault? {
        let desk = try SmallVenue().desk
        var logs = LogSet()
        var previous: EntryID?
        var size = bytes
        for seq in 1...entries {
            var entry = isLedger && seq < 3 ? desk.entries[seq - 1] : nil
            if entry == nil {
                let count = size / (entries - seq + 1)
                entry = Entry(
                    bytes: Array(repeating: 0, count: count), payload: 0..<0, signature: 0..<0,
                    id: EntryID(primitives.sha256([UInt8(seq >> 8), UInt8(seq & 255)])),
                    flight: venue.gathering, author: desk.key, seq: seq, previous: previous,
                    body: .chat(text: "", replyTo: nil))
            }
            guard let entry else { return nil }
            size -= entry.bytes.count
            previous = entry.id
            logs.restore(entry)
        }
        let log = try #require(logs.log(of: desk.key))
        #expect(log.seq == entries && log.size == bytes && log.isLedger == isLedger)
        do throws(EntryFault) {
            _ = try logs.appendOwn(
                .chat(text: "", replyTo: nil), flight: venue.gathering, signer: desk.signer,
                codec: venue.codec)
            return nil
        } catch { return error }
    }

    @Test("Ledgers have 32768 entries and 12 MiB; other logs end as before")
    func caps() throws {
        let (mib, line) = (1024 * 1024, 255)
        #expect(try oneMore(isLedger: false, entries: 4095, bytes: mib) == nil)
        #expect(try oneMore(isLedger: false, entries: 4096, bytes: mib) == .caps)
        #expect(try oneMore(isLedger: true, entries: 4096, bytes: mib) == nil)
        #expect(try oneMore(isLedger: true, entries: 32_767, bytes: mib) == nil)
        #expect(try oneMore(isLedger: true, entries: 32_768, bytes: mib) == .caps)
        #expect(try oneMore(isLedger: false, entries: 9, bytes: 4 * mib - line) == nil)
        #expect(try oneMore(isLedger: false, entries: 9, bytes: 4 * mib - 99) == .caps)
        #expect(try oneMore(isLedger: true, entries: 9, bytes: 12 * mib - line) == nil)
        #expect(try oneMore(isLedger: true, entries: 9, bytes: 12 * mib - 99) == .caps)
    }
}
