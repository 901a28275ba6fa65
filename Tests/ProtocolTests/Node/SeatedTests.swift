// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private func seat(_ text: String) throws -> Seat { try require(Seat(text)) }

/// Three in a ring have swapped, and a fourth looks on.
private func swapped() throws -> (world: World, contract: ContractID) {
    var world = World()
    for name in ["1A", "2A", "3A", "4A"] { try world.add(name) }
    world.run(seconds: 1)
    let moves = [
        SeatMove(seat: try seat("1A"), to: world.key(1)),
        SeatMove(seat: try seat("2A"), to: world.key(2)),
        SeatMove(seat: try seat("3A"), to: world.key(0)),
    ]
    world.wish(0, .propose(moves, note: "", expires: nil))
    world.rest()
    for host in 1...2 { world.wish(host, .accept(1, override: false)) }
    world.run(seconds: 3)
    return (world, try require(world.hosts[0].node.swaps.records.first).contract.id)
}

/// Who sits in their new seat after a swap (docs/protocol.md section 8).
@Suite("Marks of who sits after a swap")
struct SeatedTests {
    @Test("All read who sits, in the order of the parties, and can take it back")
    func marks() throws {
        var (world, contract) = try swapped()
        #expect(world.hosts.allSatisfy { $0.node.seated(by: contract).isEmpty })
        for host in [2, 0] {
            guard case .success(.entry)? = world.wish(host, .seated(contract, true)) else {
                Issue.record("host \(host) writes no mark")
                return
            }
        }
        world.run(seconds: 2)
        let both = [world.key(0), world.key(2)].sorted()
        #expect(world.hosts.allSatisfy { $0.node.seated(by: contract) == both })
        // It is said once, and taken back once.
        #expect(world.wish(0, .seated(contract, true))?.refusal == .alreadySo)
        #expect(world.wish(1, .seated(contract, false))?.refusal == .alreadySo)
        world.wish(0, .seated(contract, false))
        world.run(seconds: 2)
        let left = [world.key(2)]
        #expect(world.hosts.allSatisfy { $0.node.seated(by: contract) == left })
        // Nobody's seat moves by it, and it stays over a restart.
        #expect(world.seats(0) == ["3A"] && world.agree)
        world.kill(1)
        world.restart(1)
        world.run(seconds: 6)
        #expect(world.hosts[1].node.seated(by: contract) == left)
    }

    @Test("Whoever is no party of it, or of a swap that moved nothing, marks nothing")
    func outsiders() throws {
        var (world, contract) = try swapped()
        #expect(world.wish(3, .seated(contract, true))?.refusal == .notSwapped)
        let other = try require(ContractID(Array(repeating: 7, count: 32)))
        #expect(world.wish(0, .seated(other, true))?.refusal == .notSwapped)
        // Somebody else's agent may write it: nobody reads it.
        var effects = Effects()
        _ = world.hosts[3].node.append(.seated(contract, true), &effects, at: world.now)
        world.carry(3, effects)
        world.run(seconds: 2)
        let entries = world.hosts[0].node.logs.log(of: world.key(3))?.entries ?? []
        #expect(entries.last?.body == .seated(contract, true))
        #expect(world.hosts.allSatisfy { $0.node.seated(by: contract).isEmpty })
    }

    @Test("A fork takes the marks behind it along")
    func forks() throws {
        var log = AuthorLog(author: FakeSigner(3).key)
        let codec = EntryCodec(FakePrimitives())
        let signer = FakeSigner(3)
        let contract = try require(ContractID(Array(repeating: 7, count: 32)))
        func sign(_ body: EntryBody, _ seq: Int, _ previous: EntryID?) throws -> Entry {
            try codec.sign(
                body, flight: testFlight.id, seq: seq, previous: previous, by: signer)
        }
        let first = try sign(.genesis(name: "p", agent: ""), 1, nil)
        let mark = try sign(.seated(contract, true), 2, first.id)
        let unmark = try sign(.seated(contract, false), 3, mark.id)
        for entry in [first, mark, unmark] { log.append(entry) }
        #expect(!log.sits(after: contract))
        let other = try sign(.end, 3, mark.id)
        _ = log.take(try require(ForkProof(unmark, other)))
        #expect(log.seq == 2 && log.sits(after: contract))
        let another = try sign(.end, 2, first.id)
        _ = log.take(try require(ForkProof(mark, another)))
        #expect(log.seq == 1 && !log.sits(after: contract))
    }
}
