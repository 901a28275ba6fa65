// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Terminal
import Text
import View

/// `seatagent` without words: the full-screen view, or plain lines if no screen can be drawn.
enum ViewCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let hasScreen = hasScreen(call)
        // A script that wants JSON gets the usual answer: no agent runs.
        if !call.json, try FirstRun.ensureAgent(call) == nil { return .done }
        guard hasScreen, Terminal.isCapable(environment: call.session.environment) else {
            return try ChatCommand.run(call)
        }
        let client = try call.connect()
        CrashReset.remember()
        let state = ViewState(
            ascii: call.ascii, mouse: call.config.isOn(.mouse), showsHint: true)
        let wantsLeave: Bool
        do {
            let surroundings = ViewSurroundings(
                place: call.place, config: call.config, environment: call.session.environment)
            let terminal = try takeTerminal(call)
            defer { terminal.close() }
            wantsLeave = try ViewLoop(
                surroundings, terminal: terminal, client: client, state: state
            ).run()
        }
        if wantsLeave { return try LifecycleCommands.down(call) }
        return .done
    }

    private static func takeTerminal(_ call: Invocation) throws(UserError) -> Terminal {
        do throws(Terminal.Unknown) {
            return try Terminal(colour: call.colour, escaped: Key.afterEscape)
        } catch {
            throw UserError(
                .failed, "this terminal cannot show the cabin",
                why: "its TERM is not known here", advice: "seatagent chat")
        }
    }

    /// Whether there is a screen; checked before an agent is started for nothing.
    private static func hasScreen(_ call: Invocation) -> Bool {
        Terminal.isThere(environment: call.session.environment) && !call.json
    }
}
