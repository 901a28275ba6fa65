// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text
import Wording

/// Waits on a watched connection until a negotiation is decided, and says so.
struct SwapWait {
    let call: Invocation
    let client: ControlClient

    /// Goes on from `request`, which was read after the watch began. Throws `declined`, `expired`,
    /// `withdrawn`, `aborted` or `timeout`.
    func follow(_ request: JSON) throws(UserError) -> ExitCode {
        var last = ""
        var current = request
        var number = request["number"]
        while true {
            let text = RequestText(request: current)
            // Both asked for the same at once: one of the two requests goes on, for both.
            if let other = try twin(of: text) {
                (current, number) = (other, other["number"])
                continue
            }
            if let failure = text.failure { throw failure }
            if text.state == "final" {
                return call.finish(current, [text.swapped] + text.warnings)
            }
            let step = text.needsAnswer ? "counter" : text.state + (text.isWaiting ? ", waits" : "")
            if step != last { tell(text) }
            last = step
            current = try next(number)
        }
    }

    /// The request that took the place of one that was taken back, where it moves the same seats.
    private func twin(of text: RequestText) throws(UserError) -> JSON? {
        guard text.state == "withdrawn", let instead = text.instead else { return nil }
        let all = try client.ask("requests", ["all": true])["requests"]?.list ?? []
        return all.first {
            $0["number"]?.number == instead && RequestText(request: $0).isAlike(text)
        }
    }

    private func tell(_ text: RequestText) {
        switch text.state {
        case "agreed": call.say(text.agreement)
        case "stranded":
            call.hint("No outcome yet; your seat is locked until there is one.")
            call.hint("  try: seatagent force \(text.number)")
        case "open" where text.needsAnswer:
            call.hint(text.line())
        default: break
        }
    }

    private func next(_ number: JSON?) throws(UserError) -> JSON {
        while let event = try client.nextEvent() {
            if event["number"] == number { return event }
        }
        throw UserError(
            .unreachable, "the agent has gone", why: "it closed the connection",
            advice: "seatagent status")
    }
}
