// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Grammar
import Protocol
import Text
import Venues

/// `seatagent desk`: the desk of a venue, for whoever runs it.
struct DeskCommand {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let first = call.operands.first ?? DeskWord.requests.rawValue
        let words = Array(call.operands.dropFirst())
        guard let word = DeskWord(rawValue: first) else { throw Self.unknown(first) }
        guard word.count ~= words.count else {
            throw UserError(
                .usage,
                words.count > word.count.upperBound
                    ? "desk \(word.rawValue) has too many words"
                    : "desk \(word.rawValue) wants more words", advice: word.sampleLine)
        }
        try allow(word)
        if word == .up { return try DeskStart(call).up(words.first) }
        if word == .restore { return try DeskBackup.restore(call, words.first) }
        let (agent, _) = try VenueAgent.desk(call).running()
        do throws(UserError) {
            return try run(word, words, agent)
        } catch {
            // What has that code may stand in the ledger of later days.
            guard error.code == .noSuchBooking || error.code == .noSuchRecord else { throw error }
            for later in try agent.laterDesks() {
                do throws(UserError) {
                    return try run(word, words, later)
                } catch {
                    guard error.code == .noSuchBooking || error.code == .noSuchRecord else {
                        throw error
                    }
                }
            }
            throw error
        }
    }

    private func run(
        _ word: DeskWord, _ words: [String], _ agent: VenueAgent
    ) throws(UserError) -> ExitCode {
        switch word {
        case .up, .restore, .requests: return try DeskList(call, agent).show()
        case .open:
            let isRestored = call.line.has("restored") ? true : nil
            let told = try agent.ask(Op.DeskOpen(restored: isRestored))
            for later in try agent.laterDesks() {
                _ = try later.ask(Op.DeskOpen(restored: isRestored))
            }
            return try state(told, agent)
        case .away:
            let told = try agent.ask(Op.DeskAway())
            for later in try agent.laterDesks() { _ = try later.ask(Op.DeskAway()) }
            return try state(told, agent)
        case .grant: return try DeskList(call, agent).answer(words[0], grant: true)
        case .refuse: return try DeskList(call, agent).answer(words[0], grant: false)
        case .admit: return try DeskPeople(call, agent).admit(words[0])
        case .book: return try DeskCounterWork(call, agent).book(words)
        case .block: return try DeskCounterWork(call, agent).block(words)
        case .close: return try DeskCounterWork(call, agent).close(words[0])
        case .paid: return try DeskCounterWork(call, agent).paid(words)
        case .arrived: return try DeskCounterWork(call, agent).visit(words[0], .arrived)
        case .handed: return try DeskCounterWork(call, agent).visit(words[0], .handedOut)
        case .returned: return try DeskCounterWork(call, agent).visit(words[0], .returned)
        case .late: return try DeskCounterWork(call, agent).late(words)
        case .members: return try DeskPeople(call, agent).members(words)
        case .report: return try DeskPapers(call, agent).report(words.first)
        case .slip: return try DeskPapers(call, agent).slip(words[0])
        case .say: return try DeskPapers(call, agent).say(words.joined(separator: " "))
        case .backup: return try DeskBackup(call, agent).write()
        }
    }

    private func state(
        _ answer: Answer<DeskStatus>, _ agent: VenueAgent
    ) throws(UserError) -> ExitCode {
        call.finish(answer, [DeskList.sentence(answer.reply, agent.venue)])
    }

    private func allow(_ word: DeskWord) throws(UserError) {
        let all = Set(DeskWord.allCases.flatMap(\.options)).sorted()
        guard let other = all.first(where: { call.line.has($0) && !word.options.contains($0) })
        else { return }
        throw UserError(
            .usage, "desk \(word.rawValue) takes no --\(other)", advice: "seatagent help desk")
    }

    private static func unknown(_ word: String) -> UserError {
        let nearest = Suggestions.nearest(to: word, among: DeskWord.words)
        return UserError(
            .usage, "desk has no \(visible(word, cells: 40))",
            why: "it has " + DeskWord.words.joined(separator: ", "),
            advice: nearest.flatMap(DeskWord.init)?.sampleLine ?? "seatagent help desk")
    }
}
