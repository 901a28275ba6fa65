// SPDX-License-Identifier: Apache-2.0
/// What the desk of a venue says to an ask that no entry of its ledger answers, by a statement of
/// its own (docs/protocol.md section 32).
///
/// It names whose ask it is and until when that stood, so that others keep it as they kept the ask,
/// also who never saw that.
public struct AskAnswer: Hashable, Sendable {
    /// Who asked.
    public let asker: PeerKey
    /// The id of the ask's statement.
    public let ask: Bytes32
    /// When the ask ends by itself, and with it the answer.
    public let until: UTCTime
    /// When the desk said it, by its own clock. Of two answers to one ask one that ends it counts,
    /// then the later.
    public let at: UTCTime
    /// Why, 0...31.
    public let reason: Int
    /// The place in the queue, 1...999; 0 for an ask that does not wait, so that this is its end.
    public let waiting: Int

    /// An answer; `nil` for what cannot be written.
    public init?(
        asker: PeerKey, ask: Bytes32, until: UTCTime, at: UTCTime, reason: Int, waiting: Int = 0
    ) {
        guard until.seconds >= 0, at.seconds >= 0, Limits.askReasons.contains(reason),
            0...Limits.queue.upperBound ~= waiting
        else { return nil }
        self.asker = asker
        self.ask = ask
        self.until = until
        self.at = at
        self.reason = reason
        self.waiting = waiting
    }

    /// Whether the ask is over with it.
    public var isLast: Bool { waiting == 0 }

    /// The first number of a body that is an answer.
    static let kind = 2

    /// The body of the statement that says it.
    var body: [UInt8] {
        var writer = CBORWriter(capacity: 112)
        writer.array(7)
        writer.uint(Self.kind)
        writer.value(asker)
        writer.bytes32(ask)
        for part in [Int(until.seconds), Int(at.seconds), reason, waiting] { writer.uint(part) }
        return writer.bytes
    }

    /// Reads the body of a statement. Throws for all that is no answer.
    init(body: [UInt8]) throws(DecodeError) {
        var reader = CBORReader(body.span.bytes)
        try reader.array(7)
        _ = try reader.uint(in: Self.kind...Self.kind)
        asker = try reader.value(PeerKey.self)
        ask = try reader.bytes32()
        until = UTCTime(seconds: Int64(try reader.uint()))
        at = UTCTime(seconds: Int64(try reader.uint()))
        reason = try reader.uint(in: Limits.askReasons)
        waiting = try reader.uint(max: Limits.queue.upperBound)
        try reader.finish()
    }
}

extension VenueStatement {
    /// An answer of the signer's own, who is the desk.
    public init(_ answer: AskAnswer, gathering: FlightID, by signer: any Signer) {
        self.init(body: answer.body, gathering: gathering, by: signer)
    }

    /// What the desk answers with it; `nil` for all else. Whether its author is the desk is not
    /// looked at.
    public var answer: AskAnswer? { if case .answer(let answer) = content { answer } else { nil } }
}
