// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Launch
import Profile
import Terminal
import Text
import View

/// `seatagent` without words: the full-screen view, or plain lines if no screen can be drawn.
enum ViewCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        if let (base, slug) = VenueProfile.owner(of: call.place) {
            return try runVenue(call, base, slug)
        }
        let isThere = isThere(call)
        // A script that wants JSON gets the usual answer: no agent runs.
        if !call.json, try FirstRun.ensureAgent(call) == nil { return .done }
        guard isThere, hasScreen(call) else { return try ChatCommand.run(call) }
        return try view(call) ? try LifecycleCommands.down(call) : .done
    }

    /// The profile is that of a venue's agent, which is started as its user starts it.
    private static func runVenue(
        _ call: Invocation, _ base: ProfilePlace, _ slug: String
    ) throws(UserError) -> ExitCode {
        guard !call.json else { return try ChatCommand.run(call) }
        var owner = call
        owner.place = base
        let agent = try VenueAgent(owner, slug).ensure().agent
        return hasScreen(call) ? try VenueDoor(owner).show(agent) : try ChatCommand.run(call)
    }

    /// Shows the agent of the profile until the user leaves; `true` if it shall end too. `finding`
    /// is what a venue's user said of being found.
    static func view(
        _ call: Invocation, finding: VenueScene.Finding = .decided
    ) throws(UserError) -> Bool {
        let client = try call.connect()
        CrashReset.remember()
        // The agent of a flight refuses: it knows no venue.
        var page = (try? client.ask(Op.Venue()))?.reply.page
        page?.finding = finding
        let state = ViewState(
            ascii: call.ascii, mouse: call.config.isOn(.mouse), showsHint: true, venue: page)
        let surroundings = ViewSurroundings(
            place: call.place, config: call.config, environment: call.session.environment)
        let terminal = try takeTerminal(call)
        defer { terminal.close() }
        return try ViewLoop(
            surroundings, terminal: terminal, client: client, state: state
        ).run()
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

    /// Whether a whole screen can be drawn, and is wanted.
    static func hasScreen(_ call: Invocation) -> Bool {
        isThere(call) && Terminal.isCapable(environment: call.session.environment)
    }

    /// Whether there is a screen; checked before an agent is started for nothing.
    private static func isThere(_ call: Invocation) -> Bool {
        Terminal.isThere(environment: call.session.environment) && !call.json
    }
}

extension VenueStatus {
    /// The page of the view that shows it.
    fileprivate var page: VenueScene { VenueScene(self) }
}
