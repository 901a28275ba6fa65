// SPDX-License-Identifier: Apache-2.0
import Grammar
import Text

/// Runs each command of the table.
extension Verb {
    /// Runs the command. Throws what people are told.
    func run(_ call: Invocation) throws(UserError) -> ExitCode {
        switch self {
        case .up: try LifecycleCommands.up(call)
        case .down: try LifecycleCommands.down(call)
        case .restart: try LifecycleCommands.restart(call)
        case .agent: try AgentCommand.run(call)
        case .status: try LookCommands.status(call)
        case .peers: try LookCommands.peers(call)
        case .seats: try SeatsCommand.run(call)
        case .who: try LookCommands.who(call)
        case .say: try TalkCommands.say(call)
        case .msg: try TalkCommands.message(call)
        case .chat: try ChatCommand.run(call)
        case .play: try PlayCommand.run(call)
        case .search: try SearchCommand.run(call)
        case .log: try LogCommand.run(call)
        case .watch: try TalkCommands.watch(call)
        case .flights: try FlightCommands.list(call)
        case .flight: try TripCommands.run(call)
        case .history: try HistoryCommand.run(call)
        case .forget: try FlightCommands.forget(call)
        case .cabins: try CabinCommand.list(call)
        case .cabin: try CabinCommand.run(call)
        case .doctor: try DoctorCommand.run(call)
        case .wish: try WishCommand.run(call)
        case .offer: try SwapCommands.offer(call)
        case .withdraw: try SwapCommands.withdraw(call)
        case .together: try MatchCommands.together(call)
        case .match: try MatchCommands.match(call)
        case .swap: try SwapCommands.swap(call)
        case .ring: try SwapCommands.ring(call)
        case .requests: try SwapCommands.requests(call)
        case .accept: try SwapCommands.accept(call)
        case .decline: try SwapCommands.decline(call)
        case .counter: try SwapCommands.counter(call)
        case .cancel: try SwapCommands.cancel(call)
        case .force: try SwapCommands.force(call)
        case .undo: try SwapCommands.undo(call)
        case .receipt: try ReceiptCommand.run(call)
        case .seated: try SeatedCommand.run(call)
        case .verify: try VerifyCommand.run(call)
        case .vouch: try VerifyCommand.vouch(call)
        case .block: try PeopleCommands.block(call)
        case .unblock: try PeopleCommands.unblock(call)
        case .silence: try PeopleCommands.silence(call)
        case .rename: try PeopleCommands.rename(call)
        case .claim: try PeopleCommands.claim(call)
        case .release: try PeopleCommands.release(call)
        case .audit: try AuditCommand.run(call)
        case .export: try ExportCommand.run(call)
        case .help: try HelpCommand.run(call)
        case .needs: try NeedsCommand.run(call)
        case .party: try PartyCommand.run(call)
        case .board, .calendar, .lookup, .web, .host, .meet: try others(call)
        case .venue, .book, .bookings, .desk: try venues(call)
        case .checkin, .checkout: try CheckCommand(call).run(self)
        case .activity: try ActivityCommand(call).run()
        case .friend: try FriendCommand(call).run()
        case .park: try ParkCommand(call).run()
        case .profile: try ProfileCommand(call).run()
        case .lock: try LockCommands.lock(call)
        case .unlock: try LockCommands.unlock(call)
        case .key: try KeyCommand(call).run()
        case .places: try PlacesCommand(call).run()
        case .config: try ConfigCommand.run(call)
        case .completion: try CompletionCommand.run(call)
        case .completeWord: try CompletionCommand.complete(call)
        case .writeManual: try ManualCommand.run(call)
        }
    }

    /// Runs a command that brings a flight in from elsewhere, shows it elsewhere, or tries that.
    private func others(_ call: Invocation) throws(UserError) -> ExitCode {
        switch self {
        case .calendar: try CalendarCommand.run(call)
        case .lookup: try LookupCommand.run(call)
        case .web: try WebCommand.run(call)
        case .host: try HostCommand(call).run()
        case .meet: try MeetCommand(call).run()
        default: try BoardCommand.run(call)
        }
    }

    /// Runs a command about venues and what is booked there.
    private func venues(_ call: Invocation) throws(UserError) -> ExitCode {
        if self == .book { return try BookCommand(call).run() }
        if self == .bookings { return try BookingsCommand(call).run() }
        if self == .desk { return try DeskCommand(call).run() }
        return try VenueCommand(call).run()
    }
}
