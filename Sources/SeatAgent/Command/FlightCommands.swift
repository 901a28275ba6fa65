// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import System
import Text
import Trips

/// All flights of this profile: those in the list, and those with stored records.
enum FlightCommands {
    static func list(_ call: Invocation) throws(UserError) -> ExitCode {
        let now = SystemClock.utc()
        let book = try TripBook.current(call.place, now: now)
        let rows = FlightRow.all(
            book, try KeptFlights.all(call.place), running: try running(call)?.file)
        let today = Today.here(now)
        let lines = rows.flatMap { row in
            row.lines(
                at: now, today: row.trip.map { Today.at($0.flight.origin, now: now) } ?? today)
        }
        let code = call.finish(
            ["flights": .array(rows.map { $0.json(at: now) })],
            lines.isEmpty ? ["your list is empty, and no records are kept here"] : lines)
        if book.trips.isEmpty {
            call.hint("Next: " + TripReading.line(at: now))
        } else if !rows.contains(where: \.isRunning),
            let next = rows.first(where: { $0.trip != nil && $0.state(now) != "closed" })
        {
            call.hint("Next: seatagent up \(next.flight.text)")
        }
        return code
    }

    static func forget(_ call: Invocation) throws(UserError) -> ExitCode {
        let kept = try KeptFlights.all(call.place)
        // Nothing is known from an unreadable list; records can be deleted all the same.
        let history = (try? TripBook.read(call.place))?.history ?? []
        let wanted = try named(
            call.operands.joined(separator: " "), kept.map(\.flight) + history.map(\.flight))
        let found = kept.filter { $0.flight == wanted }
        guard call.line.has("yes") || call.mayAsk else {
            throw UserError(
                .usage, "this cannot be undone, and nobody can be asked here",
                why: "standard input is not a terminal",
                advice: "seatagent forget \(name(wanted)) --yes")
        }
        if !call.line.has("yes") {
            call.note(othersKeep)
            let question = "Delete your key and all records of \(name(wanted)) for good?"
            guard call.confirm(question) else { return call.unchanged() }
        }
        var agent = try running(call)
        let isOnlyForGoodbye = agent == nil && !found.isEmpty
        if isOnlyForGoodbye { agent = Goodbye.start(for: wanted, call) }
        if agent?.flight == wanted.text { try Goodbye.say(mustBeSaid: !isOnlyForGoodbye, call) }
        // No agent may start with a file that is about to be deleted; one on another flight does
        // not matter.
        let isElsewhere = agent.map { $0.flight != wanted.text } == true
        let lock = try lock(call.place, for: wanted, isElsewhere: isElsewhere)
        defer { withExtendedLifetime(lock) {} }
        for item in found { try KeptFlights.delete(item, call.place) }
        // Even if it was not there a moment ago: the agent may have written it since.
        var trouble: UserError?
        do throws(UserError) {
            try TripBook.change(call.place) { (book) throws(UserError) in book.forget(wanted) }
        } catch {
            trouble = error
        }
        if try StoredOptions.read(call.place)?.flight == wanted {
            unlink(call.place.optionsPath)
        }
        if let trouble {
            throw UserError(
                trouble.code, "key and records are deleted, what the history has of it is not",
                why: trouble.why, advice: trouble.advice)
        }
        return call.finish(
            ["flight": .string(name(wanted))],
            ["\(name(wanted)) is forgotten: key and records."]
                + (found.isEmpty ? [] : ["But " + othersKeep]))
    }

    /// What no command here can undo.
    private static let othersKeep =
        "others keep what they have of you: lines to everyone, claims and swaps until their own "
        + "records of the flight go, and your messages to them."

    /// Keeps agents from starting; `nil` if one runs that is on another flight.
    private static func lock(
        _ place: ProfilePlace, for flight: FlightName, isElsewhere: Bool
    ) throws(UserError) -> ProfileLock? {
        do throws(ProfileLock.Trouble) {
            return try ProfileLock(path: place.lockPath)
        } catch {
            if isElsewhere { return nil }
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "an agent of this profile is just starting",
                    why: "\(place.lockPath) is held by another process",
                    advice: "seatagent forget \(name(flight)) --yes")
            // Nothing was ever stored here, so there is nothing to lock.
            case .unusable(ENOENT): return nil
            case .unusable(let code): throw ProfileLock.unusable(place.lockPath, code)
            }
        }
    }

    /// The flight that the words name, among those with stored data. Throws `no-such-flight` or
    /// `ambiguous`.
    private static func named(
        _ text: String, _ flights: [FlightName]
    ) throws(UserError) -> FlightName {
        let known = flights.reduce(into: [FlightName]()) { known, flight in
            if !known.contains(flight) { known.append(flight) }
        }
        // Under its own name first: records may be older than the table of airlines.
        let exact = text.lowercased() == "practice" ? FlightName.practice : FlightName(text)
        if let exact, known.contains(exact) { return exact }
        let words = FlightWords(text)
        let number = try? FlightNumber.read(words.number).number
        let found = known.filter { flight in
            words.stray == nil && number.map { words.fit(flight, $0) } ?? false
        }
        guard let first = found.first else {
            throw UserError(
                .noSuchFlight, "no records of \"\(visible(text, cells: 40))\" are kept here",
                advice: "seatagent flights")
        }
        guard found.count == 1 else {
            throw UserError(
                .ambiguous, "\(found.count) flights here are called so",
                why: found.map(\.text).joined(separator: ", "), advice: "seatagent flights")
        }
        return first
    }

    /// The flight of the profile's agent, and its open file; `nil` without an agent.
    static func running(
        _ call: Invocation
    ) throws(UserError) -> (flight: String, file: String)? {
        do throws(UserError) {
            let flight = try call.ask(Op.Status()).flight
            return (flight.name, FlightFile.name(flight.name, id: flight.gated ? flight.id : nil))
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    private static func name(_ flight: FlightName) -> String {
        flight.isPractice ? "practice" : flight.text
    }
}
