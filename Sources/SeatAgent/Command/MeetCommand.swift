// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Launch
import Profile
import Text

/// `seatagent meet`: whether a meeting point can be used.
struct MeetCommand {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let sample = "seatagent meet check mqtts://meet.example.org"
        guard let first = call.operands.first else {
            throw UserError(
                .usage, "meet wants to know what to do",
                why: "it knows " + MeetWord.words.joined(separator: ", "), advice: sample)
        }
        guard MeetWord(rawValue: first) == .check else {
            throw UserError(
                .usage, "meet does not know \"\(visible(first, cells: 30))\"",
                why: "it knows " + MeetWord.words.joined(separator: ", "), advice: sample)
        }
        let url = call.operands.dropFirst().first ?? call.config.value(.rendezvousURL)
        guard !url.isEmpty else {
            throw UserError(
                .usage, "no meeting point is configured, so name one",
                why: "rendezvous.url is empty", advice: sample)
        }
        do throws(UserError) {
            _ = try MeetAddress(parsing: url)
        } catch {
            var wrong = error
            wrong.advice = sample
            throw wrong
        }
        var errand = Errand(.meet, call.place)
        errand.url = url
        call.hint("Trying it, which takes some seconds.")
        return try call.finish(examined: try errand.ask())
    }
}
