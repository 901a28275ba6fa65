// SPDX-License-Identifier: Apache-2.0
import CLinux
import CivilTime
package import ControlAPI
import Glibc
import Launch
import Notify
import Profile
import Protocol
import System
package import Terminal
package import Text

/// Runs the full-screen view: keys and the agent's lines change the state, pictures and requests
/// come out of it. ``ViewState`` makes all decisions.
package final class ViewLoop {
    private let surroundings: ViewSurroundings
    private let loop: EventLoop
    private let terminal: Terminal
    private var client: ControlClient
    private var state: ViewState
    private var pending: [Int: Purpose] = [:]
    private var side: SideProcess?
    private var errands: ErrandQueue?
    private var signals: Int32 = -1
    private var isDirty = true
    private var isRefreshing = 0
    private var lastRefresh: Instant
    /// The name of the zone whose rules the state has.
    private var zone: String?
    private var wantsLeave = false
    private var notifier: Notifier
    private var knowsRequests = false
    private let caller: NotifyRunner
    private var looking: Looking
    /// What to tell the user after the terminal is given back.
    package private(set) var farewell: UserError?

    /// The shortest time between requests for the present state.
    private static let refreshEvery = TimeSpan.milliseconds(200)

    package init(
        _ surroundings: ViewSurroundings, terminal: Terminal, client: ControlClient,
        state: ViewState
    ) throws(UserError) {
        self.surroundings = surroundings
        self.terminal = terminal
        self.client = client
        self.state = state
        let environment = surroundings.environment
        let settings = NotifySettings(surroundings.config, environment: environment)
        notifier = Notifier(settings, me: nil)
        caller = NotifyRunner(settings, environment: environment)
        looking = state.looking
        do throws(SystemError) {
            loop = try EventLoop()
        } catch {
            throw UserError(.failed, "the view cannot start", why: "\(error)")
        }
        lastRefresh = Instant(nanoseconds: 0)
    }

    /// Runs until the user leaves; `true` if the agent shall end too.
    package func run() throws(UserError) -> Bool {
        do throws(SystemError) {
            try watchSignals()
            try loop.watch(0, .read) { [unowned self] ready in readKeys(ready) }
            try loop.watch(client.descriptor, .read) { [unowned self] _ in readAgent() }
        } catch {
            throw UserError(.failed, "the view cannot start", why: "\(error)")
        }
        defer { end() }
        state.size = terminal.measure()
        try client.send(ControlCall(Op.Watch()))
        perform(state.opening)
        loop.nextDeadline = { [unowned self] in notifier.nextDeadline }
        loop.onDeadline = { [unowned self] now in callOut(notifier.due(at: now)) }
        terminal.title(notifier.title)
        loop.afterTurn = { [unowned self] now in finish(now) }
        tick()
        loop.run()
        return wantsLeave
    }

    private func end() {
        loop.unwatch(0)
        loop.unwatch(client.descriptor)
        if signals >= 0 {
            loop.unwatch(signals)
            close(signals)
        }
        side?.stop()
        errands?.leave()
    }

    /// Called once a second, because something may count down.
    private func tick() {
        state.now = loop.clock()
        isDirty = true
        state.sayAway()
        tellTime()
        if state.now - lastRefresh > .seconds(10) {
            state.stale.insert([.status, .requests, .venue])
        }
        if state.status?.alone != nil { state.stale.insert(.status) }
        loop.schedule(at: state.now + .seconds(1)) { [unowned self] in tick() }
    }

    /// What a venue's clocks show: their rules are a file of this machine.
    private func tellTime() {
        guard let zone = state.venue?.venue?.zone else { return }
        if zone != self.zone {
            self.zone = zone
            state.venue?.zone = TimeZoneRules.named(zone)
        }
        state.tell(SystemClock.utc())
    }

    /// Ends a turn: asks for what events have made outdated, and paints.
    private func finish(_ now: Instant) {
        state.now = now
        if !state.stale.isEmpty, isRefreshing == 0 {
            if now - lastRefresh >= Self.refreshEvery {
                lastRefresh = now
                perform(state.refresh())
            } else {
                isRefreshing += 1
                loop.schedule(at: lastRefresh + Self.refreshEvery) { [unowned self] in
                    isRefreshing -= 1
                }
            }
        }
        if state.looking != looking {
            looking = state.looking
            callOut(notifier.look(looking))
        }
        terminal.mouse(state.wantsMouse)
        guard isDirty else { return }
        isDirty = false
        terminal.paint(ScreenPicture.draw(state))
        // A new question can be answered once it could be read, and the screen says when.
        let shown = loop.clock()
        guard state.painted(at: shown) else { return }
        loop.schedule(at: shown + Question.readingTime) { [unowned self] in isDirty = true }
    }

    // MARK: The terminal

    private func readKeys(_ ready: Readiness) {
        if ready.contains(.hangUp) { return loop.stop() }
        state.now = loop.now
        isDirty = true
        for key in terminal.keys() { perform(state.handle(key)) }
    }

    private func watchSignals() throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError.last }
        signals = descriptor
        try loop.watch(descriptor, .read) { [unowned self] _ in readSignals() }
    }

    private func readSignals() {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while read(signals, &info, size) == size {
            guard info.ssi_signo == UInt32(SIGWINCH) else { return loop.stop() }
            state.resize(terminal.measure())
            isDirty = true
        }
    }

    // MARK: The agent

    private func readAgent() {
        state.now = loop.now
        isDirty = true
        do throws(UserError) {
            let (lines, ended) = try client.takeLines()
            for line in lines { take(line) }
            if ended { lost() }
        } catch {
            lost()
        }
    }

    private func take(_ line: ControlLine) {
        switch line {
        case .event(let told):
            notifier.me = state.me
            callOut(notifier.handle(told.event, looking: state.looking, at: loop.now))
            perform(state.handle(event: told.event))
        case .answer(let id, let answer):
            if let purpose = pending.removeValue(forKey: id) { took(purpose, answer) }
        }
    }

    private func took(_ purpose: Purpose, _ answer: Result<JSON, UserError>) {
        perform(state.answered(purpose, answer))
        if purpose == .requests, !knowsRequests {
            knowsRequests = true
            notifier = Notifier(notifier.settings, me: state.me, requests: state.requests)
            terminal.title(notifier.title)
        }
    }

    /// The agent has gone. The view stays, with everything it knows and what was typed, and looks
    /// for an agent.
    private func lost() {
        guard !state.isLost else { return }
        knowsRequests = false
        loop.unwatch(client.descriptor)
        for (_, purpose) in pending.sorted(by: { $0.key < $1.key }) {
            perform(state.answered(purpose, .failure(state.unanswered)))
        }
        pending = [:]
        state.lost(LastAgent(surroundings.place).lastWords)
        loop.schedule(at: loop.clock() + .seconds(1)) { [unowned self] in lookAgain() }
    }

    private func lookAgain() {
        do throws(UserError) {
            let found = try ControlClient(
                surroundings.place.socket, deadline: loop.clock() + .milliseconds(100))
            try found.send(ControlCall(Op.Watch()))
            client = found
            do throws(SystemError) {
                try loop.watch(found.descriptor, .read) { [unowned self] _ in readAgent() }
            } catch {
                throw UserError(.failed, "the agent cannot be listened to", why: "\(error)")
            }
            perform(state.found() + state.opening)
            isDirty = true
        } catch {
            loop.schedule(at: loop.clock() + .seconds(1)) { [unowned self] in lookAgain() }
        }
    }

    /// Delivers notifications: bell, title and notices, as bytes beside the picture or by programs.
    private func callOut(_ notifications: [Notification]) {
        guard !notifications.isEmpty else { return }
        terminal.send(caller.carryOut(notifications))
    }

    // MARK: Doing what the state wants

    private func perform(_ intents: [ViewIntent]) {
        for intent in intents { perform(intent) }
    }

    private func perform(_ intent: ViewIntent) {
        isDirty = true
        switch intent {
        case .call(let call, let purpose): ask(call, purpose)
        case .run(let words): run(words)
        case .errands(let list): carryOut(list)
        case .quit: loop.stop()
        case .leave:
            wantsLeave = true
            loop.stop()
        case .suspend:
            terminal.leave()
            // The whole job: a shell that started the view in a pipe stops all of it.
            kill(0, SIGTSTP)
            comeBack()
        case .edit(let text): edit(text)
        case .redraw: terminal.redraw()
        case .notify(let level): notifier.settings.level = level
        case .trap: trap()
        }
    }

    private func ask(_ call: ControlCall, _ purpose: Purpose) {
        guard !state.isLost else {
            return perform(state.answered(purpose, .failure(state.gone)))
        }
        do throws(UserError) {
            pending[try client.send(call)] = purpose
        } catch {
            lost()
            perform(state.answered(purpose, .failure(error)))
        }
    }

    private func run(_ words: [String]) {
        side?.stop()
        side = SideProcess(
            loop: loop,
            arguments: ["--profile", surroundings.place.profile.text, "--no-color"] + words
        ) { [unowned self] lines, _ in
            state.ran(words, lines: lines)
            isDirty = true
        }
        if side == nil { state.ran(words, lines: ["This cannot be run now."]) }
    }

    private func carryOut(_ list: [Errand]) {
        let queue =
            errands
            ?? ErrandQueue(loop: loop, profile: surroundings.place.profile.text) {
                [unowned self] step in
                isDirty = true
                switch step {
                case .began(let errand): state.began(errand)
                case .ended(let errand, let outcome): perform(state.ended(errand, outcome))
                }
            }
        errands = queue
        queue.add(list)
    }

    private func edit(_ text: String) {
        terminal.leave()
        let outcome = DraftEditor.edit(text, environment: surroundings.environment)
        comeBack()
        state.edited(outcome)
    }

    private func comeBack() {
        terminal.comeBack()
        terminal.title(notifier.title)
        state.resize(terminal.measure())
    }

    /// Traps on purpose, so that a test can see the terminal restored.
    private func trap() {
        #if DEBUG
            if surroundings.environment["SEATAGENT_VIEW_TRAP"] == "1" {
                // Not in a release, and only if that variable is set.
                fatalError("trapped on purpose")
            }
        #endif
    }
}
