// SPDX-License-Identifier: Apache-2.0
/// The desk's own ledger as the desk sees it: the book that it is part of, what else it says, and
/// where its next entry goes (docs/protocol.md section 33).
///
/// What the desk writes is in the book at once, under the id that it will have, so that each entry
/// of a turn is weighed after those before it. The log says afterwards that it took them.
struct DeskLedger: Sendable {
    /// Why the ledger is not written to.
    enum Standing: Hashable, Sendable {
        /// It is: it is the last ledger that counts.
        case counts
        case noCharter
        /// Another desk of its epoch runs; `counts` if this is the ledger that counts.
        case twoDesks(PeerKey, counts: Bool)
        case over
        case forked
    }

    /// For whom an entry is: it says how full the ledger may be.
    enum Purpose: Hashable, Sendable {
        case stranger, member, end, staff

        /// Entries and bytes up to which the ledger may be filled for that.
        var room: (entries: Int, bytes: Int) {
            switch self {
            case .stranger: (Limits.ledgerForStrangers, Limits.ledgerBytesForStrangers)
            case .member: (Limits.ledgerForMembers, Limits.ledgerBytesForMembers)
            case .end: (Limits.ledgerForEnds, Limits.ledgerBytesForEnds)
            case .staff: (Limits.entriesPerLedger, Limits.bytesPerLedger)
            }
        }
    }

    let setup: DeskSetup
    private var running = RunningBook()
    private(set) var records = DeskRecords()
    private(set) var standing = Standing.noCharter
    /// The end of the own log, with what was written and not reported yet.
    private(set) var head: LogHead
    /// Bytes of the own log up to there.
    private(set) var size = 0
    /// Entries that were written and are not reported yet, in order.
    private var awaited: ArraySlice<EntryID> = []
    /// What is in the log is not what was written.
    private(set) var isLost = false

    init(_ setup: DeskSetup) {
        self.setup = setup
        head = LogHead(author: setup.key, seq: 0, id: EntryID(.zero))
    }

    var book: Book { running.book }
    /// The rules in force; `nil` before the first charter.
    var rules: BookRules? { running.book.rules.last }
    /// Whether the log has still to say that it took what was written.
    var isAwaiting: Bool { !awaited.isEmpty }

    // MARK: Logs

    /// Reads the logs. What was read before is read again only if something changed there.
    mutating func follow(
        _ logs: LogSet, clock: VenueClock, at now: Moment, seen: (EntryID) -> UTCTime?
    ) {
        // What the log did not take is not in it.
        if isLost { (running, records) = (RunningBook(), DeskRecords()) }
        var read = DeskRecords()
        swap(&read, &records)
        let primitives = setup.codec.primitives
        running.follow(logs.logs, starts: { read = DeskRecords() }) { entry, book in
            guard let line = BookLine(entry) else { return }
            let time = seen(entry.id) ?? now.utc
            let day = clock.minute(at: time) / Limits.minutesOfDay
            read.read(line, book, seen: time, day: day, primitives: primitives)
        }
        records = read
        let log = logs.log(of: setup.key)
        head = logs.head(of: setup.key)
        size = log?.size ?? 0
        standing = Self.standing(of: setup.key, log, book.ledgers)
        (awaited, isLost) = ([], false)
    }

    private static func standing(
        of key: PeerKey, _ log: AuthorLog?, _ ledgers: [CountedLedger]
    ) -> Standing {
        guard log?.fork == nil else { return .forked }
        guard let own = ledgers.first(where: { $0.author == key }) else { return .noCharter }
        guard !ledgers.contains(where: { $0.epoch > own.epoch }) else { return .over }
        if let other = ledgers.first(where: { $0.epoch == own.epoch && $0.author != key }) {
            return .twoDesks(other.author, counts: own.standing == .counts)
        }
        return own.standing == .counts ? .counts : .noCharter
    }

    /// The log took an entry of the desk's key, whoever wrote it.
    mutating func took(_ entry: Entry) {
        guard !isLost, entry.author == setup.key else { return }
        if let next = awaited.popFirst() {
            if next != entry.id { lose() }
            return
        }
        // A line of chat or a vote beside; anything of a ledger that the desk did not write is not
        // in its book.
        guard entry.seq == head.seq + 1, entry.ledger == nil else { return lose() }
        head = entry.head
        size += entry.bytes.count
        running.read(nil, at: head)
    }

    /// The log is not what the desk wrote.
    mutating func lose() {
        isLost = true
        awaited = []
    }

    // MARK: Writing

    /// Whether an entry for that purpose fits.
    func hasRoom(for purpose: Purpose, _ bytes: Int = Limits.statement) -> Bool {
        let room = purpose.room
        return head.seq < room.entries && size + bytes <= room.bytes
    }

    /// Whether less than a sixteenth of what members may fill is left: before they are refused.
    var isNearlyFull: Bool {
        let room = Purpose.member.room
        return head.seq >= room.entries / 16 * 15 || size >= room.bytes / 16 * 15
    }

    /// Why a grant would be void as the next entry.
    mutating func faults(of grant: Grant) -> [VoidGrant.Reason] { running.faults(of: grant) }

    /// How many bookings somebody has at most at one minute of a period, without some of them.
    mutating func most(
        of who: DeskRecords.Who, in period: Period, without replaced: [Grant]
    ) -> Int {
        records.most(of: who, in: period, without: replaced)
    }

    /// Writes the next entry, and returns its id. `nil`, and nothing is written, if there is no
    /// room for it, or nobody would read it.
    mutating func write(
        _ said: LedgerEntry, for purpose: Purpose, day: Int, at now: Moment
    ) -> EntryID? {
        guard setup.codec.canRead(said) else { return nil }
        let seq = head.seq + 1
        let draft = setup.codec.draft(
            .ledger(said), flight: setup.gathering, author: setup.key, seq: seq,
            previous: head.id)
        guard hasRoom(for: purpose, draft.size) else { return nil }
        head = LogHead(author: setup.key, seq: seq, id: draft.id)
        size += draft.size
        awaited.append(draft.id)
        let line = BookLine(said: said, id: draft.id, author: setup.key, seq: seq)
        running.read(line, at: head)
        records.read(line, book, seen: now.utc, day: day, primitives: setup.codec.primitives)
        return draft.id
    }
}

extension Entry {
    /// Where it stands.
    fileprivate var head: LogHead { LogHead(author: author, seq: seq, id: id) }
}

/// Whose desk it is, and what does not change.
package struct DeskSetup: Sendable {
    /// The gathering of the venue's volume.
    package let gathering: FlightID
    /// The desk's key, which signs the ledger.
    package let key: PeerKey
    /// How entries of the venue are read and written.
    package let codec: EntryCodec

    /// The desk with that key.
    package init(gathering: FlightID, key: PeerKey, codec: EntryCodec) {
        self.gathering = gathering
        self.key = key
        self.codec = codec
    }
}
