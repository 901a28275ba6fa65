// SPDX-License-Identifier: Apache-2.0
import Glibc
import Launch
import Protocol
import Rendezvous
import System
import Text
import Transport

/// The agent's connections, by the numbers that the core uses for them, and the listener.
final class LinkTable {
    /// Called with every event of every link.
    var onEvent: (NodeEvent) -> Void = { _ in }
    /// Called with what TLS in a tunnel wants.
    var onTunnel: (TunnelAsk) -> Void = { _ in }
    /// Asked before this agent shows its key to an agent that it dialled.
    var isBlocked: (PeerKey) -> Bool {
        get { blocks.isBlocked }
        set { blocks.isBlocked = newValue }
    }
    private let blocks = BlockList()
    private let environment: LinkEnvironment
    private var listener: Listener?
    private var links: [Int: PeerLink] = [:]
    /// Connections over circuits, by the same numbers, and those numbers by circuit.
    private var circuits: [Int: CircuitLink] = [:]
    private var numbers: [CircuitLink.Way: Int] = [:]
    /// Who has to be at the other end of each tunnel.
    private var expected: [Int: PeerKey] = [:]
    private var lastNumber = 0
    /// Links that got bytes since the last push.
    private var given: [Int] = []
    /// Work of the next turn was ordered by one core: after ``abortAll()`` it is nobody's.
    private var era = 0
    private let freed: FreedMemory

    /// Listens for peers according to the options. Throws what people should be told.
    static func listen(_ options: AgentOptions) throws(UserError) -> ListenSockets {
        do throws(ListenError) {
            return try ListenSockets(port: options.port, interface: options.interface)
        } catch {
            throw words(for: error)
        }
    }

    /// Accepts connections from `sockets`. Throws what people should be told.
    init(
        _ sockets: ListenSockets, seed: [UInt8], loop: EventLoop, keyLog: KeyLogFile? = nil
    ) throws(UserError) {
        freed = FreedMemory(loop)
        do throws(TLSFailure) {
            let certificate = try Certificate.make(seed: seed)
            let context = try TLSContext(certificate: certificate, keyLog: keyLog) {
                [blocks] key in
                PeerKey(key).map(blocks.isBlocked) ?? false
            }
            environment = LinkEnvironment(loop: loop, context: context)
        } catch {
            throw UserError(
                .failed, "the agent's certificate cannot be made", why: "OpenSSL says: \(error)",
                advice: "openssl version")
        }
        do throws(ListenError) {
            let seed = UInt64.random(in: 0 ... .max)
            listener = try Listener(sockets, in: environment, seed: seed) { [unowned self] link in
                adopt(link, dial: nil)
            }
        } catch {
            throw Self.words(for: error)
        }
    }

    private static func words(for error: ListenError) -> UserError {
        switch error {
        case .noAddress(let interface):
            UserError(
                .failed, "there is no network on \(interface)",
                why: "no such interface, or it has no address", advice: "ip -brief address")
        case .system(let system, let port):
            UserError(
                .failed, "port \(port) cannot be used", why: "\(system)",
                advice: "seatagent up --seat 14C --name ada --port 0")
        }
    }

    /// The port on which peers reach this agent.
    var port: UInt16 { listener?.port ?? 0 }

    /// The path of the file with the secrets of all connections; `nil` where none is written.
    var keylog: String? { environment.context.keyLog?.path }

    /// Where this agent listens.
    var addresses: [Address] { listener?.addresses ?? [] }

    /// Bytes on their way to peers, for `status`.
    var pending: Int { links.values.reduce(0) { $0 + $1.pending } }

    /// Gives bytes to a link; does nothing if the link is gone.
    func send(_ bytes: [UInt8], on link: LinkID) {
        if let socket = links[link.number] {
            socket.send(bytes)
            if given.last != link.number { given.append(link.number) }
        }
        onCircuit(link) { $0.send(bytes) }
    }

    /// Gives sent bytes to the kernel before the rest of the turn.
    func push() {
        for number in given { links[number]?.push() }
        given.removeAll(keepingCapacity: true)
    }

    /// The peer proved that it is on this flight, so it no longer counts as a stranger.
    func prove(_ link: LinkID) { links[link.number]?.isProven = true }

    /// Reads these links before all others.
    func favour(_ favoured: [LinkID]) {
        for (number, link) in links { link.isFavoured = favoured.contains(LinkID(number)) }
    }

    /// Stops or resumes reading a link.
    func hold(_ held: Bool, _ link: LinkID) {
        onCircuit(link) { $0.pause(held) }
        if held {
            links[link.number]?.pauseReading()
        } else {
            links[link.number]?.resumeReading()
        }
    }

    /// Closes a link once its bytes have been sent.
    func close(_ link: LinkID) {
        links[link.number]?.close()
        onCircuit(link) { $0.close() }
    }

    /// In the next turn, because what a circuit does comes back as an event at once.
    private func onCircuit(_ link: LinkID, _ action: @escaping (CircuitLink) -> Void) {
        guard let circuit = circuits[link.number] else { return }
        nextTurn { action(circuit) }
    }

    private func nextTurn(_ action: @escaping () -> Void) {
        environment.loop.enqueue { [self, era] in
            if era == self.era { action() }
        }
    }

    /// Carries out the core's orders for the ends of its circuits in the loop's next turn: the
    /// results are events for the core.
    func obey(_ order: CircuitOrder) {
        nextTurn { [self] in
            switch order {
            case .begin(let id, let role):
                let role: TLSPipe.Role = role == .initiator ? .client : .server
                begin(.circuit(id), role) { [unowned self] in onEvent(.sealed(id, $0)) }
            case .bytes(let id, let bytes): link(over: .circuit(id))?.take(bytes)
            case .took(let id, let count): link(over: .circuit(id))?.took(count)
            case .end(let id): link(over: .circuit(id))?.abort()
            }
        }
    }

    /// The same for the ends of tunnels.
    func obey(_ order: TunnelOrder) {
        nextTurn { [self] in
            switch order {
            case .begin(let number, let peer, let isOpener):
                expected[number] = peer
                begin(.tunnel(number), isOpener ? .client : .server) { [unowned self] in
                    onTunnel(.write(number, $0))
                }
            case .bytes(let number, let bytes): link(over: .tunnel(number))?.take(bytes)
            case .took(let number, let count): link(over: .tunnel(number))?.took(count)
            case .end(let number): link(over: .tunnel(number))?.abort()
            }
        }
    }

    private func link(over way: CircuitLink.Way) -> CircuitLink? {
        numbers[way].flatMap { circuits[$0] }
    }

    private func begin(
        _ way: CircuitLink.Way, _ role: TLSPipe.Role, give: @escaping ([UInt8]) -> Void
    ) {
        let link: CircuitLink
        do throws(TLSFailure) {
            link = try CircuitLink(way, role: role, in: environment, give: give)
        } catch {
            Log.detail("a circuit cannot be begun: \(error)")
            ended(way)
            return
        }
        lastNumber += 1
        let number = lastNumber
        circuits[number] = link
        numbers[way] = number
        link.handler = { [unowned self] event in tell(LinkID(number), over: link, event) }
        link.begin()
    }

    private func ended(_ way: CircuitLink.Way) {
        numbers[way] = nil
        switch way {
        case .circuit(let id): onEvent(.circuitEnded(id))
        case .tunnel(let number):
            expected[number] = nil
            onTunnel(.close(number))
        }
    }

    private func tell(_ id: LinkID, over link: CircuitLink, _ event: LinkEvent) {
        switch event {
        case .established(let key, let exporter):
            freed.comes(id)
            guard let peer = PeerKey(key), let exporter = Bytes32(exporter) else {
                link.abort()
                return
            }
            var facts = LinkFacts(
                role: link.role == .client ? .initiator : .responder, peer: peer,
                exporter: exporter, remote: PeerAddress(host: "", port: 0), dial: nil)
            switch link.way {
            case .circuit(let circuit): facts.circuit = circuit
            case .tunnel(let number):
                // Whose tunnel it is was proven by their box key; the key must be theirs too.
                guard expected[number] == peer else { return link.abort() }
                facts.isTunnel = true
            }
            onEvent(.connected(id, facts))
        case .received(let bytes): onEvent(.received(id, bytes))
        case .drained(let pending): onEvent(.drained(id, pending: pending))
        case .closed(let end):
            freed.goes(id)
            circuits[id.number] = nil
            Log.detail("circuit \(id.number) ended: \(end)")
            ended(link.way)
            onEvent(.ended(id))
        }
    }

    /// Makes a connection; the outcome comes as an event.
    func dial(_ dial: Dial) {
        guard let address = Address(dial.address) else {
            nextTurn { self.onEvent(.dialFailed(dial.number)) }
            return
        }
        let link = PeerLink.dial(to: address, within: dial.patience, in: environment) { _, _ in }
        adopt(link, dial: dial.number)
    }

    /// Ends everything at once, because the core in memory can no longer be trusted.
    func abortAll() {
        era += 1
        for number in circuits.keys.sorted() {
            let link = circuits.removeValue(forKey: number)
            link?.handler = nil
            link?.abort()
        }
        numbers = [:]
        for number in expected.keys.sorted() { onTunnel(.close(number)) }
        expected = [:]
        for number in links.keys.sorted() {
            let link = links.removeValue(forKey: number)
            link?.handler = nil
            link?.abort()
        }
    }

    /// Takes no more connections and closes those that are there, within `span`.
    func closeAll(within span: TimeSpan) {
        listener?.close()
        for number in links.keys.sorted() { links[number]?.close(flushFor: span) }
        let end = environment.loop.clock() + span
        while !links.isEmpty, environment.loop.clock() < end {
            environment.loop.turn(waitingAtMost: .milliseconds(20))
        }
    }

    private func adopt(_ link: PeerLink, dial: Int?) {
        lastNumber += 1
        let number = lastNumber
        links[number] = link
        link.handler = { [unowned self] link, event in
            tell(LinkID(number), link, dial, event)
        }
    }

    private func tell(_ id: LinkID, _ link: PeerLink, _ dial: Int?, _ event: LinkEvent) {
        switch event {
        case .established(let key, let exporter):
            freed.comes(id)
            guard let peer = PeerKey(key), let exporter = Bytes32(exporter) else {
                link.abort()
                return
            }
            onEvent(
                .connected(
                    id,
                    LinkFacts(
                        role: link.role == .client ? .initiator : .responder, peer: peer,
                        exporter: exporter, remote: PeerAddress(link.remote), dial: dial)))
        case .received(let bytes): onEvent(.received(id, bytes))
        case .drained(let pending): onEvent(.drained(id, pending: pending))
        case .closed(let end):
            freed.goes(id)
            links[id.number] = nil
            Log.detail("link \(id.number) to \(link.remote) ended: \(end)")
            onEvent(.ended(id))
            if let dial { onEvent(.dialFailed(dial)) }
        }
    }
}

extension PeerAddress {
    /// The core's form of a socket address.
    init(_ address: Address) {
        self.init(host: address.host.description, port: address.port)
    }
}

extension Address {
    /// The socket address for a peer's address in the core; `nil` for text that is not one.
    init?(_ address: PeerAddress) {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        guard let parsed = try? Address(parsing: "\(host):\(address.port)") else { return nil }
        self = parsed
    }
}

/// Who is blocked. For the TLS context, which is made before the core.
private final class BlockList {
    var isBlocked: (PeerKey) -> Bool = { _ in false }
}
