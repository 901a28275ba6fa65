// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Rendezvous
import Store
import Text
import Trips

/// The agent as the control socket sees it.
protocol ControlHost: AnyObject {
    /// What is known, as a value to read.
    associatedtype Core: NodeReading
    /// The core.
    var node: Core { get }
    /// The process around it.
    var facts: AgentFacts { get }
    /// The layout of that name, from the passenger's own files too. Throws `no-such-cabin` or
    /// `bad-cabin`.
    func findCabin(_ id: String) throws(UserError) -> CabinLayout
    /// Readable layouts that passengers suggest, the most suggested first.
    var votes: [CabinVote] { get }
    /// The layout that passengers agree on, while this one still has to say whether to draw it.
    var cabinQuestion: CabinQuestion? { get }
    /// Stores the answer, and draws the layout after a yes. Throws `file`.
    func settle(_ question: CabinQuestion, takes: Bool) throws(UserError)
    /// The layout that judges seats, and whether the passenger chose it; `nil` if none is known.
    var judged: (cabin: CabinLayout, isChosen: Bool)? { get }
    /// What the passenger says of the people in their seats. Private: nobody is told.
    var needs: Needs { get }
    /// Stores that in the flight's file. Throws `file`.
    func keep(_ needs: Needs) throws(UserError)
    /// The layout that draws the cabin and describes seats: the chosen one, else the one of others
    /// that the passenger accepted, else the standard one.
    var cabin: CabinLayout { get }
    /// Silence for strangers; `nil` for none.
    var silence: Silence? { get }
    /// Keeps the silence as long as this process runs.
    func keep(_ silence: Silence?)
    /// To what the agent says yes for its passenger, and to what it did.
    var automatic: AutomaticYes { get }
    /// Stores that in the flight's file. Throws `file`.
    func keep(_ automatic: AutomaticYes) throws(UserError)
    /// Why negotiations ended, as far as this process knows.
    var endings: SwapEndings { get set }
    /// Both clocks.
    var now: Moment { get }
    /// Who is at the meeting point now; nobody while it is not in reach.
    var there: Set<PeerKey> { get }
    /// Gives the core an intent; calls `then` once what it wrote is durable.
    func perform(_ intent: Intent, then: @escaping (Result<IntentReply, Refusal>) -> Void)
    /// Tells watchers of negotiations of which something else is known now.
    func tellRequests()
    /// Searches for exchanges without holding the agent up, and calls `then` with what it found.
    func match(_ search: MatchSearch, then: @escaping (Matcher) -> Void)
    /// Lines that match `query`, newest first, without those of blocked passengers.
    func search(_ query: SearchQuery, limit: Int) throws(StoreError) -> (
        hits: [SearchHit], more: Bool
    )
    /// Connects to an address that a person typed.
    func dial(_ address: PeerAddress)
    /// What became of the user's asks for the desk of a venue that no ledger granted.
    var askEndings: AskEndings { get }
    /// 16 bytes of chance.
    var random16: ThreadID { get }
    /// Draws the cabin with `layout` from now on, also after a restart. Throws `file`.
    func use(_ layout: CabinLayout) throws(UserError)
    /// Copies the file of the flight or venue, as it is now, into a new one. Throws `file`.
    func copyFile(to path: String) throws(UserError)
    /// Ends the agent in an orderly way.
    func stop()
    /// Makes the agent run until it is told to end, even without a view.
    func stay()
    /// Seals the key for another computer. Calls `then` once nothing is signed here any more, or
    /// with the reason why the key stays.
    func takeKey(
        _ passphrase: [UInt8], then: @escaping (Result<Op.TakeKey.Reply, UserError>) -> Void)
    /// Ends it, and deletes the flight's file with its key.
    func forget()
}

/// What can be read from the core.
protocol NodeReading: VenueReading {
    var me: PeerKey { get }
    var flight: FlightName { get }
    var flightKey: FlightKey { get }
    var window: SelectionWindow? { get }
    /// Everybody known, this agent included: sorted by first seat, then name, then key.
    var passengers: [Passenger] { get }
    var links: [LinkView] { get }
    var fold: SeatFold { get }
    var mapDigest: Bytes32 { get }
    /// Whether a session with a passenger is open.
    func isLinked(_ key: PeerKey) -> Bool
    /// Until when the one whom the user asked would do it, as they left word.
    func wouldDo(_ record: SwapRecord) -> UTCTime?
    /// Who holds what, by the user's evidence.
    var seatView: SeatView { get }
    /// What the user knows of people.
    var trust: Trust { get }
    /// When a claim was first heard of here.
    func heard(_ token: Token) -> UTCTime?
    /// The user's wish, with what of it stays here.
    var ownWish: OwnWish { get }
    /// Seconds until a wish that waits is written for others; `nil` if none waits.
    func wishDue(at now: Instant) -> Int?
    /// What a search for exchanges looks at.
    func scenes(_ known: KnownSeats) -> MatchScenes
    /// All negotiations, open and closed.
    var swapRecords: [SwapRecord] { get }
    /// Who said yes to the own request of that number, as far as this agent knows now.
    func consented(to number: Int) -> [PeerKey]
    /// Both directions, oldest first.
    var messages: [DirectMessage] { get }
    /// For how many passengers records, or messages, were not accepted.
    var leftOut: (logs: Int, messages: Int) { get }
    /// Oldest first.
    var timeline: [TimelineItem] { get }
    var logs: LogSet { get }
    var canAppend: Bool { get }
    /// Who suggests which layout of the cabin, the most suggested first.
    var layouts: [LayoutTally] { get }
    /// The layout that this agent suggests; `nil` for none.
    var ownSuggestion: [UInt8]? { get }
    /// The user's party of companions; `nil` in none.
    func party(at now: Moment) -> PartyView?
    /// What was said in it, in the order in which it came.
    var partyLines: [PartyLine] { get }
    /// Where the verification by voice stands.
    var verificationState: Verification.State { get }
    /// Passengers whom the user verified, sorted by key.
    var verified: [VerifiedPeer] { get }
    /// Whether everybody is linked with everybody, or each with a few.
    var overlayShape: Overlay.Shape { get }
    /// Agents known to be around besides this one.
    var agentsKnown: Int { get }
    /// Circuits carried for others.
    var circuitsCarried: Int { get }
    /// The venue that people gather in; `nil` on a flight.
    var venueView: VenueView? { get }
    /// The stays with that tag, sorted by author.
    func stays(tagged tag: ThreadID) -> [(author: PeerKey, stay: Stay)]
    /// Where somebody is now, by the number of the place.
    func place(of author: PeerKey) -> Int?
    /// When a stay ends by itself, or did.
    func closes(_ stay: Stay) -> UTCTime?
    /// Whether the user blocked somebody.
    func isBlocked(_ key: PeerKey) -> Bool
    /// Addresses that were found or typed and do not answer.
    var silentPlaces: [(address: PeerAddress, tries: Int)] { get }
}

/// What an agent's process is and where it listens.
struct AgentFacts: Hashable, Sendable {
    /// Whether a cabin code is set.
    var isGated = false
    /// Whether the key replaces one whose records were lost, and claims no seat by itself.
    var isRenewed = false
    /// Partners' numbers of the flight.
    var aliases: [FlightName] = []
    /// When the flight is over; `nil` for never.
    var ends: UTCTime?
    /// How long before departure seats can be chosen, and the source for that.
    var opening: SeatOpening?
    /// Name of the profile.
    var profile: String
    /// Process number.
    var pid: Int32
    /// When it started.
    var started: UTCTime
    /// The one interface that it uses; `nil` for all.
    var interface: String?
    /// Seconds after its last view at which it leaves; `nil` if it stays.
    var linger: Int?
    /// Whether the computer is kept from sleeping until a swap is decided.
    var isKeptAwake = false
    /// Where peers reach it: `10.77.0.1:4000`.
    var listening: [String]
    /// TCP port.
    var port: UInt16
    /// The file into which it writes the secrets of its connections; `nil` for none.
    var keylog: String?
    /// Whether mDNS is used.
    var mdns: Bool
    /// The instance name under which it is announced.
    var label = ""
    /// Whether others can find the venue by mDNS; `nil` where this agent does not announce one.
    var isVenueAnnounced: Bool?
    /// What is wrong with finding people; `nil` if nothing is.
    var trouble: UserError?
    /// The meeting point; `nil` where none is used.
    var meeting: MeetingFacts?
    /// Whose clocks are too far from this one for a tunnel.
    var clocks: [MeetStatus.Clock] = []
    /// Who left records there.
    var met: MeetPassengers?
    /// Why the log cannot be written to; `nil` while it can, or while that is unknown.
    var logTrouble: String?
}

extension Node: NodeReading {
    func isBlocked(_ key: PeerKey) -> Bool { blocked.contains(key) }
    var swapRecords: [SwapRecord] { swaps.records }
    func consented(to number: Int) -> [PeerKey] { swaps.consented(to: number) }
}

extension ControlHost {
    /// Without a meeting point.
    var there: Set<PeerKey> { [] }
}

extension NodeReading {
    /// A negotiation as people see it.
    func facts(of record: SwapRecord) -> RequestFacts {
        RequestFacts(
            record, me: me, consented: consented(to: record.number), wouldDo: wouldDo(record))
    }
}
