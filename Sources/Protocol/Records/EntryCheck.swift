// SPDX-License-Identifier: Apache-2.0
/// What became of an entry that came from outside.
package enum Insertion: Hashable, Sendable {
    /// New and valid.
    case added(Entry)
    /// In the log already.
    case known(PeerKey, Int)
    /// Entries before it are missing. It was discarded; ask for them in order.
    case gap(PeerKey, Int)
    /// It is the next one by number but does not follow our last entry: a fork lies before it.
    case branches(PeerKey, Int)
    /// It showed a fork that was not known, or an earlier one.
    case fork(ForkProof)
    /// Its author is not admitted yet (``Admission``): nobody's fault; ask again later.
    case delayed(PeerKey, Int)
    /// Its author has no share left here (``Shares``): nobody's fault; do not ask again
    /// before there is capacity.
    case leftOut(Entry)
    /// Not valid, or not wanted.
    case refused(EntryFault)
}

/// Why an entry is not taken.
package enum EntryFault: Error, Hashable, Sendable {
    /// Not an entry.
    case form(DecodeError)
    /// Of another flight.
    case flight
    /// A signature in it is wrong.
    case signature
    /// Over a cap of the author's log, or after its end.
    case caps
    /// A vote, retract or commit that its author may not make.
    case body
    /// The author forked before this position: nothing more of them is kept.
    case muted
    /// No room for another author.
    case authors

    /// Whether the neighbour who sent it is at fault: no honest agent passes such bytes on.
    package var blamesSender: Bool {
        switch self {
        case .form, .flight, .signature, .caps, .body: true
        case .muted, .authors: false
        }
    }
}

/// Validation in the order of docs/protocol.md section 9: what is cheap first, the signature late.
struct EntryCheck {
    let codec: EntryCodec
    let flight: FlightID

    /// Everything about `entry` that needs no log.
    func decode(_ bytes: [UInt8]) throws(EntryFault) -> Entry {
        let entry: Entry
        do throws(DecodeError) {
            entry = try codec.decode(bytes)
        } catch {
            throw .form(error)
        }
        guard entry.flight == flight else { throw .flight }
        return entry
    }

    /// The caps are validity rules: a function of the author's own log before the entry alone, so
    /// that all honest agents agree (docs/protocol.md section 9).
    func caps(_ entry: Entry, after log: AuthorLog) throws(EntryFault) {
        let most = log.isLedger ? Limits.bytesPerLedger : Limits.bytesPerAuthor
        let longest = log.isLedger ? Limits.entriesPerLedger : Limits.entriesPerAuthor
        guard log.size + entry.bytes.count <= most, entry.seq <= longest, !log.isClosed else {
            throw .caps
        }
        if case .claim = entry.body {
            guard log.claims < Limits.claimsPerAuthor, log.liveClaims < Limits.liveClaims else {
                throw .caps
            }
        }
    }

    /// Checks the signatures of the entry and of those embedded in it, except `known` ones: the
    /// same bytes were checked before.
    func signatures(_ entry: Entry, known: (Entry) -> Bool) throws(EntryFault) {
        try signature(entry, known)
        guard codec.isWitnessed(entry) || known(entry) else { throw .signature }
        for one in entry.embedded { try signature(one, known) }
    }

    private func signature(_ one: Entry, _ known: (Entry) -> Bool) throws(EntryFault) {
        guard one.flight == flight, known(one) || codec.isSigned(one) else { throw .signature }
    }

    /// Checks that the author may say this after `log`: only parties commit to a contract, and only
    /// a ledger has what ledgers say.
    func body(_ entry: Entry, after log: AuthorLog) throws(EntryFault) {
        switch entry.body {
        case .ledger(.charter(let charter)):
            // The second entry makes a ledger; any later charter goes on from the one before it.
            guard let last = log.charter else {
                guard entry.seq == 2 else { throw .body }
                break
            }
            guard charter.epoch == last.epoch, charter.revision > last.revision else {
                throw .body
            }
        case .ledger(.grant), .ledger(.close), .ledger(.note):
            guard log.isLedger else { throw .body }
        case .commit(let commit):
            guard commit.contract.parties.contains(entry.author) else { throw .body }
        case .genesis, .profile, .claim, .retract, .vote, .abandon, .chat, .wish, .sealed, .seated,
            .hosting,
            .unknown, .vouch, .end:
            break
        }
    }
}

extension Entry {
    /// The entries that a commit or an abandon carries: evidence too (docs/protocol.md section 12).
    package var embedded: [Entry] {
        switch body {
        case .commit(let commit): commit.votes + commit.claims
        case .abandon(_, let no): [no]
        case .genesis, .profile, .claim, .retract, .vote, .chat, .wish, .sealed, .seated, .hosting,
            .unknown,
            .vouch, .ledger, .end:
            []
        }
    }
}
