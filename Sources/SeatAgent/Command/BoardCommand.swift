// SPDX-License-Identifier: Apache-2.0
import Aviation
import Boarding
import CivilTime
import CLinux
import Glibc
import Protocol
import System
import Text

/// `seatagent board FILE|-|TEXT`: adds the useful part of a boarding pass to the list of flights.
enum BoardCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let reference = try reference(call)
        let reading = try read(call, on: reference)
        if call.line.has("parse") { return call.finish(reading.pass.json, reading.pass.lines) }
        return try PassDesk(call).board(reading)
    }

    /// Reads the operand.
    private static func read(_ call: Invocation, on reference: FlightDate) throws(UserError)
        -> PassReading
    {
        var text: [UInt8] = []
        defer { text.wipe() }
        guard let descriptor = try take(call, into: &text) else {
            // No other process of this user may look into this process's memory.
            if call.session.console.descriptor != nil { _ = linux_forbid_dumps() }
            return PassReading(pass: try BoardingPass.read(&text, on: reference))
        }
        defer { close(descriptor) }
        return try PassWorker.read(descriptor, on: reference)
    }

    private static func take(_ call: Invocation, into text: inout [UInt8]) throws(UserError)
        -> Int32?
    {
        let word = call.operands[0]
        if word == "-", !call.line.isLiteral {
            let console = call.session.console
            text = console.readBytes(limit: PassInput.head)
            return try PassInput.take(&text, rest: console.descriptor)
        }
        let descriptor = open(word, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            defer { close(descriptor) }
            return try PassInput.take(descriptor, into: &text)
        }
        let reason = errno
        // A word that looks like the text of a pass is never shown again.
        guard isText(word) else {
            throw UserError(
                .file, "there is no such file, and it is no boarding pass",
                why: reason == ENOENT ? nil : String(cString: strerror(reason)),
                advice: "seatagent help board")
        }
        call.hint("note: your shell may remember this line; a file or - leaves no trace there")
        if call.session.console.descriptor != nil { startAnew(without: word) }
        forget(word)
        text = Array(word.utf8)
        return nil
    }

    /// Whether a word begins like the text of a pass.
    private static func isText(_ word: String) -> Bool {
        var bytes = Array(word.utf8)[...]
        if bytes.first == UInt8(ascii: "]") { bytes = bytes.dropFirst(3) }
        guard bytes.count >= 20, let first = bytes.first, let second = bytes.dropFirst().first
        else {
            return false
        }
        return (first == UInt8(ascii: "M") || first == UInt8(ascii: "S")) && 49...52 ~= second
    }

    /// Restarts this program with a pipe in place of the text, because the language keeps copies of
    /// a command line that nobody can overwrite. Returns only if that fails.
    private static func startAnew(without word: String) {
        var ends: [Int32] = [-1, -1]
        var bytes = Array(word.utf8)
        defer { bytes.wipe() }
        // A text that a pipe may not hold is not a pass either.
        guard bytes.count <= BoardingFields.longest, pipe(&ends) == 0 else { return }
        defer { for end in ends { close(end) } }
        guard write(ends[1], bytes, bytes.count) == bytes.count else { return }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let place = "/proc/self/fd/\(ends[0])"
        ChildProcess(
            path: ChildProcess.itself,
            arguments: CommandLine.arguments.map { $0 == word ? place : $0 }
        ).takeOver()
    }

    /// Overwrites the word where other users can see it: in the process's own command line.
    private static func forget(_ word: String) {
        let length = word.utf8.count
        for index in 1..<max(Int(CommandLine.argc), 1) {
            // The C library's array, with that many strings.
            guard let argument = CommandLine.unsafeArgv[index], strlen(argument) == length,
                strcmp(argument, word) == 0
            else { continue }
            memset(argument, 32, length)
        }
    }

    /// The day on which the pass is read: `--on`, else today.
    static func reference(_ call: Invocation) throws(UserError) -> FlightDate {
        guard let date = try date(call, "on") else {
            guard let today = LocalDay(SystemClock.utc()).flatMap({ FlightDate($0.text) }) else {
                throw UserError(
                    .failed, "the clock of this machine shows no usable date",
                    advice: "seatagent board --parse --on 2026-03-01 -")
            }
            return today
        }
        return date
    }

    /// The date of an option; `nil` if it was not given.
    static func date(_ call: Invocation, _ option: String) throws(UserError) -> FlightDate? {
        guard let text = call.line.value(option) else { return nil }
        guard let date = FlightDate(text) else {
            throw UserError(
                .usage, "the value of --\(option) is not a date", why: "it wants one as 2026-03-01",
                advice: "seatagent board --parse --on 2026-03-01 -")
        }
        return date
    }
}
