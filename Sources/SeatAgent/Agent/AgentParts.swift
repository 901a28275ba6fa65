import Protocol

/// The parts of an agent, made, or the reason why not in words for people.
extension Agent {
    static func lock(_ options: AgentOptions) throws(UserError) -> ProfileLock {
        try PrivateFile.makeDirectory(options.dataDirectory)
        try PrivateFile.makeDirectory(options.place.stateDirectory)
        guard let lock = ProfileLock(path: options.place.lockPath) else {
            throw UserError(
                .alreadyRunning, "an agent of this profile is running already",
                why: "\(options.place.lockPath) is held by another process",
                advice: "seatagent status")
        }
        return lock
    }

    static func open(
        _ options: AgentOptions, _ primitives: SodiumPrimitives
    ) throws(UserError) -> FlightStore.Opened {
        do throws(StoreError) {
            return try FlightStore.open(
                options.flight, code: options.code, window: options.window, place: options.place,
                primitives: primitives)
        } catch {
            let path = options.dataDirectory + "/" + FlightStore.fileName(options.flight)
            throw UserError(
                .file, "the flight's file cannot be used", why: "\(path): \(error.words)")
        }
    }

    /// The keys of the flight's aliases, which are not kept: each takes 64 MiB for a moment.
    static func aliasKeys(
        _ options: AgentOptions, _ primitives: SodiumPrimitives
    ) throws(UserError) -> [FlightKey] {
        var keys: [FlightKey] = []
        for alias in options.aliases {
            guard let key = FlightKey(alias, code: options.code, primitives: primitives) else {
                throw UserError(
                    .failed, "the agent cannot be started",
                    why: "64 MiB of memory for the key of \(alias.text) are missing")
            }
            keys.append(key)
        }
        return keys
    }

    static func makeNode(
        _ options: AgentOptions, _ opened: FlightStore.Opened, _ stored: Stored,
        _ primitives: SodiumPrimitives, aliases: [FlightKey], port: UInt16
    ) -> Node {
        let setup = NodeSetup(
            signer: opened.identity, primitives: primitives, flight: options.flight,
            flightKeys: [opened.flightKey] + aliases, window: options.window, name: options.name,
            agent: "seatagent " + Version.text, seats: options.seats, port: port,
            seed: SodiumPrimitives.random32(), isRestored: opened.isRestored,
            aliases: options.aliases)
        return Node(setup, stored, at: SystemClock.moment())
    }
}
