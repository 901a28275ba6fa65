// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Launch
import Profile
import Protocol
import System
import Text
import Venues

/// The agent of one venue that the user knows with its words (``VenueProcess``).
struct VenueAgent {
    let call: Invocation
    /// What the user knows of it.
    let known: KnownVenue
    /// What its operator says.
    let venue: Venue
    let zone: TimeZoneRules
    /// The later days that it is for; `nil` for those of today.
    let later: Protocol.Volume?
    private let process: VenueProcess
    private let signed: SignedVenue

    /// The venue of that name; without a name the only one of the list. Throws `no-such-venue`.
    /// `booking` says that it shall be one where places are booked, else one where people check in.
    init(_ call: Invocation, _ slug: String? = nil, booking: Bool = false) throws(UserError) {
        let list = try KnownVenues.read(call.place)
        try self.init(call, try Self.chosen(call, list, slug, booking ? .granted : .counted))
    }

    /// The venue of that name, also one of which only the sign is known: its words then come from
    /// the agents there. Throws `no-such-venue`, and `timeout` if nobody there has them.
    static func arriving(_ call: Invocation, _ slug: String) throws(UserError) -> VenueAgent {
        let known = try KnownVenues.read(call.place).named(slug)
        guard known.signed == nil else { return try VenueAgent(call, known) }
        return try VenueAgent(call, try VenueArrival(call, known).words())
    }

    /// A venue of the list whose words are here, of today or of `later` days.
    init(
        _ call: Invocation, _ known: KnownVenue, later: Protocol.Volume? = nil
    ) throws(UserError) {
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
        self.later = later
        process = try Self.process(
            call, known, later: later, now: venue.volume(at: SystemClock.utc(), zone))
    }

    /// Days that were later ones when their agent was started may be those of today since.
    private static func process(
        _ call: Invocation, _ known: KnownVenue, later: Protocol.Volume?, now: Protocol.Volume?
    ) throws(UserError) -> VenueProcess {
        let process = try VenueProcess(call, known, later: later)
        guard later == nil, let now, known.signed?.venue.hasBookings == true,
            let began = (try? process.began(now)) ?? nil, try began.status() != nil
        else { return process }
        return began
    }

    private static func chosen(
        _ call: Invocation, _ list: KnownVenues, _ slug: String?, _ mode: VenuePlace.Mode
    ) throws(UserError) -> KnownVenue {
        if let slug { return try list.named(slug) }
        let found = list.venues(with: mode)
        if let only = found.first, found.count == 1 { return only }
        guard found.isEmpty else {
            throw UserError(
                .ambiguous, "you know several venues",
                why: found.prefix(6).map(\.slug).joined(separator: ", "),
                advice: Self.line(call, of: found[0]))
        }
        if let only = list.venues.first(where: { $0.signed == nil }) {
            throw VenueSource.wordless(only)
        }
        throw UserError(
            .noSuchVenue,
            "you know no venue where "
                + (mode == .counted ? "people check in" : "places are booked"),
            why: "the operator of one hands out its file, or a sign with a code",
            advice: "seatagent help venue")
    }

    /// The desk that is meant: the venue that `--venue` names, else the only one whose desk is on
    /// this computer. Throws `ambiguous` where there are several.
    static func desk(_ call: Invocation) throws(UserError) -> VenueAgent {
        if let slug = call.line.value("venue") { return try VenueAgent(call, slug) }
        var desks: [KnownVenue] = []
        for known in try KnownVenues.read(call.place).venues(with: .granted)
        where try VenueProcess(call, known).isDesk { desks.append(known) }
        if let only = desks.first, desks.count == 1 { return try VenueAgent(call, only) }
        guard let first = desks.first else { return try VenueAgent(call, booking: true) }
        throw UserError(
            .ambiguous, "this computer is the desk of several venues",
            why: desks.prefix(6).map(\.slug).joined(separator: ", "),
            advice: line(call, of: first))
    }

    /// The line that was typed, with a venue in it.
    private static func line(_ call: Invocation, of known: KnownVenue) -> String {
        let words = [call.line.command?.name].compactMap(\.self) + call.operands
        return
            (["seatagent"] + words.map { ShellWord.quoted($0) }
            + ["--venue", ShellWord.quoted(known.slug)]).joined(separator: " ")
    }

    /// Whether the user knows several venues where places are booked: lines then say which.
    var isOneOfSeveral: Bool {
        (try? KnownVenues.read(call.place).venues(with: .granted).count > 1) ?? false
    }

    /// Whether its last start on this computer was that of the desk.
    var hasLedgerDesk: Bool { (try? process.isDesk) == true }

    /// Where its agent keeps its files and answers.
    var place: ProfilePlace { process.place }

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

    /// Which days its agent is for. Throws `failed` for a clock far off.
    func name() throws(UserError) -> VenueName {
        guard let volume = later ?? venue.volume(at: SystemClock.utc(), zone),
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
    ) throws(UserError) -> Answer<Operation.Reply> { try process.ask(operation) }

    /// What its agent knows; `nil` if none runs.
    func status() throws(UserError) -> VenueStatus? { try process.status() }

    /// The agent of today and what it knows. It is started if none runs, and started anew if
    /// another day has begun, the operator has signed newer words, the venue has another one, or
    /// `announcing` says that it shall announce the venue, or no more; with `desk`, the file of the
    /// operator's key, it is the venue's desk from now on.
    func ensure(
        announcing: Bool? = nil, desk: String? = nil
    ) throws(UserError) -> (agent: VenueAgent, status: VenueStatus) {
        let name = try name()
        guard let status = try status() else {
            return (self, try start(name, announcing: announcing, desk: desk))
        }
        let isOurs = status.runBy == known.runBy.text
        let words = isOurs ? try process.newer(status) : nil
        let announces = status.announced != nil
        if isOurs, status.volume == name.volume.text, words == nil,
            status.revision >= signed.revision, try process.hadWords,
            announcing ?? announces == announces, try isDeskEnough(desk)
        {
            return (self, status)
        }
        // Of a venue that meets by the week now, another volume is today's.
        let next =
            try words.map { (known) throws(UserError) in
                try VenueAgent(call, known, later: later)
            } ?? self
        let nextName = try next.name()
        try process.stop()
        return (next, try next.start(nextName, announcing: announcing, desk: desk))
    }

    /// Whether the agent that runs is the desk, if it shall be.
    private func isDeskEnough(_ desk: String?) throws(UserError) -> Bool {
        guard desk != nil else { return true }
        return try process.isDesk
    }

    private func start(
        _ name: VenueName, announcing: Bool?, desk: String?, begins: Int? = nil
    ) throws(UserError) -> VenueStatus {
        guard
            let page = VenuePage(
                revision: signed.revision, signature: signed.signature, bytes: signed.words)
        else { throw UserError(.badVenue, "the words of \(venue.slug) are too long") }
        var start = try VenueStart(name, page)
        start.begins = begins
        return try process.start(start, announcing: announcing, desk: desk)
    }

    /// Ends its agent.
    func end() throws(UserError) { try process.stop() }

    /// Starts its agent, which does not run, to begin the ledger of an epoch as a desk, or for 0 to
    /// fetch what others know of the one before.
    func begin(
        _ epoch: Int, announcing: Bool, desk: String?
    ) throws(UserError) -> (agent: VenueAgent, status: VenueStatus) {
        (self, try start(try name(), announcing: announcing, desk: desk, begins: epoch))
    }

    /// The agent that runs, and what it knows. Throws `no-agent`.
    func running() throws(UserError) -> (agent: VenueAgent, status: VenueStatus) {
        guard let status = try status() else {
            throw UserError(
                .noAgent, "no agent of \(venue.slug) runs",
                advice: "seatagent desk up \(ShellWord.quoted(venue.slug))")
        }
        return (self, status)
    }
}

extension KnownVenues {
    /// Those whose words have places of that mode.
    func venues(with mode: VenuePlace.Mode) -> [KnownVenue] {
        venues.filter { known in
            known.signed?.venue.places.contains { $0.mode == mode } ?? false
        }
    }
}
