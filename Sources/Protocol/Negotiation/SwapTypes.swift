// SPDX-License-Identifier: Apache-2.0
/// What happens to the negotiations of this agent.
package enum SwapEvent: Hashable, Sendable {
    /// The user asks one other passenger, who coordinates; seconds until it lapses.
    case ask([Leg], note: String, expires: Int?, override: Bool = false)
    /// The user asks: legs for two to eight parties; seconds until it lapses.
    case propose([Leg], note: String, expires: Int?, override: Bool = false)
    /// The user says yes: to that contract and to none that took its place, where it is named.
    case accept(Int, override: Bool, of: ContractID? = nil)
    /// The user says no.
    case decline(Int, note: String)
    /// The user wants something else instead.
    case counter(Int, [Leg], note: String, override: Bool = false)
    /// The user takes a request or a soft yes back.
    case cancel(Int)
    /// An own request that somebody has not answered ends, so that another may take its place.
    case replace(Int)
    /// The user leaves a stranded swap by re-minting.
    case force(Int)
    /// A message of docs/protocol.md section 16; entries in it are in the logs already as far as
    /// they fit.
    case message(SwapMessage, from: PeerKey)
    /// Logs and fold are others than before.
    case logsChanged
    /// A session with that peer opened.
    case linked(PeerKey)
    /// The last session with that peer ended.
    case unlinked(PeerKey)
    /// After a start: the own log may be appended to.
    case recovered
    /// The deadline came.
    case tick
}

/// What negotiations may know about the rest.
package struct SwapContext: Sendable {
    /// The fold of the logs.
    package var fold: SeatFold
    /// All logs.
    package var logs: LogSet
    /// Whether seats may be traded now; `nil` for always.
    package var window: SelectionWindow.State?
    /// Blocked keys.
    package var blocked: [PeerKey]
    /// Keys that signed two things that exclude each other, without a fork; sorted.
    package var liars: [PeerKey]
    /// Whether the own log may be appended to.
    package var canAppend: Bool
    /// How much of the own log at least one other agent has.
    package var acknowledged: Int
    /// What the user knows of people: it decides which claims are disputed.
    package var trust: Trust
    /// Keys with whom a session is open.
    package var linked: [PeerKey]
    /// Those among them with whom one is open for long, sorted.
    package var settled: [PeerKey]
    /// What a venue adds; `nil` on a flight.
    package var venue: VenueSwaps?

    /// The state of the core for one event; nobody is trusted, convicted or settled unless given.
    package init(
        fold: SeatFold, logs: LogSet, window: SelectionWindow.State?, blocked: [PeerKey],
        liars: [PeerKey] = [], canAppend: Bool, acknowledged: Int, trust: Trust = .none,
        linked: [PeerKey], settled: [PeerKey] = [], venue: VenueSwaps? = nil
    ) {
        self.venue = venue
        self.trust = trust
        self.settled = settled
        self.linked = linked
        self.liars = liars
        self.fold = fold
        self.logs = logs
        self.window = window
        self.blocked = blocked
        self.canAppend = canAppend
        self.acknowledged = acknowledged
    }

    /// Whether a passenger's own entries convict them, without a fork. O(log n).
    func isLiar(_ key: PeerKey) -> Bool { liars.position(of: key, by: { $0 }) != nil }

    /// Whether the window is open, or there is none.
    var isWindowOpen: Bool {
        switch window {
        case .open, nil: true
        case .early, .closed: false
        }
    }
}

/// What negotiations ask for, in the order in which it is done.
package struct SwapEffects: Hashable, Sendable {
    /// Entries for the own log, in order, in one transaction with locks and rows.
    package var appends: [EntryBody] = []
    /// Contracts whose certificate is logged next, from the votes known then.
    package var commits: [Contract] = []
    /// Slots on which a yes is given.
    package var locks: [SlotLock] = []
    /// Slots that are free again.
    package var unlocks: [SlotLock] = []
    /// Rows that changed.
    package var records: [SwapRecord] = []
    /// Rows that nobody needs any more.
    package var forgotten: [SwapRecord] = []
    /// Messages, after all of the above is durable.
    package var sends: [SwapSend] = []
    /// Logs to be caught up with: from that peer.
    package var wants: [SwapWant] = []
    /// What people are told.
    package var notices: [SwapNotice] = []
    /// The answer to the user: the number of the negotiation.
    package var reply: Result<Int, SwapRefusal>?

    /// Nothing.
    package init() {}

    mutating func append(_ more: SwapEffects) {
        appends += more.appends
        commits += more.commits
        locks += more.locks
        unlocks += more.unlocks
        records += more.records
        forgotten += more.forgotten
        sends += more.sends
        wants += more.wants
        notices += more.notices
        if let reply = more.reply { self.reply = reply }
    }
}

/// A message of a negotiation; votes and certificates are made once the entries in them exist.
package enum SwapSend: Hashable, Sendable {
    /// This message.
    case message(SwapMessage, to: [PeerKey])
    /// VOTE with this agent's vote on the contract and what the receiver may lack before it.
    case vote(ContractID, to: [PeerKey])
    /// CERT from the certificate that this agent logged.
    case certificate(ContractID, to: [PeerKey])
    /// STATUS with the votes known.
    case status(ContractID, to: [PeerKey])
}

/// Logs that a vote must wait for.
package struct SwapWant: Hashable, Sendable {
    /// Whom to ask.
    package let from: PeerKey
    /// How far.
    package let head: LogHead
}

/// What people are told about a negotiation.
public struct SwapNotice: Hashable, Sendable {
    /// What happened.
    public enum What: Hashable, Sendable {
        /// A request came in.
        case requested
        /// A counter-offer came, or the request changed.
        case countered
        /// A party consented.
        case ready(PeerKey)
        /// A party, or this agent, declined; its words are in the record.
        case declined(PeerKey)
        /// Its author took it back.
        case withdrawn
        /// Its time ran out.
        case expired
        /// A consent lapsed: the request stands, and can be accepted again.
        case lapsed
        /// Votes are being collected.
        case binding
        /// The contract is complete here: agreed, confirming.
        case committed
        /// Final for this agent: people may move.
        case final
        /// It ended without a swap.
        case aborted(SwapFailure)
        /// A yes waits for an outcome for 120 s: the seat is held.
        case stranded
    }

    /// The negotiation as it stands now.
    public let record: SwapRecord
    /// What happened.
    public let what: What
}

/// Why a negotiation ended without a swap.
public enum SwapFailure: Hashable, Sendable {
    /// A check before the yes failed.
    case check(VoteFault)
    /// That party signed a no.
    case refused(PeerKey)
    /// Not all votes came in time.
    case silence
    /// The user stopped it.
    case cancelled
    /// This agent was started anew.
    case restart
}

/// Why the user's wish about a negotiation was refused.
public enum SwapRefusal: Error, Hashable, Sendable {
    /// There is no such request.
    case noSuchRequest(Int)
    /// It is over, or was answered.
    case alreadyAnswered(SwapRecord)
    /// Only the one who was asked may do that.
    case notYours(SwapRecord)
    /// Nothing stranded there.
    case notStranded(SwapRecord)
    /// In a venue only its desk ends a swap that is stranded.
    case onlyDesk(SwapRecord)
    /// A check failed.
    case check(VoteFault)
    /// The window opens in so many seconds.
    case windowEarly(Int64)
    /// The window closed so many seconds ago.
    case windowClosed(Int64)
    /// That passenger is blocked here.
    case blocked(PeerKey)
    /// The legs are no contract.
    case badContract
    /// Too many consents are open at once.
    case tooManyReady
    /// So many negotiations are open already.
    case tooMany
    /// The seat is promised to another swap that is being decided.
    case promised
    /// A swap with that passenger is stranded: accept again with an override.
    case strandedWith(PeerKey)
    /// The user said yes to that one, which gives the seat away.
    case given(SwapRecord)
    /// The very same is asked already, and stands.
    case askedAlready(SwapRecord)
    /// The own log cannot be appended to.
    case logClosed
    /// Nothing but a claim stands behind that coordinator, who votes last: the seat that would be
    /// given may get stuck, and the user did not say that they know.
    case mayStick(PeerKey, give: Seat?)
}
