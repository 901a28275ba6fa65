import Protocol

/// `seatagent board --parse -`: what a boarding pass says, from its text. Keeps nothing.
enum BoardCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard call.line.has("parse") else {
            throw UserError(
                .usage, "board wants --parse",
                why: "it shows what the text of a pass says, and keeps nothing",
                advice: "seatagent board --parse -")
        }
        guard call.operands == ["-"] else {
            throw UserError(
                .usage, "board reads standard input only",
                why: "other users can see the words of a command line, and a shell remembers them",
                advice: "seatagent board --parse -")
        }
        let reference = try reference(call)
        // Two more for a line end, one more to see that it is too long.
        var text = call.session.console.readBytes(limit: BoardingFields.longest + 3)
        // Spaces at the end are part of a pass; the line end is of the pipe.
        if text.last == 10 { text.removeLast() }
        if text.last == 13 { text.removeLast() }
        let pass = try BoardingPass.read(&text, on: reference)
        return call.finish(pass.json, pass.lines)
    }

    /// The day on which the pass is looked at: `--on`, else today.
    private static func reference(_ call: Invocation) throws(UserError) -> FlightDate {
        guard let text = call.line.value("on") else {
            guard let today = LocalDay(SystemClock.utc()).flatMap({ FlightDate($0.text) }) else {
                throw UserError(
                    .failed, "the clock of this machine shows no usable date",
                    advice: "seatagent board --parse --on 2026-03-01 -")
            }
            return today
        }
        guard let date = FlightDate(text) else {
            throw UserError(
                .usage, "\"\(text)\" is not a date", why: "--on wants one as 2026-03-01",
                advice: "seatagent board --parse --on 2026-03-01 -")
        }
        return date
    }
}
