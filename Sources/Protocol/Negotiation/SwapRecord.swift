// SPDX-License-Identifier: Apache-2.0
/// A slot on which this agent has an open yes: nobody else gets one until it is released
/// (docs/protocol.md section 16).
public struct SlotLock: Hashable, Comparable, Sendable {
    /// The tenure given up.
    public let slot: Slot
    /// The contract that the yes is for.
    public let contract: ContractID

    /// A lock.
    public init(slot: Slot, contract: ContractID) {
        self.slot = slot
        self.contract = contract
    }

    /// Orders by slot, then contract.
    public static func < (left: SlotLock, right: SlotLock) -> Bool {
        left.slot != right.slot ? left.slot < right.slot : left.contract < right.contract
    }
}

/// One negotiation as it is kept on disk and shown to people (docs/protocol.md section 16).
public struct SwapRecord: Hashable, Sendable {
    /// Who asked, and which of the two machines runs it. The numbers are on disk: never change one.
    public enum Role: Int, CaseIterable, Sendable {
        /// This agent asked several others, and votes last.
        case coordinator = 0
        /// This agent was asked with others, and votes first.
        case participant = 1
        /// This agent asked one other, who coordinates, and votes first.
        case asker = 2
        /// This agent was asked by one other, coordinates and votes last.
        case asked = 3

        /// Whether this agent votes last.
        public var coordinates: Bool {
            switch self {
            case .coordinator, .asked: true
            case .participant, .asker: false
            }
        }

        /// Whether another began it.
        public var isIncoming: Bool {
            switch self {
            case .participant, .asked: true
            case .coordinator, .asker: false
            }
        }
    }

    /// Where it stands. The numbers are on disk: never change one.
    public enum Stage: Int, CaseIterable, Sendable {
        /// Coordinator: sent to the others, who have not all consented.
        case offered = 0
        /// Coordinator: somebody made a counter-offer, the user decides.
        case countered = 1
        /// Participant: the user decides.
        case invited = 2
        /// Participant: our counter-offer is with the coordinator.
        case counterSent = 3
        /// Participant: consented, soft.
        case ready = 4
        /// Coordinator: votes are being collected.
        case preparing = 5
        /// Participant: a signed yes without an outcome.
        case prepared = 6
        /// As `prepared`, and the slot was re-minted by the user.
        case stranded = 7
        /// The contract is complete.
        case committed = 8
        /// A signed no ended it.
        case aborted = 9
        /// Somebody declined before anything was bound.
        case declined = 10
        /// Its author took it back.
        case withdrawn = 11
        /// Its time ran out.
        case expired = 12
        /// Asker: the request stands, and with it the consent.
        case asking = 13
        /// Asked: the user decides.
        case requested = 14
        /// Asked: the user said yes, and the asker is waited for.
        case agreed = 15

        /// Whether it is over.
        public var isOver: Bool {
            switch self {
            case .committed, .aborted, .declined, .withdrawn, .expired: true
            case .offered, .countered, .invited, .counterSent, .ready, .preparing, .prepared,
                .stranded, .asking, .requested, .agreed:
                false
            }
        }
    }

    /// What people call it: 1, 2, 3 ... in this agent.
    public var number: Int
    /// The same in all agents.
    public var thread: ThreadID
    /// Which machine.
    public var role: Role
    /// Revision of ``contract``.
    public var revision: Int
    /// The present contract.
    public var contract: Contract
    /// Where it stands.
    public var stage: Stage
    /// Words that came with the present contract. Hostile text when another wrote it.
    public var note: String
    /// Words that came with its end.
    public var ending: String
    /// A counter-offer on the table: ours sent, or another's received.
    public var counter: Contract?
    /// Who made the counter-offer.
    public var counteredBy: PeerKey?
    /// When it was made or came.
    public var created: UTCTime
    /// When it lapses.
    public var expires: UTCTime
    /// When its stage changed last.
    public var updated: UTCTime
    /// Whether ``updated`` is when it became final for this agent (docs/protocol.md section 17).
    public var isFinal: Bool
    /// The user accepted disputed or re-minted seats knowingly.
    public var override: Bool
    /// Tries after collisions.
    public var tries: Int
    /// Whether 120 s went by after a yes without an outcome.
    public var isStuck: Bool
    /// The number of the one that a yes went to in place of this one; 0 while there is none.
    public var instead: Int
    /// Whether more than a claim stood behind the coordinator when the user consented.
    var wasKnown: Bool
    /// What the logs say of a seat of it, where that is why it ended.
    public var lost: LostSeat?
    /// Whether WITHDRAW `failed` ended it, said or heard: another request may take its place.
    public var hasFailed: Bool

    /// The other parties, sorted.
    public func others(than me: PeerKey) -> [PeerKey] { contract.parties.filter { $0 != me } }

    /// Who began it.
    public func asker(_ me: PeerKey) -> PeerKey {
        switch role {
        case .coordinator, .asker: me
        case .participant: contract.coordinator
        case .asked: others(than: me).first ?? me
        }
    }

    /// The one to whom a counter-offer goes: who coordinates, or the other of two.
    public func partner(of me: PeerKey) -> PeerKey {
        contract.coordinator != me
            ? contract.coordinator : others(than: me).first ?? contract.coordinator
    }

    /// Deterministic CBOR for the store.
    public func encode() -> [UInt8] {
        var writer = CBORWriter(capacity: 1024)
        writer.array(23)
        writer.uint(1)
        writer.uint(number)
        writer.bytes(thread.bytes)
        writer.uint(role.rawValue)
        writer.uint(revision)
        writer.bytes(contract.bytes)
        writer.uint(stage.rawValue)
        writer.text(note)
        writer.text(ending)
        writer.bytes(counter?.bytes ?? [])
        if let counteredBy { writer.value(counteredBy) } else { writer.null() }
        for time in [created, expires, updated] { writer.uint(Int(time.seconds)) }
        writer.bool(isFinal)
        writer.bool(override)
        writer.uint(tries)
        writer.bool(isStuck)
        writer.uint(instead)
        writer.bool(wasKnown)
        writer.uint(lost?.why.rawValue ?? 0)
        writer.bytes(lost?.token.bytes ?? [])
        writer.bool(hasFailed)
        return writer.bytes
    }

    /// Reads what ``encode()`` wrote.
    public init(_ bytes: [UInt8], primitives: any Primitives) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        // Rows of before have no word on lost seats, or on what failed.
        let count = try reader.array(20...23)
        _ = try reader.uint(in: 1...1)
        number = try reader.uint()
        thread = try ThreadID.read(&reader)
        guard let role = Role(rawValue: try reader.uint(max: 255)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.role = role
        revision = try reader.uint()
        contract = try Contract(try reader.bytes(1...Limits.contract), primitives: primitives)
        guard let stage = Stage(rawValue: try reader.uint(max: 255)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.stage = stage
        note = try reader.text(max: Limits.note)
        ending = try reader.text(max: Limits.note)
        let countering = try reader.bytes(0...Limits.contract)
        counter = countering.isEmpty ? nil : try Contract(countering, primitives: primitives)
        counteredBy = try reader.takeNull() ? nil : try reader.value(PeerKey.self)
        created = UTCTime(seconds: Int64(try reader.uint()))
        expires = UTCTime(seconds: Int64(try reader.uint()))
        updated = UTCTime(seconds: Int64(try reader.uint()))
        isFinal = try reader.bool()
        override = try reader.bool()
        tries = try reader.uint()
        isStuck = try reader.bool()
        instead = try reader.uint()
        wasKnown = try reader.bool()
        lost = count >= 22 ? try LostSeat.read(&reader) : nil
        hasFailed = count >= 23 ? try reader.bool() : false
        try reader.finish()
    }

    init(
        number: Int, thread: ThreadID, role: Role, contract: Contract, stage: Stage, note: String,
        created: UTCTime, expires: UTCTime
    ) {
        self.number = number
        self.thread = thread
        self.role = role
        self.contract = contract
        self.stage = stage
        self.note = note
        self.created = created
        self.expires = expires
        revision = 1
        ending = ""
        updated = created
        isFinal = false
        override = false
        tries = 0
        isStuck = false
        instead = 0
        wasKnown = false
        lost = nil
        hasFailed = false
    }
}
