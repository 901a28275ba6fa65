// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// A log of a venue that is written by hand: a ledger, if it begins with a charter.
///
/// A value: a copy that goes on by itself is a fork.
package struct MadeUpLedger {
    /// Who writes it.
    package let signer: any Signer
    /// What is written so far.
    package private(set) var entries: [Entry] = []
    /// Where, and how entries are made.
    package let venue: LedgerVenue

    /// An empty log.
    package init(_ signer: any Signer, in venue: LedgerVenue) {
        self.signer = signer
        self.venue = venue
    }

    /// A ledger that says nothing so far but its first charter.
    package init(
        _ signer: any Signer, epoch: Int = 1, rules: BookRules, before: [Charter.Before] = [],
        in venue: LedgerVenue
    ) throws {
        self.init(signer, in: venue)
        try write(.genesis(name: "desk", agent: "test"))
        try charter(epoch: epoch, revision: 1, rules, before: before)
    }

    /// Whose log it is.
    package var key: PeerKey { signer.key }

    /// Signs the next entry, whatever others would say of it.
    @discardableResult
    package mutating func write(_ body: EntryBody) throws -> Entry {
        let entry = try venue.codec.sign(
            body, flight: venue.gathering, seq: entries.count + 1, previous: entries.last?.id,
            by: signer)
        entries.append(entry)
        return entry
    }

    /// A charter.
    @discardableResult
    package mutating func charter(
        epoch: Int = 1, revision: Int, _ rules: BookRules, before: [Charter.Before] = []
    ) throws -> Entry {
        let charter = Charter(
            epoch: epoch, revision: revision, rules: rules, words: .zero, before: before,
            ledger: key, gathering: venue.gathering, by: venue.runBy)
        guard let charter else { throw DecodeError(.badValue) }
        return try write(.ledger(.charter(charter)))
    }

    /// A grant; its token.
    @discardableResult
    package mutating func grant(_ grant: Grant) throws -> Token {
        try write(.ledger(.grant(grant))).id.token
    }

    /// The end of a booking.
    package mutating func close(
        _ token: Token, _ reason: LedgerClose.Reason = .desk, spent: Bool = false
    ) throws {
        try write(.ledger(.close(LedgerClose(token, reason, spent: spent))))
    }

    /// Something beside.
    @discardableResult
    package mutating func note(_ note: DeskNote) throws -> Entry {
        try write(.ledger(.note(note)))
    }

    /// That member `number` is of that class.
    package mutating func member(_ number: Int, _ klass: Int, _ key: PeerKey? = nil) throws {
        try note(.member(number: number, class: klass, key: key))
    }

    /// The same log up to `seq`: what is written from there on forks.
    package func branch(at seq: Int) -> MadeUpLedger {
        var copy = self
        copy.entries = Array(entries.prefix(seq))
        return copy
    }
}

/// A venue whose ledgers are made up: its gathering, its operator, and how things are signed.
package struct LedgerVenue {
    /// Its id.
    package let gathering: FlightID
    /// The operator.
    package let runBy: any Signer
    /// What hashes and verifies.
    package let primitives: any Primitives

    /// A venue.
    package init(gathering: FlightID, runBy: any Signer, primitives: any Primitives) {
        self.gathering = gathering
        self.runBy = runBy
        self.primitives = primitives
    }

    /// The venue of most tests.
    package static let fake = LedgerVenue(
        gathering: MadeUpVenue.gathering.id, runBy: MadeUpVenue.runBy,
        primitives: FakePrimitives())

    /// How its entries are read and written.
    package var codec: EntryCodec {
        EntryCodec(primitives, rules: .venue(OperatorKey(runBy.key.raw)))
    }

    /// The logs that hold these entries, each judged as one that comes from a peer.
    package func logs(_ entries: [Entry]) -> LogSet {
        var logs = LogSet()
        for entry in entries { _ = logs.insert(entry.bytes, flight: gathering, codec: codec) }
        return logs
    }

    /// The same of whole logs.
    package func logs(_ ledgers: MadeUpLedger...) -> LogSet { logs(ledgers.flatMap(\.entries)) }
}
