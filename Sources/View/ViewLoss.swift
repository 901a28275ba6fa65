// SPDX-License-Identifier: Apache-2.0
import Terminal
package import Text

/// How the view reacts when its agent goes away, and when a text comes back from an editor.
extension ViewState {
    /// Why nothing can be sent.
    package var gone: UserError {
        UserError(
            .noAgent, "the agent has gone", why: "nothing was sent",
            advice: "seatagent \(startWords)")
    }

    /// What starts an agent here, without the program's name.
    private var startWords: String { venue.map { "venue open \($0.status.venue)" } ?? "up" }

    /// The error for a request that was never answered.
    var unanswered: UserError {
        UserError(
            .unreachable, "the agent went away before it answered",
            why: "whether that was done is not known",
            advice: isInVenue ? "seatagent activity" : "seatagent requests")
    }

    /// The agent has gone, for the reason `why` if its log says one; everything known stays on the
    /// screen.
    package mutating func lost(_ why: String? = nil) {
        isLost = true
        question = nil
        following = []
        askedLayout = nil
        notice = nil
        note(
            "The agent has gone. This view waits for it; "
                + (isInVenue
                    ? "/\(startWords) starts it." : "seatagent up in another window starts it."))
        if let why { note("Why: \(why).") }
    }

    /// An agent answers again, so the view asks for everything anew.
    package mutating func found() -> [ViewIntent] {
        isLost = false
        wasLost = true
        stale = isInVenue ? .ofVenue : .ofFlight
        lookingUp = nil
        hasHistory = false
        note("The agent answers again.")
        return refresh()
    }

    /// Puts the text from the editor into the line; it is not sent by itself.
    package mutating func edited(_ outcome: DraftEditor.Outcome) {
        completion = nil
        switch outcome {
        case .text(let text): editor.replace(with: String(text.prefix(LineEditor.limit)))
        case .failed(let why): notice = "Your line is as it was: \(visible(why, cells: 100))."
        }
    }
}
