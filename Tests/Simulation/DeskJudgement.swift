// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// The end of a venue's life: everything heals, and then all that was promised has to be so.
extension DeskWorld {
    /// All run, all reach each other, the cheats are gone and the desk is open.
    mutating func recover() {
        note("all is well again")
        world.death = nil
        slowUntil = .zero
        for cheat in [rival, liar].compactMap({ $0 }) + hostile where world.hosts[cheat].isUp {
            world.kill(cheat)
        }
        for host in honest { restart(host) }
        heal()
        // An agent that was put back looks for what others know of it for half a minute at most.
        for _ in 0..<12 {
            flow(5000)
            if options.sabotage != .staysAway { open() } else { want(.away) }
            look()
        }
        partedUntil = nil
        for member in 1...profile.members {
            guard let period = try? SmallVenue.period(2, 8 + member, 60) else { continue }
            ask(
                member,
                .book(place: 3, period: period, count: 1, waits: true, tag: nil, note: ""))
        }
        // Asks are compared once a minute, and swaps end by themselves.
        for _ in 0..<15 {
            flow(10_000)
            look()
        }
    }

    /// Everything that must hold at rest.
    mutating func judge() {
        let bundles = compareAll()
        let isForked = !world.hosts[0].node.logs.proofs.isEmpty
        totals.forks += isForked ? 1 : 0
        if isForked, !isDisturbed { fail("B4", "the ledger forked by itself") }
        if !isForked, bundles.contains(where: { $0 != bundles[0] }) {
            fail("liveness", "the logs are not the same everywhere")
        }
        for host in honest { check(page(host)) }
        if !isDisturbed { judgeGrants() }
        if !isForked { judgeSwaps() }
        judgeAsks(isForked)
        let book = world.hosts[0].node.bookView.book
        totals.mints += book.mints.count
        totals.voids += book.voids.count
        for host in honest { mixer.add(world.hosts[host].node.mapDigest.bytes) }
    }

    /// What anybody saw booked is so for all, as they saw it; who was told has it.
    private mutating func judgeGrants() {
        for host in honest {
            let book = world.hosts[host].node.bookView.book
            for mint in seen where book.mint(mint.token)?.grant != mint.grant {
                fail("lost", "host \(host): \(mint.token.raw.hex.prefix(6)) was booked")
            }
            for case .ask(.granted(let ask, let token)) in world.hosts[host].notices
            where book.mint(token)?.grant.ask != ask {
                fail("lost", "host \(host) was told of \(token.raw.hex.prefix(6))")
            }
        }
    }

    /// All legs of a swap or none, by the tenures and by what people were told; and nobody is left
    /// in doubt.
    private mutating func judgeSwaps() {
        for host in honest {
            let node = world.hosts[host].node
            let page = page(host)
            for state in node.fold.contracts {
                guard let contract = state.contract else { continue }
                let moved = contract.legs.count { leg in
                    page.lines.contains {
                        $0.mint.token == leg.slot.token && $0.lineage.contains(state.id)
                    }
                }
                if host == 0, state.applied { totals.swaps += 1 }
                guard moved != (state.applied ? contract.legs.count : 0) else { continue }
                fail("swap", "host \(host): \(moved) legs of \(state.id.hex.prefix(6))")
            }
            guard !isDisturbed else { continue }
            for record in node.swaps.records {
                let isApplied = node.fold.contract(record.contract.id)?.applied ?? false
                let text = "host \(host), swap \(record.number): \(record.stage)"
                switch record.stage {
                case .committed:
                    if !isApplied { fail("swap", "\(text), and not applied") }
                case .aborted, .declined, .withdrawn, .expired:
                    if isApplied { fail("swap", "\(text), and applied") }
                case .preparing, .prepared, .stranded: fail("liveness", text)
                case .offered, .countered, .invited, .counterSent, .ready, .asking, .requested,
                    .agreed:
                    break
                }
            }
        }
    }

    /// Every ask has its answer, as long as there is a desk that may give one.
    private mutating func judgeAsks(_ isForked: Bool) {
        let state = world.hosts[0].node.deskState
        let isOpen = state == .open || state == .gathering
        if !isOpen, !isDisturbed {
            fail("liveness", "the desk is \(state.map { "\($0)" } ?? "none")")
        }
        guard isOpen, !isForked else { return }
        let granted = Set(world.hosts[0].node.bookView.book.mints.compactMap(\.grant.ask))
        for one in asked where !one.isTakenBack && one.until > world.now.utc {
            let facts = world.hosts[one.host].node.ownAsks.first { $0.id == one.id }
            switch facts?.standing {
            case .asked:
                let desk = world.hosts[0].node
                let isKnown = desk.openAsks.contains { $0.id == one.id }
                let waits = desk.deskRequests.contains { $0.ask.id == one.id }
                fail(
                    "liveness",
                    "host \(one.host): no answer to \(one.id.hex.prefix(6)); the desk "
                        + (isKnown ? "has it" : "lacks it") + (waits ? ", for its people" : ""))
            case .refused: totals.refused += 1
            case .waiting: totals.waiting += 1
            case nil: totals.granted += 1
            }
            if granted.contains(one.id), facts != nil {
                fail("told", "host \(one.host): \(one.id.hex.prefix(6)) is granted, and asked")
            }
        }
    }
}
