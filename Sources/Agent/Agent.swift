// SPDX-License-Identifier: Apache-2.0
import Aviation
import CLinux
import Discovery
import Glibc
package import Launch
import Profile
import Protocol
import Store
import System
package import Text
import Transport
import Trips

/// One passenger's agent: the core in the middle, and around it the loop, the store, the links and
/// mDNS.
///
/// It turns everything that happens into events for ``Node``, on one thread, and carries out the
/// effects.
package final class Agent {
    let options: AgentOptions
    let loop: EventLoop
    let primitives: AgentPrimitives
    let opened: FlightStore.Opened
    /// What it changes about an earlier start.
    let change: SeatChange
    private let aliases: [FlightKey]
    private let locks: [ProfileLock]
    let links: LinkTable
    let finder: PeerFinder
    private let started = SystemClock.utc()
    private(set) var node: Node
    private var runner = EffectRunner()
    private(set) var server: ControlServer?
    var votes: [CabinVote] = []
    var cabinQuestion: CabinQuestion?
    var answers: CabinAnswers
    private(set) var silence: Silence?
    var needs: Needs
    var automatic: AutomaticYes
    var rings = AutomaticRings()
    /// Whether a look at rings is due.
    var isLookingForRings = false
    /// The layout that the passenger chose; `nil` if they chose none.
    var chosen: CabinLayout?
    private var signals: Signals?
    var waiting: [Int: (Result<IntentReply, Refusal>) -> Void] = [:]
    var endings = SwapEndings()
    private var lastIntent = 0
    var diskFailures = 0
    private var exitCode: ExitCode = .done
    /// Why the flight's file cannot be used any more. The core in memory is ahead of it for good:
    /// nothing of it may be stored or sent, not even if the disk works again.
    private(set) var fileLoss: StoreError?
    /// The text in which the key left for another computer: from then on nothing is signed or sent.
    var taken: String?
    /// Whether the last view has gone and the agent is about to leave.
    private var isLeaving = false
    /// Whether to delete the flight's file when the agent ends.
    private(set) var isForgetting = false
    /// Whether the file may still be an old copy, and how long the own log on the disk is.
    private(set) var isCopy: Bool
    private var ownHead: Int
    private var linger: Linger
    private var windowWatch: WindowWatch
    let windowCaller: WindowCaller
    let awake: KeepAwake
    let matching: MatchDesk
    var sleepWatch = SleepWatch(SystemClock.now(), SystemClock.awake())
    /// Whether another check is due that the computer has to stay awake.
    var isLookingAgain = false
    let diary: SwapDiary
    /// The newest words of the venue's operator that count here; `nil` on a flight.
    var words: VenueStart?
    var movedHere = MovedHere()
    /// What became of the user's asks for the desk of a venue.
    var askEndings = AskEndings()
    /// The meeting point; `nil` where none is used.
    let meet: MeetDesk?
    /// What makes this agent the desk of a venue; `nil` for all others.
    private let desk: DeskCharter?

    /// Composes an agent from the parts that the steps of ``StartUp`` made. Throws what people
    /// should be told.
    package init(_ options: AgentOptions, environment: [String: String]) throws(UserError) {
        self.options = options
        var start = StartUp(options)
        let parts = try start.run()
        loop = parts.loop
        matching = MatchDesk(loop: parts.loop)
        locks = parts.locks
        finder = parts.finder
        primitives = parts.primitives
        opened = parts.opened
        change = parts.change
        aliases = parts.aliases
        links = parts.links
        node = parts.node
        desk = parts.desk
        isCopy = opened.isRestored
        ownHead = opened.head
        needs = try Self.needs(opened.store)
        answers = try Self.cabinAnswers(opened.store)
        automatic = try Self.automatic(opened.store)
        // What waits since an earlier start is the passenger's to answer.
        _ = automatic.fresh(node.swaps.records)
        meet = try Self.meet(options, parts)
        chosen = options.cabin == nil ? nil : options.layout
        words = options.venue
        linger = Linger(options.linger, at: SystemClock.now())
        windowWatch = WindowWatch(options.window, at: SystemClock.utc())
        windowCaller = WindowCaller(options.place, environment: environment)
        awake = KeepAwake(loop: loop, environment: environment)
        diary = SwapDiary(options.place, flight: options.flight, ends: opened.end, loop: loop)
    }

    /// Runs until told to stop; calls `ready` when commands can be answered.
    package func run(ready: () throws(UserError) -> Void) throws(UserError) -> ExitCode {
        // One process holds the profile as long as this runs.
        defer { withExtendedLifetime(locks) {} }
        let start = SystemClock.utc()
        if FlightLife.isOver(opened.end, now: start) { throw settleEnd(start) }
        EndMark(of: opened.path, in: options.place).clear()
        if let path = links.keylog { Log.alarm(KeyLogFile.warning(path)) }
        links.onEvent = { [unowned self] in feed($0) }
        links.isBlocked = { [unowned self] in node.blocked.contains($0) }
        finder.onEvent = { [unowned self] in feed($0) }
        finder.onTrouble = { [unowned self] in server?.publishTrouble() }
        finder.start()
        diary.node = { [unowned self] in node }
        loop.afterTurn = { [unowned self] now in
            tellWake()
            wantTunnels()
            replacePlans(hasNews: !runner.notices.isEmpty)
            carryOut()
            if !linger.stays, !isLeaving { leaveWhenDeserted(now) }
        }
        loop.nextDeadline = { [unowned self] in
            [node.nextDeadline, isLeaving ? nil : linger.nextDeadline, nextReplacement].earliest
        }
        loop.onDeadline = { [unowned self] _ in feed(.tick) }
        do throws(SystemError) {
            signals = try Signals(loop: loop) { [unowned self] request in
                if request == .end { leave("a signal told it to") }
            }
        } catch {
            throw UserError(.failed, "the agent cannot be started", why: "\(error)")
        }
        begin()
        recant()
        awake.onChange = { [unowned self] in server?.tellAwake() }
        server = try ControlServer(host: self, loop: loop, path: options.socketPath)
        finder.catchUp()
        takeMoved()
        takeHomeParty()
        carryOut()
        meetOthers()
        diary.write(node)
        keepAwake()
        clean(isStart: true)
        watchWindow()
        watchDay()
        serveKeptForms()
        // What was lost while it started was lost before the loop ran, which a stop does not reach.
        if let loss = fileLoss {
            throw UserError(
                .file, "the flight's file cannot be used", why: "\(opened.path): \(loss.words)",
                advice: "ls -l \(ShellWord.quoted(opened.path))")
        }
        try ready()
        loop.run()
        finder.stop()
        meet?.stop()
        feed(.stopping)
        carryOut()
        links.closeAll(within: .milliseconds(300))
        server?.close()
        if isForgetting { erase() }
        return exitCode
    }

    private func begin() {
        feed(.networks(finder.networks))
        if let name = finder.announced { feed(.labelled(name)) }
        feed(.started)
        for address in options.peers { feed(.typed(PeerAddress(address))) }
        changeEarlier()
    }

    /// Gives the core one event and keeps its effects until the turn ends.
    func feed(_ event: NodeEvent) {
        guard fileLoss == nil, taken == nil else { return }
        let count = runner.notices.count
        runner.gather(event, of: &node, at: SystemClock.moment())
        let isOwn = if case .intent = event { true } else { false }
        endings.keep(runner.notices.dropFirst(count), by: node.me, isOwn: isOwn)
    }

    /// One durable transaction, then everything else, in order.
    func carryOut() {
        guard !runner.isIdle, taken == nil else { return }
        var shell = AgentShell(agent: self, needs: moved(runner.notices))
        do throws(StoreError) {
            try Perform.carryOut(runner.take(), in: &shell)
            // What was taken back because of this goes out in the same turn.
            carryOut()
        } catch {
            recover(from: error)
        }
    }

    /// Ends the agent some time after its last view has gone.
    private func leaveWhenDeserted(_ now: Instant) {
        let wasKept = linger.isKept
        linger.handle(.views(server?.watchers ?? 0), at: now)
        linger.handle(.bound(node.isBound(at: SystemClock.utc())), at: now)
        if linger.isKept, !wasKept {
            Log.line("no view, but a swap without outcome: waiting for it")
        }
        guard linger.isOver(at: now) else { return }
        isLeaving = true
        leave("the last view has gone")
    }

    /// Notes how long the own log is now, for a later start to compare.
    func mirror(_ writes: [Write]) {
        var head = ownHead
        for case .entry(let entry, _) in writes where entry.author == node.me {
            head = max(head, entry.seq)
        }
        let isOwn = isCopy && node.canAppend
        guard head > ownHead || isOwn else { return }
        ownHead = head
        // Still an old copy until the gate has opened: the agent is only now adopting what others
        // told.
        guard !isCopy || isOwn else { return }
        if isOwn {
            do throws(StoreError) {
                try opened.store.begin(generation: opened.generation, ends: opened.end)
            } catch {
                Log.line("the flight's file is still taken for a copy: \(error.words)")
                return
            }
            isCopy = false
        }
        opened.mirror.write((opened.generation, opened.generation), head: head)
    }

    /// Deletes the files of flights that are long over, once two starts have found them over.
    private func clean(isStart: Bool) {
        let files = FlightFiles(place: options.place)
        let now = SystemClock.utc()
        let settled = files.settleOld(now: now, except: opened.path, isStart: isStart)
        for flight in settled.deleted {
            Log.line("the records of \(flight.text) were deleted: it was over three days ago")
        }
        for flight in settled.kept {
            Log.line(
                "\(flight.text) was over three days ago by this computer's clock: its records and "
                    + "key are deleted at a start two days from now or later")
        }
        // The passenger's list too; if it cannot be read, the commands report that.
        _ = try? TripBook.current(options.place)
        // A clock that jumps while the agent runs deletes nothing: the next start checks it.
        let mark = EndMark(of: opened.path, in: options.place)
        if FlightLife.isOver(opened.end, now: now) {
            if mark.first == nil {
                Log.line("by this computer's clock this flight was over three days ago")
            }
            mark.note(now)
        }
        _ = loop.schedule(at: loop.clock() + .seconds(3600)) { [weak self] in
            self?.clean(isStart: false)
        }
    }

    /// Reports when the window opens and closes, and alerts the passenger if no view is open.
    private func watchWindow() {
        let now = SystemClock.moment()
        if let turn = windowWatch.turn(at: now.utc) {
            Log.line("the window has \(turn.rawValue): seats on \(options.flight.text)")
            server?.publishWindow()
            if turn == .opened, let window = options.window, server?.watchers ?? 0 == 0 {
                windowCaller.call(options.flight, window)
            }
        }
        guard let next = windowWatch.next(after: now) else { return }
        _ = loop.schedule(at: next) { [weak self] in self?.watchWindow() }
    }

    /// The disk failed, so nothing of this turn was sent. The core in memory is ahead of the disk,
    /// so it is discarded and rebuilt from what is durable, as after a crash.
    private func recover(from error: StoreError) {
        diskFailures += 1
        Log.line("the disk refused a write, so nothing was sent: \(error.words)")
        runner.drop()
        links.abortAll()
        let callers = waiting
        waiting = [:]
        for token in callers.keys.sorted() { callers[token]?(.failure(.disk)) }
        do throws(StoreError) {
            // A full disk seldom empties itself within a few turns of the loop.
            guard diskFailures < 5 else { throw error }
            node = Self.makeNode(
                options, opened, try opened.store.load(), primitives, aliases: aliases,
                port: links.port, venue: words, desk: desk)
            votes = []
            // Yeses in memory were to requests of a core that is gone.
            endings.kept = KeptYeses()
            endings.replacements = Replacements()
            begin()
            finder.tellAgain()
        } catch {
            Log.line("the flight's file cannot be used any more: \(error.words)")
            fileLoss = error
            exitCode = .failed
            loop.stop()
        }
    }
}

extension Agent: ControlHost {
    var now: Moment { SystemClock.moment() }

    var facts: AgentFacts {
        AgentFacts(
            isGated: options.code != nil, isRenewed: opened.isRenewed,
            aliases: options.aliases, ends: opened.end,
            opening: options.opening,
            profile: options.profile.text, pid: getpid(), started: started,
            interface: options.interface, linger: linger.stays ? nil : options.linger,
            isKeptAwake: awake.isHeld,
            listening: links.addresses.map(\.description),
            port: links.port, keylog: links.keylog, mdns: options.mdns, label: finder.label,
            isVenueAnnounced: finder.isVenueAnnounced,
            trouble: finder.trouble.map { trouble in
                UserError(.failed, trouble.what, why: trouble.why, advice: trouble.remedy)
            },
            meeting: meet?.facts, clocks: meet?.clocks ?? [], met: meet?.passengers,
            logTrouble: node.appendGate.words)
    }

    func perform(_ intent: Intent, then: @escaping (Result<IntentReply, Refusal>) -> Void) {
        guard fileLoss == nil, taken == nil else { return then(.failure(.disk)) }
        lastIntent += 1
        waiting[lastIntent] = then
        feed(.intent(lastIntent, intent))
    }

    func dial(_ address: PeerAddress) { feed(.typed(address)) }

    func search(_ query: SearchQuery, limit: Int) throws(StoreError) -> (
        hits: [SearchHit], more: Bool
    ) {
        try opened.store.search(query, limit: limit) { hit in
            switch hit {
            case .chat(let entry, _):
                // A line that a fork cut off was never said.
                !node.blocked.contains(entry.author)
                    && node.logs.log(of: entry.author)?.entry(at: entry.seq)?.id == entry.id
            case .message(let message):
                !message.isForAgents
                    && (message.outgoing || !node.blocked.contains(message.peer))
            }
        }
    }

    func keep(_ silence: Silence?) { self.silence = silence }

    func stop() { leave(Log.wasTold) }

    func leave(_ why: String) {
        Log.line(Log.left + why)
        loop.stop()
    }

    func stay() { linger.handle(.stay, at: SystemClock.now()) }

    func forget() {
        isForgetting = true
        diary.forget()
        // The entries that take claims back get a moment to reach the others.
        _ = loop.schedule(at: loop.clock() + .milliseconds(1500)) { [weak self] in self?.stop() }
    }
}

extension [Instant?] {
    fileprivate var earliest: Instant? { compactMap(\.self).min() }
}
