// SPDX-License-Identifier: Apache-2.0
import Keys
import Launch
import Profile
import Protocol
import System
import Text
import Transport

/// Makes the parts of an agent, or says for people why it cannot.
extension Agent {
    /// The locks that an agent holds while it runs: that of its profile, and in a venue that of its
    /// days, which an agent for later days takes too.
    static func lock(_ options: AgentOptions) throws(UserError) -> [ProfileLock] {
        let place = options.place
        try PrivateFile.makeDirectory(options.dataDirectory)
        try PrivateFile.makeDirectory(place.stateDirectory)
        var locks = [try lock(place.lockPath)]
        if let days = options.venue?.name.volume {
            LaterFiles.sweep(place, at: SystemClock.utc())
            if place.later == nil { locks.append(try lock(place.lockPath(of: days))) }
        }
        // Before this, the log has the words of earlier runs; after it, those of this run.
        if !options.foreground { Log.line(Log.started) }
        return locks
    }

    private static func lock(_ path: String) throws(UserError) -> ProfileLock {
        do throws(ProfileLock.Trouble) {
            return try ProfileLock(path: path)
        } catch {
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "an agent of this profile is running already",
                    why: "\(path) is held by another process", advice: "seatagent status")
            case .unusable(let code): throw ProfileLock.unusable(path, code)
            }
        }
    }

    static func open(
        _ options: AgentOptions, _ primitives: AgentPrimitives
    ) throws(UserError) -> FlightStore.Opened {
        do throws(FlightStore.Obstacle) {
            if let epoch = options.venue?.begins {
                return try FlightStore.open(
                    options.gathering, toBegin: epoch, place: options.place, primitives: primitives)
            }
            return try FlightStore.open(
                options.gathering, code: options.code, window: options.window, place: options.place,
                primitives: primitives, renewing: options.isRenewing)
        } catch {
            switch error {
            case .lost(let path, let why) where options.venue != nil:
                let slug = options.venue?.name.slug ?? ""
                throw UserError(
                    .recordsLost, "the records of \(slug) are lost, and your key with them",
                    why: "\(path): \(why)",
                    advice: options.venue?.deskKey == nil
                        ? "seatagent venue forget \(ShellWord.quoted(slug))"
                        : "seatagent desk up \(ShellWord.quoted(slug)) --instead")
            case .lost(let path, let why):
                throw UserError(
                    .recordsLost, "the records of this flight are lost, and your key with them",
                    why: "\(path): \(why); a new key must not claim a seat that the old one may "
                        + "have given away", advice: "seatagent restart --new-key")
            case .kept(let path): throw FlightKeys.isThere(path)
            case .taken: throw TakenKey.gone(options.flight)
            case .older:
                let flight = options.flight.isPractice ? "practice" : options.flight.text
                throw UserError(
                    .file, "this flight's records are of seatagent 0.1",
                    why: "flights have had other rules since, so they cannot be used",
                    advice: "seatagent forget \(flight)")
            case .unusable(let path, let why):
                throw UserError(
                    .file, "the flight's file cannot be used", why: "\(path): \(why)",
                    advice: "ls -l \(ShellWord.quoted(path))")
            }
        }
    }

    /// The keys of the flight's aliases. They are not stored, because each needs 64 MiB for a
    /// moment.
    static func aliasKeys(
        _ options: AgentOptions, _ primitives: AgentPrimitives
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
        _ primitives: AgentPrimitives, aliases: [FlightKey], port: UInt16, venue: VenueStart?,
        desk: DeskCharter? = nil
    ) -> Node {
        var setup = NodeSetup(
            signer: opened.identity, primitives: primitives, flight: options.flight,
            flightKeys: [opened.flightKey] + aliases, window: options.window, name: options.name,
            agent: "seatagent " + Version.text,
            seats: opened.isRenewed || opened.awaitsLog ? [] : options.seats,
            port: port,
            seed: SodiumPrimitives.random32(), isRestored: opened.isRestored,
            aliases: options.aliases)
        setup.floor = opened.floor
        if options.meet != nil { setup.messageTime = Limits.letterTime }
        setup.venue = venue?.setup
        setup.venue?.charter = desk?.charter
        setup.venue?.desk = desk?.terms
        return Node(setup, stored, at: SystemClock.moment())
    }
}
