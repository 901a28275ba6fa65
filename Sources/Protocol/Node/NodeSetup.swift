/// What an agent is, handed to the core once.
package struct NodeSetup: Sendable {
    /// Signs with this flight's key.
    package var signer: any Signer
    /// Hashes and verifies.
    package var primitives: any Primitives
    /// The flight as people name it.
    package var flight: FlightName
    /// Its key first, then up to three aliases (code shares).
    package var flightKeys: [FlightKey]
    /// The names of the aliases, in the order of their keys.
    package var aliases: [FlightName]
    /// When seats may be traded; `nil` for always.
    package var window: SelectionWindow?
    /// The passenger's name, used when the log is new.
    package var name: String
    /// Program and version, for the genesis.
    package var agent: String
    /// Seats to claim when the log has no claim for them; the first is one's own.
    package var seats: [Seat]
    /// The TCP port that peers reach this agent on.
    package var port: UInt16
    /// 32 random bytes: everything random in the core comes from them.
    package var seed: Bytes32
    /// The log was put back from an old copy, or came from elsewhere: others may know more of it.
    package var isRestored: Bool
    /// How much of others' logs and messages is kept.
    package var bounds: (logs: Shares.Bounds, messages: Shares.Bounds)
    /// Keys of the user's party. Nothing sets them yet but tests.
    package var party: [PeerKey] = []

    /// All of it.
    package init(
        signer: any Signer, primitives: any Primitives, flight: FlightName,
        flightKeys: [FlightKey], window: SelectionWindow?, name: String, agent: String,
        seats: [Seat], port: UInt16, seed: Bytes32,
        isRestored: Bool = false, aliases: [FlightName] = [],
        bounds: (logs: Shares.Bounds, messages: Shares.Bounds) = (.logs, .messages)
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
        self.bounds = bounds
    }
}
