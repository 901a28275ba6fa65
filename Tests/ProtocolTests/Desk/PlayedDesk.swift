// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// A desk with a disk and a clock: events go in, its entries go into its log, and what became of
/// each ask is remembered.
struct PlayedDesk {
    /// What became of an ask.
    enum Fate: Hashable {
        case granted(Token)
        case closed(Token)
        case waits(Int)
        case refused(DeskReason)
    }

    /// What one event leaves on the disk, in one transaction.
    struct Disk {
        var logs = LogSet()
        var seen: [EntryID: UTCTime] = [:]
        var answers: [DeskAnswer] = []
        var words: [DeskAsk] = []
    }

    let venue = LedgerVenue.fake
    let signer: any Signer
    var policy: DeskPolicy
    var clock: VenueClock
    private(set) var desk: VenueDesk
    /// What is on the disk.
    private(set) var disk = Disk()
    private(set) var now: Moment
    private(set) var fates: [Bytes32: Fate] = [:]
    private(set) var notices: [DeskNotice] = []
    /// People whose stay the desk wants to hear again.
    private(set) var wantsStays: [PeerKey] = []
    private(set) var replies: [Result<DeskReply, DeskRefusal>] = []
    /// Transactions so far.
    private(set) var commits = 0
    /// Entries of the last event.
    private(set) var last: [Entry] = []
    private var random = SeededRandom(seed: 4)

    /// A desk that has been open for a while, at eight on the first day.
    init(
        _ rules: BookRules? = nil, _ policy: DeskPolicy? = nil, clock: VenueClock? = nil,
        change: (inout DeskPolicy) -> Void = { _ in }
    ) throws {
        try self.init(closed: rules, policy, clock: clock, change: change)
        open()
        pass(minutes: 2)
    }

    /// The same desk before anybody is linked or its log is open.
    init(
        closed rules: BookRules?, _ policy: DeskPolicy? = nil, clock: VenueClock? = nil,
        change: (inout DeskPolicy) -> Void = { _ in }
    ) throws {
        signer = FakeSigner(1)
        var policy = try policy ?? DeskHall.policy()
        change(&policy)
        self.policy = policy
        let clock = try clock ?? DeskHall.clock()
        self.clock = clock
        now = Moment(instant: .zero, utc: clock.time(of: 1440 * DeskHall.first + 8 * 60))
        let ledger = try MadeUpLedger(signer, rules: try rules ?? DeskHall.rules(), in: venue)
        for entry in ledger.entries { disk.seen[entry.id] = now.utc }
        disk.logs = venue.logs(ledger)
        desk = Self.desk(disk, signer.key, policy, clock, now)
    }

    /// A desk that has been open for a while, with its members.
    static func hall(
        quotas: Bool = true, change: (inout DeskPolicy) -> Void = { _ in }
    ) throws -> PlayedDesk {
        var played = try PlayedDesk(try DeskHall.rules(quotas: quotas), change: change)
        played.admit()
        return played
    }

    private static func desk(
        _ disk: Disk, _ key: PeerKey, _ policy: DeskPolicy, _ clock: VenueClock, _ now: Moment,
        isRestored: Bool = false
    ) -> VenueDesk {
        let venue = LedgerVenue.fake
        let seen = disk.seen
        return VenueDesk(
            DeskSetup(gathering: venue.gathering, key: key, codec: venue.codec), policy: policy,
            clock: clock,
            start: DeskStart(
                logs: disk.logs, seen: { seen[$0] }, answers: disk.answers,
                words: disk.words, isRestored: isRestored), at: now)
    }

    // MARK: Events

    /// Takes an event in, and writes what comes of it. One that `dies` is lost with all that it
    /// would have written.
    @discardableResult
    mutating func send(_ event: DeskEvent, dies: Bool = false) -> DeskEffects {
        let effects = desk.handle(event, at: now)
        guard !dies else { return effects }
        last = []
        for said in effects.appends {
            do throws(EntryFault) {
                let entry = try disk.logs.appendOwn(
                    .ledger(said), flight: venue.gathering, signer: signer, codec: venue.codec)
                disk.seen[entry.id] = now.utc
                desk.wrote(entry)
                last.append(entry)
            } catch {
                break
            }
        }
        commits += effects.appends.isEmpty ? 0 : 1
        disk.answers += effects.answers
        disk.words += effects.words
        disk.words.removeAll { effects.wordsOver.contains($0.id) }
        notices += effects.notices
        wantsStays += effects.wantsStays
        replies += effects.replies.map(\.result)
        remember(effects)
        if effects.needsLogs { sendLogs() }
        return effects
    }

    /// The desk reads its logs anew.
    mutating func sendLogs() {
        let seen = disk.seen
        send(.logs(disk.logs, seen: { seen[$0] }))
    }

    /// Entries of others come, or of the desk's key from elsewhere.
    mutating func learn(_ entries: [Entry]) {
        for entry in entries {
            _ = disk.logs.insert(entry.bytes, flight: venue.gathering, codec: venue.codec)
        }
        sendLogs()
    }

    /// The desk says something that is nothing of the ledger.
    mutating func chat(_ text: String) throws {
        let entry = try disk.logs.appendOwn(
            .chat(text: text, replyTo: nil, time: now.utc), flight: venue.gathering,
            signer: signer, codec: venue.codec)
        disk.seen[entry.id] = now.utc
        desk.wrote(entry)
    }

    private mutating func remember(_ effects: DeskEffects) {
        for entry in last {
            switch entry.ledger {
            case .grant(let grant):
                if let ask = grant.ask { fates[ask] = .granted(entry.id.token) }
            case .close(let close):
                if let ask = close.ask { fates[ask.id(venue.primitives)] = .closed(close.token) }
            case .note(.waiting(let ask, let place)): fates[ask] = .waits(place)
            case .charter, .note, nil: break
            }
        }
        for answer in effects.answers {
            fates[answer.ask] =
                answer.waiting > 0 ? .waits(answer.waiting) : .refused(answer.reason)
        }
    }

    /// The program ends and starts again with its disk; nobody is linked yet.
    mutating func restart(isRestored: Bool = false) {
        desk = Self.desk(disk, signer.key, policy, clock, now, isRestored: isRestored)
    }

    /// The log opens, and somebody is linked.
    mutating func open() {
        send(.gate(isOpen: true, random: bytes()))
        send(.linked(true, random: bytes()))
    }

    /// 16 random bytes.
    mutating func bytes() -> ThreadID { ThreadID(random: &random) }

    /// Time goes by, with a tick whenever the desk wants one.
    mutating func pass(minutes: Int = 0, seconds: Int = 0) {
        let end = now.utc.seconds + Int64(60 * minutes + seconds)
        while now.utc.seconds < end {
            let left = end - now.utc.seconds
            var step = left
            if let due = desk.nextDeadline {
                let wait = (due - now.instant).nanoseconds
                step = min(max((wait + 999_999_999) / 1_000_000_000, 1), left)
            }
            now = Moment(
                instant: now.instant + .seconds(step),
                utc: UTCTime(seconds: now.utc.seconds + step))
            send(.tick)
        }
    }

    /// Time goes by, and nobody calls the desk.
    mutating func sleep(seconds: Int) {
        now = Moment(
            instant: now.instant + .seconds(Int64(seconds)),
            utc: UTCTime(seconds: now.utc.seconds + Int64(seconds)))
    }

    /// Time goes by up to a minute of a day, counted from the first one.
    mutating func pass(to day: Int, _ hour: Int, _ minute: Int = 0) {
        let time = clock.time(of: 1440 * (DeskHall.first + day) + 60 * hour + minute)
        pass(seconds: Int(time.seconds - now.utc.seconds))
    }

    /// The people at the desk want something.
    @discardableResult
    mutating func want(_ intent: DeskIntent) -> Result<DeskReply, DeskRefusal>? {
        send(.intent(intent, token: replies.count))
        return replies.last
    }

    // MARK: Asking

    /// Somebody's ask.
    func ask(
        _ who: any Signer, _ wish: BookingAsk.Wish, _ nonce: UInt64, lasts minutes: Int = 50_000
    ) -> DeskAsk? {
        let ask = BookingAsk(
            nonce: nonce, until: now.utc.adding(minutes: minutes), wish: wish)
        return VenueStatement(ask, gathering: venue.gathering, by: who).flatMap {
            DeskAsk($0, id: $0.id(venue.primitives))
        }
    }

    /// Somebody asks; what became of it at once.
    @discardableResult
    mutating func ask(_ who: any Signer, _ wish: BookingAsk.Wish) -> Fate? {
        guard let ask = ask(who, wish, random.next()) else { return nil }
        send(.asks([ask]))
        return fates[ask.id]
    }

    /// Somebody asks for a place: so many minutes from an hour of a day on.
    @discardableResult
    mutating func book(
        _ who: any Signer, _ place: Int, _ day: Int, _ hour: Int, _ minutes: Int,
        at minute: Int = 0,
        count: Int = 1, waits: Bool = false
    ) -> Fate? {
        DeskHall.period(day, hour, minutes, at: minute).flatMap { period in
            ask(
                who,
                .book(
                    place: place, period: period, count: count, waits: waits, tag: nil, note: ""))
        }
    }

    /// The token of a booking that is granted.
    mutating func booked(
        _ who: any Signer, _ place: Int, _ day: Int, _ hour: Int, _ minutes: Int
    ) -> Token {
        guard case .granted(let token)? = book(who, place, day, hour, minutes) else {
            return Token(.zero)
        }
        return token
    }

    // MARK: Looking

    /// The book of what is on the disk, read in the plain way.
    var whole: Book { Book.whole(of: disk.logs) }

    /// The first tenure of a booking.
    func slot(_ token: Token) -> Slot { Slot(token: token, producer: Producer(claim: token)) }

    /// The entries of the ledger.
    var entries: [Entry] { disk.logs.log(of: signer.key)?.entries ?? [] }

    /// The live bookings that somebody holds at first, in the order of the book.
    func held(by key: PeerKey) -> [Grant] {
        whole.mints.filter { $0.end == nil && $0.grant.holder == key }.map(\.grant)
    }

    /// Why a booking ended; `nil` for one that has not.
    func end(_ token: Token) -> BookingEnd? { whole.mint(token)?.end }
}

extension DeskAsks {
    /// Somebody takes an ask back until then.
    @discardableResult
    mutating func takeBack(
        _ id: Bytes32, by author: FakeSigner, until: UTCTime, isMember: Bool = true,
        nonce: UInt64 = 1
    ) -> Taken? {
        let ask = BookingAsk(nonce: nonce, until: until, wish: .withdraw(id))
        guard
            let statement = VenueStatement(ask, gathering: LedgerVenue.fake.gathering, by: author),
            let word = DeskAsk(statement, id: statement.id(LedgerVenue.fake.primitives))
        else { return nil }
        return takeBack(id, word, until: until, isMember: isMember)
    }
}
