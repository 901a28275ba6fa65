// SPDX-License-Identifier: Apache-2.0
import Launch
import Profile
import Protocol
import Store
import System
import Text
import Transport

/// Composes the parts of an agent. Each step of ``steps`` makes one part.
struct StartUp {
    /// One step of a start.
    struct Step: Sendable {
        /// The part that it makes.
        let name: Part
        /// The parts that have to be there before.
        let needs: [Part]
        /// Makes the part. Throws what people should be told.
        let run: @Sendable (inout StartUp) throws(UserError) -> Void
    }

    /// The parts, by the names that errors give them.
    enum Part: String, CaseIterable, Sendable {
        case process, loop, lock, keylog, port, discovery, primitives, file, earlier, aliases,
            links, core
    }

    let options: AgentOptions
    /// The parts that have been made.
    private(set) var made: Set<Part> = []
    /// The parts that the present step may use, because it declares that it needs them.
    private var needed: Set<Part> = []
    private var loop: EventLoop?
    private var locks: [ProfileLock]?
    private var keyLog: KeyLogFile?
    private var sockets: ListenSockets?
    private var finder: PeerFinder?
    private var primitives: AgentPrimitives?
    private var opened: FlightStore.Opened?
    private var change: SeatChange?
    private var aliases: [FlightKey]?
    private var links: LinkTable?
    private var node: Node?
    private var desk: DeskCharter?

    /// No part has been made yet.
    init(_ options: AgentOptions) {
        self.options = options
    }

    /// The steps in their order. Finding others mostly waits for the daemon, so it is asked before
    /// anything that takes time.
    static let steps: [Step] = [
        Step(name: .process, needs: []) { (_) throws(UserError) in
            Signals.block()
        },
        Step(name: .loop, needs: [.process]) { (start) throws(UserError) in
            do throws(SystemError) {
                start.loop = try EventLoop()
            } catch {
                throw UserError(.failed, "the agent cannot be started", why: "\(error)")
            }
        },
        Step(name: .lock, needs: []) { (start) throws(UserError) in
            start.locks = try Agent.lock(start.options)
        },
        // Before anybody hears of this agent: the file may be refused.
        Step(name: .keylog, needs: [.lock]) { (start) throws(UserError) in
            guard let path = start.options.keylog else { return }
            start.keyLog = try KeyLogFile(path)
        },
        Step(name: .port, needs: [.lock]) { (start) throws(UserError) in
            start.sockets = try LinkTable.listen(start.options)
        },
        Step(name: .discovery, needs: [.loop, .port]) { (start) throws(UserError) in
            try start.discover()
        },
        Step(name: .primitives, needs: []) { (start) throws(UserError) in
            guard let primitives = AgentPrimitives() else {
                throw UserError(.failed, "this machine gives no random numbers")
            }
            start.primitives = primitives
        },
        Step(name: .file, needs: [.lock, .primitives]) { (start) throws(UserError) in
            start.opened = try Agent.open(start.options, start.part(start.primitives, .primitives))
        },
        Step(name: .earlier, needs: [.file]) { (start) throws(UserError) in
            start.change = try Agent.change(start.options, start.part(start.opened, .file))
        },
        Step(name: .aliases, needs: [.primitives]) { (start) throws(UserError) in
            start.aliases = try Agent.aliasKeys(
                start.options, start.part(start.primitives, .primitives))
        },
        Step(name: .links, needs: [.loop, .keylog, .port, .file]) { (start) throws(UserError) in
            start.links = try LinkTable(
                start.part(start.sockets, .port), seed: start.part(start.opened, .file).seed,
                loop: start.part(start.loop, .loop), keyLog: start.keyLog)
        },
        Step(name: .core, needs: [.primitives, .file, .aliases, .links]) {
            (start) throws(UserError) in
            let opened = try start.part(start.opened, .file)
            start.desk = try Agent.deskStart(
                start.options, opened, try start.part(start.primitives, .primitives))
            start.node = Agent.makeNode(
                start.options, opened, opened.stored,
                try start.part(start.primitives, .primitives),
                aliases: try start.part(start.aliases, .aliases),
                port: try start.part(start.links, .links).port, venue: start.options.venue,
                desk: start.desk)
        },
    ]

    /// All parts of an agent.
    struct Parts {
        let loop: EventLoop
        let locks: [ProfileLock]
        let finder: PeerFinder
        let primitives: AgentPrimitives
        let opened: FlightStore.Opened
        let change: SeatChange
        let aliases: [FlightKey]
        let links: LinkTable
        let node: Node
        let desk: DeskCharter?
    }

    /// Runs `steps` in their order, and returns the parts. Throws what people should be told.
    mutating func run(_ steps: [Step] = steps) throws(UserError) -> Parts {
        for step in steps {
            for need in step.needs where !made.contains(need) { throw Self.missing(need) }
            needed = Set(step.needs)
            try step.run(&self)
            made.insert(step.name)
        }
        needed = made
        return Parts(
            loop: try part(loop, .loop), locks: try part(locks, .lock),
            finder: try part(finder, .discovery),
            primitives: try part(primitives, .primitives),
            opened: try part(opened, .file), change: try part(change, .earlier),
            aliases: try part(aliases, .aliases),
            links: try part(links, .links), node: try part(node, .core), desk: desk)
    }

    private mutating func discover() throws(UserError) {
        let finder = PeerFinder(
            options, port: try part(sockets, .port).port, loop: try part(loop, .loop))
        self.finder = finder
        // Do not announce an agent that is about to refuse to start, as far as is known without the
        // file.
        let end = FlightLife.end(of: options.gathering, window: options.window)
        if !FlightLife.isOver(end, now: SystemClock.utc()) { finder.start() }
        finder.letAsk()
    }

    private func part<Value>(_ value: Value?, _ name: Part) throws(UserError) -> Value {
        guard let value, needed.contains(name) else { throw Self.missing(name) }
        return value
    }

    private static func missing(_ part: Part) -> UserError {
        UserError(
            .failed, "the agent cannot be started",
            why: "a step of its start needs \(part.rawValue), which is not ready")
    }
}
