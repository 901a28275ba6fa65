// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Launch
import Protocol
import System
import Text

/// What an agent of this profile left on a flight earlier, read while none runs.
struct EarlierStart: Hashable, Sendable {
    /// Seats that it still claims, sorted.
    var held: [Seat]
    /// Seats that a start does not claim again: those held, and those given away in a swap.
    var known: [Seat]
    /// The name by which others know it; empty if its log has none.
    var name: String

    /// What the user said about two seats.
    enum Answer: Hashable, Sendable {
        /// Take the earlier ones back.
        case move
        /// Claim the new ones beside them.
        case both
    }

    /// What a start with the seats `wanted` changes; `nil` if the passenger has to decide.
    func change(to wanted: [Seat], _ answer: Answer?) -> SeatChange? {
        let extra = held.filter { !wanted.contains($0) }
        let new = wanted.filter { !known.contains($0) }
        switch answer {
        case .move: return SeatChange(leaves: extra, adds: new)
        case .both: return SeatChange(adds: new, isDecided: true)
        case nil: return extra.isEmpty || new.isEmpty ? SeatChange(adds: new) : nil
        }
    }

    /// The question if ``change(to:_:)`` cannot decide.
    func question(_ wanted: [Seat]) -> String {
        let extra = held.filter { !wanted.contains($0) }
        let new = wanted.filter { !known.contains($0) }
        let all = extra.count + new.count > 2 ? "all" : "both"
        return
            "You are still in \(Self.list(extra)) from before. Move to \(Self.list(new)), or hold "
            + "\(all)?"
    }

    /// Seats that were typed but went to somebody else in a swap that the passenger signed.
    func given(_ wanted: [Seat]) -> [Seat] {
        wanted.filter { known.contains($0) && !held.contains($0) }
    }

    private static func list(_ seats: [Seat]) -> String {
        seats.map(\.text).joined(separator: ", ")
    }

    /// Seats held and known, and the name, from an earlier start.
    init(held: [Seat], known: [Seat], name: String) {
        self.held = held
        self.known = known
        self.name = name
    }

    /// Reads the flight's file. `nil` if there is none, if it cannot be read, which the agent
    /// reports better, or if its key is a new one, which claims nothing by itself. Throws if nobody
    /// could look: then a second seat might be claimed unasked.
    private static func read(
        _ options: AgentOptions, _ values: [String: [String]]
    ) throws(UserError) -> EarlierStart? {
        guard access(options.dataDirectory, F_OK) == 0 else { return nil }
        var errand = Errand(.earlier, options.place)
        errand.values = values
        let json = try errand.ask()
        // There are no such records if the answer is `null`.
        guard json != .null else { return nil }
        do throws(JSONFault) {
            let left = try EarlierRecords(told: json)
            return EarlierStart(held: left.held, known: left.known, name: left.name)
        } catch {
            throw .unreadable(error.sentence)
        }
    }

    // MARK: Asking

    /// Decides what to do about an earlier start, by the options of the line or by asking the
    /// passenger. `isNamed` says that the name was typed. Throws `usage` if nobody can be asked.
    static func settle(
        _ options: AgentOptions, _ values: [String: [String]], isNamed: Bool, _ call: Invocation
    ) throws(UserError) -> SeatChange {
        let (moves, stays) = (call.line.has("move"), call.line.has("also"))
        guard !moves || !stays else {
            throw UserError(
                .usage, "--move and --also say two things",
                why: "--move gives the earlier seat back, --also keeps it",
                advice: StoredOptions(values: values, at: SystemClock.utc()).commandLine + " --move"
            )
        }
        guard let earlier = try read(options, values) else { return SeatChange() }
        var answer: Answer? = moves ? .move : stays ? .both : nil
        if answer == nil, earlier.change(to: options.seats, nil) == nil {
            answer = try earlier.ask(options.seats, values, call)
        }
        var change = earlier.change(to: options.seats, answer) ?? SeatChange()
        if isNamed, options.name != earlier.name, !earlier.name.isEmpty {
            change.name = options.name
            change.oldName = earlier.name
        }
        let given = list(earlier.given(options.seats))
        if !given.isEmpty {
            call.hint(
                "\(given) went to another passenger in a swap, so it is not claimed: "
                    + "seatagent seats shows who sits there.")
        }
        return change
    }

    private func ask(
        _ wanted: [Seat], _ values: [String: [String]], _ call: Invocation
    ) throws(UserError) -> Answer {
        let line = StoredOptions(values: values, at: SystemClock.utc()).commandLine
        guard call.mayAsk else {
            throw UserError(
                .usage, "you are still in \(Self.list(held)) from before",
                why: "--move gives that back, --also holds both", advice: line + " --move")
        }
        let words: [String: Answer] = [
            "m": .move, "move": .move, "b": .both, "both": .both, "all": .both,
        ]
        guard let answer = call.choose(question(wanted), "move/both", words) else {
            throw UserError(
                .usage, "nothing was joined", why: "the question was not answered",
                advice: line + " --move")
        }
        return answer
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
