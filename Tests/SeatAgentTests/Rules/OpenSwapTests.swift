// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import Aviation
@testable import SeatAgent
@testable import Text

private func seat(_ text: String) throws -> Seat { try #require(Seat(text)) }

private func person(_ text: String, _ facts: String) throws -> Needs.Person {
    Needs.Person(seat: try seat(text), text: facts)
}

private typealias Asked = (moves: [(String, String)], by: String, stage: SwapRecord.Stage)

/// ada in 14A, 14B and 14C, bo in 12A, 16A, 20A and 21A: what each negotiation moves, who asked,
/// and where it stands.
private func aboard(_ records: [Asked]) throws -> FakeHost {
    var voyage = try Voyage()
    let people = ["ada": voyage.ada, "bo": voyage.bo, "cy": voyage.cy]
    let claims = [("14A", "ada"), ("14B", "ada"), ("16A", "bo"), ("20A", "bo"), ("21A", "bo")]
    for (text, who) in claims {
        try voyage.add(
            .claim(seat: seat(text), dependant: false), by: try #require(people[who]))
    }
    var node = FakeNode(voyage)
    node.swapRecords = try records.enumerated().map { index, one in
        let moves = try one.moves.map { ($0.0, try #require(people[$0.1])) }
        let asker = one.by == "ada" ? voyage.ada : voyage.bo
        let contract = try voyage.contract(moves, nonce: UInt8(index + 1), by: asker)
        let role = one.by == "ada" ? SwapRecord.Role.coordinator : .participant
        return FakeNode.record(index + 1, contract, role: role, stage: one.stage)
    }
    return FakeHost(node)
}

private func ask(
    _ give: String, _ take: String, by: String = "ada", _ stage: SwapRecord.Stage = .offered
) -> Asked {
    ([(give, "bo"), (take, "ada")], by, stage)
}

@Suite("Own yeses that are open")
struct OpenSwapTests {
    @Test("A counter-offer is judged by the seats that it asks for, and by no others")
    func counter() throws {
        // The own earlier counter asks for 12A in place of 16A.
        let host = try aboard([ask("14C", "16A", by: "bo", .counterSent)])
        let other = try aboard([ask("14C", "12A", by: "bo")])
        host.node.swapRecords[0].counter = other.node.swapRecords[0].contract
        host.judged = (try #require(CabinLayout.named("ryanair-737-800")), true)
        #expect(
            host.refusal("counter", ["request": 1, "take": "16A"])?.code == .againstRules)
        let draft = host.result("counter", ["request": 1, "give": "14B", "draft": true])
        #expect(draft?["give"] == "14B" && draft?["take"] == "12A")
        #expect(draft?["warnings"]?.list?.isEmpty == false && host.performed.isEmpty)
        _ = host.result("counter", ["request": 1, "give": "14B"])
        let wanted = Intent.counter(1, give: try seat("14B"), take: try seat("12A"), note: "")
        #expect(host.performed == [wanted])
    }

    @Test("Seats of a counter-offer that are not known are refused")
    func unknown() throws {
        let host = try aboard([ask("14C", "12A", by: "bo", .invited)])
        for (name, text, code) in [
            ("take", "30A", ErrorCode.emptySeat), ("take", "14A", .ownSeat),
            ("give", "20F", .notYours),
        ] {
            let error = host.refusal("counter", ["request": 1, name: .string(text)])
            #expect(error?.code == code)
        }
        // Two seats for two: neither is guessed.
        let moves = [("14C", "bo"), ("14B", "bo"), ("20A", "ada"), ("12A", "ada")]
        let two = try aboard([(moves, "bo", .invited)])
        #expect(two.refusal("counter", ["request": 1, "give": "14B"])?.code == .badRequest)
        #expect(host.performed.isEmpty && two.performed.isEmpty)
    }

    @Test("A new request is judged together with those that are open")
    func together() throws {
        for stage in [SwapRecord.Stage.offered, .preparing] {
            let host = try aboard([ask("14B", "20A", stage)])
            host.needs.set(try person("14A", "child"))
            let error = try #require(host.refusal("swap", ["seat": "21A", "give": "14C"]))
            #expect(error.code == .againstRules && error.why?.contains("other open") == true)
            #expect(host.performed.isEmpty)
            // Only one of two for one seat can be made.
            #expect(host.refusal("swap", ["seat": "21A", "give": "14B"]) == nil)
        }
        let alone = try aboard([])
        alone.needs.set(try person("14A", "child"))
        #expect(alone.refusal("swap", ["seat": "21A", "give": "14C"]) == nil)
        // A yes to another counts as an own request does, and an offer that waits does not.
        for (stage, code) in [(SwapRecord.Stage.prepared, ErrorCode.againstRules), (.invited, nil)]
        {
            let host = try aboard([ask("14B", "20A", by: "bo", stage)])
            host.needs.set(try person("14A", "child"))
            #expect(host.refusal("swap", ["seat": "21A", "give": "14C"])?.code == code)
        }
    }

    @Test("What a word about an own seat puts against the rules is taken back, unless it is signed")
    func recants() throws {
        let no = Intent.decline(1, note: "")
        for (stage, by, intents) in [
            (SwapRecord.Stage.offered, "ada", [Intent.cancel(1)]),
            (.preparing, "ada", [.cancel(1)]), (.ready, "bo", [.cancel(1)]),
            (.counterSent, "bo", [no]), (.invited, "bo", []), (.prepared, "bo", []),
            (.committed, "ada", []),
        ] {
            let host = try aboard([ask("14C", "20A", by: by, stage)])
            _ = host.result("needs-set", ["seat": "14C", "facts": ["paid"]])
            #expect(host.performed.isEmpty)
            _ = host.result("needs-set", ["seat": "14C", "facts": ["standby"]])
            #expect(host.performed == intents, "\(stage)")
        }
    }

    @Test("Of two that cannot both be made the earlier one stays")
    func earlier() throws {
        let host = try aboard([ask("14B", "20A"), ask("14C", "21A")])
        _ = host.result("needs-set", ["seat": "14A", "facts": ["child"]])
        #expect(host.performed == [.cancel(2)])
    }

    @Test("An exit of a layout that is chosen afterwards counts for what is open")
    func cabin() throws {
        let host = try aboard([ask("14C", "16A"), ask("14B", "20A")])
        host.recant()
        #expect(host.performed.isEmpty)
        host.judged = (try #require(CabinLayout.named("ryanair-737-800")), true)
        host.recant()
        #expect(host.performed == [.cancel(1)])
    }

    @Test("Who has to sit beside has a seat that is known")
    func with() throws {
        let host = try aboard([])
        func set(_ with: String) -> UserError? {
            host.refusal("needs-set", ["seat": "14A", "facts": ["child"], "with": .string(with)])
        }
        #expect(set("41B")?.code == .emptySeat && host.needs.people.isEmpty)
        #expect(set("14B") == nil && set("12A") == nil)
        #expect(host.needs.people.map(\.text) == ["child with=12A"])
    }

    @Test("Facts of a seat that is not one's own any more stop swaps until they are said anew")
    func lost() throws {
        let host = try aboard([])
        host.needs = Needs([try person("15A", "child"), try person("14C", "paid")])
        let error = try #require(host.refusal("swap", ["seat": "12A", "give": "14C"]))
        #expect(error.code == .againstRules && error.what.contains("15A"))
        #expect(error.advice == "seatagent needs 15A --remove")
        _ = host.result("needs-set", ["seat": "15A", "facts": []])
        #expect(host.refusal("swap", ["seat": "12A", "give": "14C"]) == nil)
        // A helper who has left their seat.
        host.needs = Needs([try person("14A", "child with=15B")])
        #expect(host.refusal("swap", ["seat": "12A", "give": "14C"])?.what.contains("15B") == true)
        // A passenger with one seat who speaks of one means themselves; of more, they do not.
        let tokens = host.node.fold.tokens
        let one = Needs([try person("15A", "exit")])
        #expect(try one.lost(mine: [seat("14C")], among: tokens).isEmpty)
        let two = Needs([try person("14C", "exit"), try person("15A", "exit")])
        #expect(try two.lost(mine: [seat("14C")], among: tokens) == [seat("15A")])
    }
}
