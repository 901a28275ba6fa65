// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Glibc
import Launch
import Notify
import Profile
import Protocol
import System
import Text
import Trips
import Wording

/// Joining and leaving.
enum LifecycleCommands {
    // MARK: up

    static func up(_ call: Invocation) throws(UserError) -> ExitCode {
        if let slug = VenueProfile.owner(of: call.place)?.slug {
            throw UserError(
                .usage, "this profile is that of a venue; up is for flights",
                why: "the agent of \(slug) has it",
                advice: VenueProfile.line(
                    "venue open \(slug)", profile: call.place.profile.text, slug: slug))
        }
        let start = try start(call)
        let given = start.values
        if let code = try second(given, call) { return code }
        if let id = given["cabin"]?.last { _ = try CabinShelf(call.place).find(id) }
        let options: StoredOptions
        if given.isEmpty, let last = try StoredOptions.read(call.place) {
            let age = SystemClock.utc().seconds - last.at.seconds
            guard 0..<StoredOptions.freshFor ~= age else {
                throw UserError(
                    .usage, "the last time was \(SpanText.words(age)) ago",
                    why: "it may have been another flight", advice: last.commandLine)
            }
            options = last
        } else {
            options = StoredOptions(values: given, at: SystemClock.utc()).filled(from: call.config)
        }
        for line in start.remarks { call.hint(visible(line)) }
        let isTyped = !given.isEmpty || call.line.has("move") || call.line.has("also")
        return try self.start(options, call, typed: isTyped ? given : nil)
    }

    /// The typed options, completed by what the passenger's list knows about the flight.
    static func start(_ call: Invocation) throws(UserError) -> TripStart {
        let given = call.line.values.filter { AgentOptions.kept.contains($0.key) }
        try refuseSeat(call.operands)
        let start: TripStart
        do throws(UserError) {
            start = try TripStart.fill(
                given, words: call.operands, party: call.line.has("party")
            ) { () throws(UserError) in
                try TripBook.current(call.place)
            }
        } catch  where error.code == .noSuchFlight {
            let whole = "a flight outside of it is named whole, as FR202/2026-12-05/DUB"
            throw UserError(
                error.code, error.what, why: error.why.map { $0 + "; " + whole } ?? whole,
                advice: error.advice)
        }
        if let flight = named(start.values), start.values["seat"] == nil {
            throw UserError(
                .usage, "your seat is not known", why: "--seat says which one is yours",
                advice: "seatagent up \(flight.text) --seat 14C")
        }
        return start
    }

    /// Newcomers type `up 14C`: a seat where the flight belongs.
    private static func refuseSeat(_ words: [String]) throws(UserError) {
        let typed = FlightWords(words.joined(separator: " "))
        guard let seat = words.lazy.compactMap({ Seat($0) }).first,
            (try? FlightNumber.read(typed.number)) == nil
        else { return }
        throw UserError(
            .usage, "\(seat.text) is a seat, and up takes the number of a flight",
            why: "a seat stands after --seat, and a name after --name",
            advice: "seatagent up --seat \(seat.text)")
    }

    /// The flight of the options; `nil` for the practice flight, and for an invalid name.
    static func named(_ values: [String: [String]]) -> FlightName? {
        values["flight"]?.last.flatMap { try? FlightText.read($0).flight }
    }

    /// Advice for the practice flight does not help somebody who named another flight, and the seat
    /// and name of the example are somebody else's.
    private static func check(
        _ options: StoredOptions, _ call: Invocation
    ) throws(UserError) -> AgentOptions {
        do throws(UserError) {
            return try AgentOptions(options.values, place: call.place, foreground: false)
        } catch {
            throw owned(error, options)
        }
    }

    /// `error` with the typed seat and name instead of the example's.
    private static func owned(_ error: UserError, _ options: StoredOptions) -> UserError {
        guard let line = error.advice, line.hasPrefix("seatagent up --") else { return error }
        let flight = named(options.values).map { " " + $0.text } ?? ""
        let own = own(options.values)
        let rest =
            own.isEmpty || !line.hasPrefix(LastAgent.example)
            ? String(line.dropFirst("seatagent up".count))
            : own + line.dropFirst(LastAgent.example.count)
        var error = error
        error.advice = "seatagent up" + flight + rest
        return error
    }

    /// ` --seat 20F --name eve`: the valid part of what was typed; empty without a seat.
    private static func own(_ values: [String: [String]]) -> String {
        let cabin: CabinLayout? = named(values) == nil ? .standard : nil
        guard let seats = try? AgentOptions.seats(values["seat"] ?? [], in: cabin) else {
            return ""
        }
        let name = values["name"]?.last.flatMap { try? PassengerName.check($0, advice: "") }
        return " --seat " + seats.map(\.text).joined(separator: ",")
            + (name.map { " --name " + ShellWord.quoted($0) } ?? "")
    }

    /// Earlier claims stay until they are taken back: a passenger who moved must not hold two seats
    /// without noticing.
    private static func tellOlder(_ held: [String], _ wanted: [Seat], _ call: Invocation) {
        let extra = held.filter { text in !wanted.contains { $0.text == text } }
        guard held.count > wanted.count, let first = extra.first else { return }
        call.hint(
            "You still claim \(extra.joined(separator: ", ")) too, from before. If that is not "
                + "yours any more: seatagent release \(first)")
    }

    /// A new key claims nothing by itself: the passenger looks first, and then says which seat is
    /// theirs.
    static func tellRenewed(_ seats: String, _ call: Invocation) {
        let seat = seats.split(separator: ",").first.map { visible(String($0), cells: 4) } ?? "14C"
        call.hint(
            "Your key is new and claims no seat by itself; the old one may have given \(seat) away."
        )
        call.hint("If seatagent seats shows that it is still yours: seatagent claim \(seat)")
    }

    /// Handles an `up` while an agent runs: if it is the wanted agent, and would leave with its
    /// view, it stays from now on; otherwise throws. `nil` if none runs.
    private static func second(
        _ given: [String: [String]], _ call: Invocation
    ) throws(UserError) -> ExitCode? {
        var status: AgentStatus?
        do throws(UserError) {
            status = try call.ask(Op.Status()).reply
        } catch {
            // An agent of another user is not asked to stay, and not taken for one's own.
            if error.code == .noAgent { return nil }
            if error.code == .notYourAgent { throw error }
        }
        let isLogging = call.line.value("keylog") != nil
        if let status, !status.stays, !isLogging, try isAsStored(given, call) {
            _ = try call.ask(Op.Stay())
            return call.finish(
                try call.ask(Op.Status()),
                ["The agent of \(WhoText.full(status.me)) stays now, until seatagent down."])
        }
        let me = status?.me
        throw UserError(
            .alreadyRunning, "an agent is already running",
            why: me.map { "it is \(WhoText.full($0))" }, advice: "seatagent status")
    }

    /// Whether the options match those with which the agent was started.
    private static func isAsStored(
        _ given: [String: [String]], _ call: Invocation
    ) throws(UserError) -> Bool {
        guard let stored = try StoredOptions.read(call.place)?.values else { return given.isEmpty }
        let wanted = stored.merging(given) { _, new in new }
        return try AgentOptions(wanted, place: call.place, foreground: false)
            == AgentOptions(stored, place: call.place, foreground: false)
    }

    /// `typed` are the options typed now; `nil` to start as the last time.
    private static func start(
        _ options: StoredOptions, _ call: Invocation, typed: [String: [String]]? = nil,
        linger: Int? = nil, renewing: Bool = false
    ) throws(UserError) -> ExitCode {
        // Checked here too, so that a wrong word is reported before anything is started.
        let checked = try check(options, call)
        for line in options.flightRemarks + checked.cabinRemarks { call.hint(line) }
        try EndedFlight.ask(checked, call)
        var change = SeatChange()
        if let typed {
            change = try EarlierStart.settle(
                checked, options.values, isNamed: typed["name"] != nil, call)
        }
        try options.write(call.place)
        do throws(UserError) {
            try AgentProcess.start(
                call.place, timeout: call.timeout ?? 20, linger: linger, renewing: renewing,
                keylog: call.line.value("keylog"))
        } catch {
            throw owned(error, options)
        }
        try change.carryOut(call)
        return try tell(options, checked, change, call)
    }

    /// Reports who is aboard where, and what else to know.
    private static func tell(
        _ options: StoredOptions, _ checked: AgentOptions, _ change: SeatChange,
        _ call: Invocation
    ) throws(UserError) -> ExitCode {
        let began = SystemClock.now()
        let status =
            call.session.console.writesTerminal ? try look(call) : try call.ask(Op.Status())
        let me = status.me
        let place = status.network.interface.map { " on \(visible($0))" } ?? ""
        let linked = status.linked
        let others =
            linked == 0
            ? "Looking for others."
            : "\(linked) other\(linked == 1 ? "" : "s") in \(tenths(since: began)) s."
        // After a swap, the seat differs from that of the start; at first, none is claimed yet.
        let claimed = me.seats.map(\.text)
        let held = (claimed + change.adds.map(\.text).filter { !claimed.contains($0) })
            .joined(separator: ", ")
        let isBare = status.renewed && held.isEmpty
        let seats = isBare ? "no seat yet" : held.isEmpty ? options.seats : held
        let lines =
            ["You are aboard: \(WhoText.short(me)) in \(seats)\(place). \(others)"]
            + (try MeetingGreeting.lines(status.reply, call))
        for line in status.network.trouble?.lines ?? [] { call.hint(line) }
        if let path = status.network.keylog {
            let warning = KeyLogFile.warning(path)
            call.hint(call.colour ? Log.inRed(warning) : warning)
        }
        let code = call.finish(status, lines)
        if !change.isDecided { tellOlder(claimed, checked.seats, call) }
        if isBare { tellRenewed(options.seats, call) }
        MeetingGreeting.warn(status.reply, call)
        if let newer = status.newer {
            call.hint(
                "Another agent says that it runs version \(visible(newer, cells: 16)); yours is "
                    + "\(Version.text).")
        }
        call.hint("Next: seatagent status, seatagent seats, seatagent down")
        return code
    }

    /// The status once somebody is within reach, or after two seconds; for people who watch.
    static func look(_ call: Invocation) throws(UserError) -> Answer<AgentStatus> {
        let client = try call.connect(deadline: SystemClock.now() + .seconds(2))
        _ = try client.ask(Op.Watch(events: [Word(.peer)]))
        var status = try client.ask(Op.Status())
        do throws(UserError) {
            while status.linked == 0, try client.nextEvent() != nil {
                status = try client.ask(Op.Status())
            }
        } catch {
            guard error.code == .timeout else { throw error }
        }
        return status
    }

    /// `1.2`: seconds since then.
    static func tenths(since began: Instant) -> String {
        let tenths = (SystemClock.now() - began).nanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: down

    static func down(_ call: Invocation) throws(UserError) -> ExitCode {
        try stop(call)
        return call.finish([:] as JSON, ["You have left."])
    }

    /// Returns when the agent's process is gone, so that another one can start.
    static func stop(_ call: Invocation) throws(UserError) {
        let client = try call.connect(deadline: call.deadline(standard: 15))
        _ = try client.ask(Op.Down())
        while try client.nextEvent() != nil {}
        waitForEnd(call.place)
    }

    /// Waits for the process, which ends a moment after the connection and releases its lock.
    static func waitForEnd(_ place: ProfilePlace) {
        for _ in 0..<1000 where ProfileLock.holder(of: place.lockPath) != nil { usleep(10_000) }
    }

    // MARK: restart

    static func restart(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let options = try StoredOptions.read(call.place) else {
            throw UserError(
                .noStart, "it is not known how to start the agent",
                why: "\(call.place.optionsPath) is not there",
                advice: "seatagent up --seat 14C --name ada")
        }
        var linger: Int?
        let renewing = call.line.has("new-key")
        do throws(UserError) {
            linger = try call.ask(Op.Status()).linger
            if renewing { throw FlightKeys.isThere("the agent that runs") }
            try AgentProcess.check()
            try stop(call)
        } catch {
            // Without an agent, only the second half is left to do.
            guard error.code == .noAgent else { throw error }
        }
        return try start(options, call, linger: linger, renewing: renewing)
    }
}
