// SPDX-License-Identifier: Apache-2.0
/// What an agent has to know of a request to answer it by itself (``AutomaticYes``).
extension Node {
    /// A request that waits for the user; `isWarned` if a person has to weigh something of it that
    /// only the program around the core knows.
    package func automatic(
        _ record: SwapRecord, _ known: KnownSeats, isWarned: Bool, at now: Moment
    ) -> AutomaticYes.Request {
        let proposer = record.asker(me)
        let isOpen =
            switch setup.window?.state(at: now.utc) {
            case .open, nil: true
            case .early, .closed: false
            }
        let scene = scenes(known).own
        let (legs, last) = (record.contract.legs, record.contract.coordinator)
        return AutomaticYes.Request(
            contract: record.contract.id, proposer: proposer,
            isCompanion: fellows.counted.contains(proposer),
            isKnown: assurance(of: proposer) != .claimed,
            isOpen: isOpen, hasWords: !record.note.isEmpty, isWarned: isWarned,
            fault: PartyGain.fault(of: legs, in: scene, for: me),
            isTrusted: isTrusted(proposer), isSafe: last == me || assurance(of: last) != .claimed,
            isPublic: isWishPublic, isOffered: isOffered(legs),
            wishFault: PartyGain.wishFault(of: legs, in: scene, for: me))
    }
}
