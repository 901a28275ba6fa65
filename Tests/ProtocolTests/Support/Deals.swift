// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// Both vote yes to exchange `x` of `a` for `y` of `b`; nobody commits.
func agree(
    _ a: inout Traveller, _ x: Slot, _ b: inout Traveller, _ y: Slot, nonce: UInt8 = 0
) -> (contract: Contract, certificate: Commit) {
    let contract = Contract.of([(x, from: a, to: b), (y, from: b, to: a)], nonce: nonce)
    let votes = [a.yes(contract), b.yes(contract)]
    return (contract, contract.certificate(votes, claims: a.log + b.log))
}

/// As `agree`, and `b` commits.
@discardableResult
func swap(
    _ a: inout Traveller, _ x: Slot, _ b: inout Traveller, _ y: Slot, nonce: UInt8 = 0
) -> Contract {
    let (contract, certificate) = agree(&a, x, &b, y, nonce: nonce)
    b.commit(certificate)
    return contract
}

/// As `swap`, of two among others.
func swap(_ all: inout [Traveller], _ one: Int, _ x: Slot, _ other: Int, _ y: Slot) {
    var (a, b) = (all[one], all[other])
    swap(&a, x, &b, y, nonce: 99)
    (all[one], all[other]) = (a, b)
}

extension SeatFold {
    func applied(_ contract: Contract) -> Bool { self.contract(contract.id)?.applied == true }
    func complete(_ contract: Contract) -> Bool { self.contract(contract.id)?.complete == true }
    func dead(_ contract: Contract) -> Bool { self.contract(contract.id)?.dead == true }
    func beaten(_ contract: Contract) -> Bool { self.contract(contract.id)?.beaten == true }
    func holder(_ slot: Slot) -> PeerKey? { token(slot.token)?.holder }
}
