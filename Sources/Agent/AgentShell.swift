// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Store
import Transport

/// What the core needs from the agent: the store, the links, mDNS, and clients that watch.
struct AgentShell: Shell {
    typealias Failure = StoreError

    unowned let agent: Agent
    /// What the passenger says of their seats if this turn changed it: it is stored with the rows.
    let needs: Needs?
    /// Own entries that were made durable; a mirror may lag behind.
    private var unmirrored: [Write] = []
    /// Whether entries were made durable: the meeting point is told of them.
    private var hasEntries = false

    init(agent: Agent, needs: Needs?) {
        self.agent = agent
        self.needs = needs
    }

    mutating func commit(_ writes: [Write]) throws(StoreError) {
        try agent.opened.store.apply(writes, with: needs)
        if let needs { agent.needs = needs }
        agent.diskFailures = 0
        hasEntries = writes.contains { if case .entry = $0 { true } else { false } }
        if agent.isCopy { agent.mirror(writes) } else { unmirrored = writes }
    }

    mutating func send(_ transmission: Effects.Transmission) {
        agent.links.send(transmission.bytes, on: transmission.link)
    }

    mutating func flush() {
        agent.links.push()
        if hasEntries { agent.meet?.wrote(agent.node) }
        if !unmirrored.isEmpty { agent.mirror(unmirrored) }
    }

    mutating func prove(_ link: LinkID) { agent.links.prove(link) }

    mutating func favour() { agent.links.favour(agent.node.favouredLinks) }

    mutating func hold(_ hold: Effects.Hold) { agent.links.hold(hold.held, hold.link) }

    mutating func close(_ link: LinkID) { agent.links.close(link) }

    mutating func obey(_ order: CircuitOrder) { agent.links.obey(order) }

    mutating func dial(_ dial: Dial) { agent.links.dial(dial) }

    mutating func browse(_ isWanted: Bool) { agent.finder.browse(isWanted) }

    mutating func answer(_ reply: Effects.Reply) {
        agent.waiting.removeValue(forKey: reply.token)?(reply.result)
    }

    mutating func tell(_ notices: [Notice]) {
        if notices.contains(where: SwapDiary.isWritten) { agent.diary.write(agent.node) }
        agent.follow(notices)
        agent.server?.publish(notices)
        TroubleLog.write(notices)
    }
}
