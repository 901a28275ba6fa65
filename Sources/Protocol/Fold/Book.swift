// SPDX-License-Identifier: Apache-2.0
/// What the ledgers of a venue come to: who has which place when (docs/protocol.md section 32).
///
/// A pure function of a set of logs. It is read once, entry by entry, so a longer ledger never
/// changes what was decided before.
package struct Book: Hashable, Sendable {
    /// Every ledger that is known, by epoch, then key, and how far it counts.
    package internal(set) var ledgers: [CountedLedger] = []
    /// All charters' rules, in the order in which they came into force.
    package private(set) var rules: [BookRules] = []
    /// Every booking, ended ones too, in the order of the book.
    package private(set) var mints: [Mint] = []
    /// Grants that mint nothing, in the order of the book.
    package private(set) var voids: [VoidGrant] = []
    /// Lots that were not drawn by the bytes announced for them, in the order of the book: misdeeds
    /// of a desk.
    package private(set) var falseLots: [EntryID] = []

    /// The class of each member with a note.
    private var classes: [Int: Int] = [:]
    /// The member of each key that a note names.
    private var numbers: [PeerKey: Int] = [:]
    /// Where in ``mints`` a token is.
    private var places: [Token: Int] = [:]
    /// Asks that were granted.
    private var granted: Set<Bytes32> = []
    /// What the next lot of the ledger that is read will be drawn by.
    private var openLot: Bytes32?

    /// A book in which nothing stands.
    package init() {}

    /// The booking of a token; `nil` if no grant minted it. O(1).
    package func mint(_ token: Token) -> Mint? { places[token].map { mints[$0] } }

    /// The number of the member whose key this is; 0 for a key without a note.
    package func member(of key: PeerKey) -> Int { numbers[key] ?? 0 }

    /// Whether an ask was granted. O(1).
    func hasGranted(_ ask: Bytes32) -> Bool { granted.contains(ask) }

    /// The class of a member as noted; `nil` for one without a note.
    package func memberClass(_ number: Int) -> Int? { classes[number] }

    /// The keys of a member, sorted. O(n).
    func keys(of number: Int) -> [PeerKey] {
        numbers.filter { $0.value == number }.keys.sorted()
    }

    /// All members with a note: number, class and keys, sorted.
    package var members: [(number: Int, class: Int, keys: [PeerKey])] {
        let keys = numbers.keys.sorted()
        return classes.keys.sorted().map { number in
            (number, classes[number] ?? 0, keys.filter { numbers[$0] == number })
        }
    }

    // MARK: Reading

    /// Reads the next entry of the book. `sums` knows what the bookings read so far come to.
    mutating func read(_ entry: Entry, _ sums: inout some BookSums) {
        if let line = BookLine(entry) { read(line, &sums) }
    }

    /// The same for what an entry says.
    mutating func read(_ line: BookLine, _ sums: inout some BookSums) {
        switch line.said {
        case .charter(let charter):
            // Another ledger draws its own lots.
            if line.seq == 2 { openLot = nil }
            rules.append(charter.rules)
        case .grant(let grant): read(grant, line, &sums)
        case .close(let close):
            guard let place = places[close.token], mints[place].end == nil else { return }
            end(
                place, BookingEnd(by: line.id, reason: close.reason, spent: close.spent), &sums)
        case .note(let note): read(note, line)
        }
    }

    private mutating func read(_ note: DeskNote, _ line: BookLine) {
        switch note {
        case .member(let number, let klass, let key):
            if classes[number] == nil { classes[number] = klass }
            if let key, numbers[key] == nil { numbers[key] = number }
        case .lotOpens(let hash): openLot = hash
        case .lot(_, let hash):
            if openLot != hash { falseLots.append(line.id) }
            openLot = nil
        case .waiting, .paid, .visit: break
        }
    }

    private mutating func read(_ grant: Grant, _ line: BookLine, _ sums: inout some BookSums) {
        let replaced = grant.replaces.compactMap { places[$0] }
        let mint = Mint(
            token: line.id.token, grant: grant, ledger: line.author, seq: line.seq,
            rules: rules.count - 1, memberClass: classes[grant.member])
        var reason = fault(of: grant)
        if reason == nil {
            for place in replaced { sums.free(load(of: mints[place]), spent: false) }
            reason = fault(of: mint, sums)
            // A void grant ends nothing.
            if reason != nil { for place in replaced { sums.hold(load(of: mints[place])) } }
        }
        if let reason {
            let void = VoidGrant(
                id: line.id, grant: grant, ledger: line.author, seq: line.seq, reason: reason)
            voids.append(void)
            return
        }
        let end = BookingEnd(by: line.id, reason: nil, spent: false)
        for place in replaced { mints[place].end = end }
        sums.hold(load(of: mint))
        if let ask = grant.ask { granted.insert(ask) }
        places[mint.token] = mints.count
        mints.append(mint)
    }

    /// Why a grant is void, whatever else is booked.
    private func fault(of grant: Grant) -> VoidGrant.Reason? {
        guard let rules = rules.last, rules.place(grant.place) != nil else { return .place }
        guard rules.contains(grant.period) else { return .period }
        if let number = numbers[grant.holder], number != grant.member { return .member }
        if let ask = grant.ask, granted.contains(ask) { return .asked }
        for token in grant.replaces {
            guard let place = places[token], mints[place].end == nil else { return .replaced }
        }
        return nil
    }

    /// All reasons for which a grant would be void as the next entry, in their order: the first
    /// one is told. One that is void whatever is booked is not weighed beside what is.
    func faults(of grant: Grant, _ sums: inout some BookSums) -> [VoidGrant.Reason] {
        if let reason = fault(of: grant) { return [reason] }
        let replaced = grant.replaces.compactMap { places[$0] }
        for place in replaced { sums.free(load(of: mints[place]), spent: false) }
        defer { for place in replaced { sums.hold(load(of: mints[place])) } }
        let mint = Mint(
            token: Token(.zero), grant: grant, ledger: grant.holder, seq: 0,
            rules: rules.count - 1, memberClass: classes[grant.member])
        let load = load(of: mint)
        return (isFull(mint, load, sums) ? [.full] : [])
            + (isOverQuota(mint, load, sums) ? [.quota] : [])
    }

    /// Why a grant does not fit beside what is booked.
    private func fault(of mint: Mint, _ sums: some BookSums) -> VoidGrant.Reason? {
        let load = load(of: mint)
        if isFull(mint, load, sums) { return .full }
        return isOverQuota(mint, load, sums) ? .quota : nil
    }

    private func isFull(_ mint: Mint, _ load: BookLoad, _ sums: some BookSums) -> Bool {
        let rules = rules[mint.rules]
        return load.uses.contains { use in
            let peak = sums.peak(of: use.unit, in: load.span)
            return peak + use.amount > rules.capacity(of: use.unit)
        }
    }

    private func isOverQuota(_ mint: Mint, _ load: BookLoad, _ sums: some BookSums) -> Bool {
        guard mint.grant.flags.isEmpty else { return false }
        return quotas(for: mint).contains { quota in
            guard quota.group == nil || quota.group == load.group else { return false }
            let total = sums.total(of: load.account, group: quota.group)
            return quota.minutes > 0 && total.minutes + load.minutes > quota.minutes
                || quota.bookings > 0 && total.bookings + load.bookings > quota.bookings
        }
    }

    private mutating func end(_ place: Int, _ end: BookingEnd, _ sums: inout some BookSums) {
        sums.free(load(of: mints[place]), spent: end.spent)
        mints[place].end = end
    }

    // MARK: What a booking takes

    /// The quotas that a booking had to keep.
    func quotas(for mint: Mint) -> [BookRules.Quota] {
        rules[mint.rules].quotas(of: mint.memberClass ?? Int.max)
    }

    /// What a booking takes of units and quotas, by the rules under which it was minted.
    func load(of mint: Mint) -> BookLoad {
        let grant = mint.grant
        let place = rules[mint.rules].place(grant.place)
        let uses = (place?.uses ?? []).map {
            BookRules.Use(unit: $0.unit, amount: $0.amount * grant.count)
        }
        let who: BookAccount.Who = grant.member > 0 ? .member(grant.member) : .key(grant.holder)
        return BookLoad(
            token: mint.token, uses: uses,
            span: grant.period.start..<grant.period.end + (place?.turnover ?? 0),
            account: BookAccount(who: who, day: grant.period.day), group: place?.group ?? 0,
            minutes: grant.period.minutes * grant.count, bookings: grant.count)
    }
}

/// What an entry of a ledger says, and which one it is.
struct BookLine: Hashable, Sendable {
    let said: LedgerEntry
    let id: EntryID
    let author: PeerKey
    let seq: Int
}

extension BookLine {
    /// The line of an entry; `nil` for one that no ledger has.
    init?(_ entry: Entry) {
        guard let said = entry.ledger else { return nil }
        self.init(said: said, id: entry.id, author: entry.author, seq: entry.seq)
    }
}

/// A booking that a ledger minted: the right to a place for a period.
package struct Mint: Hashable, Sendable {
    /// The id of the grant.
    package let token: Token
    /// What was granted, and to whom at first.
    package let grant: Grant
    /// Which ledger.
    package let ledger: PeerKey
    /// Where in it.
    package let seq: Int
    /// The rules under which it was minted, an index of ``Book/rules``.
    package let rules: Int
    /// The class of the member as noted before; `nil` without a note.
    package let memberClass: Int?
    /// How it ended; `nil` while it is live.
    package internal(set) var end: BookingEnd?

    /// The tenure of its first holder.
    package var slot: Slot { Slot(token: token, producer: Producer(claim: token)) }
}

/// How a booking ended.
package struct BookingEnd: Hashable, Sendable {
    /// The entry that ended it: a close, or a grant that takes its place.
    package let by: EntryID
    /// Why; `nil` where a grant takes its place.
    package let reason: LedgerClose.Reason?
    /// Whether it still counts in its member's quota.
    package let spent: Bool
}

/// A grant that mints nothing: the desk broke a rule of its own.
package struct VoidGrant: Hashable, Sendable {
    /// The first rule that it breaks.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The place is not in the rules.
        case place
        /// The period is not in the volume.
        case period
        /// The holder has another number.
        case member
        /// The ask was granted before.
        case asked
        /// What it takes the place of is not live.
        case replaced
        /// A unit would be over its capacity.
        case full
        /// The member would be over a quota.
        case quota
    }

    /// The id of the entry.
    package let id: EntryID
    /// What it would grant.
    package let grant: Grant
    /// Which ledger.
    package let ledger: PeerKey
    /// Where in it.
    package let seq: Int
    /// The rule.
    package let reason: Reason
}
