// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// What must hold of a meeting point: nothing is bound by mail, no box is cleared before the next
/// one is whole, an old disk is found by its own box, and in the end all boxes are whole.
extension SimWorld {
    /// Notes who was heard over a connection, and when.
    func hear(_ host: SimHost, _ event: NodeEvent) {
        guard meets != nil, options.sabotage != .hearsNobody else { return }
        switch event {
        case .connected(let link, let facts): host.ends[link] = facts.peer
        case .received(let link, _): if let peer = host.ends[link] { host.heard[peer] = now }
        case .ended(let link): host.ends[link] = nil
        default: break
        }
    }

    /// A yes of whoever was asked comes of a session with whoever asked, and of nothing that was
    /// left somewhere (docs/meet.md section 4).
    func checkMail(_ host: SimHost, _ effects: Effects) {
        guard meets != nil, isClean(host) else { return }
        for case .entry(let entry, _) in effects.writes where entry.author == host.key {
            // What they signed before comes back to an old copy of the disk.
            guard let vote = entry.vote, vote.yes, !host.ledger.holds(entry) else { continue }
            let record = host.node.swaps.records.first { $0.contract.id == vote.contract }
            guard let record, !record.role.coordinates else { continue }
            let asker = record.contract.coordinator
            totals.heard += 1
            guard let time = host.heard[asker], now - time <= 30 * Self.second else {
                fail("mail", "host \(host.number) signs swap \(record.number) without a session")
                return
            }
        }
    }

    // MARK: Boxes

    /// How much of a log the boxes of a broker hold, in the fullest of the epochs that are read.
    func boxLength(of key: PeerKey, _ broker: FakeBroker) -> Int {
        guard let meets else { return 0 }
        let current = MeetEpoch(at: meets.utc(now))
        return ([current.next] + current.read).map { box(of: key, in: $0, broker).count }.max() ?? 0
    }

    /// The entries of one box, if its card is there and they are as many as it says.
    func box(of key: PeerKey, in epoch: MeetEpoch, _ broker: FakeBroker) -> [[UInt8]] {
        guard let meets else { return [] }
        let names = meets.keys.names(in: epoch)
        let box = meets.keys.box(of: key, in: epoch)
        guard case .card(let signed)? = plain(.card(box), names, broker),
            signed.card.author == key
        else { return [] }
        var entries: [[UInt8]] = []
        for number in 0..<signed.card.parts {
            guard case .part(key, number, let part)? = plain(.part(box, number), names, broker)
            else { return [] }
            entries += part
        }
        let isAll = entries.count >= signed.card.length || signed.card.parts == MeetLimits.parts
        return isAll ? entries : []
    }

    private func plain(
        _ topic: MeetTopic, _ names: MeetNames, _ broker: FakeBroker
    ) -> MeetPlain? {
        guard let kept = broker.kept[topic.text(in: names)],
            let bytes = SealedPayload.open(
                kept.payload, from: topic, in: names, primitives: primitives)
        else { return nil }
        return try? MeetPlain(decoding: bytes)
    }

    /// Where nobody else spoils boxes, a broker that had a log has it still after something was
    /// cleared there.
    func checkCleared(_ host: SimHost, from before: Int, to after: Int) {
        guard let meets, isClean(host), after < before else { return }
        let spoils: [MeetFault] = [.vandal, .empties, .forksViews, .oldDisk, .refuses]
        guard !meets.profile.faults.contains(where: spoils.contains),
            !profile.has(.clone), !profile.has(.restore)
        else { return }
        fail("clear", "host \(host.number) clears \(before) entries, and \(after) are left")
    }

    /// An old copy of the disk that nobody noticed goes on where its own box said that there is
    /// more. Its owner could not know where no box was in reach.
    func forkedUnaware(_ host: SimHost, _ seq: Int) {
        guard let meets else { return }
        for broker in meets.homes {
            guard let number = host.met?.lines[broker] else { continue }
            let line = meets.lines[number]
            let isCalm = line.isUp && line.isOpen && meets.brokers[broker].isHonest(at: now)
            guard isCalm, line.openedAt < now - 5 * Self.second, line.held >= seq else { continue }
            return fail("copy", "host \(host.number) forks at \(seq), its box had \(line.held)")
        }
        taint(host.person)
    }

    /// What is not well at the meeting point yet, once all faults are over.
    func meetingUnrest() -> String? {
        guard let meets else { return nil }
        for host in faithful where host.node.canAppend {
            guard let log = host.node.logs.log(of: host.key)?.entries.map(\.bytes) else { continue }
            let parts = OwnBox.parts(of: log).flatMap(\.self)
            let current = MeetEpoch(at: meets.utc(now))
            for broker in meets.homes {
                let isWhole = [current, current.previous].contains {
                    box(of: host.key, in: $0, meets.brokers[broker].views[0]) == parts
                }
                if !isWhole { return "the box of \(host.number) at \(broker) is not whole" }
            }
        }
        return nil
    }

    /// Whether two can speak when all is well.
    var haveSessions: Bool {
        meets.map { $0.profile.boards != nil || $0.profile.hasTunnels } ?? true
    }

    /// Whether everybody is aboard in the end: some of what agents tell each other is not mailed.
    var isAboard: Bool { meets.map { $0.profile.boards != nil } ?? true }
}

extension SimBroker {
    /// Whether nothing is wrong with it now.
    func isHonest(at now: Int64) -> Bool {
        isUp && !isSplit && !wasSecret && withheld.isEmpty && frozenUntil < now - SimWorld.second
            && views[0].faults.isEmpty && !views[0].refuses
    }
}
