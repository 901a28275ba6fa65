// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// What goes wrong at a meeting point, and how a life goes from home to the aircraft.
extension SimWorld {
    /// Notes what is to happen: faults, turns, boarding.
    func beginMeetings() {
        guard let meets else { return }
        for fault in meets.profile.faults { scheduleFault(fault, meets) }
        if meets.profile.isInTurns {
            let home = meets.profile.boards ?? meets.profile.seconds
            let span = Int64(home) * Self.second / Int64(2 * profile.agents)
            for number in 0..<2 * profile.agents {
                agenda.note(
                    .then { $0.takeTurn(number % $0.profile.agents, meets) },
                    at: Int64(number) * span)
            }
        }
        guard let boards = meets.profile.boards else { return }
        agenda.note(.then { $0.endTurns(meets) }, at: Int64(boards) * Self.second)
        for person in 0..<profile.agents where meets.chance.next() % 6 > 0 {
            let pause = Int64.random(in: 0...15_000, using: &meets.chance) * Self.millisecond
            agenda.note(
                .then { $0.board($0.hosts[person], meets) },
                at: Int64(boards) * Self.second + pause)
        }
    }

    /// One passenger is online for a while, and nobody else.
    private func takeTurn(_ number: Int, _ meets: MeetLife) {
        guard !isHealed, failure == nil else { return }
        meets.turn = number
        for host in hosts where host.isUp && host.person != number { kill(host, power: false) }
        for host in hosts where host.person == number { start(host) }
    }

    private func endTurns(_ meets: MeetLife) {
        guard meets.turn != nil else { return }
        meets.turn = nil
        for host in hosts where !host.isUp { revive(host, after: Self.second) }
    }

    /// Whether a host must not be online now, where passengers take turns.
    func isOff(_ host: SimHost) -> Bool {
        meets?.turn.map { $0 != host.person } ?? false
    }

    /// Somebody goes aboard: their network changes, and the Internet may stay behind.
    private func board(_ host: SimHost, _ meets: MeetLife) {
        guard !meets.aboard.contains(host.number) else { return }
        countFriends(host)
        meets.aboard.insert(host.number)
        note { "host \(host.number) boards" }
        severAll(within: 75_000, meets) { $0.host == host.number }
        if !isHealed, meets.chance.next() % 100 >= meets.profile.reach {
            meets.unplugged.insert(host.number)
        }
        if host.isUp { announce(host) }
    }

    // MARK: Faults

    private func scheduleFault(_ fault: MeetFault, _ meets: MeetLife) {
        let mean = max(1, meets.profile.seconds) * 250
        let pause = Int.random(in: mean / 4...2 * mean, using: &meets.chance)
        agenda.note(
            .then { world in
                guard !world.isHealed, world.failure == nil else { return }
                world.strike(fault, meets)
                world.scheduleFault(fault, meets)
            }, at: now + Int64(pause) * Self.millisecond)
    }

    private func strike(_ fault: MeetFault, _ meets: MeetLife) {
        let broker = Int(meets.chance.next() % UInt64(meets.brokers.count))
        let host = hosts[Int(meets.chance.next() % UInt64(hosts.count))]
        let seconds = Int64.random(
            in: 5...Int64(max(20, meets.profile.seconds / 3)), using: &meets.chance)
        note { "\(fault): broker \(broker) or host \(host.number), \(seconds) s" }
        totals.meetFaults[fault.rawValue] += 1
        switch fault {
        case .empties: empty(broker, seconds, meets)
        case .outage: shut(broker, seconds, meets)
        case .frozen: freeze(broker, seconds, meets)
        case .withholds: withhold(broker, seconds, meets)
        case .forksViews: split(broker, seconds, meets)
        case .shuffles: worsen(broker, seconds, meets) { $0.faults = [.repeats, .reorders] }
        case .drops:
            meets.brokers[broker].drops = 20 + meets.chance.next() % 81
            relieve(seconds, meets) { $0.brokers[broker].drops = 0 }
        case .refuses: worsen(broker, seconds, meets) { $0.refuses = true }
        case .offline: unplug(host, seconds, meets)
        case .away:
            guard host.isUp else { return }
            kill(host, power: meets.chance.next() % 2 == 0)
            revive(host, after: seconds * Self.second)
        case .oldDisk: putBack(host, meets)
        case .vandal: vandalise(meets)
        }
    }

    private func relieve(
        _ seconds: Int64, _ meets: MeetLife, _ action: @escaping (MeetLife) -> Void
    ) {
        agenda.note(.then { if !$0.isHealed { action(meets) } }, at: now + seconds * Self.second)
    }

    /// Killed and back with nothing, or only with nothing.
    private func empty(_ broker: Int, _ seconds: Int64, _ meets: MeetLife) {
        for view in 0..<2 { meets.brokers[broker].views[view].forget() }
        guard meets.chance.next() % 3 > 0 else { return meets.brokers[broker].wasSecret = true }
        shut(broker, seconds % 30, meets)
    }

    private func shut(_ broker: Int, _ seconds: Int64, _ meets: MeetLife) {
        meets.brokers[broker].isUp = false
        severAll(within: 3000, meets) { $0.broker == broker }
        relieve(seconds, meets) { $0.brokers[broker].isUp = true }
    }

    private func freeze(_ broker: Int, _ seconds: Int64, _ meets: MeetLife) {
        let until = now + seconds * Self.second
        meets.brokers[broker].frozenUntil = until
        // A client gives it up after the keep-alive time.
        agenda.note(
            .then { world in
                guard meets.brokers[broker].frozenUntil >= world.now else { return }
                world.severAll(within: 15_000, meets) { $0.broker == broker }
            }, at: now + 60 * Self.second)
    }

    /// Some boxes are given to nobody.
    private func withhold(_ broker: Int, _ seconds: Int64, _ meets: MeetLife) {
        let letters = "abcdefghijklmnopqrstuvwxyz234567".map(String.init)
        meets.brokers[broker].withheld = letters.filter { _ in meets.chance.next() % 3 == 0 }
        relieve(seconds, meets) { $0.brokers[broker].withheld = [] }
    }

    /// Two halves of its clients see two memories from now on.
    private func split(_ broker: Int, _ seconds: Int64, _ meets: MeetLife) {
        guard !meets.brokers[broker].isSplit else { return }
        severAll(within: 3000, meets) { $0.broker == broker }
        meets.brokers[broker].views[1] = meets.brokers[broker].views[0]
        meets.brokers[broker].isSplit = true
        agenda.note(
            .then { if !$0.isHealed { $0.join(broker, meets) } }, at: now + seconds * Self.second)
    }

    /// One of the two memories is all that is left.
    private func join(_ broker: Int, _ meets: MeetLife) {
        guard meets.brokers[broker].isSplit else { return }
        severAll(within: 3000, meets) { $0.broker == broker }
        meets.brokers[broker].isSplit = false
        if meets.chance.next() % 2 == 0 {
            meets.brokers[broker].views[0] = meets.brokers[broker].views[1]
        }
    }

    private func worsen(
        _ broker: Int, _ seconds: Int64, _ meets: MeetLife, _ change: (inout FakeBroker) -> Void
    ) {
        for view in 0..<2 { change(&meets.brokers[broker].views[view]) }
        relieve(seconds, meets) { $0.brokers[broker].behave() }
    }

    private func unplug(_ host: SimHost, _ seconds: Int64, _ meets: MeetLife) {
        guard !meets.unplugged.contains(host.number) else { return }
        meets.unplugged.insert(host.number)
        severAll(within: 75_000, meets) { $0.host == host.number }
        relieve(seconds, meets) { $0.unplugged.remove(host.number) }
    }

    /// An old copy of the disk is put back, and the program does not notice by itself.
    private func putBack(_ host: SimHost, _ meets: MeetLife) {
        guard host.isUp, let copy = host.copy else {
            host.copy = host.disk
            return
        }
        note { "host \(host.number) is put back unseen from \(host.disk.ownSeq)" }
        kill(host, power: meets.chance.next() % 2 == 0)
        host.disk = copy
        (host.isRestored, host.isUnaware, host.copy) = (true, true, nil)
        revive(host, after: Self.second)
    }

    // MARK: Healing

    /// Brokers do what they should, everybody is in reach, and clocks go right.
    func healMeetings() {
        guard let meets else { return }
        for broker in meets.brokers.indices {
            join(broker, meets)
            if meets.brokers[broker].wasSecret {
                severAll(within: 3000, meets) { $0.broker == broker }
            }
            meets.brokers[broker].behave()
            meets.brokers[broker].isUp = true
            meets.brokers[broker].frozenUntil = -1
            meets.brokers[broker].withheld = []
            meets.brokers[broker].drops = 0
        }
        meets.unplugged = []
        for number in meets.lines.indices { thaw(number, meets) }
        endTurns(meets)
        for host in hosts {
            host.clockError = 0
            if meets.profile.boards != nil { board(host, meets) }
        }
    }
}

extension SimBroker {
    /// No more of what goes wrong in the broker itself.
    mutating func behave() {
        for view in views.indices {
            views[view].faults = []
            views[view].refuses = false
        }
    }
}
