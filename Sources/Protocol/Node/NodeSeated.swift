// SPDX-License-Identifier: Apache-2.0
/// Who sits in their new seat after a swap (docs/protocol.md section 8).
extension Node {
    /// The parties of a contract who say that they sit where it put them, in the order of the
    /// parties; nobody before it is applied.
    public func seated(by contract: ContractID) -> [PeerKey] {
        records.logs.seated(by: contract, folding.fold)
    }

    /// The user says that they sit where the contract put them, or not yet.
    mutating func sit(
        _ contract: ContractID, _ sits: Bool, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        guard let state = folding.fold.contract(contract), state.applied,
            state.contract?.parties.contains(me) == true
        else { return .failure(.notSwapped) }
        let said = records.logs.log(of: me)?.sits(after: contract) ?? false
        guard said != sits else { return .failure(.alreadySo) }
        return record(.seated(contract, sits), &effects, at: now)
    }
}
