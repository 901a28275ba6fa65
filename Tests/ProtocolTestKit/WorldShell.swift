// SPDX-License-Identifier: Apache-2.0
import Protocol

/// One host of a ``World`` as its core sees it, and the world as long as effects of that core are
/// carried out.
struct WorldShell: Shell {
    /// The host died at this commit, as a test wanted.
    struct Dead: Error {}

    var world: World
    let index: Int
    /// It dies once what it sent has left.
    private var dies = false

    init(world: consuming World, index: Int) {
        self.world = world
        self.index = index
    }

    mutating func commit(_ writes: [Write]) throws(Dead) {
        guard !writes.isEmpty else { return }
        world.hosts[index].commits += 1
        world.hosts[index].turns.append(writes)
        let death = world.death.flatMap { death in
            death.host == index && death.commit == world.hosts[index].commits ? death : nil
        }
        if let death, !death.afterWrites { throw Dead() }
        do throws(FakeDisk.Breach) {
            try world.hosts[index].disk.commit(writes, of: world.key(index))
        } catch {
            world.report("host \(index): \(error)")
        }
        if let death, !death.sendsLeave { throw Dead() }
        dies = death != nil
    }

    mutating func send(_ transmission: Effects.Transmission) {
        world.transmit(index, transmission)
    }

    mutating func flush() throws(Dead) { if dies { throw Dead() } }

    mutating func close(_ link: LinkID) { world.close(index, link) }

    mutating func obey(_ order: CircuitOrder) { world.obey(index, order) }

    mutating func dial(_ dial: Dial) { world.dial(index, dial) }

    mutating func answer(_ reply: Effects.Reply) {
        world.hosts[index].replies[reply.token] = reply.result
    }

    mutating func tell(_ notices: [Notice]) {
        for case .trouble(.violation(let violation)) in notices where !world.isDoctored {
            world.report("host \(index): \(violation)")
        }
        world.hosts[index].notices += notices
    }

    // Wires in memory are never full, are no strangers', and nobody needs mDNS.
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func hold(_ hold: Effects.Hold) {}
    mutating func browse(_ isWanted: Bool) {}
}
