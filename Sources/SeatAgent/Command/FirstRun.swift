// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Glibc
import Interfaces
import Launch
import Notify
import Profile
import Protocol
import System
import Text
import Trips
import View

/// Provides an agent for a view: the one that runs, or one that is started and leaves with the
/// view.
enum FirstRun {
    /// Seconds for which an agent that a view started outlives its last view.
    static let linger = 5

    /// Connects if an agent runs, else asks what is needed and starts one. Returns its status, or
    /// `nil` if the user left at a question; then nothing was done.
    ///
    /// Throws `usage` with the whole `up` line if nobody can be asked, and whatever a start throws.
    static func ensureAgent(_ call: Invocation) throws(UserError) -> AgentStatus? {
        do throws(UserError) {
            return try call.ask(Op.Status()).reply
        } catch {
            guard error.code == .noAgent else { throw error }
        }
        let stored = try? StoredOptions.read(call.place)
        guard call.mayAsk else { throw nobodyToAsk(call, stored) }
        guard let options = ask(call, usable(stored, call)) else { return nil }
        let checked = try AgentOptions(options.values, place: call.place, foreground: false)
        try EndedFlight.ask(checked, call)
        // Confirming changes nothing; a name is stored only if it differs from the proposed one.
        var change = SeatChange()
        if options.values != stored?.values {
            let typed = options.values["name"]?.last
            let isNamed = typed != name(call, stored) && typed != stored?.values["name"]?.last
            change = try EarlierStart.settle(checked, options.values, isNamed: isNamed, call)
        }
        try options.write(call.place)
        do throws(UserError) {
            try AgentProcess.start(call.place, timeout: call.timeout ?? 20, linger: linger)
        } catch {
            // Another terminal was faster.
            guard error.code == .alreadyRunning else {
                // The suggested command starts with these options.
                if error.code == .recordsLost { throw error }
                // An answer that did not work is asked for again the next time.
                unlink(call.place.optionsPath)
                if let stored { try? stored.write(call.place) }
                throw UserError(
                    error.code, error.what, why: error.why, advice: options.commandLine)
            }
        }
        try change.carryOut(call)
        return try lookAround(call, options)
    }

    private static func nobodyToAsk(_ call: Invocation, _ stored: StoredOptions?) -> UserError {
        UserError(
            .usage, "no agent is running, and nobody can be asked for a seat here",
            why: call.line.has("no-input")
                ? "--no-input was given" : "standard input is not a terminal",
            advice: stored?.commandLine ?? "seatagent up --seat 14C --name ada")
    }

    /// The stored options, unless they can no longer be used.
    private static func usable(_ stored: StoredOptions?, _ call: Invocation) -> StoredOptions? {
        guard let stored else { return nil }
        func works(_ values: [String: [String]]) -> Bool {
            (try? AgentOptions(values, place: call.place, foreground: false)) != nil
        }
        if works(stored.values) { return stored }
        // An address on a network that is gone; the flight and its code are still good.
        let rest = stored.values.filter { $0.key != "peer" }
        guard works(rest) else { return nil }
        call.hint("The addresses of the last time cannot be used now and are left out.")
        return StoredOptions(values: rest, at: stored.at)
    }

    /// Asks until everything is known; `nil` if the user leaves.
    private static func ask(_ call: Invocation, _ stored: StoredOptions?) -> StoredOptions? {
        let now = SystemClock.utc()
        let console = call.session.console
        let trip = trip(call, stored)
        var interview = Interview(
            stored: stored?.values ?? [:], name: name(call, stored), networks: networks(call),
            interfaces: NetworkInterface.all().map(\.name), trip: trip,
            computer: ComputerName.own, today: Today.here(now))
        let isFresh =
            trip == nil
            && stored.map { 0..<StoredOptions.freshFor ~= now.seconds - $0.at.seconds } ?? false
        if let greeting = interview.greeting { console.err(greeting) }
        // Within twelve hours, nothing has to be asked.
        var outcome = isFresh ? interview.answer("y") : .ask(nil)
        while true {
            switch outcome {
            case .ask(let remark):
                if let remark { console.err(remark) }
                let line = read(interview, console)
                // The end of input leaves the cursor behind the question.
                if line == nil { console.err("") }
                outcome = interview.answer(line)
            case .done(let values):
                let isLast = values["flight"] == stored?.values["flight"]
                return StoredOptions(values: isLast ? values : known(values, call), at: now)
            case .left(let words):
                console.err(words)
                return nil
            }
        }
    }

    /// The options completed by what the list knows about a typed flight.
    private static func known(
        _ values: [String: [String]], _ call: Invocation
    ) -> [String: [String]] {
        let start = try? TripStart.fill(values, words: []) { () throws(UserError) in
            try TripBook.current(call.place)
        }
        return start?.values ?? values
    }

    /// The flight of the list that departs soon, unless it is that of the last time.
    private static func trip(
        _ call: Invocation, _ stored: StoredOptions?
    ) -> Interview.Proposal? {
        let now = SystemClock.utc()
        // An unreadable list keeps nobody from boarding.
        guard let book = try? TripBook.current(call.place, now: now),
            let trip = book.boarding(at: now, today: { Today.at($0, now: now) }),
            stored?.values["flight"]?.last != trip.flight.text,
            let start = try? TripStart.fill(
                [:], words: [trip.flight.text], list: { () throws(UserError) in book })
        else { return nil }
        let seats = start.values["seat"].map { ", in \($0.joined(separator: ", "))" } ?? ""
        return Interview.Proposal(words: trip.sentence + seats, values: start.values)
    }

    /// Reads a line for the question. The last question joins a network, so what was typed or
    /// pasted before it was shown, or could be read, is not a yes.
    private static func read(_ interview: Interview, _ console: Console) -> String? {
        guard interview.isLast else {
            console.prompt(interview.prompt)
            return console.readLine()
        }
        return console.later {
            while true {
                console.prompt(interview.prompt)
                let asked = SystemClock.now()
                let line = console.readLine()
                let isRead = SystemClock.now() - asked >= Question.readingTime
                if isRead || !console.isTyped || line == nil { return line }
                console.err(Question.tooSoon)
            }
        }
    }

    /// The proposed name: that of the config file or of the last time, else the login name.
    private static func name(_ call: Invocation, _ stored: StoredOptions?) -> String {
        let login = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
        let names = [call.config.value(.name), stored?.values["name"]?.last, login]
        let fitting = names.compactMap { $0 }.first { name in
            name != "root" && (try? PassengerName.check(name, advice: "")) != nil
        }
        return fitting ?? PassengerName.standard
    }

    /// Only the network of the config file, if there is one.
    private static func networks(_ call: Invocation) -> [JoinableNetwork] {
        let all = JoinableNetwork.all()
        let wanted = all.filter { $0.name == call.config.value(.interface) }
        return wanted.isEmpty ? all : wanted
    }

    private static func lookAround(
        _ call: Invocation, _ options: StoredOptions
    ) throws(UserError) -> AgentStatus {
        let began = SystemClock.now()
        let console = call.session.console
        let name = visible(options.values["name"]?.last ?? PassengerName.standard, cells: 48)
        let isRenewed = try call.ask(Op.Status()).renewed
        let seats = isRenewed ? "the seats it claimed" : visible(options.seats, cells: 40)
        let line = "You are aboard: \(name) in \(seats). "
        if !call.quiet { console.prompt(line + "Looking for others ... ") }
        let status = try LifecycleCommands.look(call).reply
        let linked = status.linked
        let found =
            linked == 0
            ? "nobody yet." : "\(linked) found in \(LifecycleCommands.tenths(since: began)) s."
        if !call.quiet { console.err(found) }
        if isRenewed, status.me.seats.isEmpty {
            LifecycleCommands.tellRenewed(options.seats, call)
        }
        for line in status.network.trouble?.lines ?? [] { call.hint(line) }
        for line in try MeetingGreeting.lines(status, call) { call.hint(line) }
        MeetingGreeting.warn(status, call)
        return status
    }
}
