// SPDX-License-Identifier: Apache-2.0
/// When an agent says yes for its user, without asking them (docs/protocol.md section 16).
///
/// The user said before which requests that is for. It looks at each offer once, when it comes or
/// when the user says so: what the user did with one is not undone.
package struct AutomaticYes: Hashable, Sendable {
    /// A yes that was said for the user.
    package struct Given: Hashable, Sendable {
        /// Who proposed it.
        package let proposer: PeerKey
        /// To what.
        package let contract: ContractID
        /// When.
        package let at: UTCTime
        /// Whether the user left it as it was.
        package fileprivate(set) var isLeft = true
    }

    /// Why the user is asked.
    package enum Why: Error, Hashable, Sendable {
        /// They did not say that their agent may.
        case off
        /// Whoever proposes it does not count as a companion.
        case notCompanion
        /// Nothing but their own claim speaks for a companion, or for whoever votes last.
        case claimed
        /// The user's wish is not public, and whoever proposes it would learn of it.
        case hidden
        /// The user would give what they do not offer.
        case notOffered
        /// Seats cannot be swapped now.
        case closed
        /// It came with words, which are for people.
        case words
        /// There is something that a person has to weigh, or a rule forbids it.
        case warned
        /// What it does for the user and their party.
        case party(PartyGain.Fault)
        /// Another yes was said for the user to the same proposer within ``Limits/automaticPause``.
        case tooSoon
        /// So many were said that none is forgotten yet.
        case tooMany
    }

    /// What is known of a request that waits for the user.
    package struct Request: Hashable, Sendable {
        /// What is proposed.
        package var contract: ContractID
        /// Who proposes it.
        package var proposer: PeerKey
        /// Whether they are a companion who counts.
        package var isCompanion: Bool
        /// Whether more than their own claim speaks for them.
        package var isKnown: Bool
        /// Whether seats can be swapped.
        package var isOpen: Bool
        /// Whether it came with words.
        package var hasWords: Bool
        /// Whether the program around the core has something to say that a person has to weigh.
        package var isWarned: Bool
        /// What is wrong with it for the user's party.
        package var fault: PartyGain.Fault?
        /// Whether the user verified whoever proposes it, or travels with them.
        package var isTrusted = false
        /// Whether the user votes last, or more than a claim speaks for whoever does.
        package var isSafe = false
        /// Whether others were told what the user wishes.
        package var isPublic = false
        /// Whether the user gives nothing but what they offer.
        package var isOffered = false
        /// What is wrong with it for the user's wish.
        package var wishFault: PartyGain.Fault?
    }

    /// Whether the user trusts their party to seat them together.
    package private(set) var trusts = false
    /// Whether the agent proposes and accepts for the user what serves their wish.
    package private(set) var serves = false
    /// What was said, the oldest first.
    package private(set) var given: [Given] = []
    /// Offers of others that were looked at.
    private var seen: [ContractID] = []
    /// Those of them to which the user took a yes back: they are theirs to answer.
    private var recanted: [ContractID] = []

    /// Nothing is said for the user.
    package init() {}

    /// The user says whether their companions' plans need no word of theirs.
    package mutating func trust(_ isOn: Bool) {
        if isOn, !trusts { seen = recanted }
        trusts = isOn
    }

    /// The user says whether what serves their wish needs no word of theirs.
    package mutating func serve(_ isOn: Bool) {
        if isOn, !serves { seen = recanted }
        serves = isOn
    }

    /// The agent proposed a contract for its user, whose key is `me`.
    package mutating func proposed(_ contract: ContractID, by me: PeerKey, at now: UTCTime) {
        if given.count == Limits.automaticYeses { given.removeFirst() }
        given.append(Given(proposer: me, contract: contract, at: now))
    }

    /// Requests of others that wait and were not looked at yet.
    package mutating func fresh(_ records: [SwapRecord]) -> [SwapRecord] {
        let open = records.filter { $0.role.isIncoming && !$0.stage.isOver }
        let known = seen
        seen = open.map(\.contract.id)
        recanted.removeAll { !seen.contains($0) }
        return open.filter { record in
            [.invited, .requested].contains(record.stage) && !known.contains(record.contract.id)
        }
    }

    /// Says yes for the user, or why they are asked. A yes is to be kept before it is acted upon.
    package mutating func answer(
        _ request: Request, at now: UTCTime
    ) -> Result<Given, Why> {
        if let why = why(request, at: now) { return .failure(why) }
        // The oldest does not count any more.
        if given.count == Limits.automaticYeses { given.removeFirst() }
        let yes = Given(proposer: request.proposer, contract: request.contract, at: now)
        given.append(yes)
        return .success(yes)
    }

    private func why(_ request: Request, at now: UTCTime) -> Why? {
        guard trusts || serves else { return .off }
        let seated = trusts ? whyNotSeated(request) : .off
        let served = serves ? whyNotServed(request) : .off
        if let seated, let served { return trusts ? seated : served }
        guard request.isOpen else { return .closed }
        guard !request.hasWords else { return .words }
        guard !request.isWarned else { return .warned }
        guard !given.contains(where: { $0.proposer == request.proposer && counts($0, now) }) else {
            return .tooSoon
        }
        let isFull = given.count == Limits.automaticYeses
        return isFull && given.first.map { counts($0, now) } ?? false ? .tooMany : nil
    }

    private func whyNotSeated(_ request: Request) -> Why? {
        guard request.isCompanion else { return .notCompanion }
        guard request.isKnown else { return .claimed }
        return request.fault.map(Why.party)
    }

    private func whyNotServed(_ request: Request) -> Why? {
        guard request.isSafe else { return .claimed }
        guard request.isPublic || request.isTrusted else { return .hidden }
        guard request.isOffered else { return .notOffered }
        return request.wishFault.map(Why.party)
    }

    /// Whether another yes has to wait for it, also where the clock was set back since.
    private func counts(_ yes: Given, _ now: UTCTime) -> Bool {
        now.seconds < yes.at.seconds &+ Limits.automaticPause.wholeSeconds
    }

    /// Whether what stands as the user's yes to `contract` was said for them.
    package func spoke(for contract: ContractID) -> Bool {
        given.contains { $0.contract == contract && $0.isLeft }
    }

    /// The user took a yes to `contract` back.
    package mutating func recant(_ contract: ContractID) {
        recanted.append(contract)
        forget(contract)
    }

    /// It was no yes after all: what stands from now on is the user's own.
    package mutating func forget(_ contract: ContractID) {
        for index in given.indices where given[index].contract == contract {
            given[index].isLeft = false
        }
    }

    // MARK: On disk

    /// Deterministic CBOR for the store.
    package func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.bool(trusts)
        writer.bool(serves)
        writer.array(given.count)
        for yes in given {
            writer.array(4)
            writer.value(yes.proposer)
            writer.value(yes.contract)
            writer.uint(Int(yes.at.seconds))
            writer.bool(yes.isLeft)
        }
        return writer.bytes
    }

    /// Reads what ``encode()`` wrote.
    package init(_ bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(3)
        trusts = try reader.bool()
        serves = try reader.bool()
        for _ in 0..<(try reader.array(0...Limits.automaticYeses)) {
            try reader.array(4)
            var yes = Given(
                proposer: try reader.value(PeerKey.self),
                contract: try reader.value(ContractID.self),
                at: UTCTime(seconds: Int64(try reader.uint())))
            yes.isLeft = try reader.bool()
            given.append(yes)
        }
        try reader.finish()
    }
}
