// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Why a tunnel ended (docs/meet.md section 8).
package enum TunnelEnd: Int, CaseIterable, Sendable {
    /// One end closed it.
    case closed = 0
    /// Nobody answered.
    case notReached = 1
    /// The other end has as many as it wants.
    case full = 2
    /// The other end does not want it.
    case refused = 3
    /// It used up its bytes or its time.
    case spent = 4
    /// A frame did not come, or the connection to the broker is a new one.
    case lost = 5
    /// OPEN was made more than a minute from the other end's clock.
    case clock = 6
}

/// What one frame of a tunnel says, before it is sealed (docs/meet.md section 8).
package enum TunnelBody: Hashable, Sendable {
    /// The far end takes part.
    case ready
    /// Bytes of TLS.
    case data([UInt8])
    /// So many bytes of data were taken since the last TOOK; as many may follow.
    case took(Int)
    /// It is over.
    case end(TunnelEnd)

    /// Its bytes.
    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 32)
        switch self {
        case .ready:
            writer.array(1)
            writer.uint(1)
        case .data(let bytes):
            writer.array(2)
            writer.uint(2)
            writer.bytes(bytes)
        case .took(let count):
            writer.array(2)
            writer.uint(3)
            writer.uint(count)
        case .end(let reason):
            writer.array(2)
            writer.uint(4)
            writer.uint(reason.rawValue)
        }
        return writer.bytes
    }

    /// Reads one. Throws for what no agent writes.
    package init(decoding bytes: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(bytes.span.bytes)
        let count = try reader.array(1...2)
        let kind = try reader.uint(in: 1...4)
        guard count == (kind == 1 ? 1 : 2) else { throw DecodeError(.badValue) }
        switch kind {
        case 1: self = .ready
        case 2: self = .data(try reader.bytes(1...TunnelLimits.piece))
        case 3: self = .took(try reader.uint(in: 1...TunnelLimits.window))
        default:
            let start = reader.offset
            let number = try reader.uint(max: 6)
            guard let reason = TunnelEnd(rawValue: number) else {
                throw DecodeError(.badValue, at: start)
            }
            self = .end(reason)
        }
        try reader.finish()
    }
}

/// The numbers of tunnels (docs/meet.md section 8).
package enum TunnelLimits {
    /// Bytes of data in one frame.
    package static let piece = 15_360
    /// Bytes of data under way in one direction.
    package static let window = 64 * 1024
    /// TOOK is said when so much was taken.
    static let took = 32 * 1024
    /// Bytes of data that came before their turn.
    static let early = 64 * 1024
    /// Frames that did.
    static let earlyFrames = 256
    /// How long they wait.
    static let gap = TimeSpan.seconds(5)
    /// An OPEN is answered in this time.
    static let opening = TimeSpan.seconds(10)
    /// Bytes of data, both directions.
    package static let bytes = 4 * 1024 * 1024
    /// A tunnel ends after so long without data.
    static let idle = TimeSpan.seconds(120)
    /// Tunnels of one agent.
    package static let tunnels = 8
    /// Of these, kept for those whom the user verified, and their party.
    static let kept = 2
    /// Seconds between the clocks of the two who make a tunnel.
    package static let slack: Int64 = 60
    /// OPENs that are remembered, so that none counts twice.
    static let remembered = 512
}
