// SPDX-License-Identifier: Apache-2.0
extension LogSet {
    /// The parties of a contract who say that they sit where it put them, in the order of the
    /// parties; nobody before it is applied (docs/protocol.md section 8). No rule of the fold reads
    /// it.
    package func seated(by contract: ContractID, _ fold: SeatFold) -> [PeerKey] {
        guard let state = fold.contract(contract), state.applied, let made = state.contract else {
            return []
        }
        return made.parties.filter { log(of: $0)?.sits(after: contract) == true }
    }
}
