// SPDX-License-Identifier: Apache-2.0
import Glibc
import ProtocolTestKit
import Testing

@testable import Protocol
@testable import Store

/// What a venue's file keeps beside a flight's: ledgers, asks and answers, forms.
@Suite("The file of a venue") struct LedgerStoreTests {
    private let path = "/tmp/seatagent-ledger-\(UInt64.random(in: .min ... .max)).db"
    private let seen = UTCTime(seconds: 1_000_000)
    private let desk = FakeSigner(1)

    private func open(_ rules: EntryRules? = nil) throws -> Store {
        let store = try Store(
            path: path, rules: rules ?? LedgerVenue.fake.codec.rules, primitives: FakePrimitives())
        store.owned(by: desk.key)
        return store
    }

    private func remove() { for end in ["", "-wal", "-shm"] { unlink(path + end) } }

    private func ledger() throws -> MadeUpLedger {
        var venue = try SmallVenue()
        try venue.desk.member(217, 0, SmallVenue.ada)
        let token = try venue.grant(SmallVenue.ada, of: 217, 1, 0, 10, 60)
        try venue.block(5, 1, 9, 1440)
        try venue.desk.close(token, .noShow, spent: true)
        try venue.desk.note(.paid(token, amount: 1000, means: 1))
        return venue.desk
    }

    @Test("A ledger is there after a start, entry by entry, and none of it counts as damaged")
    func restart() throws {
        defer { remove() }
        let ledger = try ledger()
        let guest = try LedgerVenue.fake.codec.sign(
            .genesis(name: "els", agent: "test"), flight: MadeUpVenue.gathering.id, seq: 1,
            previous: nil, by: FakeSigner(2))
        do {
            let store = try open()
            try store.apply((ledger.entries + [guest]).map { Write.entry($0, seen: seen) })
        }
        let stored = try open().load()
        #expect(stored.damaged == 0 && stored.entries.map(\.entry) == ledger.entries + [guest])
        let book = Book.whole(of: stored.logs)
        #expect(book.mints.count == 2 && book.member(of: SmallVenue.ada) == 217)
        #expect(stored.logs.log(of: desk.key)?.isLedger == true)
        // By the rules of flights all but the first entries would be lost.
        #expect(try open(.flight).load().damaged == ledger.entries.count - 1)
        #expect(try open().load().damaged == 0)
    }

    @Test("A damaged entry far behind in an own ledger is missed there, and not written over")
    func damaged() throws {
        defer { remove() }
        let store = try open()
        var ledger = try SmallVenue().desk
        for number in 1...3 { try ledger.member(number, 0) }
        let last = try #require(ledger.entries.last)
        let far = Entry(
            bytes: last.bytes, payload: last.payload, signature: last.signature, id: last.id,
            flight: last.flight, author: last.author, seq: 20_000, previous: last.previous,
            body: last.body)
        try store.apply([.entry(far, seen: seen)])
        try store.database.execute("UPDATE entry SET bytes = x'00'")
        let stored = try open().load()
        #expect(stored.damaged == 1 && stored.ownSeq == 20_000)
        #expect(try open(.flight).load().ownSeq == 0)
    }

    @Test("Asks and answers are kept until they are forgotten, in their order")
    func asks() throws {
        defer { remove() }
        let gathering = MadeUpVenue.gathering.id
        func ask(_ nonce: UInt64) throws -> VenueStatement {
            let ask = BookingAsk(
                nonce: nonce, until: UTCTime(seconds: 9), wish: .withdraw(.zero))
            return try #require(VenueStatement(ask, gathering: gathering, by: desk))
        }
        let answer = try #require(
            AskAnswer(
                asker: desk.key, ask: .zero, until: seen, at: seen, reason: 14, waiting: 3))
        let said = [
            try ask(1), VenueStatement(answer, gathering: gathering, by: FakeSigner(2)), try ask(2),
        ]
        let ids = said.map { $0.id(FakePrimitives()) }
        // What was never kept can be forgotten.
        try open().apply([.forgetStatement(ids[0]), .forgetForm(form(1).key)])
        try open().apply(zip(ids, said).map { .statement($0, $1) })
        #expect(try open().load().statements == said)
        try open().apply([.forgetStatement(ids[1])])
        #expect(try open().load().statements == [said[0], said[2]])
    }

    private func form(_ number: UInt8, _ state: FormState? = nil, text: String = "") -> FormRecord {
        let id = ThreadID([UInt8](repeating: number, count: 16)) ?? ThreadID(high: 0, low: 0)
        let fields = [VenueForm.Field(number: 0, text: "els@example.org")]
        let form = VenueForm(.join, state?.rawValue ?? 0 > 0 ? [] : fields)
        guard let form else { preconditionFailure("a form") }
        return FormRecord(
            key: FormKey(peer: FakeSigner(number).key, id: id), form: form, at: seen, state: state,
            text: text)
    }

    @Test("A form is one row, with what became of it")
    func forms() throws {
        defer { remove() }
        try open().apply([.form(form(1)), .form(form(2, .kept)), .form(form(3))])
        #expect(try open().load().forms == [form(1), form(2, .kept), form(3)])
        try open().apply([.form(form(2, .admitted, text: "welcome")), .forgetForm(form(1).key)])
        let stored = try open().load().forms
        #expect(stored == [form(2, .admitted, text: "welcome"), form(3)])
        #expect(stored[0].form.fields.isEmpty && stored[1].state == nil)
    }

    @Test("The file of a flight has no table of a venue")
    func flights() throws {
        defer { remove() }
        var names: [String] = []
        try open(.flight).database.prepare("SELECT name FROM sqlite_schema").run {
            names.append($0.text(0))
        }
        #expect(!names.contains("ask") && !names.contains("form") && !names.contains("stay"))
    }
}
