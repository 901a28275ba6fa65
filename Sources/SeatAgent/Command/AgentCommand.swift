// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Glibc
import Grammar
import Launch
import Profile
import Protocol
import System
import Text
import Trips

/// `seatagent agent`: becomes the agent's own program, in the foreground.
enum AgentCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let ready = try descriptor(call)
        do throws(UserError) {
            var start = try start(call)
            start.linger = try call.seconds("linger")
            start.isRenewing = call.line.has("new-key")
            start.keylog = call.line.value("keylog")
            start.isVerbose = call.line.has("verbose")
            start.json = call.json
            start.ready = ready
            try AgentProcess.become(start)
        } catch {
            ReadyLine(descriptor: ready).tell(error)
            throw error
        }
    }

    /// The options and the profile that the agent starts with.
    private static func start(_ call: Invocation) throws(UserError) -> AgentStart {
        if call.line.has("stored") { return AgentStart(call.place, try stored(call)) }
        // A file that names a network must not be ignored silently.
        _ = try Config.load(call.place, environment: call.session.environment)
        let typed = try LifecycleCommands.start(call)
        let stored = StoredOptions(values: typed.values, at: SystemClock.utc())
            .filled(from: call.config)
        let options = try AgentOptions(stored.values, place: call.place, foreground: true)
        let earlier = try EarlierStart.chosen(
            options, stored.values, isNamed: typed.values["name"] != nil, call)
        for line in typed.remarks + stored.flightRemarks { call.hint(visible(line)) }
        try EndedFlight.ask(options, call)
        var start = AgentStart(call.place, stored)
        start.isForeground = true
        start.isKept = true
        start.greets = !call.json && !call.quiet
        start.earlier = earlier
        return start
    }

    /// The stored options. Throws if there are none, or only old ones.
    private static func stored(_ call: Invocation) throws(UserError) -> StoredOptions {
        guard let stored = try StoredOptions.read(call.place) else {
            throw StoredOptions.missing(call.place)
        }
        // A service starts at every login, and an old seat on another network helps nobody.
        let age = SystemClock.utc().seconds - stored.at.seconds
        guard call.line.has("ready-fd") || 0..<StoredOptions.freshFor ~= age else {
            throw UserError(
                .usage, "the last time was \(SpanText.words(age)) ago",
                why: "it may have been another flight", advice: stored.commandLine)
        }
        return stored
    }

    /// The pipe of whoever started this process.
    private static func descriptor(_ call: Invocation) throws(UserError) -> Int32? {
        guard let number = try call.number("ready-fd") else { return nil }
        guard let descriptor = Int32(exactly: number), descriptor > 2,
            fcntl(descriptor, F_GETFD) >= 0
        else {
            throw UserError(
                .usage, "\(number) is not an open file descriptor",
                advice: "seatagent agent --seat 14C --name ada")
        }
        return descriptor
    }
}
