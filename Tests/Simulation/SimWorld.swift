// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// One seed's life: agents as they are built, in made-up time, on a made-up network and disks.
///
/// Everything that happens is one event for one core; everything random comes from the seed by
/// generators of its own for network, people, faults and cheats.
package final class SimWorld {
    static let second: Int64 = 1_000_000_000
    static let millisecond: Int64 = 1_000_000

    let seed: UInt64
    let options: SimOptions
    let profile: Profile
    let primitives = FakePrimitives()
    let flightKey: FlightKey
    let codec: EntryCodec
    var now: Int64 = 0
    var agenda = Agenda<Int64, SimHappening>()
    var hosts: [SimHost] = []
    var people: [SimPerson] = []
    var wires: [SimWire] = []
    var circuitLinks = 0
    var network: SeededRandom
    var human: SeededRandom
    var chance: SeededRandom
    var cheat: SeededRandom
    var siege: SeededRandom
    var tokens = 0
    var deeds = 0
    /// Sides of a partition; empty for none.
    var sides: [Int] = []
    /// Whom a host cannot dial: host * 4096 + other.
    var walls: [Int] = []
    /// Faults are over.
    var isHealed = false
    var isDone = false
    var healedAt: Int64 = 0
    var oracle = Oracle()
    var digest: Mixer
    /// Who looks for swaps, and where; `nil` for most seeds.
    var plans: PlanLife?
    /// What a whole day has beside all this; `nil` for other lives.
    var day: DayLife?
    /// Where people meet before the flight; `nil` where they do not.
    let meets: MeetLife?
    var trace: [String] = []
    package internal(set) var failure: Failure?
    package internal(set) var totals = Totals()

    package init(seed: UInt64, _ options: SimOptions) {
        self.seed = seed
        self.options = options
        profile = Profile(seed: seed, options)
        plans = profile.hasPlans ? PlanLife(seed: seed, profile) : nil
        flightKey = FlightKey(auth: .zero, primitives: primitives)
        codec = EntryCodec(primitives)
        let (key, kit) = (flightKey, primitives)
        meets = profile.meet.map { MeetLife(seed: seed, $0, key, kit) }
        digest = Mixer(seed)
        network = SeededRandom(seed: seed &* 31 &+ 2)
        human = SeededRandom(seed: seed &* 31 &+ 3)
        chance = SeededRandom(seed: seed &* 31 &+ 4)
        cheat = SeededRandom(seed: seed &* 31 &+ 5)
        siege = SeededRandom(seed: seed &* 31 &+ 10)
        day = options.days ? DayLife(&siege) : nil
    }

    /// Lives the seed to its end and gives what came of it.
    package static func run(seed: UInt64, _ options: SimOptions) -> Outcome {
        let world = SimWorld(seed: seed, options)
        world.live()
        return Outcome(
            seed: seed, digest: world.digest.word, failure: world.failure, totals: world.totals,
            trace: world.trace, kept: options.isKept ? world.kept : nil)
    }

    private func live() {
        begin()
        while failure == nil, !isDone, let (time, happening) = agenda.take() {
            now = max(now, time)
            happen(happening)
        }
        for host in hosts where host.isUp { totals.agentTime += now - host.upSince }
        if failure == nil { judge() }
        totals.finish(self)
    }

    private func begin() {
        for person in 0..<profile.agents {
            let isCheat = person >= profile.agents - profile.cheats
            people.append(SimPerson(isCheat: isCheat))
            let seat = Seat(row: person / 6 + 1, column: person % 6)
            let host = add(
                person: person, seats: plans?.households[person] ?? seat.map { [$0] } ?? [],
                signer: FakeSigner(person, seed: seed))
            people[person].key = host.key
            let delay = Int64.random(in: 0...2000, using: &network) * Self.millisecond
            agenda.note(.then { $0.start(host) }, at: person == 0 ? 0 : delay)
        }
        for kind in profile.faults { scheduleFault(kind) }
        scheduleDeed()
        beginPlans()
        beginMeetings()
        beginSiege()
        let end = Int64(profile.seconds) * Self.second
        agenda.note(.then { $0.compare() }, at: 5 * Self.second)
        agenda.note(.then { $0.heal() }, at: end)
        note { "\(profile.agents) agents, \(profile.cheats) cheats, faults \(profile.faults)" }
    }

    private func happen(_ happening: SimHappening) {
        switch happening {
        case .event(let host, let process, let event):
            guard hosts[host].process == process else { return }
            if case .ended(let link) = event { forget(link, of: hosts[host]) }
            feed(hosts[host], event)
        case .arrival(let wire, let end): arrive(wire, end)
        case .tick(let host, let process, let time):
            guard hosts[host].process == process, hosts[host].tickAt == time else { return }
            hosts[host].tickAt = .max
            feed(hosts[host], .tick)
        case .commit(let host, let process):
            guard hosts[host].process == process, let effects = hosts[host].gathered else { return }
            hosts[host].gathered = nil
            carry(hosts[host], effects)
            check(hosts[host])
        case .dialled(let host, let process, let dial):
            guard hosts[host].process == process, hosts[host].isUp else { return }
            meet(hosts[host], dial)
        case .then(let action): action(self)
        }
    }

    /// Gives a core one event and does what it asks for, or gathers it for one transaction.
    func feed(_ host: SimHost, _ event: NodeEvent) {
        guard host.isUp, failure == nil else { return }
        totals.events += 1
        digest.add(host.number)
        digest.add(UInt64(bitPattern: now))
        digest.add(event)
        note { "\(host.number) < \(brief(event))" }
        let wish = host.node.ownWish
        hear(host, event)
        let effects = host.node.handle(event, at: moment(host))
        digest.add(effects)
        examine(host, effects, wish: wish)
        expectOutweighed(host, effects)
        checkMail(host, effects)
        note { brief(effects).map { "\(host.number) > \($0)" } }
        if host.gathered != nil {
            host.gathered?.append(effects)
        } else if profile.gathers, !effects.writes.isEmpty, network.next() % 3 == 0 {
            host.gathered = effects
            agenda.note(
                .commit(host: host.number, process: host.process), at: now + Self.millisecond)
        } else {
            carry(host, effects)
            check(host)
        }
        rouse(host)
        tellNeeds(host)
        tellMail(host)
    }

    /// The timer of the shell: one tick at the next deadline, not finer than a millisecond.
    private func rouse(_ host: SimHost) {
        guard host.isUp, let due = host.node.nextDeadline?.nanoseconds else { return }
        let time = max(due, now + Self.millisecond)
        guard time < host.tickAt else { return }
        host.tickAt = time
        agenda.note(.tick(host: host.number, process: host.process, at: time), at: time)
    }

    /// One transaction, then everything else.
    private func carry(_ host: SimHost, _ effects: Effects) {
        guard host.isUp else { return }
        var shell = SimShell(world: self, host: host)
        // What stopped it was noted, and is a fault of this seed.
        _ = try? Perform.carryOut(effects, in: &shell)
    }

    /// Makes a transaction durable that keeps the rules.
    func write(_ host: SimHost, _ writes: [Write]) {
        let isClean = isClean(host)
        for case .entry(let entry, _) in writes where entry.author == host.key && isClean {
            if let rule = host.ledger.take(entry, host.disk.stored.locks, writes) {
                if host.isRestored {
                    forkedByCopy(host, entry.seq)
                    break
                }
                fail(rule, "host \(host.number) signed \(entry.seq): \(entry.body.type)")
            }
        }
        do throws(FakeDisk.Breach) {
            try host.disk.commit(writes, of: host.key)
        } catch {
            if isClean, people[host.person].isHonest {
                fail("durable", "host \(host.number): \(error)")
            }
        }
    }

    /// How long a machine is down.
    func downTime() -> Int64 {
        Int64.random(in: 50...12_000, using: &chance) * Self.millisecond
    }

    /// A rule does not hold: the run ends here.
    func fail(_ rule: String, _ text: String) {
        guard failure == nil else { return }
        failure = Failure(
            seed: seed, rule: rule, text: text, milliseconds: Int(now / Self.millisecond))
        note { "FAILED \(rule): \(text)" }
    }

    func note(_ text: () -> String?) {
        guard options.isTraced, let text = text() else { return }
        trace.append("\(stamp) \(text)")
    }

    private var stamp: String {
        let text = String(now / Self.millisecond)
        return String(repeating: " ", count: max(0, 7 - text.utf8.count)) + text
    }
}

/// Somebody on the flight.
struct SimPerson {
    var key = PeerKey(.zero)
    let isCheat: Bool
    /// The key ran twice, or an old copy of its log went on: it may be blamed.
    var isTainted = false
    /// The log was closed by its owner.
    var hasLeft = false
    /// Whether they ever had the code of a party.
    var hasCode = false
    /// Whether they ever had a wish that stays with them.
    var hasSecret = false

    var isHonest: Bool { !isCheat && !isTainted }
}
