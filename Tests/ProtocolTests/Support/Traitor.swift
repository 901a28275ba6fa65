// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// The key of an agent in a world, signing beside the agent: what a cheat's program would do.
struct Traitor {
    let signer: FakeSigner
    let codec = EntryCodec(FakePrimitives())
    private(set) var log: [Entry] = []

    /// The key of host `number - 1`.
    init(_ number: UInt8) { signer = FakeSigner(number) }

    var key: PeerKey { signer.key }

    /// Goes on after what `logs` have of its log.
    mutating func follow(_ logs: LogSet) { log = logs.log(of: key)?.entries ?? [] }

    /// The same up to `seq`: what is written from there on forks.
    func branch(at seq: Int) -> Traitor {
        var copy = self
        copy.log = Array(log.prefix(seq))
        return copy
    }

    /// The next entry of this branch.
    @discardableResult
    mutating func write(_ body: EntryBody) throws -> Entry {
        let entry = try codec.sign(
            body, flight: testFlight.id, seq: log.count + 1, previous: log.last?.id, by: signer)
        log.append(entry)
        return entry
    }

    mutating func yes(_ contract: Contract) throws -> Entry {
        try write(.vote(.yes(contract.id, slots: contract.slots(of: key))))
    }
}
