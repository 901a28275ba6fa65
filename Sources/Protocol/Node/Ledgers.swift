// SPDX-License-Identifier: Apache-2.0
/// The ledgers of a venue in the core: the book that they come to, what they say of asks, and what
/// is wrong with them (docs/protocol.md section 32).
struct Ledgers: Sendable {
    private var running = RunningBook()
    /// How far each ledger was read for what stands beside the book.
    private var read: [PeerKey: Int] = [:]
    /// The places in the queue that ledgers noted for asks that wait still.
    private(set) var waiting: [Bytes32: Int] = [:]
    /// What was paid for bookings, in minor units.
    private(set) var paid: [Token: Int] = [:]
    /// What became of bookings at the counter.
    private(set) var visits: [Token: DeskNote.Visit] = [:]
    /// Whether the logs have more than was read.
    private(set) var isStale = true
    /// The map's digest by the logs as they were; made where somebody is told.
    private(set) var digest: Bytes32?
    private var told: [LedgerTrouble] = []
    private var hasRead = false
    private let primitives: any Primitives

    /// No ledger is read yet.
    init(_ primitives: any Primitives) { self.primitives = primitives }

    /// What the ledgers come to.
    var book: Book { running.book }

    /// How much more can be booked.
    var room: BookRoom { BookRoom(running) }

    /// The ledger that leads: its author is the desk. `nil` while none counts.
    var leading: CountedLedger? { book.ledgers.last { $0.standing == .counts } }

    /// Logs have more that may belong to ledgers, or have forked.
    mutating func becomeStale() {
        isStale = true
        digest = nil
    }

    /// The fold of contracts changed, and with it who holds what.
    mutating func forgetDigest() { digest = nil }

    /// Makes the digest of the map, if it is not as the logs are.
    mutating func refresh(_ logs: LogSet) {
        guard digest == nil else { return }
        digest = BookFold.fold(logs, book).digest(primitives)
    }

    /// Reads what is new. Tells people of each thing that is wrong once; of void grants and false
    /// lots that were known before a start no more.
    mutating func follow(_ logs: LogSet, _ effects: inout Effects) -> LedgerNews {
        isStale = false
        var news = LedgerNews(isAnew: running.follow(logs))
        if news.isAnew {
            read = [:]
            waiting = [:]
            paid = [:]
            visits = [:]
        }
        for ledger in book.ledgers where ledger.seq > 0 {
            let done = read[ledger.author] ?? 0
            read[ledger.author] = ledger.seq
            guard done < ledger.seq, let log = logs.log(of: ledger.author) else { continue }
            for entry in log.entries[done..<ledger.seq] { take(entry, into: &news) }
        }
        for one in news.settled { waiting[one.ask] = nil }
        news.desk = leading?.author
        tell(logs, &effects)
        hasRead = true
        effects.notices.append(.book)
        return news
    }

    /// What an entry says beside the book. A grant that mints nothing settles nothing.
    private mutating func take(_ entry: Entry, into news: inout LedgerNews) {
        switch entry.ledger {
        case .grant(let grant):
            guard let ask = grant.ask, let mint = book.mint(entry.id.token) else { break }
            news.settled.append(SettledAsk(ask: ask, token: mint.token, isGrant: true))
        case .close(let close):
            guard let ask = close.ask else { break }
            news.settled.append(
                SettledAsk(ask: ask.id(primitives), token: close.token, isGrant: false))
        case .note(.member(_, _, let key?)): news.members.append(key)
        case .note(.waiting(let ask, let place)): waiting[ask] = place
        case .note(.paid(let token, let amount, _)):
            paid[token] = min((paid[token] ?? 0) + amount, Limits.money)
        case .note(.visit(let token, let visit)): visits[token] = visit
        case .note(.member(_, _, nil)), .note(.lot), .note(.lotOpens), .charter, nil: break
        }
    }

    /// What earlier desks wrote that does not count.
    func lost(_ logs: LogSet) -> [LostGrant] { LostGrant.all(in: logs, book.ledgers) }

    // MARK: What is wrong

    private mutating func tell(_ logs: LogSet, _ effects: inout Effects) {
        for trouble in troubles(logs) where !told.contains(trouble) {
            guard told.count < Limits.violations else { return }
            told.append(trouble)
            if hasRead || trouble.isGrave { effects.notices.append(.trouble(.ledger(trouble))) }
        }
    }

    /// All that is wrong with the ledgers.
    func troubles(_ logs: LogSet) -> [LedgerTrouble] {
        var found: [LedgerTrouble] = []
        for ledger in book.ledgers where ledger.standing == .rival {
            let lead = book.ledgers.first { $0.epoch == ledger.epoch && $0.standing != .rival }
            guard let lead else { continue }
            found.append(
                .twoDesks(counts: lead.author, rival: ledger.author, epoch: ledger.epoch))
        }
        for ledger in book.ledgers {
            guard let fork = logs.log(of: ledger.author)?.fork else { continue }
            found.append(.forked(ledger.author, from: fork))
        }
        let lost = lost(logs)
        for ledger in book.ledgers where lost.contains(where: { $0.desk == ledger.author }) {
            found.append(.lost(ledger.author, from: ledger.seq + 1))
        }
        found += book.voids.suffix(Limits.violations).map { .void($0.id) }
        found += book.falseLots.suffix(Limits.violations).map { .falseLot($0) }
        return found
    }
}

/// What ledgers say that was not read before.
struct LedgerNews: Sendable {
    /// What was read before means nothing: another ledger counts, or one forked.
    var isAnew: Bool
    /// Who is the desk now.
    var desk: PeerKey?
    /// Asks that are over.
    var settled: [SettledAsk] = []
    /// Keys that a member note names.
    var members: [PeerKey] = []
}

/// An ask that a ledger has granted, or that gave a booking back which is closed.
struct SettledAsk: Hashable, Sendable {
    let ask: Bytes32
    /// The booking that was made, or that has ended.
    let token: Token
    let isGrant: Bool
}

/// What is wrong with the ledgers of a venue, as all who have them see it.
public enum LedgerTrouble: Hashable, Sendable {
    /// Two desks of one epoch write ledgers, of which one counts.
    case twoDesks(counts: PeerKey, rival: PeerKey, epoch: Int)
    /// A desk signed two ledgers: what it says from there on does not count.
    case forked(PeerKey, from: Int)
    /// An earlier desk wrote more than the one after it knew: what it granted from there on does
    /// not count.
    case lost(PeerKey, from: Int)
    /// That grant breaks a rule of the desk's own and mints nothing.
    case void(EntryID)
    /// That lot was not drawn by the bytes that were announced.
    case falseLot(EntryID)
    /// The own log began before it had a charter, so that it is no ledger: this desk needs another
    /// key.
    case begunWithout

    /// Whether it stays true and important whenever the program starts.
    var isGrave: Bool {
        switch self {
        case .twoDesks, .forked, .lost, .begunWithout: true
        case .void, .falseLot: false
        }
    }
}
