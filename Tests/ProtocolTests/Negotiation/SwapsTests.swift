// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// What holds over several negotiations of one agent, and what hostile messages come to.
@Suite struct SwapsTests {
    /// Both decisive votes come in one batch, through a third agent: one yes, not two.
    @Test func twoContractsDecidedInOneTurnShareNoSlot() throws {
        var desk = Desk(3, me: 0)
        var contracts: [Contract] = []
        for other in [1, 2] {
            _ = desk.put(.propose(desk.ring([0, other]).legs, note: "", expires: nil))
            contracts.append(desk.swaps.records[other - 1].contract)
        }
        for (number, other) in [(1, 1), (2, 2)] {
            let effects = desk.say(
                try desk.ready(contracts[number - 1], other, number: number), from: other)
            #expect(effects.kinds == ["prepare 1"])
        }
        for one in [1, 2] { desk.travellers[one].yes(contracts[one - 1]) }
        let effects = desk.put(.logsChanged)
        #expect(desk.yeses == 1 && desk.noes == 1 && effects.commits == [contracts[0]])
        #expect(desk.stage(1) == .committed && desk.stage(2) == .aborted)
    }

    /// The yes of the turn before is in no fold yet: it binds all the same, whoever else voted.
    @Test func aYesThatTheFoldHasNotSeenBinds() throws {
        var desk = Desk(3, me: 0)
        var contracts: [Contract] = []
        for other in [1, 2] {
            _ = desk.put(.propose(desk.ring([0, other]).legs, note: "", expires: nil))
            contracts.append(desk.swaps.records[other - 1].contract)
        }
        for (number, other) in [(1, 1), (2, 2)] {
            let ready = try desk.ready(contracts[number - 1], other, number: number)
            _ = desk.say(ready, from: other)
        }
        desk.travellers[1].yes(contracts[0])
        var late = desk
        late.travellers[2].yes(contracts[1])
        #expect(desk.put(.logsChanged).commits == [contracts[0]])
        // What is known is what was known before, and the other vote.
        let effects = desk.swaps.handle(
            .logsChanged, late.context, at: desk.now, random: &desk.random)
        #expect(effects.all == "log no; row aborted 1; say aborted by a check; send vote 1")
        #expect(effects.whats == [.aborted(.check(.busy))])
        // Once it is seen the slot is free for what is asked of it then.
        #expect(desk.put(.logsChanged).all == "")
    }

    /// As a coordinator it commits a slot, as a participant it was asked for it in the same turn.
    @Test func aCommitAndAWaitingPrepareShareNoSlot() throws {
        var desk = Desk(3, me: 1)
        _ = desk.put(.propose(desk.ring([1, 2]).legs, note: "", expires: nil))
        let own = desk.swaps.records[0].contract
        let asked = desk.ring([0, 1], nonce: 5)
        _ = desk.say(try desk.ready(own, 2), from: 2)
        _ = desk.say(try desk.proposal(asked, thread: 8), from: 0)
        _ = desk.put(.accept(2, override: false))
        desk.travellers[0].chat("later")
        desk.missing = [0: 3]
        _ = desk.say(try desk.prepare(asked, thread: 8), from: 0)
        desk.travellers[2].yes(own)
        desk.missing = [:]
        _ = desk.put(.logsChanged)
        #expect(desk.yeses == 1 && desk.stage(1) == .committed && desk.stage(2) == .aborted)
    }

    @Test func whoeverMayNotAskIsNotHeard() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1])
        // Another's name under it, not my contract, blocked.
        #expect(desk.say(try desk.proposal(contract), from: 2) == SwapEffects())
        #expect(desk.say(try desk.proposal(desk.ring([0, 2])), from: 0) == SwapEffects())
        desk.blocked = [desk.key(0)]
        #expect(desk.say(try desk.proposal(contract), from: 0) == SwapEffects())
        desk.blocked = []
        _ = desk.say(try desk.proposal(contract), from: 0)
        // Others' words about it.
        let thread = desk.swaps.records[0].thread
        for message: SwapMessage in [
            .withdraw(Withdraw(thread: thread, reason: .cancelled)),
            .decline(Decline(thread: thread, revision: 1, note: "")),
            try desk.prepare(contract), .query(contract.id),
        ] {
            #expect(desk.say(message, from: 2) == SwapEffects(), "\(message)")
        }
        #expect(desk.stage() == .invited)
    }

    @Test func aPeerHasEightOpenRequests() throws {
        var desk = Desk(3, me: 1)
        for thread in 1...9 {
            let contract = desk.ring([0, 1], nonce: UInt8(thread))
            _ = desk.say(try desk.proposal(contract, thread: UInt8(thread)), from: 0)
        }
        #expect(desk.swaps.records.map(\.number) == Array(1...8))
        _ = desk.say(try desk.proposal(desk.ring([2, 1]), thread: 20), from: 2)
        #expect(desk.swaps.records.count == 9)
        _ = desk.put(.decline(1, note: ""))
        _ = desk.say(try desk.proposal(desk.ring([0, 1], nonce: 30), thread: 30), from: 0)
        #expect(desk.swaps.records.count == 10)
    }

    /// A second negotiation of one contract would get a lock, a vote and an end of its own.
    @Test func oneContractIsOneNegotiation() throws {
        var desk = Desk(3, me: 1)
        let contract = desk.ring([0, 1])
        _ = desk.say(try desk.proposal(contract, thread: 1), from: 0)
        #expect(desk.say(try desk.proposal(contract, thread: 2), from: 0) == SwapEffects())
        // Nor does another negotiation turn into it.
        _ = desk.say(try desk.proposal(desk.ring([0, 1], nonce: 4), thread: 3), from: 0)
        #expect(
            desk.say(try desk.proposal(contract, thread: 3, revision: 2), from: 0)
                == SwapEffects())
        _ = desk.put(.accept(1, override: false))
        _ = desk.say(try desk.prepare(contract, thread: 1), from: 0)
        #expect(desk.say(try desk.proposal(contract, thread: 5), from: 0) == SwapEffects())
        desk.travellers[0].yes(contract)
        _ = desk.put(.logsChanged)
        #expect(desk.stage(1) == .committed && desk.swaps.locks.isEmpty)
        #expect(desk.say(try desk.proposal(contract, thread: 6), from: 0) == SwapEffects())
        #expect(desk.swaps.records.count == 2 && desk.yeses == 1)
    }

    /// Rows as an older version may have left them: two of one contract. Its lock is written once.
    @Test func aLockIsGivenOnce() throws {
        var desk = Desk(2, me: 1)
        let contract = desk.ring([0, 1])
        _ = desk.say(try desk.proposal(contract, thread: 1), from: 0)
        var second = desk.swaps.records[0]
        second.number = 2
        second.thread = try #require(ThreadID(Array(repeating: 2, count: 16)))
        desk.swaps = Swaps(
            me: desk.key(1), flight: Traveller.flight, records: desk.swaps.records + [second],
            locks: [], primitives: Traveller.primitives, at: desk.now)
        desk.travellers[1].yes(contract)
        #expect(desk.put(.recovered).all == "lock 1; row prepared 1; row prepared 1")
        #expect(desk.swaps.locks.count == 1)
        desk.travellers[0].yes(contract)
        #expect(desk.put(.logsChanged).unlocks.allSatisfy { $0.contract == contract.id })
        #expect(desk.swaps.locks.isEmpty)
    }

    /// A row that ran out while the own log was being fetched, and the log then held a yes to it.
    @Test(arguments: [SwapRecord.Stage.expired, .declined, .withdrawn, .aborted])
    func whatWasClosedTooEarlyGoesOn(stage: SwapRecord.Stage) throws {
        for (ending, all) in [
            ("", "lock 1; row prepared 1"),
            ("commit", "row committed 1; say committed"), ("abandon", ""),
        ] {
            var desk = Desk(3, me: 1)
            let contract = desk.ring([0, 1, 2])
            _ = desk.say(try desk.proposal(contract), from: 0)
            var record = desk.swaps.records[0]
            record.stage = stage
            desk.swaps = Swaps(
                me: desk.key(1), flight: Traveller.flight, records: [record], locks: [],
                primitives: Traveller.primitives, at: desk.now)
            desk.travellers[1].yes(contract)
            if ending == "commit" {
                for other in [0, 2] { desk.travellers[other].yes(contract) }
                let context = desk.context
                let made = try #require(contract.certificate(context.fold, context.logs))
                desk.travellers[1].commit(made)
            } else if ending == "abandon" {
                desk.travellers[1].abandon(contract, desk.travellers[2].no(contract))
            }
            #expect(desk.put(.recovered).all == all)
            #expect(desk.put(.recovered).all == "")
        }
    }

    @Test func aCommitThatWasShownAsTakenBack() throws {
        var desk = Desk(2, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1]).legs, note: "", expires: nil))
        let contract = desk.swaps.records[0].contract
        for index in 0...1 { desk.travellers[index].yes(contract) }
        let context = desk.context
        let made = try #require(contract.certificate(context.fold, context.logs))
        // While the log is fetched nobody may decide; a row of before may have been closed.
        #expect(desk.put(.cancel(1)).reply == .failure(.alreadyAnswered(desk.swaps.records[0])))
        desk.canAppend = false
        #expect(desk.put(.cancel(1)).reply == .failure(.logClosed))
        desk.canAppend = true
        var record = desk.swaps.records[0]
        record.stage = .withdrawn
        desk.travellers[0].commit(made)
        desk.swaps = Swaps(
            me: desk.key(0), flight: Traveller.flight, records: [record], locks: [],
            primitives: Traveller.primitives, at: desk.now)
        #expect(
            desk.put(.recovered).all
                == "row committed 1; say committed; send certificate 1")
    }

    @Test func memoryHoldsTwoHundredAndFiftySix() throws {
        var desk = Desk(2, me: 1)
        for number in 0..<300 {
            let thread = try #require(
                ThreadID(
                    Array(repeating: 0, count: 14) + [UInt8(number / 256), UInt8(number % 256)]))
            // No contract twice: it would be one negotiation.
            if number == 256 { desk.slots[1] = desk.travellers[1].claim("9F") }
            let contract = desk.ring([0, 1], nonce: UInt8(number % 256))
            let proposal = Proposal(
                thread: thread, revision: 1, contract: contract.bytes, note: "", expires: 600)
            _ = desk.put(.message(.propose(proposal), from: desk.key(0)))
            _ = desk.put(.decline(number + 1, note: ""))
            _ = desk.wait(301)
        }
        #expect(desk.swaps.records.map(\.number) == Array(45...300))
    }

    /// Asks `count` times from traveller 0, each answered by `decline` if so wished.
    private func ask(_ desk: inout Desk, _ numbers: Range<Int>, declining: Bool) throws {
        for number in numbers {
            let contract = desk.ring([0, 1], nonce: UInt8(number))
            _ = desk.say(try desk.proposal(contract, thread: UInt8(number)), from: 0)
            if declining, desk.stage(number + 1) == .invited {
                _ = desk.put(.decline(number + 1, note: ""))
            }
        }
    }

    @Test func limitOpenRequestsOfOneKey() throws {
        var desk = Desk(3, me: 1)
        try ask(&desk, 0..<Limits.requestsPerPeer, declining: false)
        #expect(desk.swaps.records.count == Limits.requestsPerPeer)
        let more = desk.ring([0, 1], nonce: 99)
        // One more is met by silence; another key still may ask.
        #expect(desk.say(try desk.proposal(more, thread: 99), from: 0) == SwapEffects())
        let other = desk.ring([2, 1])
        #expect(desk.say(try desk.proposal(other, thread: 77), from: 2).whats == [.requested])
    }

    @Test func limitRequestsOfOneKeyInAnHour() throws {
        var desk = Desk(3, me: 1)
        try ask(&desk, 0..<Limits.requestsPerHour, declining: true)
        #expect(desk.swaps.records.count == Limits.requestsPerHour)
        let more = desk.ring([0, 1], nonce: 99)
        #expect(desk.say(try desk.proposal(more, thread: 99), from: 0) == SwapEffects())
        let other = desk.ring([2, 1])
        #expect(desk.say(try desk.proposal(other, thread: 77), from: 2).whats == [.requested])
        // One second before the hour is over it is still so; a restart forgets nothing.
        _ = desk.wait(Limits.requestSpan - 1)
        desk.restart()
        #expect(desk.say(try desk.proposal(more, thread: 99), from: 0) == SwapEffects())
        _ = desk.wait(1)
        #expect(desk.say(try desk.proposal(more, thread: 99), from: 0).whats == [.requested])
    }

    @Test func aKeyThatStrandedUsGetsNoSecondConsent() throws {
        var desk = Desk(2, me: 1)
        let second = desk.travellers[1].claim("7C")
        let contract = desk.ring([0, 1])
        _ = desk.say(try desk.proposal(contract), from: 0)
        _ = desk.put(.accept(1, override: false))
        _ = desk.say(try desk.prepare(contract), from: 0)
        for _ in 0..<130 { _ = desk.wait(1) }
        let other = desk.travellers[0].claim("8C")
        desk.slots = [other, second]
        _ = desk.say(try desk.proposal(desk.ring([0, 1]), thread: 5), from: 0)
        #expect(
            desk.put(.accept(2, override: false)).reply == .failure(.strandedWith(desk.key(0))))
        #expect(desk.put(.accept(2, override: true)).reply == .success(2))
    }

    @Test func wishesThatCannotBe() throws {
        var desk = Desk(3, me: 0)
        let legs = desk.ring([0, 1]).legs
        #expect(desk.put(.accept(7, override: false)).reply == .failure(.noSuchRequest(7)))
        #expect(
            desk.put(.propose(desk.ring([1, 2]).legs, note: "", expires: nil)).reply
                == .failure(.badContract))
        desk.window = .early(opensIn: 60)
        #expect(
            desk.put(.propose(legs, note: "", expires: nil)).reply == .failure(.windowEarly(60)))
        desk.window = .closed(since: 9)
        #expect(
            desk.put(.propose(legs, note: "", expires: nil)).reply == .failure(.windowClosed(9)))
        desk.window = nil
        desk.blocked = [desk.key(1)]
        #expect(
            desk.put(.propose(legs, note: "", expires: nil)).reply
                == .failure(.blocked(desk.key(1))))
        desk.blocked = []
        _ = desk.put(.propose(legs, note: "", expires: nil))
        let record = desk.swaps.records[0]
        #expect(desk.put(.accept(1, override: false)).reply == .failure(.notYours(record)))
        #expect(desk.put(.force(1)).reply == .failure(.notStranded(record)))
        _ = desk.put(.cancel(1))
        let over = desk.swaps.records[0]
        for wish in [
            SwapEvent.accept(1, override: false), .decline(1, note: ""), .cancel(1),
        ] {
            #expect(desk.put(wish).reply == .failure(.alreadyAnswered(over)))
        }
    }

    @Test func finalOnlyWhenAnotherHoldsTheCommit() throws {
        var desk = Desk(2, me: 0)
        _ = desk.put(.propose(desk.ring([0, 1]).legs, note: "", expires: nil))
        let contract = desk.swaps.records[0].contract
        _ = desk.say(try desk.ready(contract, 1), from: 1)
        desk.travellers[1].yes(contract)
        #expect(desk.put(.logsChanged).whats == [.committed])
        #expect(desk.put(.logsChanged).whats == [])
        desk.acknowledged = desk.travellers[0].log.count - 1
        #expect(desk.put(.logsChanged).whats == [])
        desk.acknowledged += 1
        #expect(desk.put(.logsChanged).whats == [.final])
        #expect(desk.put(.logsChanged).whats == [])
        #expect(desk.swaps.records[0].isFinal)
    }
}

@Suite struct SwapRecordTests {
    @Test func roundTripsAndRefusesDamage() throws {
        var desk = Desk(3, me: 1)
        _ = desk.say(try desk.proposal(desk.ring([0, 1, 2])), from: 0)
        let counter = desk.ring([0, 1, 2], nonce: 4)
        for stage in SwapRecord.Stage.allCases {
            var record = desk.swaps.records[0]
            record.stage = stage
            record.counter = stage == .countered ? counter : nil
            record.counteredBy = stage == .countered ? desk.key(2) : nil
            record.isStuck = stage == .stranded
            record.tries = stage.rawValue
            record.ending = "é\u{202E}"
            let bytes = record.encode()
            let back = try SwapRecord(bytes, primitives: Traveller.primitives)
            #expect(back == record && back.encode() == bytes)
            for end in 0..<bytes.count {
                #expect(throws: DecodeError.self) {
                    try SwapRecord(Array(bytes[..<end]), primitives: Traveller.primitives)
                }
            }
            #expect(throws: DecodeError(.leftover)) {
                try SwapRecord(bytes + [0], primitives: Traveller.primitives)
            }
        }
    }

    /// A damaged row is refused or reads as another row, and never stops the process.
    @Test func everyFlippedByteIsSurvived() throws {
        var desk = Desk(2, me: 1)
        _ = desk.say(try desk.proposal(desk.ring([0, 1])), from: 0)
        let bytes = desk.swaps.records[0].encode()
        for index in bytes.indices {
            for mask in [1, 0x20, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= mask
                if let record = try? SwapRecord(damaged, primitives: Traveller.primitives) {
                    #expect(record.encode() == damaged)
                }
            }
        }
    }
}

@Suite struct SlotLockTests {
    /// Sorted by slot, then by contract: the same locks give the same rows on every machine.
    @Test func locksHaveOneOrder() throws {
        let desk = Desk(4, me: 0)
        let contracts = (0..<3).map { desk.ring([0, 1], nonce: UInt8($0)).id }.sorted()
        let slots = desk.slots.sorted()
        let locks = slots.flatMap { slot in
            contracts.map { SlotLock(slot: slot, contract: $0) }
        }
        #expect(locks.reversed().sorted() == locks && locks.shuffled().sorted() == locks)
        #expect(!(locks[0] < locks[0]))
    }

    @Test func whatDiffersInALockIsNotEqual() throws {
        let desk = Desk(2, me: 0)
        let lock = SlotLock(slot: desk.slots[0], contract: desk.ring([0, 1]).id)
        let bound = Swaps(
            me: desk.key(0), flight: Traveller.flight, records: [], locks: [lock],
            primitives: Traveller.primitives, at: desk.now)
        #expect(bound != desk.swaps && bound == bound)
        var asking = desk
        _ = asking.put(.propose(desk.ring([0, 1]).legs, note: "", expires: nil))
        #expect(asking.swaps != desk.swaps)
    }
}
