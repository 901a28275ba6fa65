// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// A host of a simulated world as its core sees it: what is asked for happens on the network and
/// the disk of the world, and may be cut off anywhere.
struct SimShell: Shell {
    /// Why the rest is not done.
    enum Halt: Error {
        /// The disk was full.
        case refused
        /// The process died.
        case died
    }

    private let world: SimWorld
    private let host: SimHost
    /// What of it was started: events of others may start it anew meanwhile.
    private let process: Int
    /// The death that this transaction is for, and the sends that leave before it.
    private var death: SimHost.Death?
    private var leaving = Int.max
    private var hasEntries = false

    init(world: SimWorld, host: SimHost) {
        self.world = world
        self.host = host
        process = host.process
    }

    mutating func commit(_ writes: [Write]) throws(Halt) {
        guard !writes.isEmpty else { return }
        if !world.isHealed, host.disk.fullUntil > world.now {
            world.refuse(host)
            throw .refused
        }
        host.diskFailures = 0
        death = host.death.flatMap { $0.commit == host.disk.commits + 1 ? $0 : nil }
        if death != nil {
            guard let sends = death?.sends else { throw crash(power: true) }
            leaving = sends
        }
        world.write(host, writes)
        hasEntries = writes.contains { if case .entry = $0 { true } else { false } }
    }

    mutating func send(_ transmission: Effects.Transmission) {
        guard leaving > 0 else { return }
        leaving -= 1
        world.overhear(host, transmission.bytes)
        world.transmit(host, transmission)
    }

    mutating func flush() throws(Halt) {
        if death != nil { throw crash(power: world.chance.next() % 2 == 0) }
        if hasEntries { world.wrote(host) }
    }

    private func crash(power: Bool) -> Halt {
        world.totals.faults[FaultKind.commitCrash.rawValue] += 1
        world.kill(host, power: power)
        world.revive(host, after: world.downTime())
        return .died
    }

    mutating func prove(_ link: LinkID) { world.prove(host, link) }

    mutating func hold(_ hold: Effects.Hold) { world.hold(host, hold) }

    mutating func close(_ link: LinkID) { world.close(host, link) }

    mutating func obey(_ order: CircuitOrder) { world.obey(host, order) }

    mutating func dial(_ dial: Dial) { world.dial(host, dial) }

    mutating func tell(_ notices: [Notice]) {
        guard host.process == process else { return }
        world.heed(host, notices)
    }

    mutating func answer(_ reply: Effects.Reply) {
        guard host.process == process else { return }
        world.answer(host, reply)
    }

    // No connection is favoured, and mDNS tells whether it is asked or not.
    mutating func favour() {}
    mutating func browse(_ isWanted: Bool) {}
}
