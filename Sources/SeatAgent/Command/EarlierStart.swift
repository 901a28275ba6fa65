// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Launch
import Protocol
import System
import Text

/// What becomes of the seats and the name of an earlier start: an option of the line says so, or
/// the passenger does when they are asked.
enum EarlierStart {
    /// Reads the flight's file while no agent runs. `nil` if there is none, if it cannot be read,
    /// which the agent reports better, or if its key is a new one, which claims nothing by itself.
    /// Throws if nobody could look: then a second seat might be claimed unasked.
    private static func records(
        _ options: AgentOptions, _ values: [String: [String]]
    ) throws(UserError) -> EarlierRecords? {
        guard access(options.dataDirectory, F_OK) == 0 else { return nil }
        var errand = Errand(.earlier, options.place)
        errand.values = values
        let json = try errand.ask()
        // There are no such records if the answer is `null`.
        guard json != .null else { return nil }
        do throws(JSONFault) {
            return try EarlierRecords(told: json)
        } catch {
            throw .unreadable(error.sentence)
        }
    }

    /// What the options of the line say. `isNamed` says that the name was typed. Throws `usage` if
    /// they say two things.
    static func typed(
        _ options: AgentOptions, _ values: [String: [String]], isNamed: Bool, _ call: Invocation
    ) throws(UserError) -> EarlierChoice {
        let (moves, stays) = (call.line.has("move"), call.line.has("also"))
        let line = StoredOptions(values: values, at: SystemClock.utc()).commandLine
        guard !moves || !stays else {
            throw UserError(
                .usage, "--move and --also say two things",
                why: "--move gives the earlier seat back, --also keeps it",
                advice: line + " --move")
        }
        return EarlierChoice(
            seats: moves ? .move : stays ? .both : nil, name: isNamed ? options.name : nil,
            line: line)
    }

    /// The same, and what the passenger answers where the options leave it open. Throws `usage` if
    /// nothing was answered; nobody is asked if nobody can be.
    static func chosen(
        _ options: AgentOptions, _ values: [String: [String]], isNamed: Bool, _ call: Invocation
    ) throws(UserError) -> EarlierChoice {
        var choice = try typed(options, values, isNamed: isNamed, call)
        // The agent, which has the records open anyway, refuses what is open still.
        guard choice.seats == nil, call.mayAsk, let records = try records(options, values)
        else { return choice }
        try ask(records, options.seats, &choice, call)
        return choice
    }

    /// Decides what to do about an earlier start, by the options of the line or by asking the
    /// passenger. `isNamed` says that the name was typed. Throws `usage` if nobody can be asked.
    static func settle(
        _ options: AgentOptions, _ values: [String: [String]], isNamed: Bool, _ call: Invocation
    ) throws(UserError) -> SeatChange {
        var choice = try typed(options, values, isNamed: isNamed, call)
        guard let records = try records(options, values) else { return SeatChange() }
        if call.mayAsk { try ask(records, options.seats, &choice, call) }
        let change = try records.change(to: options.seats, choice)
        if let remark = records.givenRemark(options.seats) { call.hint(remark) }
        return change
    }

    private static func ask(
        _ records: EarlierRecords, _ wanted: [Seat], _ choice: inout EarlierChoice,
        _ call: Invocation
    ) throws(UserError) {
        guard records.change(to: wanted, choice.seats) == nil else { return }
        let words: [String: EarlierChoice.Seats] = [
            "m": .move, "move": .move, "b": .both, "both": .both, "all": .both,
        ]
        choice.seats = call.choose(records.question(wanted), "move/both", words)
        guard choice.seats != nil else {
            throw UserError(
                .usage, "nothing was joined", why: "the question was not answered",
                advice: choice.line + " --move")
        }
    }
}

extension SeatChange {
    /// Has the agent that has just started carry it out. Throws if the agent runs and something was
    /// not done.
    func carryOut(_ call: Invocation) throws(UserError) {
        guard !leaves.isEmpty || name != nil else { return }
        // An existing log is written to only after others were asked for the rest of it.
        call.hint("A few seconds: your agent asks the others first whether they know more of you.")
        let client = try call.connect(deadline: call.deadline(standard: 60))
        for seat in leaves {
            do throws(UserError) {
                _ = try client.ask(Op.Release(seat: seat.text))
            } catch {
                throw UserError(
                    error.code, "your agent runs, and you still claim \(seat.text) too",
                    why: Self.why(error), advice: "seatagent release \(seat.text)")
            }
        }
        guard let name else { return }
        do throws(UserError) {
            _ = try client.ask(Op.Rename(name: name))
        } catch {
            throw UserError(
                error.code, "your agent runs, and you are still called \(visible(oldName))",
                why: Self.why(error), advice: error.advice ?? "seatagent status")
        }
    }

    private static func why(_ error: UserError) -> String {
        error.what + (error.why.map { ": " + $0 } ?? "")
    }
}
