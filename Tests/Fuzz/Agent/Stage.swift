// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import ProtocolTestKit

@testable import Protocol

/// One agent's core among made-up peers, with a disk and a clock, and what
/// must be true of all it does.
struct Stage {
    /// A connection of the agent with one of the crowd.
    struct Line {
        let id: LinkID
        /// Whose end the other one is.
        let author: Int
        let role: FlightKey.Role
        let exporter: Bytes32
        var output = FrameDecoder(limit: Limits.frame)
        /// The kernel takes no bytes.
        var isStalled = false
        /// Bytes are with the kernel.
        var isBusy = false
        /// The verification that the agent last spoke of.
        var attempt: ThreadID?
        /// The agent's nonce in it.
        var nonce: Bytes32?
    }

    static let primitives = FakePrimitives()
    static let signer = FakeSigner(5)
    private(set) var node: Node
    private var disk = FakeDisk()
    private let setup: NodeSetup
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_000_000))
    var crowd = Crowd()
    private(set) var lines: [Line] = []
    fileprivate(set) var dials: [Int] = []
    private(set) var circuits: [(id: CircuitID, role: FlightKey.Role)] = []
    private(set) var notices: [Notice] = []
    private(set) var replies: [Int: Result<IntentReply, Refusal>] = [:]
    /// The user has said that some codes are the same.
    private var hasCompared = false
    /// Connections that the core closed, and has not heard of yet.
    private var ended: [LinkID] = []
    private var lastLink = 0
    private var lastToken = 0

    /// An agent that was just started for the first time.
    init() {
        setup = NodeSetup(
            signer: Self.signer, primitives: Self.primitives, flight: .practice,
            flightKeys: [testFlight], window: nil, name: "me", agent: "fuzz",
            seats: [Seat("7C"), Seat("7D")].compactMap { $0 }, port: 5,
            seed: Self.primitives.sha256([5]))
        node = Node(setup, disk.stored, at: now)
        feed(.networks(Self.networks))
        feed(.labelled("5"))
        feed(.started)
    }

    /// All but some of the hints are on one link.
    static let networks = OwnNetworks([
        NetworkPrefix(own: .v4(0x0a00_00fe), length: 24),
        NetworkPrefix(own: .v4(0x0a00_01fe), length: 24),
    ])

    /// An agent with two open sessions, who knows all logs.
    static let ready: Stage = {
        var stage = Stage()
        for author in 0..<2 {
            stage.connect(author, .responder)
            stage.greet(stage.lines.count - 1)
        }
        for author in stage.crowd.authors {
            let entries = author.log.map(\.bytes)
            stage.say(.entries(EntryBatch(kind: .push, entries: entries)), on: 0)
        }
        stage.tick()
        stage.settleWrites()
        return stage
    }()

    /// Forgets what was told so far.
    mutating func settleWrites() {
        notices = []
        replies = [:]
    }

    // MARK: Events

    /// Gives the core one event and does what it asks for.
    mutating func feed(_ event: NodeEvent) {
        carry(node.handle(event, at: now))
        while let index = lines.firstIndex(where: { $0.isBusy && !$0.isStalled }) {
            lines[index].isBusy = false
            carry(node.handle(.drained(lines[index].id, pending: 0), at: now))
        }
    }

    /// A wish of the user; the answer, unless it waits.
    @discardableResult
    mutating func wish(_ intent: Intent) -> Result<IntentReply, Refusal>? {
        lastToken += 1
        if intent == .compared(isSame: true) { hasCompared = true }
        feed(.intent(lastToken, intent))
        return replies[lastToken]
    }

    /// Lets time pass up to the next deadline, and serves it.
    mutating func tick() {
        if let due = node.nextDeadline { pass(due - now.instant) }
        feed(.tick)
        var rounds = 0
        while let due = node.nextDeadline, due <= now.instant {
            rounds += 1
            hold(rounds < 100, "a deadline that has passed is set again and again")
            feed(.tick)
        }
    }

    /// Lets time pass; deadlines may be missed.
    mutating func pass(_ span: TimeSpan) {
        guard span > .zero else { return }
        let before = now.instant.nanoseconds / 1_000_000_000
        now.instant = now.instant + span
        now.utc.seconds += now.instant.nanoseconds / 1_000_000_000 - before
    }

    /// The process dies and starts again from its disk.
    mutating func restart() {
        let old = node
        node = Node(setup, disk.stored, at: now)
        lines = []
        dials = []
        circuits = []
        hold(
            Bundle.bytes(node.logs) == Bundle.bytes(old.logs), "the disk has other records")
        hold(
            node.verified == old.verified && node.blocked == old.blocked, "the disk forgot people")
        hold(node.ownLayout == old.ownLayout, "the disk has another layout")
        feed(.networks(Self.networks))
        feed(.labelled("5"))
        feed(.started)
        hold(
            node.mapDigest == Fold.fold(node.logs).digest(Self.primitives), "an old map")
    }

    // MARK: Connections

    /// A TLS connection with one of the crowd; over a circuit or on a dial
    /// where the core asked for one.
    mutating func connect(
        _ author: Int, _ role: FlightKey.Role, dial: Int? = nil, circuit: CircuitID? = nil
    ) {
        lastLink += 1
        let id = LinkID(lastLink)
        let exporter = Self.primitives.sha256([UInt8(lastLink & 255), 7])
        lines.append(Line(id: id, author: author, role: role, exporter: exporter))
        dials.removeAll { $0 == dial }
        circuits.removeAll { $0.id == circuit }
        feed(
            .connected(
                id,
                LinkFacts(
                    role: role, peer: crowd.authors[author].key, exporter: exporter,
                    remote: PeerAddress(host: "10.0.0.\(author)", port: 9), dial: dial,
                    circuit: circuit)))
    }

    /// The connection ends, as the other side or the network wants.
    mutating func end(_ index: Int) {
        guard lines.indices.contains(index) else { return }
        let id = lines.remove(at: index).id
        feed(.ended(id))
    }

    mutating func stall(_ index: Int) {
        if lines.indices.contains(index) { lines[index].isStalled.toggle() }
    }

    mutating func dialFailed() { if let dial = dials.popLast() { feed(.dialFailed(dial)) } }

    /// HELLO and its answer, both right.
    mutating func greet(_ index: Int, onDemand: Bool = false) {
        guard lines.indices.contains(index) else { return }
        let line = lines[index]
        let peer = crowd.authors[line.author].key
        let theirs: FlightKey.Role = line.role == .initiator ? .responder : .initiator
        let proof = testFlight.proof(
            role: theirs, exporter: line.exporter,
            initiator: line.role == .initiator ? node.me : peer,
            responder: line.role == .initiator ? peer : node.me, primitives: Self.primitives)
        let hello = Hello(
            minors: 0...0, foldVersion: 2, boot: UInt64(line.author), connection: line.id.number,
            maxFrame: Limits.frame, port: UInt16(line.author), proofs: [proof],
            features: onDemand ? Hello.onDemand : 0)
        say(.hello(hello), on: index)
        say(.helloAck(HelloAck(minor: 0, matched: 0)), on: index)
    }

    /// A message of the other side.
    mutating func say(_ message: Message, on index: Int) { say(message.encode(), on: index) }

    /// Bytes of the other side.
    mutating func say(_ bytes: [UInt8], on index: Int) {
        guard lines.indices.contains(index) else { return }
        feed(.received(lines[index].id, bytes))
    }

    // MARK: What the core asks for

    private mutating func carry(_ effects: Effects) {
        var shell = StageShell(stage: consume self)
        Perform.carryOut(effects, in: &shell)
        self = shell.stage
        while !ended.isEmpty { carry(node.handle(.ended(ended.removeFirst()), at: now)) }
    }

    /// One transaction. Each row is judged by what the rows before it left.
    fileprivate mutating func keep(_ writes: [Write]) {
        for write in writes {
            judge(write, among: writes)
            do throws(FakeDisk.Breach) {
                try disk.commit([write], of: node.me)
            } catch {
                broken("\(error)")
            }
        }
    }

    fileprivate mutating func close(_ link: LinkID) {
        guard let index = lines.firstIndex(where: { $0.id == link }) else { return }
        lines.remove(at: index)
        ended.append(link)
    }

    fileprivate mutating func obey(_ order: CircuitOrder) {
        switch order {
        case .begin(let id, let role): circuits.append((id, role))
        case .end(let id): circuits.removeAll { $0.id == id }
        case .bytes, .took: break
        }
    }

    fileprivate mutating func answer(_ reply: Effects.Reply) {
        hold(replies[reply.token] == nil, "answered twice")
        replies[reply.token] = reply.result
    }

    fileprivate mutating func tell(_ notices: [Notice]) {
        for notice in notices { judge(notice) }
        self.notices += notices
    }

    /// Everything said is a message, and not too long.
    fileprivate mutating func hear(_ transmission: Effects.Transmission) {
        guard let index = lines.firstIndex(where: { $0.id == transmission.link }) else {
            broken("bytes for a connection that is gone")
        }
        lines[index].output.append(transmission.bytes)
        lines[index].isBusy = true
        do {
            while let frame = try lines[index].output.next() {
                guard let message = try Message.decode(frame) else { continue }
                guard case .verify(let verify) = message else { continue }
                lines[index].attempt = verify.attempt
                switch verify {
                case .nonce(_, let nonce), .open(_, let nonce): lines[index].nonce = nonce
                case .start, .mac, .end: break
                }
            }
        } catch {
            broken("sent what nobody reads: \(error)")
        }
        hold(lines[index].output.waiting == 0, "sent half a frame")
    }

    private func judge(_ notice: Notice) {
        guard case .trouble(let trouble) = notice else { return }
        switch trouble {
        case .violation(let violation): broken("\(violation)")
        case .keyRunsTwice, .ownFork: broken("nobody else has the key")
        case .misdeed(let misdeed):
            hold(misdeed.author != node.me, "this agent is guilty")
        case .runsTwice, .fork, .divergence, .otherVersion, .otherFlight, .aliasOnly,
            .operatorTwice, .wordsWait, .ledger:
            break
        }
    }

    private mutating func judge(_ write: Write, among writes: [Write]) {
        switch write {
        case .entry(let entry, _):
            if entry.author == node.me { judge(own: entry, among: writes) }
        case .swap(let record):
            let copy = try? SwapRecord(record.encode(), primitives: Self.primitives)
            hold(copy == record, "a row that reads as another")
        case .verified: hold(hasCompared, "verified without the user's word")
        case .layout(let suggestion):
            hold(
                suggestion.revision >= disk.stored.layout?.revision ?? 1, "a revision goes back")
            hold(
                suggestion.isSigned(flight: testFlight.id, primitives: Self.primitives),
                "a suggestion that nobody takes")
        case .wish(let wish):
            hold((try? OwnWish(wish.encode())) == wish, "a wish that reads as another")
        case .party(let party):
            let members = party?.members ?? []
            let companions = members.count { $0.standing == .companion }
            hold(companions <= Limits.partyCompanions, "a party without end")
            hold(members.count <= Limits.partyMembers, "remembers too many")
        case .forkProof, .lock, .unlock, .forgotten, .message, .unverified, .block, .stay,
            .statement, .forgetStatement, .form, .forgetForm:
            break
        }
    }

    /// The own log goes on from what is on disk, and no yes is given without a lock.
    private func judge(own entry: Entry, among writes: [Write]) {
        let last = disk.stored.entries.last { $0.entry.author == node.me }?.entry
        hold(
            entry.seq == (last?.seq ?? 0) + 1 && entry.previous == last?.id, "the own log forks")
        guard case .vote(let vote) = entry.body, vote.yes else { return }
        let made = writes.compactMap { write -> SlotLock? in
            if case .lock(let lock) = write { lock } else { nil }
        }
        for slot in vote.slots {
            hold(
                made.contains(SlotLock(slot: slot, contract: vote.contract)), "a yes without a lock"
            )
        }
    }
}

/// The stage as its only core sees it, as long as effects of that core are carried out.
private struct StageShell: Shell {
    var stage: Stage

    mutating func commit(_ writes: [Write]) { stage.keep(writes) }
    mutating func send(_ transmission: Effects.Transmission) { stage.hear(transmission) }
    mutating func close(_ link: LinkID) { stage.close(link) }
    mutating func obey(_ order: CircuitOrder) { stage.obey(order) }
    mutating func dial(_ dial: Dial) { stage.dials.append(dial.number) }
    mutating func answer(_ reply: Effects.Reply) { stage.answer(reply) }
    mutating func tell(_ notices: [Notice]) { stage.tell(notices) }

    // Nothing is collected, nobody favoured, what is held is what no choice reads, and mDNS is made
    // up.
    mutating func flush() {}
    mutating func prove(_ link: LinkID) {}
    mutating func favour() {}
    mutating func hold(_ hold: Effects.Hold) {}
    mutating func browse(_ isWanted: Bool) {}
}
