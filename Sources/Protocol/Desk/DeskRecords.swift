// SPDX-License-Identifier: Apache-2.0
/// What a ledger says that no rule of the book looks at, and where its live bookings are: by day,
/// and by whose they are. A pure function of the lines that were read and when each was first seen,
/// so a desk that starts again has the same (docs/protocol.md section 33).
struct DeskRecords: Sendable {
    typealias Who = BookAccount.Who

    /// How many entries somebody caused.
    struct Count: Hashable, Sendable {
        /// The day of the last one, by the venue's clocks.
        var day = 0
        /// On that day.
        var today = 0
        var total = 0
    }

    /// The charter that was read last.
    private(set) var charter: Charter?
    /// When each live booking was granted; one that replaces another, when that one was, unless it
    /// is somebody else's now who has to pay for it for the first time.
    private(set) var granted: [Token: UTCTime] = [:]
    /// Since when somebody has to pay for a live booking, or for one that it replaces.
    private var owed: [Token: UTCTime] = [:]
    /// What was paid for a booking, in minor units.
    private(set) var paid: [Token: Int] = [:]
    /// What was paid for the bookings that one replaces, or takes the place of after a stranded
    /// swap, where something was.
    private var carried: [Token: Int] = [:]
    /// The last bookings that were closed because their swap got stranded and are not granted again
    /// yet, and on which day.
    private var stranded: [(mint: Mint, day: Int)] = []
    /// Bookings for which somebody came.
    private(set) var visited: Set<Token> = []
    /// Asks that were granted, or that a close carries.
    private(set) var settled: Set<Bytes32> = []
    /// Asks that were noted as waiting, and their order, without those that were settled since.
    private(set) var waiting: [Bytes32: Int] = [:]
    private var notes = 0
    /// By who caused entries. Waiting places are not in it: a note does not say whose ask it is.
    private(set) var counts: [Who: Count] = [:]

    /// Live bookings by the days of which they take a minute, turnover included.
    private var byDay: [Int: Set<Token>] = [:]
    /// Live bookings by whose quota they are in.
    private var byAccount: [Who: Set<Token>] = [:]
    /// How many bookings somebody has at each minute.
    private var beside: [Who: UnitLoad] = [:]

    // MARK: Reading

    /// Reads a line that `book` has read just now.
    mutating func read(
        _ line: BookLine, _ book: Book, seen: UTCTime, day: Int, primitives: any Primitives
    ) {
        switch line.said {
        case .charter(let charter): self.charter = charter
        case .grant(let grant):
            read(grant, line.id.token, book, seen: seen, day: day)
        case .close(let close):
            guard let mint = book.mint(close.token), mint.end?.by == line.id else { return }
            end(mint, book)
            if close.reason == .stranded { strand(mint, on: day) }
            guard let ask = close.ask else { return }
            settle(ask.id(primitives))
            count(Self.who(ask.author, book), on: day)
        case .note(.waiting(let ask, _)):
            guard !settled.contains(ask), waiting[ask] == nil else { return }
            waiting[ask] = notes
            notes += 1
        case .note(.paid(let token, let amount, _)):
            paid[token] = min(paid[token, default: 0] + amount, Self.mostMoney)
        case .note(.visit(let token, _)): visited.insert(token)
        case .note(.member), .note(.lot), .note(.lotOpens): break
        }
    }

    private mutating func read(
        _ grant: Grant, _ token: Token, _ book: Book, seen: UTCTime, day: Int
    ) {
        // A void grant is nothing.
        guard let mint = book.mint(token) else { return }
        let who = book.load(of: mint).account.who
        // Who is given what cost nobody anything before has time to pay for it.
        let paying = grant.replaces.compactMap { owed[$0] }.min()
        let own = grant.replaces.compactMap(book.mint)
            .filter { book.load(of: $0).account.who == who }.compactMap { granted[$0.token] }.min()
        let since = paying.map { min($0, own ?? $0) } ?? own ?? seen
        if paying != nil || grant.due != nil { owed[token] = paying ?? since }
        for old in grant.replaces.compactMap(book.mint) { end(old, book) }
        let closed = placeOfStranded(grant, on: day).map { stranded.remove(at: $0).mint.token }
        let paidFor = grant.replaces + (closed.map { [$0] } ?? [])
        let money = paidFor.reduce(0) { $0 + self.money(for: $1) }
        if money > 0 { carried[token] = min(money, Self.mostMoney) }
        granted[token] = since
        let load = book.load(of: mint)
        for day in Self.days(load.span) { byDay[day, default: []].insert(token) }
        byAccount[load.account.who, default: []].insert(token)
        beside[load.account.who, default: UnitLoad()].add(grant.count, in: Self.span(grant))
        guard let ask = grant.ask else { return }
        settle(ask)
        // Who gives a booking away causes the entry, not who gets it; who moves one, also one that
        // they got by a swap, causes it themselves.
        let old = grant.replaces.first.flatMap(book.mint)
        let isGiven = old?.grant.place == grant.place && old?.grant.period == grant.period
        let cause = isGiven ? old ?? mint : mint
        count(book.load(of: cause).account.who, on: day)
    }

    private mutating func strand(_ mint: Mint, on day: Int) {
        if stranded.count == Limits.replaced { stranded.removeFirst() }
        stranded.append((mint, day))
    }

    /// The last closed booking of a stranded swap that a grant takes the place of: one that nobody
    /// asked for, on the day of the close.
    private func placeOfStranded(_ grant: Grant, on day: Int) -> Int? {
        guard grant.ask == nil, grant.replaces.isEmpty, !grant.flags.contains(.blocked) else {
            return nil
        }
        return stranded.lastIndex { old in
            old.day == day && old.mint.grant.place == grant.place
                && old.mint.grant.period == grant.period && old.mint.grant.count == grant.count
        }
    }

    private mutating func end(_ mint: Mint, _ book: Book) {
        guard granted.removeValue(forKey: mint.token) != nil else { return }
        owed[mint.token] = nil
        let load = book.load(of: mint)
        for day in Self.days(load.span) {
            byDay[day]?.remove(mint.token)
            if byDay[day]?.isEmpty == true { byDay[day] = nil }
        }
        byAccount[load.account.who]?.remove(mint.token)
        beside[load.account.who]?.add(-mint.grant.count, in: Self.span(mint.grant))
    }

    private mutating func settle(_ ask: Bytes32) {
        settled.insert(ask)
        waiting[ask] = nil
    }

    private mutating func count(_ who: Who, on day: Int) {
        var count = counts[who] ?? Count()
        count.today = count.day == day ? count.today + 1 : 1
        count.day = day
        count.total += 1
        counts[who] = count
    }

    // MARK: Asking

    /// What was paid for a booking and for those that it replaced.
    func money(for token: Token) -> Int { (paid[token] ?? 0) + (carried[token] ?? 0) }

    /// What was paid for the booking of a stranded swap that a grant would take the place of on a
    /// day.
    func moneyOfStranded(for grant: Grant, on day: Int) -> Int {
        placeOfStranded(grant, on: day).map { money(for: stranded[$0].mint.token) } ?? 0
    }

    /// More than any booking costs; sums of it stay numbers.
    private static let mostMoney = 1 << 48

    /// Who somebody is in the quotas: a member by number, or a key without one.
    static func who(_ key: PeerKey, _ book: Book) -> Who {
        let number = book.member(of: key)
        return number > 0 ? .member(number) : .key(key)
    }

    /// Entries that somebody caused on a day, and in all.
    func caused(by who: Who, on day: Int) -> (today: Int, total: Int) {
        let count = counts[who] ?? Count()
        return (count.day == day ? count.today : 0, count.total)
    }

    /// Live bookings that count as somebody's, sorted.
    func live(of who: Who) -> [Token] { (byAccount[who] ?? []).sorted() }

    /// All live bookings, sorted.
    var live: [Token] { granted.keys.sorted() }

    /// Live bookings that take a minute of one of these units in `span`, sorted.
    func live(in span: Range<Int>, of units: [Int], _ book: Book) -> [Token] {
        var found: Set<Token> = []
        for day in Self.days(span) {
            for token in byDay[day] ?? [] {
                guard let mint = book.mint(token) else { continue }
                let load = book.load(of: mint)
                if load.span.overlaps(span), load.uses.contains(where: { units.contains($0.unit) })
                {
                    found.insert(token)
                }
            }
        }
        return found.sorted()
    }

    /// How many bookings somebody has at most at one minute of a period, without `replaced`.
    mutating func most(of who: Who, in period: Period, without replaced: [Grant]) -> Int {
        guard var load = beside.removeValue(forKey: who) else { return 0 }
        for grant in replaced { load.add(-grant.count, in: Self.span(grant)) }
        let most = load.peak(in: period.start..<period.end)
        for grant in replaced { load.add(grant.count, in: Self.span(grant)) }
        beside[who] = load
        return most
    }

    private static func span(_ grant: Grant) -> Range<Int> {
        grant.period.start..<grant.period.end
    }

    private static func days(_ span: Range<Int>) -> ClosedRange<Int> {
        span.lowerBound / Limits.minutesOfDay...max(span.upperBound - 1, span.lowerBound)
            / Limits.minutesOfDay
    }
}
