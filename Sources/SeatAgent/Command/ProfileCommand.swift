// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Grammar
import Owner
import Profile
import Text
import Venues

/// `seatagent profile`: what the owner of the profile says of themselves. It needs no agent.
struct ProfileCommand {
    private let call: Invocation
    private let words: [String]

    init(_ call: Invocation) {
        self.call = call
        words = Array(call.operands.dropFirst())
    }

    func run() throws(UserError) -> ExitCode {
        guard let first = call.operands.first else {
            try refuseYes(of: "profile")
            return try show()
        }
        guard let word = ProfileWord(rawValue: first) else { throw Self.unknown(first) }
        if word != .delete { try refuseYes(of: "profile \(word.rawValue)") }
        switch word {
        case .set:
            guard !words.isEmpty, words.count % 2 == 0 else {
                throw UserError(
                    .usage, "profile set wants a value after each field",
                    why: "a value with blanks stands in ' '", advice: word.sampleLine)
            }
            return try set(
                stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) })
        case .clear:
            guard !words.isEmpty else {
                throw UserError(
                    .usage, "profile clear wants a field",
                    why: "there are " + ProfileWord.fields.joined(separator: ", "),
                    advice: word.sampleLine)
            }
            return try set(words.map { ($0, "") })
        case .delete:
            guard words.isEmpty else {
                throw UserError(
                    .usage, "profile delete has too many words", advice: word.sampleLine)
            }
            return try delete()
        }
    }

    private static func unknown(_ word: String) -> UserError {
        let near = Suggestions.nearest(to: word, among: ProfileWord.words)
        return UserError(
            .usage, "profile has no \(visible(word, cells: 40))",
            why: "it has " + ProfileWord.words.joined(separator: ", "),
            advice: near.flatMap(ProfileWord.init)?.sampleLine ?? "seatagent help profile")
    }

    private func refuseYes(of command: String) throws(UserError) {
        guard call.line.has("yes") else { return }
        throw UserError(.usage, "\(command) takes no --yes", advice: "seatagent help profile")
    }

    // MARK: Looking and changing

    private func show() throws(UserError) -> ExitCode {
        let details = try OwnerDetails.read(call.place)
        let code = call.finish(details.shown, Self.lines(details))
        if details.isEmpty { call.hint("Next: \(ProfileWord.set.sampleLine)") }
        return code
    }

    private static func lines(_ details: OwnerDetails) -> [String] {
        OwnerField.allCases.map { field in
            padded(field.rawValue, to: 7) + (details[field].map { visible($0) } ?? "-")
        }
    }

    private func set(_ pairs: [(name: String, text: String)]) throws(UserError) -> ExitCode {
        var seen: [OwnerField] = []
        for pair in pairs {
            let field = try Self.field(pair.name)
            guard !seen.contains(field) else {
                throw UserError(
                    .usage, "\(field.rawValue) is there twice", advice: ProfileWord.set.sampleLine)
            }
            seen.append(field)
        }
        let fields = seen
        let details = try OwnerDetails.change(call.place) { (details) throws(UserError) in
            for (field, pair) in zip(fields, pairs) {
                do throws(FormFault) {
                    try details.set(field, pair.text)
                } catch {
                    throw UserError(
                        .usage, "\(field.rawValue) is wrong", why: error.sentence,
                        advice: "seatagent profile set \(field.rawValue) \(field.sample)")
                }
            }
            return details
        }
        let code = call.finish(details.shown, Self.lines(details))
        for (field, pair) in zip(fields, pairs) {
            if let kept = details[field], kept != pair.text {
                call.hint(
                    "The \(field.rawValue) is kept as \(visible(kept)); you typed "
                        + "\"\(visible(pair.text, cells: 60))\".")
            }
        }
        if fields.contains(.mail) { sayWhoKnowsAnother() }
        return code
    }

    /// Venues that the user joined go on knowing them by what they said then.
    private func sayWhoKnowsAnother() {
        guard let list = try? KnownVenues.read(call.place) else { return }
        for known in list.venues(with: .granted) {
            guard let process = try? VenueProcess(call, known),
                let day = try? VenueAgent(call, known).clock?.date.text,
                let facts = try? process.ask(Op.Days(first: day)).reply, facts.member != nil
            else { continue }
            call.hint(
                "\(known.slug) goes on knowing you by the address with which you joined: only its "
                    + "desk can change it.")
        }
    }

    private static func field(_ name: String) throws(UserError) -> OwnerField {
        if let field = OwnerField(rawValue: name) { return field }
        let near = Suggestions.nearest(to: name, among: ProfileWord.fields)
            .flatMap(OwnerField.init)
        throw UserError(
            .usage, "a profile has no \(visible(name, cells: 40))",
            why: "it has " + ProfileWord.fields.joined(separator: ", "),
            advice: near.map { "seatagent profile set \($0.rawValue) \($0.sample)" }
                ?? ProfileWord.set.sampleLine)
    }

    // MARK: Erasing

    private func delete() throws(UserError) -> ExitCode {
        // Said before a question is asked; an agent may start while it waits for its answer.
        _ = try keepAgentsOut()
        if !call.line.has("yes") {
            guard call.mayAsk else {
                throw UserError(
                    .usage, "this cannot be undone, and nobody can be asked here",
                    why: "standard input is not a terminal",
                    advice: "seatagent profile delete --yes")
            }
            let what = PrivateFiles.sealable.map(\.what).joined(separator: " and ")
            guard call.confirm("Erase \(what) for good?") else {
                return call.finish(["erased": []], ["Nothing was erased."])
            }
        }
        _ = try Confirmation.ask(call, again: "seatagent profile delete")
        let lock = try keepAgentsOut()
        defer { withExtendedLifetime(lock) {} }
        let erased = try ProfileSeal(call.place).erase()
        let code = call.finish(
            ["erased": .array(erased.map { .string($0.name) })],
            [
                erased.isEmpty
                    ? "There was nothing to erase."
                    : "Erased: " + erased.map(\.what).joined(separator: ", ") + "."
            ])
        call.hint("Records and keys of flights stay. They are listed by: seatagent flights")
        return code
    }

    /// Keeps agents from starting while files go; `nil` if there is nothing here yet. Throws
    /// `already-running` and `file`.
    private func keepAgentsOut() throws(UserError) -> ProfileLock? {
        do throws(ProfileLock.Trouble) {
            return try ProfileLock(path: call.place.lockPath)
        } catch {
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "the profile is not deleted while its agent runs",
                    why: "a flight is in progress, which needs its files; "
                        + "\(call.place.lockPath) is held",
                    advice: "seatagent down")
            case .unusable(ENOENT): return nil
            case .unusable(let code): throw ProfileLock.unusable(call.place.lockPath, code)
            }
        }
    }
}
