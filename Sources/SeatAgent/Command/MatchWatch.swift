// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Glibc
import Grammar
import Notify
import Protocol
import System
import Text
import Wording

/// `seatagent together --watch`: looks again when people come, and when wishes or seats change, and
/// says what is better than what it showed last. It asks nobody.
struct MatchWatch<Operation: ControlOperation> where Operation.Reply == MatchPlans {
    private let operation: Operation
    private let verb: Verb
    private let call: Invocation
    private let client: ControlClient
    private let end: Instant?
    private let notices: NotifyRunner
    private var news = MatchNews()
    /// Why nothing was found the last time; said once.
    private var silence: String?
    private var isFirst = true

    /// The rest after each search, however much happens.
    private static var rest: TimeSpan { .seconds(3) }
    /// Looks again after this time also if no event says that something changed: what the user says
    /// of their own seats is none.
    private static var patience: TimeSpan { .seconds(60) }
    /// What may change what is found.
    private static var events: [EventName] {
        [.peer, .offer, .seat, .request, .swap, .party, .cabin, .window, .woke, .ready]
    }

    /// Throws `usage` if the line also wants something proposed.
    init(_ operation: Operation, _ verb: Verb, _ call: Invocation) throws(UserError) {
        let asking = ["pick", "note", "expires", "patience", "once", "wait", "yes", "unverified"]
        for option in asking where call.line.has(option) {
            throw UserError(
                .usage, "--watch only looks, so it goes without --\(option)",
                why: "nothing is proposed before you have seen it",
                advice: "seatagent \(verb.rawValue) --watch")
        }
        (self.operation, self.verb, self.call) = (operation, verb, call)
        end = call.deadline()
        client = try call.connect(deadline: end)
        let environment = call.session.environment
        notices = NotifyRunner(
            NotifySettings(call.config, environment: environment), environment: environment)
    }

    /// Ends when there is nothing better to be had: the party sits together, or the user has what
    /// they wish for first.
    mutating func run() throws(UserError) -> ExitCode {
        _ = try client.ask(Op.Watch(events: Self.events.map { Word($0) }))
        repeat {
            do throws(UserError) {
                let found = try client.ask(operation)
                if verb == .together, found.shape == .block { return done() }
                try show(found)
            } catch {
                if error.code == .alreadySo { return done() }
                // Anything else that fails may go by: a seat is promised, or disputed.
                guard error.code.exit == .failed else { throw error }
                foundNothing(error)
            }
            isFirst = false
        } while try wait()
        return .done
    }

    private func done() -> ExitCode {
        call.say(verb == .match ? "You have what you wish for first." : "You sit together.")
        return .done
    }

    private mutating func foundNothing(_ error: UserError) {
        // What comes back after that is news.
        news = MatchNews()
        guard silence != error.what else { return }
        silence = error.what
        call.hint("Nothing yet: " + visible(error.what))
        if let why = error.why { call.hint("  why: " + visible(why)) }
        if let advice = error.advice { call.hint("  try: " + visible(advice)) }
    }

    // MARK: What was found

    private mutating func show(_ found: Answer<MatchPlans>) throws(UserError) {
        silence = nil
        let text = MatchPlansText(found.reply)
        switch news.take(found.reply) {
        case .same: return
        case .better(let plan):
            show(plan, found, text)
            if !isFirst { notify(text.lines(of: plan)[0]) }
        case .instead(let plan):
            call.say("What was shown last is not possible any more. Now:")
            show(plan, found, text)
            notify(text.lines(of: plan)[0])
        }
    }

    private func show(
        _ plan: MatchPlan, _ found: Answer<MatchPlans>, _ text: MatchPlansText
    ) {
        if call.json {
            let stamp = Stamp(SystemClock.utc()).text
            call.session.console.out(
                found.json.adding(["event": "found", "at": .string(stamp)]).line)
            return
        }
        for line in text.lines(of: plan) + text.remarks { call.say(line) }
        guard plan.yours else { return }
        call.hint(
            "Nobody was asked. Next: seatagent \(verb.rawValue) --pick \(plan.number) --yes")
    }

    /// A bell and a notice, as settings have them.
    private func notify(_ head: String) {
        let settings = notices.settings
        guard settings.level != .off else { return }
        let title = Call.Kind.outcome.title
        var calls = settings.bell ? [Notification.bell] : []
        calls.append(.desktop(title: title, body: visible("Found: " + head, cells: 200)))
        let bytes = notices.carryOut(calls)
        if call.session.console.writesTerminal, !call.json { call.session.console.out(bytes) }
    }

    // MARK: Waiting

    /// Waits for the next look; `false` when nobody reads the output any more. Throws `timeout`,
    /// and `unreachable` if the agent ends.
    private func wait() throws(UserError) -> Bool {
        let began = SystemClock.now()
        var due = began + Self.patience
        while true {
            let (events, ended) = try client.takeEvents()
            guard !ended else { throw gone }
            if events.contains(where: Self.matters) { due = began + Self.rest }
            let now = SystemClock.now()
            guard now < due else { return true }
            if let end, now >= end {
                throw UserError(
                    .timeout, "time ran out while waiting",
                    advice: "seatagent \(verb.rawValue) --watch")
            }
            guard isReady(before: min(due, end ?? due), now) else { return false }
        }
    }

    /// Waits until the agent says something, or that time has come; `false` when nobody reads the
    /// output any more.
    private func isReady(before due: Instant, _ now: Instant) -> Bool {
        var requests = [
            pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: 1, events: 0, revents: 0),
        ]
        let wait = ((due - now).nanoseconds + 999_999) / 1_000_000
        _ = poll(&requests, 2, Int32(clamping: max(wait, 0)))
        return requests[1].revents & Int16(POLLERR | POLLHUP) == 0
    }

    /// Words among companions change nothing.
    private static func matters(_ told: ToldEvent) -> Bool {
        guard case .party(let news) = told.event.what else { return true }
        return news.change != .said
    }

    private var gone: UserError {
        UserError(
            .unreachable, "the agent has gone", why: "it closed the connection",
            advice: "seatagent status")
    }
}
