// SPDX-License-Identifier: Apache-2.0
import Protocol
import Rendezvous
import System

/// What all agents share: the loop, the broker's place, and what is counted.
final class World {
    /// Zero bits of a stamp. Agents look for 20, a second of work once a day: three thousand of
    /// them would do nothing else here, and the broker has no part in it.
    static let stampBits = 8

    let loop: EventLoop
    let port: UInt16
    let broker: MeetBroker
    let primitives: KnownSignatures
    var counts = Counts()
    /// How long agents took from opening the computer until all boxes were read.
    private(set) var readings: [TimeSpan] = []
    /// Bytes under each topic that the broker keeps.
    private var kept: [String: Int] = [:]
    /// Entries that somebody waits for.
    private var awaited: [EntryID: Awaited] = [:]
    /// From saying a claim to its being on the last map of its flight, and the same of all other
    /// entries and logs.
    private(set) var claims: [TimeSpan] = []
    private(set) var others: [TimeSpan] = []

    private struct Awaited {
        let isClaim: Bool
        let since: Instant
        var readers: Set<Int>
    }

    /// The agents' clocks are behind the machine's by so much.
    private let behind: Int64

    /// Agents that read the boxes of so many days.
    init?(port: UInt16, days: Int) {
        let today = MeetEpoch(at: SystemClock.utc()).begins.seconds
        behind = days < MeetLimits.epochsRead ? today - Int64(days - 1) * 86_400 : 0

        guard let broker = MeetBroker(host: "localhost", port: port),
            let primitives = KnownSignatures(), let loop = try? EventLoop()
        else { return nil }
        self.port = port
        self.broker = broker
        self.primitives = primitives
        self.loop = loop
    }

    /// The time by the agents' clocks.
    var utc: UTCTime { UTCTime(seconds: SystemClock.utc().seconds - behind) }

    // MARK: What the broker keeps

    /// Notes what an agent sends.
    func published(_ topic: String, _ payload: [UInt8], isKept: Bool) {
        counts.published += 1
        guard isKept else { return }
        kept[topic] = payload.isEmpty ? nil : topic.utf8.count + payload.count
    }

    /// Bytes of all that the broker keeps, with the names of the topics.
    var keptBytes: Int { kept.values.reduce(0, +) }
    /// How many topics those are.
    var keptTopics: Int { kept.count }

    // MARK: How long it takes

    /// An agent has read all boxes.
    func read(in span: TimeSpan) { readings.append(span) }

    /// From now on those wait for an entry.
    func await(_ entry: Entry, at readers: Set<Int>) {
        counts.said += 1
        guard !readers.isEmpty else { return }
        let isClaim = if case .claim = entry.body { true } else { false }
        awaited[entry.id] = Awaited(isClaim: isClaim, since: loop.clock(), readers: readers)
    }

    /// Whether anything has not reached all yet.
    var isWaiting: Bool { !awaited.isEmpty }

    /// Whether anybody waits for it.
    func isAwaited(_ id: EntryID) -> Bool { awaited[id] != nil }

    /// An entry is in the log of one of them, and a claim on their map.
    func arrived(_ id: EntryID, at reader: Int) {
        guard awaited[id]?.readers.remove(reader) != nil, let one = awaited[id],
            one.readers.isEmpty
        else { return }
        awaited[id] = nil
        let span = loop.clock() - one.since
        if one.isClaim { claims.append(span) } else { others.append(span) }
    }

    /// Somebody closed their computer, and waits no longer.
    func left(_ reader: Int) { for id in awaited.keys { arrived(id, at: reader) } }

    /// Entries that not all have. Forgets them, and the times so far.
    func takeTimes() -> (claims: [TimeSpan], others: [TimeSpan], readings: [TimeSpan], late: Int) {
        defer { (claims, others, readings, awaited) = ([], [], [], [:]) }
        return (claims, others, readings, awaited.count)
    }
}
