/// What becomes of the view when its agent goes away, and when a text comes back from an editor.
extension ViewState {
    /// Why nothing can be sent.
    static let gone = UserError(
        .noAgent, "the agent has gone", why: "nothing was sent", advice: "seatagent up")

    /// The agent has gone: what is known stays on the screen.
    mutating func lost() {
        isLost = true
        question = nil
        notice = nil
        note(
            "The agent has gone. This view waits for it; seatagent up in another window starts it.")
    }

    /// An agent answers again: everything is asked anew.
    mutating func found() -> [ViewIntent] {
        isLost = false
        stale = [.status, .peers, .seats, .requests]
        // The history comes again, and with it all that was here.
        for index in conversations.indices { conversations[index].clear() }
        hasHistory = false
        return refresh()
    }

    /// The text from the editor stands in the line; it is not sent by itself.
    mutating func edited(_ outcome: DraftEditor.Outcome) {
        switch outcome {
        case .text(let text): editor.replace(with: String(text.prefix(LineEditor.limit)))
        case .failed(let why): notice = "Nothing was changed: \(visible(why, cells: 100))."
        }
    }
}
