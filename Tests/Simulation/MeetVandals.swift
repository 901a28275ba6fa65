// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous
import RendezvousKit

/// Somebody who knows the flight, has no agent, and spoils what others left (docs/meet.md section
/// 7); and cheats, who leave another log than they show.
extension SimWorld {
    func vandalise(_ meets: MeetLife) {
        let broker = Int(meets.chance.next() % UInt64(meets.brokers.count))
        let victim = hosts[Int(meets.chance.next() % UInt64(hosts.count))]
        let epoch = MeetEpoch(at: meets.utc(now))
        let names = meets.keys.names(in: epoch)
        let box = meets.keys.box(of: victim.key, in: epoch)
        let lot = Int(meets.chance.next() % 4)
        let topic = lot == 0 ? MeetTopic.card(box) : .part(box, lot - 1)
        let text = topic.text(in: names)
        switch meets.chance.next() % 7 {
        case 0: put(text, [], broker, meets)
        case 1: put(text, meets.chance.bytes(512), broker, meets)
        case 2:
            for _ in 0..<60 { put(names.prefix + "/e", meets.chance.bytes(512), broker, meets) }
        case 3: babble(names, broker, meets)
        case 4, 5:
            // Old payloads where they were, at any broker.
            for _ in 0..<4 {
                guard let old = meets.kept.randomElement(using: &meets.chance) else { return }
                put(old.topic, old.payload, broker, meets)
            }
        default:
            // Somebody's payload in another's box.
            guard let old = meets.kept.randomElement(using: &meets.chance) else { return }
            put(text, old.payload, broker, meets)
        }
    }

    /// Says well-formed messages to `e` until readers rest: entries that all have already.
    private func babble(_ names: MeetNames, _ broker: Int, _ meets: MeetLife) {
        let host = hosts[Int(meets.chance.next() % UInt64(hosts.count))]
        let entries = host.node.logs.logs.flatMap(\.entries).prefix(3).map(\.bytes)
        guard !entries.isEmpty, let plain = MeetPlain.live(Array(entries)).encoded else { return }
        for _ in 0..<45 {
            guard let payload = seal(plain, .live, names, meets) else { return }
            put(MeetTopic.live.text(in: names), payload, broker, meets)
        }
    }

    /// Says entries to everybody at one broker, as agents do with their own.
    func shout(_ entries: [[UInt8]], _ meets: MeetLife) {
        let names = meets.keys.names(in: MeetEpoch(at: meets.utc(now)))
        let broker = Int(meets.chance.next() % UInt64(meets.brokers.count))
        guard let plain = MeetPlain.live(entries).encoded,
            let payload = seal(plain, .live, names, meets)
        else { return }
        put(MeetTopic.live.text(in: names), payload, broker, meets)
    }

    /// A cheat leaves another log than the one that their agent shows.
    func leave(_ host: SimHost, _ entries: [Entry]) {
        guard let meets, !entries.isEmpty else { return }
        let epoch = MeetEpoch(at: meets.utc(now))
        let names = meets.keys.names(in: epoch)
        let topic = MeetTopic.part(meets.keys.box(of: host.key, in: epoch), 0)
        let parts = OwnBox.parts(of: entries.map(\.bytes))
        guard let part = parts.first,
            let plain = MeetPlain.part(author: host.key, number: 0, entries: part).encoded,
            let payload = seal(plain, topic, names, meets)
        else { return }
        let broker = Int(meets.chance.next() % UInt64(meets.brokers.count))
        put(topic.text(in: names), payload, broker, meets)
    }

    private func seal(
        _ plain: [UInt8], _ topic: MeetTopic, _ names: MeetNames, _ meets: MeetLife
    ) -> [UInt8]? {
        SealedPayload.seal(
            plain, for: topic, in: names, nonce: meets.chance.bytes(SealedPayload.nonceBytes),
            primitives: primitives)
    }

    private func put(_ topic: String, _ payload: [UInt8], _ broker: Int, _ meets: MeetLife) {
        let ends = UTCTime(seconds: meets.utc(now).seconds + 100_000)
        let view = Int(meets.chance.next() % 2) * (meets.brokers[broker].isSplit ? 1 : 0)
        guard meets.brokers[broker].isUp else { return }
        let isKept = !topic.hasSuffix("/e")
        let heard = meets.brokers[broker].views[view].put(
            topic, payload, until: isKept ? ends : UTCTime(seconds: 0))
        spread(heard, from: broker, meets)
    }
}
