// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What goes wrong, by kind: each kind of a seed strikes again and again until everything heals.
extension SimWorld {
    func scheduleFault(_ kind: FaultKind) {
        // Three to six times in a life; cheats are busier.
        let life = profile.seconds * 1000
        let mean = kind == .byzantine ? life / 14 : life / 4
        let pause = Int.random(in: mean / 4...2 * mean, using: &chance)
        agenda.note(
            .then { world in
                guard !world.isHealed, world.failure == nil else { return }
                world.strike(kind)
                world.scheduleFault(kind)
            }, at: now + Int64(pause) * Self.millisecond)
    }

    private func strike(_ kind: FaultKind) {
        let up = hosts.filter(\.isUp)
        guard let host = up.randomElement(using: &chance) else { return }
        let seconds = Int64.random(in: 1...20, using: &chance)
        switch kind {
        case .loss, .duplicate, .reorder: return
        case .delay: delay(host, seconds)
        case .oneWay: wall(host, seconds)
        case .partition: part(2 * seconds)
        case .swizzle: swizzle()
        case .slowReader: slow(host, seconds)
        case .reset:
            guard let wire = host.wires.randomElement(using: &chance) else { return }
            note { "wire \(wire) breaks" }
            reset(wire)
        case .crash: crash(host, seconds)
        case .commitCrash:
            let sends = chance.next() % 3 == 0 ? nil : Int(chance.next() % 4)
            host.death = SimHost.Death(
                commit: host.disk.commits + 1 + Int(chance.next() % 3), sends: sends)
            return
        case .diskFull:
            note { "disk of \(host.number) is full for \(seconds) s" }
            host.disk.fullUntil = now + seconds * Self.second / 2
            return
        case .restore: restore(host)
        case .clone: clone(host)
        case .clock:
            if meets == nil {
                host.clockError += Int64.random(in: -90_000...90_000, using: &chance)
            } else {
                // Two of them differ by ten minutes at most.
                host.clockError = Int64.random(in: -300...300, using: &chance)
            }
            note { "clock of \(host.number) is wrong by \(host.clockError) s" }
        case .byzantine:
            let cheats = up.filter { people[$0.person].isCheat }
            guard let cheat = cheats.randomElement(using: &chance) else { return }
            mischief(cheat)
        case .mdns: flap(host)
        case .flood:
            let cheats = up.filter { people[$0.person].isCheat }
            guard let cheat = cheats.randomElement(using: &chance) else { return }
            flood(cheat)
        }
        totals.faults[kind.rawValue] += 1
    }

    /// Undoes a fault after a while; when everything healed before, there is nothing to undo.
    private func relieve(after seconds: Int64, _ action: @escaping (SimWorld) -> Void) {
        agenda.note(
            .then { world in
                if !world.isHealed, world.failure == nil { action(world) }
            }, at: now + seconds * Self.second)
    }

    // MARK: Network

    private func delay(_ host: SimHost, _ seconds: Int64) {
        let more = Int64.random(in: 200...4000, using: &chance) * Self.millisecond
        let slowed = host.wires
        note { "host \(host.number) is \(more / Self.millisecond) ms farther away" }
        for wire in slowed { wires[wire].extra += more }
        relieve(after: seconds) { world in for wire in slowed { world.wires[wire].extra -= more } }
    }

    /// Nobody gets through to `host`, or only in one direction.
    private func wall(_ host: SimHost, _ seconds: Int64) {
        let others = hosts.filter { $0.number != host.number }.shuffled(using: &chance)
        let some = others.prefix(Int(chance.next() % UInt64(max(1, others.count))) + 1)
        let both = chance.next() % 3 == 0
        note { "host \(host.number) is walled off from \(some.map(\.number))" }
        for other in some {
            walls.append(other.number * 4096 + host.number)
            if both { walls.append(host.number * 4096 + other.number) }
        }
        for wire in host.wires {
            let end = wires[wire].ends[0].host == host.number ? 0 : 1
            let isWalled = some.contains { $0.number == wires[wire].ends[1 - end].host }
            guard isWalled else { continue }
            block(wire, end)
            relieve(after: 2 * seconds) { $0.unblock(wire, end) }
        }
    }

    /// The cabin falls apart into two; connections between wait or break when it is whole again.
    private func part(_ seconds: Int64) {
        guard sides.isEmpty else { return }
        sides = hosts.map { _ in Int(chance.next() % 2) }
        note { "partition \(sides)" }
        var cut: [Int] = []
        for wire in wires.indices where !wires[wire].isDead {
            let ends = wires[wire].ends
            guard isCut(hosts[ends[0].host], hosts[ends[1].host]) else { continue }
            cut.append(wire)
            for end in 0..<2 { block(wire, end) }
        }
        relieve(after: seconds) { world in
            world.sides = []
            world.note { "partition ends" }
            for wire in cut {
                for end in 0..<2 { world.unblock(wire, end) }
                if world.chance.next() % 2 == 0 { world.reset(wire) }
            }
            if world.chance.next() % 2 == 0 {
                for host in world.hosts where host.isUp { world.announce(host) }
            }
        }
    }

    /// Some hosts are clogged one after the other, and come free in another order.
    private func swizzle() {
        let count = 1 + Int(chance.next() % UInt64(hosts.count))
        let some = Array(hosts.shuffled(using: &chance).prefix(count))
        let order = some.shuffled(using: &chance)
        note { "swizzle-clog of \(some.map(\.number))" }
        for (index, host) in some.enumerated() {
            relieve(after: Int64(index)) { $0.clog(host) }
        }
        for (index, host) in order.enumerated() {
            relieve(after: Int64(some.count + 2 * index + 1)) { $0.unclog(host) }
        }
    }

    private func clog(_ host: SimHost) {
        host.clogs += 1
        for wire in host.wires { for end in 0..<2 { block(wire, end) } }
    }

    private func unclog(_ host: SimHost) {
        host.clogs -= 1
        for wire in host.wires { for end in 0..<2 { unblock(wire, end) } }
    }

    private func block(_ wire: Int, _ end: Int) {
        wires[wire].ways[end].blocks += 1
        wires[wire].blockedAt = now
        agenda.note(.then { $0.giveUp(wire, end) }, at: now + 21 * Self.second)
    }

    private func unblock(_ wire: Int, _ end: Int) {
        guard wires[wire].ways[end].blocks > 0 else { return }
        wires[wire].ways[end].blocks -= 1
        resume(wire, end)
    }

    /// Nobody took the bytes for 20 s: the shell of the sender ends the connection.
    private func giveUp(_ wire: Int, _ end: Int) {
        let way = wires[wire].ways[end]
        let sender = wires[wire].ends[1 - end]
        guard way.blocks > 0, sender.isUp, let next = way.next, next.at < now - 20 * Self.second
        else { return }
        let host = hosts[sender.host]
        abandon(wire, by: host, silent: true)
        later(host, .ended(sender.link))
    }

    private func slow(_ host: SimHost, _ seconds: Int64) {
        let slowed = host.wires
        note { "host \(host.number) reads slowly" }
        func set(_ isSlow: Bool, _ world: SimWorld) {
            for wire in slowed {
                let end = world.wires[wire].ends[0].host == host.number ? 0 : 1
                world.wires[wire].ways[end].isSlow = isSlow
            }
        }
        set(true, self)
        relieve(after: seconds) { set(false, $0) }
    }

    private func flap(_ host: SimHost) {
        let others = hosts.filter { $0.isUp && $0.number != host.number }
        guard let other = others.randomElement(using: &chance) else { return }
        let wrong = PeerAddress(host: "10.0.99.\(chance.next() % 200 + 1)", port: 4000)
        let stranger = hosts.randomElement(using: &chance)?.address ?? wrong
        switch chance.next() % 3 {
        case 0: later(other, .lost(label: host.label))
        case 1: later(other, .found(label: host.label, addresses: [wrong, stranger]))
        default:
            later(other, .found(label: host.label, addresses: [wrong, host.address]))
        }
    }

    // MARK: Machines

    private func crash(_ host: SimHost, _ seconds: Int64) {
        let isPower = chance.next() % 2 == 0
        // At home nobody leaves another's log, so that it may be lost with its boxes.
        let isForGood = chance.next() % 40 == 0 && hosts.count > 2 && isAboard
        kill(host, power: isPower)
        host.isGone = isForGood
        if !isForGood { revive(host, after: downTime()) }
    }

    /// An old copy of the disk is put back: its program notices (docs/protocol.md section 10).
    private func restore(_ host: SimHost) {
        guard let copy = host.copy else {
            host.copy = host.disk
            return
        }
        note { "host \(host.number) is put back from \(host.disk.ownSeq) to \(copy.ownSeq)" }
        kill(host, power: chance.next() % 2 == 0)
        host.disk = copy
        host.isRestored = true
        host.copy = nil
        revive(host, after: downTime())
    }

    /// The same key runs a second time, from a copy of the disk: its owner
    /// may be blamed from now on.
    private func clone(_ host: SimHost) {
        guard hosts.count < 900, hosts.count < profile.agents + 2 else { return }
        people[host.person].isTainted = true
        let twin = add(person: host.person, seats: host.seats, signer: host.signer)
        (twin.disk, twin.companions) = (host.disk, host.companions)
        note { "host \(twin.number) is a clone of \(host.number)" }
        if !sides.isEmpty { sides.append(Int(chance.next() % 2)) }
        revive(twin, after: Self.second)
    }

    // MARK: Healing

    /// All faults stop: from now on everything must come right.
    func heal() {
        isHealed = true
        healedAt = now
        sides = []
        walls = []
        note { "everything heals" }
        healMeetings()
        for wire in wires.indices {
            wires[wire].extra = 0
            for end in 0..<2 {
                wires[wire].ways[end].blocks = 0
                wires[wire].ways[end].isSlow = false
                resume(wire, end)
            }
        }
        for host in hosts {
            host.clogs = 0
            host.death = nil
            host.disk.fullUntil = -1
            if !host.isUp, !host.isGone { revive(host, after: Self.second) }
        }
        for (pause, part) in [(2, 0), (12, 1), (35, 2)] {
            agenda.note(.then { $0.recover(part) }, at: now + Int64(pause) * Self.second)
        }
        agenda.note(.then { $0.watch() }, at: now + 4 * Self.second)
    }

    /// Everybody is announced anew, and people close what they have not decided.
    private func recover(_ part: Int) {
        guard failure == nil else { return }
        for host in hosts where host.isUp {
            if part == 0 { announce(host) }
            tidyUp(host)
        }
    }
}
