// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit

@testable import Protocol

/// One agent's negotiations on a desk: logs written by hand, events put in, effects looked at.
struct Desk {
    var travellers: [Traveller]
    var slots: [Slot] = []
    let me: Int
    var swaps: Swaps
    var random = SeededRandom(seed: 5)
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1000))
    var canAppend = true
    var window: SelectionWindow.State?
    var blocked: [PeerKey] = []
    var trust = Trust.none
    var acknowledged = 0
    /// Travellers with whom no session is open.
    var away: [Int] = []
    /// Travellers whose logs are not here: whole or from the given place on.
    var missing: [Int: Int] = [:]
    /// Travellers with whom a session is open for long.
    var settled: [Int] = []

    /// Travellers 0, 1 ... in 1A, 2A ...; the desk is that of `me`.
    init(_ count: Int, me: Int) {
        travellers = (0..<count).map { Traveller(UInt8($0 + 1)) }
        for index in travellers.indices { slots.append(travellers[index].claim("\(index + 1)A")) }
        self.me = me
        swaps = Swaps(
            me: travellers[me].key, flight: Traveller.flight, records: [], locks: [],
            primitives: Traveller.primitives, at: now)
    }

    func key(_ index: Int) -> PeerKey { travellers[index].key }

    /// Each of `ring` gives their seat to the next, the first is the coordinator.
    func ring(_ ring: [Int], nonce: UInt8 = 0) -> Contract {
        .of(
            ring.indices.map { place in
                (
                    slots[ring[place]], from: travellers[ring[place]],
                    to: travellers[ring[(place + 1) % ring.count]]
                )
            }, nonce: nonce)
    }

    var logs: LogSet {
        var logs = LogSet()
        for (index, traveller) in travellers.enumerated() {
            for entry in traveller.log where entry.seq < missing[index] ?? Int.max {
                logs.restore(entry)
            }
        }
        return logs
    }

    var context: SwapContext {
        let logs = logs
        return SwapContext(
            fold: Fold.fold(logs), logs: logs, window: window, blocked: blocked,
            canAppend: canAppend, acknowledged: acknowledged, trust: trust,
            linked: travellers.indices.filter { !away.contains($0) }.map(key),
            settled: settled.map(key).sorted())
    }

    /// Puts an event in; what it asks to be logged is logged, but
    /// `logsChanged` is for the test to say.
    mutating func put(_ event: SwapEvent) -> SwapEffects {
        let effects = swaps.handle(event, context, at: now, random: &random)
        let now = now
        var shell = DeskShell(desk: consume self)
        var done = Effects()
        Perform.carryOut(effects, by: &shell, into: &done, at: now)
        self = shell.desk
        return effects
    }

    mutating func say(_ message: SwapMessage, from peer: Int) -> SwapEffects {
        put(.message(message, from: key(peer)))
    }

    mutating func wait(_ seconds: Int64) -> SwapEffects {
        now.instant = now.instant + .seconds(seconds)
        now.utc = UTCTime(seconds: now.utc.seconds + seconds)
        return put(.tick)
    }

    /// The agent dies and starts again from its rows and locks.
    mutating func restart() {
        swaps = Swaps(
            me: key(me), flight: Traveller.flight, records: swaps.records, locks: swaps.locks,
            primitives: Traveller.primitives, at: now)
    }

    // MARK: What the others say

    func proposal(
        _ contract: Contract, thread: UInt8 = 9, revision: Int = 1, expires: Int = 600
    ) throws -> SwapMessage {
        .propose(
            Proposal(
                thread: try require(ThreadID(Array(repeating: thread, count: 16))),
                revision: revision, contract: contract.bytes, note: "", expires: expires))
    }

    func prepare(_ contract: Contract, thread: UInt8 = 9) throws -> SwapMessage {
        .prepare(
            Prepare(
                thread: try require(ThreadID(Array(repeating: thread, count: 16))),
                contract: contract.bytes, heads: contract.parties.map(head)))
    }

    /// The whole head of a party, known here or not.
    func head(_ party: PeerKey) -> LogHead {
        let log = travellers.first { $0.key == party }?.log ?? []
        return LogHead(
            author: party, seq: log.count, id: log.last?.id ?? EntryID(.zero))
    }

    func ready(_ contract: Contract, _ index: Int, number: Int = 1) throws -> SwapMessage {
        let record = try require(swaps.records.first { $0.number == number })
        return .ready(
            Ready(thread: record.thread, contract: contract.id, head: head(key(index))))
    }

    // MARK: Where it stands

    func stage(_ number: Int = 1) -> SwapRecord.Stage? {
        swaps.records.first { $0.number == number }?.stage
    }

    /// How often the agent said yes in its log.
    var yeses: Int { travellers[me].log.count { $0.vote?.yes == true } }
    var noes: Int { travellers[me].log.count { $0.vote?.yes == false } }
}

/// The desk as its negotiations see it: only the log is real.
private struct DeskShell: SwapShell {
    var desk: Desk

    mutating func log(_ body: EntryBody, _ effects: inout Effects, at now: Moment) {
        desk.travellers[desk.me].append(body)
    }

    mutating func logCertificate(
        of contract: Contract, _ effects: inout Effects, at now: Moment
    ) {
        let context = desk.context
        let own = desk.travellers[desk.me].log.last
        guard let commit = contract.certificate(context.fold, context.logs, own: own) else {
            return
        }
        desk.travellers[desk.me].commit(commit)
    }

    // Tests look at what is asked for.
    mutating func follow(_ records: [SwapRecord], _ effects: inout Effects, at now: Moment) {}
    mutating func say(_ send: SwapSend, _ effects: inout Effects, at now: Moment) {}
    mutating func fetch(_ want: SwapWant, _ effects: inout Effects, at now: Moment) {}
}

extension SwapEffects {
    var whats: [SwapNotice.What] { notices.map(\.what) }

    /// The kinds of what is sent, in order, and to how many.
    var kinds: [String] {
        sends.map { send in
            switch send {
            case .message(let message, let to):
                switch message {
                case .propose(let proposal): "propose \(proposal.revision) \(to.count)"
                case .ask: "ask \(to.count)"
                case .ready: "ready \(to.count)"
                case .decline: "decline \(to.count)"
                case .withdraw(let withdraw): "withdraw \(withdraw.reason) \(to.count)"
                case .prepare: "prepare \(to.count)"
                case .query: "query \(to.count)"
                case .vote, .certificate, .status: "other"
                }
            case .vote(_, let to): "vote \(to.count)"
            case .certificate(_, let to): "certificate \(to.count)"
            case .status(_, let to): "status \(to.count)"
            }
        }
    }
}
