// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What goes wrong in a venue.
extension DeskWorld {
    /// One of the faults of this seed happens, if there is occasion.
    mutating func strike() throws {
        guard let fault = profile.faults.randomElement(using: &random) else { return }
        let who = below(profile.members + 1)
        totals.faults[fault.rawValue] += 1
        switch fault {
        case .loss: world.snap(any: &random)
        case .slow: slowUntil = world.now.instant + .milliseconds(Int64(below(6000)))
        case .partition: part()
        case .crash: kill(who)
        case .death: kill(0)
        case .commitCrash: dieSoon(below(2) == 0 ? 0 : who)
        case .away:
            if world.hosts[0].isUp { note("away: \(want(.away)?.isDone == true)") }
        case .restore: putBack()
        case .rival: try addRival()
        case .fork: fork()
        case .voids: writeVoid()
        case .liar: try lie()
        case .siege: try besiege()
        }
    }

    // MARK: Processes

    private mutating func kill(_ who: Int, for milliseconds: Int = 12_000) {
        guard world.hosts[who].isUp else { return }
        note("\(who) dies")
        world.kill(who)
        down[who] = world.now.instant + .milliseconds(Int64(below(milliseconds)))
    }

    /// It dies at one of its next writes: before it, or after it with or without what it says then.
    private mutating func dieSoon(_ who: Int) {
        let isDone = below(3) > 0
        world.death = World.Death(
            host: who, commit: world.hosts[who].commits + 1 + below(3), afterWrites: isDone,
            sendsLeave: isDone && below(2) == 0)
    }

    /// Those whose time has come start again.
    mutating func revive() {
        for who in world.hosts.indices where !world.hosts[who].isUp {
            guard let time = down[who] else {
                // It died at a write.
                note("\(who) died while it wrote")
                down[who] = world.now.instant + .milliseconds(Int64(below(12_000)))
                continue
            }
            if time <= world.now.instant { restart(who) }
        }
        if below(20) == 0, world.hosts[0].isUp { copy = world.hosts[0].disk }
    }

    mutating func restart(_ who: Int) {
        guard !world.hosts[who].isUp else { return }
        note("\(who) starts")
        down[who] = nil
        // All randomness of a process comes from this, so no two may have the same.
        var more = Mixer(random.next())
        more.add(who)
        world.hosts[who].setup.seed = more.digest
        world.restart(who)
    }

    // MARK: Network

    private mutating func part() {
        guard partedUntil == nil else { return }
        let side = world.hosts.map { _ in below(2) }
        note("parted \(side)")
        part(for: 1 + below(60)) { side[$0] != side[$1] }
    }

    private mutating func part(for seconds: Int, _ isBetween: (Int, Int) -> Bool) {
        var pairs: [[Int]] = []
        for one in world.hosts.indices {
            for other in 0..<one where isBetween(other, one) { pairs.append([other, one]) }
        }
        world.part(pairs, hangs: below(2) == 0)
        partedUntil = world.now.instant + .seconds(Int64(seconds))
    }

    /// Who was parted finds each other again.
    mutating func heal() {
        partedUntil = nil
        note("together")
        world.meet()
    }

    // MARK: The desk's disk

    /// The desk's disk breaks, and an older copy is put in; its program knows.
    private mutating func putBack() {
        guard let copy else { return }
        note("the desk's disk is put back to \(copy.ownSeq) of \(world.hosts[0].disk.ownSeq)")
        takeOut()
        world.hosts[0].disk = copy
        world.hosts[0].setup.isRestored = true
        isDisturbed = true
    }

    private mutating func takeOut() {
        if world.hosts[0].isUp { world.kill(0) }
        books[0] = nil
        down[0] = world.now.instant + .milliseconds(Int64(below(5000)))
    }

    /// The desk comes back from a copy without a word, alone, and writes another page over one that
    /// others know.
    private mutating func fork() {
        guard let copy, !hasForked, copy.ownSeq > 1,
            copy.ownSeq < world.hosts[0].disk.ownSeq, partedUntil == nil
        else { return }
        note("the desk forks from \(copy.ownSeq) of \(world.hosts[0].disk.ownSeq)")
        takeOut()
        world.hosts[0].disk = copy
        world.hosts[0].setup.isRestored = false
        hasForked = true
        if options.sabotage != .forksUnseen { isDisturbed = true }
        part(for: 40) { one, _ in one == 0 }
        restart(0)
        // Its log opens when it has looked for more for a while.
        flow(8000)
        for hour in 15...16 {
            guard let period = try? SmallVenue.period(2, hour, 60) else { return }
            let grant = Grant(
                holder: world.key(1), place: 4, period: period, flags: .override)
            let reply = world.wish(0, .ledger(.append([.grant(grant)])))
            note("it grants: \(reply?.isDone == true)")
        }
    }

    // MARK: Cheats

    private mutating func addRival() throws {
        guard rival == nil else { return }
        rival = world.hosts.count
        isDisturbed = true
        note("a second desk runs")
        try addDesk()
    }

    /// The desk writes a grant that its own rules forbid.
    private mutating func writeVoid() {
        guard world.hosts[0].isUp, let day = try? SmallVenue.period(1, 18, 60) else { return }
        let live = world.hosts[0].node.bookView.bookings.filter { $0.isLive }
        let court = live.first { $0.mint.grant.place == 1 }
        let once = live.first { $0.mint.grant.ask != nil }
        let holder = world.key(1 + below(profile.members))
        var grant = Grant(holder: holder, place: 5, period: day, count: 4, flags: .override)
        switch below(4) {
        case 0: grant.place = 9
        case 1:
            if let court { (grant.place, grant.period) = (1, court.mint.grant.period) }
            grant.count = court == nil ? 4 : 1
        case 2:
            grant.count = once == nil ? 4 : 1
            grant.ask = once?.mint.grant.ask
        default:
            guard let long = try? SmallVenue.period(1, 8, 600) else { return }
            let member = world.hosts[0].node.bookView.member(of: holder)?.number ?? 0
            grant = Grant(holder: holder, member: member, place: 5, period: long)
        }
        let reply = world.wish(0, .ledger(.append([.grant(grant)])))
        guard case .success(.entries(let ids))? = reply else { return }
        note("a void grant for \(holder.shortTag) at \(grant.place)")
        voids += ids.map(\.token)
    }

    /// Somebody who is no desk writes grants and ends bookings, in a log of their own: by their own
    /// program, which does not do it, and then by hand.
    private mutating func lie() throws {
        if liar == nil {
            liar = world.hosts.count
            try addHost()
            return
        }
        guard let liar, world.hosts[liar].isUp else { return }
        let live = world.hosts[liar].node.bookView.bookings.filter(\.isLive)
        guard let period = try? SmallVenue.period(1, 20, 60) else { return }
        var said = LedgerEntry.grant(
            Grant(holder: world.key(liar), place: 2, period: period, flags: .override))
        if !live.isEmpty, below(2) == 0 {
            said = .close(LedgerClose(live[below(live.count)].token, .desk))
        }
        for who in [liar, 1 + below(profile.members)] {
            if case .success? = world.wish(who, .ledger(.append([said]))) {
                fail("members", "\(who) is no desk and wrote into a ledger")
            }
        }
        let own = world.hosts[liar].node.logs.log(of: world.key(liar))?.entries ?? []
        guard let last = own.last else { return }
        let entry = try LedgerVenue.fake.codec.sign(
            .ledger(said), flight: LedgerVenue.fake.gathering, seq: last.seq + 1,
            previous: last.id, by: FakeSigner(UInt8(liar + 1)))
        note("\(liar) writes into a ledger of their own")
        let batch = EntryBatch(kind: .push, entries: (own + [entry]).map(\.bytes))
        let bytes = Message.entries(batch).encode()
        for host in honest {
            guard let link = world.link(from: liar, to: host) else { continue }
            world.feed(host, .received(link, bytes))
        }
    }
}
