// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Launch
import Profile
import Protocol
import System
import Text
import Trips

/// `seatagent flight move`: another flight takes the place of one in the list.
extension TripCommands {
    static func move(_ call: Invocation, _ words: [String]) throws(UserError) -> ExitCode {
        try allow(known + ["yes", "force"], call)
        let now = SystemClock.utc()
        let typed = try MoveReading(words, now: now)
        let given = call.line.values.filter { known.contains($0.key) }
        let book = try TripBook.current(call.place)
        func read(after before: Trip?) throws(UserError) -> TripReading {
            try typed.reading(after: before, given, today: { Today.at($0) }, now: now)
        }
        let before: Trip
        do throws(UserError) {
            before = try book.find(typed.from)
        } catch {
            guard error.code == .noSuchFlight,
                let trip = book.successor(of: typed.from, at: try read(after: nil).trip.flight)
            else { throw error }
            // An earlier run of this command was cut off behind the change of the list.
            try settle(before: { $0 == trip.moved?.from }, trip, call)
            return report(TripReading(trip: trip, verb: "move"), nil, [], call)
        }
        var reading = try read(after: before)
        var next = book
        // What cannot be is said before the agent leaves.
        try next.move(before.flight, to: reading.trip)
        let files = try files(of: before, call)
        let stands = files.contains { $0.end.map { now < $0 } ?? true }
        let again = line(before, reading, call)
        guard let lines = try departed(before, stands: stands, again, call) else {
            return call.unchanged()
        }
        let gone = try LeftFlight.read(before, files, call.place)
        reading.trip = before.replaced(by: reading.trip, with: gone.moved)
        try TripBook.change(call.place) { (book) throws(UserError) in
            try book.move(before.flight, to: reading.trip)
        }
        try settle(before: before.isCalled, reading.trip, call)
        let code = report(LookupCommand.completed(reading, call), gone, lines, call)
        if let file = files.first {
            call.hint("Records are kept: seatagent forget \(file.flight.text)")
        }
        return code
    }

    /// The command as it can be typed again.
    private static func line(_ before: Trip, _ reading: TripReading, _ call: Invocation) -> String {
        let options = known.flatMap { option in
            (call.line.values[option] ?? []).map { " --\(option) " + ShellWord.quoted($0) }
        }
        let to = reading.trip.to.map { "/" + $0 } ?? ""
        return "seatagent flight move \(before.flight.text) \(reading.trip.flight.text)\(to)"
            + options.joined()
    }

    /// What follows from the changed list; again if it is repeated.
    private static func settle(
        before isBefore: (FlightName) -> Bool, _ trip: Trip, _ call: Invocation
    ) throws(UserError) {
        try forgetStart(on: isBefore, call)
        // The code waits in the list now.
        if let home = try HomeParty.waiting(in: call.place), home.secret == trip.moved?.party,
            home.flight.map(isBefore) == true
        {
            try HomeParty.forget(in: call.place)
        }
    }

    // MARK: Output

    private static func report(
        _ reading: TripReading, _ left: LeftFlight?, _ lines: [String], _ call: Invocation
    ) -> ExitCode {
        let trip = reading.trip
        var lines = lines
        if trip.moved?.party != nil {
            lines.append(
                "Your party goes along: who moves too needs no new code. Keys are new there, so "
                    + "you are asked about each.")
        }
        if let wish = trip.moved?.wish {
            let what = [wish.words, wish.note].filter { !$0.isEmpty }.joined(separator: "; ")
            lines.append(
                "Your \(wish.isPrivate ? "private " : "")wish goes along"
                    + (what.isEmpty ? "" : ": \(visible(what))")
                    + ". It is said when you are aboard with a seat.")
        }
        let leftOut = left?.leftOut ?? []
        if !leftOut.isEmpty {
            lines.append("Left out of your wish: \(visible(leftOut.joined(separator: ", "))).")
        }
        let facts: [String: JSON] = [
            "moved_from": trip.moved.map { .string($0.from.text) } ?? .null,
            "left_out": .array(leftOut.map(JSON.string)),
        ]
        let code = told(reading, "In its place", call, more: (facts, lines))
        if left?.hasNeeds == true {
            call.hint("What you said of your seats (needs) counts no more: say it of the new ones.")
        }
        if trip.calendar != nil {
            call.hint("Your calendar learns of it: seatagent calendar --out flights.ics")
        }
        return code
    }
}
