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

/// The agent of one venue that the user knows: a process of its own beside that of a flight, with a
/// profile of its own, so that nothing of the one is in the files of the other.
struct VenueAgent {
    let call: Invocation
    /// What the user knows of it.
    let known: KnownVenue
    /// What its operator says.
    let venue: Venue
    let zone: TimeZoneRules
    /// Where its agent keeps its files and answers.
    let place: ProfilePlace
    private let signed: SignedVenue

    /// The venue of that name; without a name the only one of the list. Throws `no-such-venue`.
    init(_ call: Invocation, _ slug: String? = nil) throws(UserError) {
        let list = try KnownVenues.read(call.place)
        try self.init(call, try Self.chosen(list, slug))
    }

    /// A venue of the list.
    init(_ call: Invocation, _ known: KnownVenue) throws(UserError) {
        self.call = call
        self.known = known
        guard let signed = known.signed else { throw VenueSource.wordless(known) }
        self.signed = signed
        venue = signed.venue
        guard let zone = TimeZoneRules.named(venue.zone) else {
            throw UserError(
                .badVenue, "the hours of \(venue.slug) cannot be read",
                why: "this machine knows no zone \(visible(venue.zone, cells: 40))",
                advice: "sudo apt-get install tzdata")
        }
        self.zone = zone
        guard call.place.socket.isOwn else {
            throw UserError(
                .usage, "the agent of a venue cannot answer at SEATAGENT_SOCKET",
                why: "the agent of a flight does, and a venue has one of its own",
                advice: "env -u SEATAGENT_SOCKET seatagent venue")
        }
        place = try Self.place(of: call.place, slug: venue.slug)
    }

    private static func chosen(
        _ list: KnownVenues, _ slug: String?
    ) throws(UserError) -> KnownVenue {
        if let slug { return try list.named(slug) }
        let found = list.venues.filter { known in
            known.signed?.venue.places.contains { $0.mode == .counted } ?? false
        }
        if let only = found.first, found.count == 1 { return only }
        guard found.isEmpty else {
            throw UserError(
                .ambiguous, "you know several venues",
                why: found.prefix(6).map(\.slug).joined(separator: ", "),
                advice: "seatagent checkin --venue \(found[0].slug)")
        }
        throw UserError(
            .noSuchVenue, "you know no venue where people check in",
            why: "the operator of one hands out its file, or a sign with a code",
            advice: "seatagent help venue")
    }

    /// The place of the venue's own profile: `default_uva`. Throws `usage`.
    static func place(of base: ProfilePlace, slug: String) throws(UserError) -> ProfilePlace {
        try ProfilePlace(
            profile: try VenueProfile.name(of: base.profile, slug: slug),
            environment: base.variables)
    }

    // MARK: Words

    /// What the venue's clocks show.
    var clock: LocalMinute? { zone.clock(at: SystemClock.utc()) }

    /// `09:12`, by the venue's clocks.
    func time(_ time: UTCTime) -> String { zone.clock(at: time)?.clock ?? RFC3339.text(time) }

    /// The place of the venue that a word means; without one the only place. Throws
    /// `no-such-place` and `ambiguous`.
    func place(named word: String?) throws(UserError) -> VenuePlace {
        let advice = "seatagent venue show \(ShellWord.quoted(venue.slug))"
        if let word { return try venue.named(word, advice: advice) }
        let counted = venue.places.filter { $0.mode == .counted }
        if let only = counted.first, counted.count == 1 { return only }
        throw UserError(
            .usage, "\(venue.name) has several places",
            why: counted.prefix(6).map { "\($0.id) \($0.name)" }.joined(separator: ", "),
            advice: counted.first.map { "seatagent checkin \(ShellWord.quoted($0.name))" }
                ?? advice)
    }

    // MARK: The agent

    /// Which days its agent is for now. Throws `bad-venue` for a clock far off.
    func name() throws(UserError) -> VenueName {
        guard let volume = venue.volume(at: SystemClock.utc(), zone),
            let name = VenueName(runBy: known.runBy, slug: venue.slug, volume: volume)
        else {
            throw UserError(
                .failed, "this computer's clock shows a year that nobody means", advice: "date")
        }
        return name
    }

    /// Asks its agent; throws `no-agent` if none runs.
    func ask<Operation: ControlOperation>(
        _ operation: Operation
    ) throws(UserError) -> Answer<Operation.Reply> {
        let client = try ControlClient(place.socket, deadline: call.deadline(standard: 30))
        return try client.ask(operation)
    }

    /// What its agent knows; `nil` if none runs.
    func status() throws(UserError) -> VenueStatus? {
        do throws(UserError) {
            return try ask(Op.Venue()).reply
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    /// The agent of today and what it knows. It is started if none runs, and started anew if
    /// another day has begun, the operator has signed newer words, or the venue has another one.
    func ensure() throws(UserError) -> (agent: VenueAgent, status: VenueStatus) {
        let name = try name()
        guard let status = try status() else { return (self, try start(name)) }
        let isOurs = status.runBy == known.runBy.text
        let words = isOurs ? try newer(status) : nil
        if isOurs, status.volume == name.volume.text, words == nil,
            status.revision >= signed.revision
        {
            return (self, status)
        }
        // Of a venue that meets by the week now, another volume is today's.
        let next =
            try words.map { (known) throws(UserError) in try VenueAgent(call, known) } ?? self
        let nextName = try next.name()
        try stop()
        return (next, try next.start(nextName))
    }

    /// Keeps the words that the agent heard from others, if they are newer than those of the list.
    private func newer(_ status: VenueStatus) throws(UserError) -> KnownVenue? {
        guard status.revision > signed.revision,
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
            call.hint("Newer words of \(venue.slug) cannot be read: \(error.sentence)")
            return nil
        }
        guard heard.venue.slug == venue.slug else { return nil }
        guard let zone = TimeZoneRules.named(heard.venue.zone),
            let volume = heard.venue.volume(at: SystemClock.utc(), zone),
            heard.venue.stayHours(of: volume, zone) != nil
        else {
            call.hint("Newer words of \(venue.slug) name a zone that this machine does not know.")
            return nil
        }
        return try KnownVenues.change(call.place) { (list) throws(UserError) in
            try list.take(heard, at: SystemClock.utc())
            return try list.named(heard.venue.slug)
        }
    }

    private func start(_ name: VenueName) throws(UserError) -> VenueStatus {
        guard
            let page = VenuePage(
                revision: signed.revision, signature: signed.signature, bytes: signed.words)
        else { throw UserError(.badVenue, "the words of \(venue.slug) are too long") }
        var values = try VenueStart(name, page).values
        // How it reaches the network was said with an earlier start, or is said now.
        let earlier = try StoredOptions.read(place)?.values ?? [:]
        for option in VenueWord.open.options {
            if let given = call.line.values[option] ?? earlier[option] { values[option] = given }
        }
        let now = SystemClock.utc()
        let options = StoredOptions(values: values, at: now).filled(from: call.config)
        _ = try AgentOptions(options.values, place: place, foreground: false)
        try options.write(place)
        try AgentProcess.start(place, timeout: call.timeout ?? 20)
        guard let status = try status() else {
            throw UserError(
                .noStart, "the agent of \(venue.slug) ended at once",
                advice: "tail \(ShellWord.quoted(place.logPath))")
        }
        return status
    }

    /// Ends its agent; nothing if none runs.
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
}
