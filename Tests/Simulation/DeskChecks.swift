// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A booking as one agent sees it.
struct DeskLine: Hashable {
    let mint: Mint
    let holder: PeerKey
    let lineage: [ContractID]
}

/// The book of one agent, in its order, as the checks read it.
struct DeskPage {
    let host: Int
    let digest: Bytes32
    var lines: [DeskLine]
    let book: Book

    /// B1, minute by minute and without the sums that the book itself was made with: what is
    /// taken grows only where a booking begins.
    func isOverCapacity(_ rules: BookRules) -> String? {
        let live = lines.filter { $0.mint.end == nil }
        func load(_ line: DeskLine, of unit: Int, at minute: Int) -> Int {
            let grant = line.mint.grant
            guard let place = rules.place(grant.place), grant.period.start <= minute,
                minute < grant.period.end + place.turnover
            else { return 0 }
            return place.uses.filter { $0.unit == unit }.reduce(0) { $0 + $1.amount * grant.count }
        }
        for line in live {
            let start = line.mint.grant.period.start
            for unit in rules.units {
                let taken = live.reduce(0) { $0 + load($1, of: unit.number, at: start) }
                if taken > unit.capacity {
                    return "host \(host): \(taken) of unit \(unit.number) at \(start)"
                }
            }
        }
        return nil
    }

    /// An ask that two live bookings answer.
    var doubled: Bytes32? {
        let asks = lines.filter { $0.mint.end == nil }.compactMap(\.mint.grant.ask).sorted()
        return zip(asks, asks.dropFirst()).first { $0 == $1 }?.0
    }
}

/// What must hold while a venue lives.
extension DeskWorld {
    /// What a host has, and what is made wrong of it for a test.
    func page(_ host: Int) -> DeskPage {
        let node = world.hosts[host].node
        let book = node.bookView.book
        var lines = book.mints.map { mint in
            let tenure = node.fold.venue?.booking(mint.token)
            return DeskLine(
                mint: mint, holder: tenure?.holder ?? mint.grant.holder,
                lineage: tenure?.lineage ?? [])
        }
        if host == 1, options.sabotage == .lacksOne { _ = lines.popLast() }
        if host == 1, options.sabotage == .countsTwice,
            let court = lines.first(where: { $0.mint.grant.place == 1 && $0.mint.end == nil })
        {
            lines.append(court)
        }
        return DeskPage(host: host, digest: node.mapDigest, lines: lines, book: book)
    }

    /// Looks at every honest agent that runs.
    mutating func look() {
        for host in honest where world.hosts[host].isUp {
            let book = world.hosts[host].node.bookView.book
            mixer.add(book.mints.count)
            mixer.add(world.hosts[host].commits)
            if let old = books[host] {
                if old == book { continue }
                compare(old, book, of: host)
            }
            books[host] = book
            remember(book)
            check(page(host))
        }
    }

    private mutating func remember(_ book: Book) {
        for mint in book.mints where seenTokens.insert(mint.token).inserted { seen.append(mint) }
    }

    /// B1, B2, and that nothing void or of a member's is in the book.
    mutating func check(_ page: DeskPage) {
        totals.checks += 1
        if let rules = page.book.rules.last, let text = page.isOverCapacity(rules) {
            fail("B1", text)
        }
        if let broken = BookInvariants.violations(of: page.book).first {
            fail(
                broken.rule == .quota ? "B2" : "B1",
                "host \(page.host): \(broken.token.raw.hex.prefix(6))")
        }
        if let ask = page.doubled {
            fail("doubled", "host \(page.host): ask \(ask.hex.prefix(6)) has two bookings")
        }
        for line in page.lines where voids.contains(line.mint.token) {
            fail("void", "host \(page.host): \(line.mint.token.raw.hex.prefix(6)) is minted")
        }
        let desks = [0, rival].compactMap { $0 }.map(world.key)
        if let other = page.book.ledgers.first(where: { !desks.contains($0.author) }) {
            fail("members", "host \(page.host): \(other.author.shortTag) has a ledger")
        }
    }

    /// B4: what a ledger had decided stays so when it is longer.
    private mutating func compare(_ old: Book, _ new: Book, of host: Int) {
        let before = old.ledgers.filter { $0.seq > 0 }
        let after = new.ledgers.filter { $0.seq > 0 }
        guard before.count == 1, after.count == 1, before[0].author == after[0].author else {
            if !before.isEmpty, !isDisturbed { fail("B4", "host \(host): another ledger counts") }
            return
        }
        guard before[0].seq <= after[0].seq else {
            if !isDisturbed {
                fail("B4", "host \(host): \(after[0].seq) pages after \(before[0].seq)")
            }
            return
        }
        if let broken = BookInvariants.violations(from: old, to: new).first {
            fail("B4", "host \(host): \(broken.token.raw.hex.prefix(6)) is another")
        }
    }

    /// B3: agents with equal logs have equal books. Returns the logs of each.
    mutating func compareAll() -> [[UInt8]] {
        let up = honest.filter { world.hosts[$0].isUp }
        let bundles = up.map { Bundle.bytes(world.hosts[$0].node.logs) }
        let pages = up.map(page)
        for one in up.indices {
            for other in 0..<one where bundles[one] == bundles[other] {
                guard
                    pages[one].lines != pages[other].lines
                        || pages[one].digest != pages[other].digest
                        || pages[one].book != pages[other].book
                else { continue }
                fail("B3", "hosts \(up[other]) and \(up[one]) have the same logs")
            }
        }
        return bundles
    }
}
