// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// One agent of an encounter as its negotiations see it, as long as what they ask for is done: a
/// disk for rows and locks, and the air for what is said.
struct EncounterShell: Shell, SwapShell {
    /// Where the agent died.
    enum Dead: Error {
        /// Nothing of the turn is durable.
        case withoutWrites
        /// All of it is, and nobody heard of it.
        case withoutSends
    }

    var encounter: Encounter
    let index: Int
    let death: Encounter.Death?
    private var said: [SwapSend] = []

    init(encounter: consuming Encounter, index: Int, death: Encounter.Death?) {
        self.encounter = encounter
        self.index = index
        self.death = death
    }

    // MARK: What negotiations ask for

    mutating func log(_ body: EntryBody, _ effects: inout Effects, at now: Moment) {
        let head = encounter.agents[index].logs.head(of: encounter.agents[index].key)
        guard
            let entry = try? EntryCodec(Traveller.primitives).sign(
                body, flight: Traveller.flight, seq: head.seq + 1,
                previous: head.seq == 0 ? nil : head.id,
                by: FakeSigner(key: encounter.agents[index].key))
        else { return }
        encounter.agents[index].logs.restore(entry)
        effects.writes.append(.entry(entry, seen: now.utc))
    }

    mutating func logCertificate(
        of contract: Contract, _ effects: inout Effects, at now: Moment
    ) {
        let context = encounter.context(index)
        let own = context.logs.log(of: encounter.agents[index].key)?.entries.last
        guard let commit = contract.certificate(context.fold, context.logs, own: own) else {
            return
        }
        log(.commit(commit), &effects, at: now)
    }

    mutating func say(_ send: SwapSend, _ effects: inout Effects, at now: Moment) {
        said.append(send)
    }

    // No offers lapse, and every packet of entries has all of them.
    mutating func follow(_ records: [SwapRecord], _ effects: inout Effects, at now: Moment) {}
    mutating func fetch(_ want: SwapWant, _ effects: inout Effects, at now: Moment) {}

    // MARK: What the turn asks for

    mutating func commit(_ writes: [Write]) throws(Dead) {
        if death == .beforeWrites { throw .withoutWrites }
        for write in writes {
            switch write {
            case .swap(let record):
                encounter.agents[index].rows.removeAll { $0.number == record.number }
                encounter.agents[index].rows.append(record)
            case .forgotten(let record):
                encounter.agents[index].rows.removeAll { $0.number == record.number }
            case .lock(let lock): encounter.agents[index].locks.append(lock)
            case .unlock(let lock): encounter.agents[index].locks.removeAll { $0 == lock }
            // The logs hold it since it was signed; who dies before this has none of it.
            case .entry: break
            case .forkProof, .message, .verified, .unverified, .block, .layout, .wish, .party,
                .stay, .statement, .forgetStatement, .form, .forgetForm:
                break
            }
        }
    }

    mutating func flush() throws(Dead) {
        if death == .beforeSends { throw .withoutSends }
        for send in said { encounter.transmit(index, send) }
    }

    // Negotiations have no connections of their own, and nobody looks on.
    mutating func send(_ transmission: Effects.Transmission) {}
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func hold(_ hold: Effects.Hold) {}
    mutating func close(_ link: LinkID) {}
    mutating func obey(_ order: CircuitOrder) {}
    mutating func dial(_ dial: Dial) {}
    mutating func browse(_ isWanted: Bool) {}
    mutating func answer(_ reply: Effects.Reply) {}
    mutating func tell(_ notices: [Notice]) {}
}
