// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// What is read as a contract is the one encoding of its legs, and keeps the static rules.
///
/// Input: the contract.
enum ContractsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let primitives = LaxPrimitives.shared
        let contract: Contract
        do throws(DecodeError) {
            contract = try Contract(input, primitives: primitives)
        } catch {
            return .refused
        }
        let copy = Contract(
            flight: contract.flight, coordinator: contract.coordinator, nonce: contract.nonce,
            legs: contract.legs.reversed(), primitives: primitives)
        hold(copy?.bytes == input, "written as other bytes")
        hold(copy == contract && copy?.id == contract.id, "another contract")
        let parties = contract.parties
        hold(parties.contains(contract.coordinator), "a coordinator from outside")
        let slots = parties.flatMap(contract.slots)
        hold(slots.sorted() == contract.legs.map(\.slot).sorted(), "slots are lost")
        hold(Contract.countOfParties(input) == parties.count, "parties are counted wrong")
        for party in parties {
            let gives = contract.slots(of: party).count
            let takes = contract.legs.count { $0.to == party }
            hold(gives == takes && gives > 0, "a party gives what it does not get")
        }
        return .accepted
    }
}
