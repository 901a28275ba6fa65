// SPDX-License-Identifier: Apache-2.0
/// Frames waiting for a connection, in three queues of strict priority (docs/protocol.md section
/// 7).
package struct SendQueues: Hashable, Sendable {
    private var control: [[UInt8]] = []
    private var messages: [[UInt8]] = []
    private var bulk: [[UInt8]] = []
    private var bulkBytes = 0
    private var pushBytes = 0
    private var hearsayBytes = 0
    private var membersBytes = 0
    /// Of each frame of bulk.
    private var kinds: [Kind] = []

    /// No frames.
    package init() {}

    /// What a frame of bulk is.
    private enum Kind {
        case answer
        /// Entries that nobody asked for.
        case push
        /// What strangers say.
        case hearsay
        /// What members say.
        case members
    }

    /// Why a queue refused a frame.
    package enum Refusal: Error, Hashable, Sendable {
        /// Too many control frames wait: the peer is too slow to be useful.
        case overflow
        /// No room for another direct message.
        case message
        /// No push credit, or no room in bulk.
        case push
    }

    /// Puts a frame into the queue of its message.
    package mutating func add(_ message: Message) throws(Refusal) {
        switch message.type.traits.queue {
        case .messages:
            guard messages.count < Limits.messageQueue else { throw .message }
            messages.append(message.encode())
        case .bulk:
            guard addBulk(message.encode(), message.isPush ? .push : .answer) else { throw .push }
        case .control:
            guard control.count < Limits.controlQueue else { throw .overflow }
            control.append(message.encode())
        }
    }

    /// Puts what others say into the queue of bulk. Returns whether there was room: little of it
    /// waits, so that what concerns the peer does not wait behind it for long.
    package mutating func passOn(_ message: Message, ofMember isMember: Bool) -> Bool {
        addBulk(message.encode(), isMember ? .members : .hearsay)
    }

    private mutating func addBulk(_ frame: [UInt8], _ kind: Kind) -> Bool {
        let room =
            switch kind {
            case .answer: Limits.bulkQueue
            case .push: Limits.pushCredit - pushBytes
            case .hearsay: Limits.hearsayCredit - hearsayBytes
            case .members: Limits.membersCredit - membersBytes
            }
        guard frame.count <= room, bulkBytes + frame.count <= Limits.bulkQueue else {
            return false
        }
        bulk.append(frame)
        kinds.append(kind)
        count(frame.count, of: kind)
        return true
    }

    private mutating func count(_ bytes: Int, of kind: Kind) {
        bulkBytes += bytes
        switch kind {
        case .answer: break
        case .push: pushBytes += bytes
        case .hearsay: hearsayBytes += bytes
        case .members: membersBytes += bytes
        }
    }

    /// Bytes of bulk that may still be added.
    @inline(__always)
    package var bulkRoom: Int { Limits.bulkQueue - bulkBytes }

    /// Whether nothing waits.
    package var isEmpty: Bool { control.isEmpty && messages.isEmpty && bulk.isEmpty }

    /// The next frame by priority.
    package mutating func next() -> [UInt8]? {
        if !control.isEmpty { return control.removeFirst() }
        if !messages.isEmpty { return messages.removeFirst() }
        guard !bulk.isEmpty else { return nil }
        let frame = bulk.removeFirst()
        count(-frame.count, of: kinds.removeFirst())
        return frame
    }
}

extension Message {
    /// Whether it never waits in the queue of bulk.
    var isSmall: Bool { type.traits.queue != .bulk }

    /// Whether it is sent unasked, on credit.
    fileprivate var isPush: Bool {
        if case .entries(let batch) = self { batch.kind == .push } else { false }
    }
}

/// Allows a sustained rate and a burst on top. Above that reading waits, and nothing is lost
/// (docs/protocol.md section 7).
package struct TokenBucket: Hashable, Sendable {
    private let perSecond: Int64
    private let burst: Int64
    private var millis: Int64
    private var last: Instant

    /// A full bucket.
    package init(perSecond: Int, burst: Int, at now: Instant) {
        self.perSecond = Int64(perSecond)
        self.burst = Int64(burst)
        millis = self.burst * 1000
        last = now
    }

    /// How many may be taken before the bucket is in debt.
    package func left(at now: Instant) -> Int {
        let elapsed = max(0, (now - last).nanoseconds) / 1_000_000
        let held = min(burst * 1000, millis + min(elapsed, 3_600_000) * perSecond)
        return Int(max(0, held) / 1000)
    }

    /// Takes `count` out, even into debt. Returns when the debt ends.
    package mutating func take(_ count: Int, at now: Instant) -> Instant? {
        let elapsed = max(0, (now - last).nanoseconds) / 1_000_000
        millis = min(burst * 1000, millis + min(elapsed, 3_600_000) * perSecond)
        // The rest of a millisecond counts the next time.
        last = last + .milliseconds(elapsed)
        millis -= Int64(count) * 1000
        return debtEnds(at: now)
    }

    /// When the debt of what was taken ends; `nil` for none.
    package func debtEnds(at now: Instant) -> Instant? {
        guard millis < 0 else { return nil }
        let end = last + .milliseconds(-millis / perSecond + 1)
        return now < end ? end : nil
    }

    /// Puts a part of what was taken back.
    package mutating func giveBack(tenths: Int) {
        millis = min(burst * 1000, millis + Int64(tenths) * 100)
    }
}
