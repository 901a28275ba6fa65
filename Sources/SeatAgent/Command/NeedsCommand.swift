// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text

/// `seatagent needs`: facts about whoever sits in the user's own seats, for the rules of the cabin.
enum NeedsCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: call.mayAsk ? nil : 30))
        let known = try client.ask(Op.Needs())
        guard !call.operands.isEmpty || call.line.has("remove") || call.line.has("with") else {
            return list(known, call)
        }
        var words = call.operands
        let seat: String
        if let first = words.first, let named = Seat(first) {
            seat = named.text
            words.removeFirst()
        } else {
            seat = try own(known.people)
        }
        let old = known.people.first { $0.seat.text == seat }
        var facts = Set((old?.facts ?? []).compactMap(\.known))
        let named = try words.map { (word) throws(UserError) in
            try fact(word, in: [seat] + words, call)
        }
        if call.line.has("remove") {
            facts = named.isEmpty ? [] : facts.subtracting(named)
        } else {
            facts.formUnion(named)
            guard try mayExit(named, [seat] + words, call) else { return call.unchanged() }
        }
        var said = Op.SetNeeds(
            seat: seat, facts: Needs.Fact.allCases.filter(facts.contains).map { Word($0) })
        if let with = call.line.value("with") {
            said.with = try SeatText.parse(with).text
        } else if !call.line.has("remove") {
            said.with = old?.with?.text
        }
        let result = try client.ask(said)
        let mine = result.people.filter { $0.seat.text == seat }.map(line)
        let code = call.finish(result, mine.isEmpty ? ["Nothing is said of \(seat)."] : mine)
        call.hint("It stays on this machine; nobody is told.")
        return code
    }

    private static func list(_ known: Answer<SeatNeeds>, _ call: Invocation) -> ExitCode {
        let code = call.finish(known, known.people.map(line))
        call.hint("Next: seatagent help needs")
        return code
    }

    private static func line(_ person: SeatNeeds.Person) -> String {
        var words = person.facts.map { $0.known?.words ?? visible($0.text, cells: 20) }
        if let with = person.with { words.append("together with \(with.text)") }
        if !person.yours { words.append("not your seat any more") }
        let said = words.isEmpty ? "nothing said" : words.joined(separator: ", ")
        return padded(person.seat.text, to: 5) + said
    }

    /// The user's own seat, if there is only one.
    private static func own(_ people: [SeatNeeds.Person]) throws(UserError) -> String {
        let seats = people.filter(\.yours).map(\.seat.text)
        guard seats.count == 1 else {
            throw UserError(
                .whichSeat, "say which seat is meant",
                why: seats.isEmpty ? "you have none" : "yours are " + seats.joined(separator: ", "),
                advice: seats.first.map { "seatagent needs \($0) exit" } ?? "seatagent status")
        }
        return seats[0]
    }

    /// The command again, with everything that was said about the seat.
    private static func again(_ words: [String], _ call: Invocation, yes: Bool = false) -> String {
        var line = ["seatagent needs"] + words
        if let with = call.line.value("with"), let seat = Seat(with) {
            line += ["--with", seat.text]
        }
        if call.line.has("remove") { line.append("--remove") }
        if yes || call.line.has("yes") { line.append("--yes") }
        return line.joined(separator: " ")
    }

    private static func fact(
        _ word: String, in words: [String], _ call: Invocation
    ) throws(UserError) -> Needs.Fact {
        if let fact = Needs.Fact(rawValue: word.lowercased()) { return fact }
        let all = Needs.Fact.allCases.map(\.rawValue)
        throw UserError(
            .usage, "\"\(visible(word, cells: 20))\" is neither a seat nor a fact",
            why: "facts are " + all.joined(separator: ", "),
            advice: Suggestions.nearest(to: word, among: all).map { nearest in
                let known = words.dropFirst().map { $0 == word ? nearest : $0 }
                    .filter { all.contains($0.lowercased()) }
                return again(words.prefix(1) + known, call)
            } ?? "seatagent help needs")
    }

    /// An exit needs more than a word: the passenger there confirms all conditions.
    private static func mayExit(
        _ facts: [Needs.Fact], _ words: [String], _ call: Invocation
    ) throws(UserError) -> Bool {
        guard facts.contains(.exit), !call.line.has("yes") else { return true }
        guard call.mayAsk else {
            throw UserError(
                .usage, "that is for whoever sits there to say, and nobody can be asked here",
                why: "it means: \(SeatRules.exitWords)",
                advice: again(words, call, yes: true))
        }
        return call.confirm("Is whoever sits there \(SeatRules.exitWords)?")
    }
}
