// SPDX-License-Identifier: Apache-2.0
import Grammar
import Owner
import Profile
import Text

/// `seatagent lock` and `seatagent unlock`: whether the private files of the profile can be read.
enum LockCommands {
    static func lock(_ call: Invocation) throws(UserError) -> ExitCode {
        let seal = ProfileSeal(call.place)
        let locked = seal.locked
        guard !seal.plain.isEmpty else {
            guard !locked.isEmpty else {
                throw UserError(
                    .nothingFound, "there is nothing to lock",
                    why: "this profile has no details, and no list of parked cars",
                    advice: ProfileWord.set.sampleLine)
            }
            return finish(call, "locked", [], ["The profile is locked already."])
        }
        let question = PassphraseQuestion(call, again: "seatagent lock")
        // A killed command may have locked a part: the rest gets the same passphrase.
        if !locked.isEmpty {
            call.note("a part is locked already: " + names(locked) + "; the passphrase is that one")
        }
        let passphrase = try locked.isEmpty ? question.new() : question.known()
        let sealed = try seal.lock(passphrase)
        let flight = (try? FlightCommands.running(call))?.flight
        var lines = ["Locked: \(names(sealed)). Only your passphrase opens it."]
        if let flight {
            lines += [
                "The agent on \(visible(flight)) goes on, so that a yes of yours which is still "
                    + "open can end.",
                "It reads nothing of what is locked. seatagent down ends it.",
            ]
        }
        return finish(call, "locked", sealed, lines, agent: flight)
    }

    static func unlock(_ call: Invocation) throws(UserError) -> ExitCode {
        let seal = ProfileSeal(call.place)
        guard !seal.locked.isEmpty else {
            return finish(call, "unlocked", [], ["The profile is not locked."])
        }
        let again = "seatagent unlock"
        // Typed when the program said no three times: it need not be typed again.
        var passphrase = try Confirmation.ask(call, again: again) ?? []
        if passphrase.isEmpty {
            passphrase = try PassphraseQuestion(call, again: again).known()
        }
        let opened = try seal.unlock(passphrase)
        return finish(call, "unlocked", opened, ["Unlocked: \(names(opened))."])
    }

    private static func names(_ files: [SealableFile]) -> String {
        files.map(\.what).joined(separator: ", ")
    }

    private static func finish(
        _ call: Invocation, _ done: String, _ files: [SealableFile], _ lines: [String],
        agent: String? = nil
    ) -> ExitCode {
        call.finish(
            .object(present: [
                done: .array(files.map { .string($0.name) }), "agent": agent.map(JSON.string),
            ]), lines)
    }
}
