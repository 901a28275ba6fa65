// SPDX-License-Identifier: Apache-2.0
import Agent
import CivilTime
import Glibc
import Launch
import Profile
import Protocol
import Synchronization
import System
import Text
import Trips

/// `seatagent agent`: the agent itself, in this process.
enum AgentCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let ready = ReadyLine(descriptor: try descriptor(call))
        var typed: StoredOptions?
        do throws(UserError) {
            var (options, stored) = try options(call)
            typed = stored
            options.isRenewing = call.line.has("new-key")
            if options.foreground { try EndedFlight.ask(options, call) }
            Log.isVerbose.store(call.line.has("verbose"), ordering: .relaxed)
            return try Agent(options, environment: call.session.environment).run {
                () throws(UserError) in
                // For a later `restart`; not those of a start that is refused.
                try stored?.write(call.place)
                // In the foreground a line tells that it runs; started by `up`, the pipe does.
                if options.foreground { call.hint("Aboard as profile \(options.profile.text).") }
                ready.tellReady()
            }
        } catch {
            // `restart --new-key` has to start what was typed here.
            if error.code == .recordsLost { try typed?.write(call.place) }
            ready.tell(error)
            throw error
        }
    }

    /// What the agent is started with, and what of it is not stored yet.
    private static func options(
        _ call: Invocation
    ) throws(UserError) -> (AgentOptions, StoredOptions?) {
        if call.line.has("stored") {
            guard let stored = try StoredOptions.read(call.place) else {
                throw UserError(
                    .usage, "there are no stored options",
                    why: "\(call.place.optionsPath) is not there",
                    advice: "seatagent up --seat 14C --name ada")
            }
            // A service starts at every login: an old seat on another network helps nobody.
            let age = SystemClock.utc().seconds - stored.at.seconds
            guard call.line.has("ready-fd") || 0..<StoredOptions.freshFor ~= age else {
                throw UserError(
                    .usage, "the last time was \(SpanText.words(age)) ago",
                    why: "it may have been another flight", advice: stored.commandLine)
            }
            var options = try AgentOptions(stored.values, place: call.place, foreground: false)
            options.linger = try call.seconds("linger")
            return (options, nil)
        }
        // A file that says which network must not be passed over in silence.
        _ = try Config.load(call.place, environment: call.session.environment)
        let start = try LifecycleCommands.start(call)
        let stored = StoredOptions(values: start.values, at: SystemClock.utc())
            .filled(from: call.config)
        var options = try AgentOptions(stored.values, place: call.place, foreground: true)
        options.linger = try call.seconds("linger")
        options.change = try EarlierStart.settle(
            options, stored.values, isNamed: start.values["name"] != nil, call)
        for line in start.remarks + stored.flightRemarks { call.hint(visible(line)) }
        return (options, stored)
    }

    /// The pipe of whoever started this process. Not inherited further.
    private static func descriptor(_ call: Invocation) throws(UserError) -> Int32? {
        guard let number = try call.number("ready-fd") else { return nil }
        guard let descriptor = Int32(exactly: number), descriptor > 2,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            throw UserError(
                .usage, "\(number) is not an open file descriptor",
                advice: "seatagent agent --seat 14C --name ada")
        }
        return descriptor
    }
}
