// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Grammar
import Keys
import Launch
import Profile
import Protocol
import System
import Text
import Venues

/// The process of a venue's agent, whether the venue's words are here yet or not: beside that of a
/// flight, with a profile of its own, so that nothing of the one is in the files of the other.
struct VenueProcess {
    let call: Invocation
    /// What the user knows of the venue.
    let known: KnownVenue
    /// Where the agent keeps its files and answers.
    let place: ProfilePlace

    /// That of a venue of the list, for today or for `later` days.
    init(_ call: Invocation, _ known: KnownVenue, later: Volume? = nil) throws(UserError) {
        self.call = call
        self.known = known
        guard call.place.socket.isOwn else {
            throw UserError(
                .usage, "the agent of a venue cannot answer at SEATAGENT_SOCKET",
                why: "the agent of a flight does, and a venue has one of its own",
                advice: "env -u SEATAGENT_SOCKET seatagent venue")
        }
        place = try Self.place(of: call.place, slug: known.slug, later: later)
    }

    /// This one, and those for other days that were started beside it.
    func all() throws(UserError) -> [VenueProcess] {
        var all = [self]
        for days in LaterFiles.volumes(place) {
            all.append(try VenueProcess(call, known, later: days))
        }
        return all
    }

    /// The process for later days, once there was one; they may have begun since.
    func began(_ days: Volume) throws(UserError) -> VenueProcess? {
        let process = try VenueProcess(call, known, later: days)
        return PrivateFile.facts(process.place.optionsPath) == nil ? nil : process
    }

    /// The place of the venue's own profile: `default_uva`. Throws `usage`.
    static func place(
        of base: ProfilePlace, slug: String, later: Volume? = nil
    ) throws(UserError) -> ProfilePlace {
        try ProfilePlace(
            profile: try VenueProfile.name(of: base.profile, slug: slug),
            environment: base.variables, later: later)
    }

    // MARK: Asking it

    /// Asks it; throws `no-agent` if none runs.
    func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply> {
        let client = try ControlClient(place.socket, deadline: call.deadline(standard: 30))
        return try client.ask(operation)
    }

    /// What it knows; `nil` if none runs.
    func status() throws(UserError) -> VenueStatus? {
        do throws(UserError) {
            return try ask(Op.Venue()).reply
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    // MARK: Its options

    private func stored() throws(UserError) -> [String: [String]] {
        if let own = try StoredOptions.read(place) { return own.values }
        guard place.later != nil else { return [:] }
        // How it reaches the network is as for the days before.
        let today = try Self.place(of: call.place, slug: known.slug)
        return try StoredOptions.read(today)?.values
            .filter { VenueWord.open.options.contains($0.key) } ?? [:]
    }

    /// Whether its last start had the venue's words.
    var hadWords: Bool {
        get throws(UserError) { VenueStart.hasWords(try stored()) }
    }

    /// Whether its starts announce the venue.
    var isAnnouncing: Bool {
        get throws(UserError) { VenueStart.isAnnounced(try stored(), by: known.runBy) }
    }

    /// Whether its starts are those of the venue's desk.
    var isDesk: Bool {
        get throws(UserError) { VenueStart.deskKey(try stored(), of: known.runBy) != nil }
    }

    /// Lets later starts announce nothing.
    func announceNoMore() throws(UserError) {
        guard try isAnnouncing, let options = try StoredOptions.read(place) else { return }
        try options.without(VenueStart.announcedOption).write(place)
    }

    // MARK: Starting and ending it

    /// Starts it. `announcing` says whether it announces the venue, `desk` where the operator's key
    /// is, if it is the desk; `nil` as it did before.
    func start(
        _ start: VenueStart, announcing: Bool? = nil, desk: String? = nil
    ) throws(UserError) -> VenueStatus {
        // How it reaches the network was said with an earlier start, or is said now.
        let earlier = try stored()
        var start = start
        start.announced =
            announcing ?? VenueStart.isAnnounced(earlier, by: known.runBy) ? start.link : nil
        start.deskKey =
            desk ?? (start.begins == 0 ? nil : VenueStart.deskKey(earlier, of: known.runBy))
        var values = start.values
        // A port is one agent's.
        for option in VenueWord.open.options where place.later == nil || option != "port" {
            if let given = call.line.values[option] ?? earlier[option] { values[option] = given }
        }
        if announcing == true { values["no-mdns"] = nil }
        let options = StoredOptions(values: values, at: SystemClock.utc())
            .filled(from: call.config)
        _ = try AgentOptions(options.values, place: place, foreground: false)
        try options.write(place)
        try AgentProcess.start(place, timeout: call.timeout ?? 20)
        guard let status = try status() else {
            throw UserError(
                .noStart, "the agent of \(known.slug) ended at once",
                advice: "tail \(ShellWord.quoted(place.logPath))")
        }
        return status
    }

    /// Ends it; nothing if none runs.
    func stop() throws(UserError) {
        do throws(UserError) {
            let client = try ControlClient(place.socket, deadline: call.deadline(standard: 15))
            _ = try client.ask(Op.Down())
            while try client.nextEvent() != nil {}
        } catch {
            guard error.code == .noAgent else { throw error }
        }
        LifecycleCommands.waitForEnd(place)
    }

    // MARK: Words

    /// Keeps the words that it heard from others, and returns the venue with them; `nil` if they
    /// are not newer than those of the list, or this version or machine cannot read them.
    func newer(_ status: VenueStatus) throws(UserError) -> KnownVenue? {
        guard status.runBy == known.runBy.text, status.revision > known.revision ?? 0,
            let signature = bytes(hexadecimal: status.signature),
            let primitives = SodiumPrimitives()
        else { return nil }
        let heard: SignedVenue
        do throws(FormFault) {
            heard = try SignedVenue(
                words: Array(status.words.utf8), runBy: known.runBy, revision: status.revision,
                signature: signature, primitives: primitives)
        } catch {
            // Signed, but not read by this version: what is known goes on.
            call.hint("Newer words of \(known.slug) cannot be read: \(error.sentence)")
            return nil
        }
        guard heard.venue.slug == known.slug else { return nil }
        guard let zone = TimeZoneRules.named(heard.venue.zone),
            let volume = heard.venue.volume(at: SystemClock.utc(), zone),
            heard.venue.stayHours(of: volume, zone) != nil
        else {
            call.hint("Newer words of \(known.slug) name a zone that this machine does not know.")
            return nil
        }
        return try KnownVenues.change(call.place) { (list) throws(UserError) in
            try list.take(heard, at: SystemClock.utc())
            return try list.named(heard.venue.slug)
        }
    }
}
