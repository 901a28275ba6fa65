// SPDX-License-Identifier: Apache-2.0
/// The flight's history as this agent saw it, for `log` and the chat: bounded, oldest first; lines
/// of the chat stand in the order in which they were told (``UntoldChat``).
package struct Timeline: Hashable, Sendable {
    /// At most ``Limits/messages``.
    package private(set) var items: [TimelineItem] = []
    private var names: [PeerKey: String] = [:]
    private var firstSeen: [PeerKey: UTCTime] = [:]
    private var claims: [Token: Claim] = [:]
    /// When grants of ledgers were first seen.
    private var grants: [Token: UTCTime] = [:]
    private var wishes: [PeerKey: Wish] = [:]
    private var agents: [PeerKey: String] = [:]
    private var ended: Set<PeerKey> = []
    private var sits: [PeerKey: [Token: Seat]] = [:]
    private var vouched: [PeerKey: [PeerKey: [Seat]]] = [:]
    /// Lines that the next one is said after.
    package private(set) var chatEnds = ChatEnds()
    /// Lines that came and were not told yet.
    private var untold = UntoldChat()

    private struct Claim: Hashable, Sendable {
        let seat: Seat
        let heard: UTCTime
    }

    /// No history.
    package init() {}

    /// The name that a passenger took last; empty when none is known. Hostile text.
    package func name(of key: PeerKey) -> String { names[key] ?? "" }

    /// The program that a passenger says they run. Hostile text.
    package func agent(of key: PeerKey) -> String { agents[key] ?? "" }

    /// When a passenger's first entry was seen here.
    package func firstSeen(_ key: PeerKey) -> UTCTime? { firstSeen[key] }

    /// What a passenger wishes who offers a seat; `nil` if they offer none.
    package func wish(of key: PeerKey) -> Wish? {
        wishes[key].flatMap { $0.offered.isEmpty ? nil : $0 }
    }

    /// The last wish in a passenger's log, also one that offers nothing.
    package func said(by key: PeerKey) -> Wish? { wishes[key] }

    /// What others may ask a passenger for, by their last wish; alike without one.
    package func asks(of key: PeerKey) -> Wish.Asks { wishes[key]?.asks ?? .alike }

    /// What the last wishes of all show of their parties, sorted by key.
    var tags: [(key: PeerKey, tag: ThreadID)] {
        wishes.map { ($0.key, $0.value.tag) }.sorted { $0.key < $1.key }
    }

    /// Whether a passenger closed their log.
    package func hasEnded(_ key: PeerKey) -> Bool { ended.contains(key) }

    /// Seats for which `voucher` vouched that `key` sits there.
    package func vouches(of voucher: PeerKey, for key: PeerKey) -> [Seat] {
        vouched[voucher]?[key] ?? []
    }

    /// Everybody for whom `voucher` vouched, sorted by key, with the seats.
    package func vouches(of voucher: PeerKey) -> [(key: PeerKey, seats: [Seat])] {
        (vouched[voucher] ?? [:]).map { (key: $0.key, seats: $0.value) }.sorted { $0.key < $1.key }
    }

    /// When a claim, or the grant of a booking, was first seen here.
    package func heard(_ token: Token) -> UTCTime? { claims[token]?.heard ?? grants[token] }

    /// How many lines of the chat wait to be told.
    var waitingLines: Int { untold.count }
    /// Whether a line of the chat was ever told here.
    var hasTold: Bool { untold.hasTold }

    /// Tells the lines of the chat that wait, in the order in which they are read.
    package mutating func tell() -> [Notice] { told(untold.tell()) }

    /// The same of those that need not wait.
    mutating func tellCurrent() -> [Notice] { told(untold.tellCurrent()) }

    private mutating func told(_ items: [TimelineItem]) -> [Notice] {
        items.map { item in
            add(item)
            return .chat(item)
        }
    }

    /// Takes in an entry of an earlier run. Lines that came within a second of each other were told
    /// together, as far as can be known, but none waited for long; an own one was told at once.
    package mutating func restore(_ entry: Entry, seen: UTCTime, me: PeerKey) {
        if !untold.joins(seen) { _ = tell() }
        _ = record(entry, seen: seen)
        guard case .chat = entry.body else { return }
        if entry.author == me || untold.count >= Limits.messages { _ = tell() }
    }

    /// Takes one new entry in; gives what is told to people at once. A line of the chat waits for
    /// ``tell()``.
    package mutating func record(_ entry: Entry, seen: UTCTime) -> [Notice] {
        let author = entry.author
        if firstSeen[author] == nil { firstSeen[author] = seen }
        if case .vouch(let key, let seat) = entry.body {
            vouched[author, default: [:]][key, default: []].append(seat)
        }
        if case .chat(let line) = entry.body {
            chatEnds.note(entry.id, after: line.after)
            untold.take(entry, seen: seen, line, standing(of: author))
            return []
        }
        defer { follow(entry) }
        if case .wish(let wish) = entry.body, saysTheSame(wish, as: wishes[author]) {
            wishes[author] = wish
            return []
        }
        guard let what = what(entry, seen: seen) else { return [] }
        var item = TimelineItem(at: seen, author: author, id: entry.id, what: what)
        item.standing = standing(of: author)
        if case .joined(let name) = what { item.standing = Standing(name: name, seats: nil) }
        add(item)
        switch what {
        case .renamed(let name):
            let old = names[author] ?? ""
            names[author] = name
            return old == name ? [] : [.renamed(author, from: old, to: name)]
        case .joined(let name):
            names[author] = name
            return []
        case .offered(let wish):
            wishes[author] = wish
            return [.offer(author, wish)]
        case .ended:
            ended.insert(author)
            return []
        case .claimed, .retracted, .committed, .abandoned, .chat: return []
        }
    }

    /// Whether a wish says what the one before said, and only shows another tag.
    private func saysTheSame(_ wish: Wish, as last: Wish?) -> Bool {
        wish.says(the: last ?? Wish(offered: [], ranks: [], tag: wish.tag))
    }

    private func standing(of author: PeerKey) -> Standing {
        Standing(name: names[author] ?? "", seats: sits[author].map { Set($0.values).sorted() })
    }

    /// Seats of an author as their own log has them: every party logs the certificate of a swap.
    private mutating func follow(_ entry: Entry) {
        let author = entry.author
        switch entry.body {
        case .claim(let seat, _): sits[author, default: [:]][entry.id.token] = seat
        case .retract(let slot): sits[author]?[slot.token] = nil
        case .commit(let commit):
            for leg in commit.contract.legs {
                if leg.from == author { sits[author]?[leg.token] = nil }
                guard leg.to == author, let seat = seat(leg.token, commit) else { continue }
                sits[author, default: [:]][leg.token] = seat
            }
        case .genesis, .profile, .vote, .abandon, .chat, .vouch, .ledger, .end, .wish, .sealed,
            .seated, .hosting,
            .unknown:
            break
        }
    }

    private func seat(_ token: Token, _ commit: Commit) -> Seat? {
        if let claim = claims[token] { return claim.seat }
        for claim in commit.claims where claim.id.token == token {
            if case .claim(let seat, _) = claim.body { return seat }
        }
        return nil
    }

    private mutating func add(_ item: TimelineItem) {
        items.append(item)
        // Dropped in one go, so that a long flight does not shift the array at every line.
        guard items.count > Limits.messages + Limits.messages / 4 else { return }
        items.removeFirst(items.count - Limits.messages)
        untold.keep(items)
    }

    /// A fork cut a log: what stood behind it was never said (docs/protocol.md section 26, A3).
    package mutating func cut(_ log: AuthorLog) {
        let author = log.author
        let left = Set(log.entries.map(\.id))
        let told = items.lazy.filter { $0.author == author }.map(\.id)
        let gone = Set(told).subtracting(left).union(untold.cut(author, to: left))
        items.removeAll { gone.contains($0.id) }
        chatEnds.forget(gone.contains)
        names[author] = nil
        wishes[author] = nil
        ended.remove(author)
        sits[author] = nil
        for entry in log.entries {
            follow(entry)
            switch entry.body {
            case .genesis(let name, _), .profile(let name): names[author] = name
            case .wish(let wish): wishes[author] = wish
            case .end: ended.insert(author)
            case .claim, .retract, .vote, .commit, .abandon, .chat, .vouch, .ledger, .sealed,
                .seated, .hosting,
                .unknown:
                break
            }
        }
    }

    private mutating func what(_ entry: Entry, seen: UTCTime) -> TimelineItem.What? {
        switch entry.body {
        case .genesis(let name, let agent):
            agents[entry.author] = agent
            return .joined(name: name)
        case .profile(let name): return .renamed(name)
        case .claim(let seat, _):
            claims[entry.id.token] = Claim(seat: seat, heard: seen)
            return .claimed(seat)
        case .retract(let slot): return .retracted(claims[slot.token]?.seat)
        case .commit(let commit): return .committed(commit.contract.id)
        case .abandon(let contract, _): return .abandoned(contract)
        case .wish(let wish): return .offered(wish)
        case .end: return .ended
        case .ledger(let said):
            if case .grant = said { grants[entry.id.token] = seen }
            return nil
        case .chat, .vote, .vouch, .sealed, .seated, .hosting, .unknown: return nil
        }
    }
}
