// SPDX-License-Identifier: Apache-2.0
import Protocol

/// One end of a tunnel after its OPEN: bytes of TLS to one passenger through a broker, each once
/// and in order, or an end (docs/meet.md section 8).
struct Tunnel: Sendable {
    /// What an event asks for, in order.
    enum Output: Hashable, Sendable {
        /// A frame for the other end.
        case send([UInt8])
        /// TLS begins.
        case began
        /// Bytes for TLS.
        case bytes([UInt8])
        /// So many of the bytes written are on their way.
        case took(Int)
        /// It is over, for this reason. Nothing follows.
        case ended(TunnelEnd)
    }

    let id: TunnelID
    let isOpener: Bool
    /// Whether the other end has answered, or asked.
    private(set) var isReady: Bool
    private(set) var isOver = false
    private let out: Bytes32
    private let into: Bytes32
    private let primitives: any Primitives
    private var lastSent: UInt32 = 0
    private var lastTaken: UInt32 = 0
    private var early: [UInt32: TunnelBody] = [:]
    private var earlyBytes = 0
    private var earlySince: Instant?
    /// Bytes that may be sent, that came and were not confirmed, and that wait to be sent.
    private var credit = TunnelLimits.window
    private var owed = 0
    private var backlog: [UInt8] = []
    private var carried = 0
    private var since: Instant

    /// The end that made or took an OPEN.
    init(
        _ opening: TunnelOpening, isOpener: Bool, at now: Instant, _ primitives: any Primitives
    ) {
        id = opening.id
        self.isOpener = isOpener
        isReady = !isOpener
        out = isOpener ? opening.keys.there : opening.keys.back
        into = isOpener ? opening.keys.back : opening.keys.there
        self.primitives = primitives
        since = now
    }

    /// When it has waited for too long.
    var nextDeadline: Instant? {
        guard !isOver else { return nil }
        let patience = isReady ? TunnelLimits.idle : TunnelLimits.opening
        return min(since + patience, earlySince.map { $0 + TunnelLimits.gap } ?? since + patience)
    }

    /// Whether bytes wait that may be sent.
    var hasMore: Bool { !isOver && isReady && credit > 0 && !backlog.isEmpty }

    /// Says that this end takes part: the first thing that the end does that was asked.
    mutating func welcome() -> [Output] { say(.ready) + [.began] }

    /// A frame with a number came.
    mutating func take(_ frame: [UInt8], seq: UInt32, at now: Instant) -> [Output] {
        guard !isOver, seq > lastTaken, early[seq] == nil,
            let body = TunnelFrame.open(frame, seq: seq, key: into, primitives)
        else { return [] }
        guard seq == lastTaken + 1 else { return keep(body, seq, at: now) }
        var output = turn(body, at: now)
        while !isOver, let next = early.removeValue(forKey: lastTaken + 1) {
            earlyBytes -= next.count
            earlySince = early.isEmpty ? nil : now
            output += turn(next, at: now)
        }
        return output
    }

    private mutating func keep(_ body: TunnelBody, _ seq: UInt32, at now: Instant) -> [Output] {
        guard early.count < TunnelLimits.earlyFrames,
            earlyBytes + body.count <= TunnelLimits.early
        else { return end(.lost) }
        early[seq] = body
        earlyBytes += body.count
        earlySince = earlySince ?? now
        return []
    }

    /// One body whose turn it is.
    private mutating func turn(_ body: TunnelBody, at now: Instant) -> [Output] {
        lastTaken += 1
        switch body {
        case .ready:
            guard isOpener, !isReady else { return end(.lost) }
            isReady = true
            since = now
            return [.began]
        case .data(let bytes):
            guard isReady, owed + bytes.count <= TunnelLimits.window else { return end(.lost) }
            since = now
            owed += bytes.count
            guard carries(bytes.count) else { return end(.spent) }
            var output = [Output.bytes(bytes)]
            if owed >= TunnelLimits.took {
                output += say(.took(owed))
                owed = 0
            }
            return output
        case .took(let count):
            guard isReady, credit + count <= TunnelLimits.window else { return end(.lost) }
            credit += count
            return []
        case .end(let reason):
            isOver = true
            return [.ended(reason)]
        }
    }

    private mutating func carries(_ count: Int) -> Bool {
        carried += count
        return carried <= TunnelLimits.bytes
    }

    /// TLS has bytes for the other end; ``flush(at:)`` sends them.
    mutating func write(_ bytes: [UInt8]) { if !isOver { backlog += bytes } }

    /// Sends one piece of what waits.
    mutating func flush(at now: Instant) -> [Output] {
        guard hasMore else { return [] }
        let count = min(backlog.count, credit, TunnelLimits.piece)
        guard carries(count) else { return end(.spent) }
        let piece = Array(backlog.prefix(count))
        backlog.removeFirst(count)
        credit -= count
        since = now
        return say(.data(piece)) + [.took(count)]
    }

    /// Ends it, and says so.
    mutating func end(_ reason: TunnelEnd) -> [Output] {
        guard !isOver else { return [] }
        let farewell = say(.end(reason))
        isOver = true
        return farewell + [.ended(reason)]
    }

    /// Ends it without a word: the connection that it went over is gone.
    mutating func drop() -> [Output] {
        guard !isOver else { return [] }
        isOver = true
        return [.ended(.lost)]
    }

    /// What is due.
    mutating func tick(at now: Instant) -> [Output] {
        guard let due = nextDeadline, due <= now else { return [] }
        if !isReady { return end(.notReached) }
        return end(earlySince == nil ? .spent : .lost)
    }

    private mutating func say(_ body: TunnelBody) -> [Output] {
        lastSent += 1
        return TunnelFrame.seal(body, id, seq: lastSent, key: out, primitives).map { [.send($0)] }
            ?? []
    }
}

extension TunnelBody {
    /// Bytes that it holds.
    fileprivate var count: Int { if case .data(let bytes) = self { bytes.count } else { 0 } }
}
