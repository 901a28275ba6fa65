// SPDX-License-Identifier: Apache-2.0
import ControlAPI
package import Profile
import Protocol
import System
package import Text

/// The profile's agent that no longer runs: how to start it as before, and where to read why it
/// ended.
package struct LastAgent {
    private let place: ProfilePlace

    /// What to type if no earlier start is known.
    package static let example = ControlClient.startLine

    package init(_ place: ProfilePlace) { self.place = place }

    /// `error`, and if it says that no agent runs, what is known about the missing agent.
    package func explaining(_ error: UserError) -> UserError {
        guard error.code == .noAgent else { return error }
        var error = error
        if let ended = lastWords {
            error.why = (error.why.map { $0 + "; " } ?? "") + ended
        }
        // The example's seat and name may be somebody else's.
        if let stored = try? StoredOptions.read(place), !stored.values.isEmpty {
            error.advice = again(stored)
        }
        return error
    }

    /// A start as the last time; `up` without options does that for a few hours only.
    private func again(_ stored: StoredOptions) -> String {
        if let slug = stored.venue {
            return VenueProfile.line(
                "venue open \(slug)", profile: place.profile.text, slug: slug)
        }
        let age = SystemClock.utc().seconds - stored.at.seconds
        return 0..<StoredOptions.freshFor ~= age ? "seatagent up" : stored.commandLine
    }

    /// Why the agent ended, as far as its log says, and where the log is; `nil` if its user ended
    /// it, or if nothing was logged since the last start, because an agent in the foreground has no
    /// log.
    package var lastWords: String? {
        guard let written = PrivateFile.facts(place.logPath)?.written,
            let started = PrivateFile.facts(place.lockPath)?.written, written >= started,
            let log = PrivateFile.tail(place.logPath)
        else { return nil }
        let last = log.split(separator: 10).last.map { String(decoding: $0, as: UTF8.self) }
        var words = last ?? ""
        if words.hasPrefix("seatagent: ") { words = String(words.dropFirst(11)) }
        if words == Log.left + Log.wasTold { return nil }
        if words == Log.started { words = "" }
        let place = "its log is \(place.logPath)"
        if words.hasPrefix(Log.left) {
            return "the last one left because \(words.dropFirst(Log.left.count)); " + place
        }
        return "the last one was killed or failed; " + place
            + (words.isEmpty ? "" : ", and ends with: \(words)")
    }
}
