// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Protocol
import Rendezvous
import System
import Transport

/// The boxes of many passengers, and somebody who reads them.
enum Boxes {
    /// Entries of each log: a genesis and so many lines.
    private static let lines = 3
    /// Passengers with lower numbers read, or carry what is left to the broker.
    private static let first = 1000
    private static let stay: Int64 = 3600

    /// Leaves a card and a part of each.
    static func fill(_ url: String, _ people: Int) throws {
        let shared = try Shared()
        let guest = try Guest(first - 1, at: url, shared)
        let kept = try (first..<first + people).flatMap { try box($0, shared) }
        // Numbers that no ask of the meeting has.
        let numbers = 1_000_000..<(1_000_000 + kept.count)
        var stored = 0
        guest.onStored = { if numbers.contains($0) { stored += 1 } }
        guest.onUp = { broker in
            let asks = zip(kept, numbers).map { message, number in
                MeetAsk(
                    broker,
                    .publish(
                        topic: message.topic, payload: message.payload, stay: stay, number))
            }
            guest.perform(Array(asks.prefix(500)))
        }
        guard kept.count <= 500 else { throw Trouble.usage }
        guest.start([])
        try guest.wait(seconds: 60) { stored == kept.count }
        report("messages", Double(kept.count), "kept")
        report("bytes", Double(kept.reduce(0) { $0 + $1.payload.count }), "B")
    }

    /// Reads until something of everybody came, and then until everything was read.
    static func read(_ url: String, _ people: Int) throws {
        let shared = try Shared()
        let guest = try Guest(1, at: url, shared)
        let wanted = people * (lines + 1)
        var came = 0
        guest.onEntries = { came += $0.count }
        let start = SystemClock.now()
        guest.start([])
        try guest.wait(seconds: 60) { came >= wanted }
        report("read", Double((SystemClock.now() - start).nanoseconds) / 1e6, "ms")
    }

    /// Says when an hour begins in which nothing happens, and when it is over, by a clock that is
    /// `speed` times as fast as others.
    static func idle(_ url: String, _ speed: Int) throws {
        let shared = try Shared()
        let guest = try Guest(1, at: url, shared, speed: Int64(speed))
        let codec = EntryCodec(shared.primitives)
        var logs = LogSet()
        guest.onEntries = { [unowned guest] came in
            for entry in came.compactMap({ try? codec.decode($0) })
            where entry.seq == logs.seq(of: entry.author) + 1 {
                logs.restore(entry)
            }
            let frontier = Frontier(logs, primitives: shared.primitives)
            guest.learn(.learnt(logs: frontier.digest, items: frontier.items))
        }
        guest.start(try shared.log(1, more: lines))
        for (word, seconds) in [("begins", Int64(300)), ("ends", 3900)] {
            try guest.wait(seconds: 100) { guest.isOlder(than: seconds) }
            print(word)
            fflush(nil)
            guard readLine() != nil else { throw Trouble.usage }
        }
    }

    /// What a passenger leaves: topic and sealed bytes of the part and of the card.
    private static func box(
        _ number: Int, _ shared: Shared
    ) throws -> [(topic: String, payload: [UInt8])] {
        let keys = MeetKeys(shared.flight, primitives: shared.primitives)
        let now = SystemClock.utc()
        let names = keys.names(in: MeetEpoch(at: now))
        let signer = try shared.signer(number)
        let log = try shared.log(number, more: lines)
        let stamp = MeetStamp.find(
            of: signer.key, group: names.group, from: 0, tries: 10_000, bits: Guest.stampBits,
            primitives: shared.primitives)
        let card = MeetCard(
            flight: shared.flight.id, author: signer.key, boxKey: try shared.boxKey(number).key,
            made: now, until: UTCTime(seconds: now.seconds + stay), length: log.count,
            head8: log.last?.id.raw.prefix8 ?? 0, parts: 1, logs: .zero, items: [],
            stamp: stamp ?? [])
        let box = keys.box(of: signer.key, in: names.epoch)
        let plains: [(MeetTopic, MeetPlain)] = [
            (.part(box, 0), .part(author: signer.key, number: 0, entries: log.map(\.bytes))),
            (.card(box), .card(SignedCard(card, by: signer))),
        ]
        return try plains.map { topic, plain in
            let nonce = Array(SodiumPrimitives.random32().bytes.prefix(24))
            guard let bytes = plain.encoded,
                let payload = SealedPayload.seal(
                    bytes, for: topic, in: names, nonce: nonce, primitives: shared.primitives)
            else { throw Trouble.noPrimitives }
            return (topic.text(in: names), payload)
        }
    }
}
