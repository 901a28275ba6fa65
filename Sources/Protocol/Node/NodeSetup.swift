// SPDX-License-Identifier: Apache-2.0
/// Everything that a core has to know when it starts.
public struct NodeSetup: Sendable {
    /// Signs with this flight's key.
    public var signer: any Signer
    /// Hashes and verifies.
    public var primitives: any Primitives
    /// The flight as people name it; of a venue, whose places are no seats, the practice flight.
    public var flight: FlightName
    /// Its key first, then up to three aliases (code shares).
    public var flightKeys: [FlightKey]
    /// The names of the aliases, in the order of their keys.
    public var aliases: [FlightName]
    /// When seats may be traded; `nil` for always.
    public var window: SelectionWindow?
    /// The passenger's name, used when the log is new.
    public var name: String
    /// Program and version, for the genesis.
    public var agent: String
    /// Seats to claim when the log has no claim for them; the first is one's own.
    public var seats: [Seat]
    /// The TCP port on which peers reach this agent.
    public var port: UInt16
    /// 32 random bytes, new for each start: all randomness of the core comes from them.
    public var seed: Bytes32
    /// Whether the log was restored from an old copy: others may know more of it.
    public var isRestored: Bool
    /// How long the log was when its key came here from another computer, which signs nothing any
    /// more; 0 for a key that was made here. Nothing is appended before the log is that long.
    package var floor = 0
    /// How much of others' logs and messages is kept.
    package var bounds: (logs: Shares.Bounds, messages: Shares.Bounds) = (.logs, .messages)
    /// After how long a direct message that was not acknowledged is given up.
    package var messageTime = Limits.messageTime
    /// Keys of the user's party: their claims outweigh those of strangers.
    public var party: [PeerKey] = []
    /// The venue that its people gather in; `nil` on a flight.
    public var venue: VenueSetup?

    /// What people gather for: a volume of the venue, else the flight.
    public var gathering: GatheringName { venue.map { .venue($0.name) } ?? .flight(flight) }

    /// A setup without a party.
    public init(
        signer: any Signer, primitives: any Primitives, flight: FlightName,
        flightKeys: [FlightKey], window: SelectionWindow?, name: String, agent: String,
        seats: [Seat], port: UInt16, seed: Bytes32,
        isRestored: Bool = false, aliases: [FlightName] = []
    ) {
        self.signer = signer
        self.primitives = primitives
        self.flight = flight
        self.flightKeys = flightKeys
        self.window = window
        self.name = name
        self.agent = agent
        self.seats = seats
        self.port = port
        self.seed = seed
        self.isRestored = isRestored
        self.aliases = aliases
    }
}
