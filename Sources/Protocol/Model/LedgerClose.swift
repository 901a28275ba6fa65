// SPDX-License-Identifier: Apache-2.0
/// What a ledger says to end a booking (docs/protocol.md section 32).
public struct LedgerClose: Hashable, Sendable {
    /// Why it ends.
    public enum Reason: Int, CaseIterable, Hashable, Sendable {
        /// Its holder asked, by a statement that the close carries.
        case asked
        /// The desk wants it.
        case desk
        /// Nobody came.
        case noShow
        /// Nobody paid.
        case unpaid
        /// It was granted in error.
        case error
        /// A swap of it was stranded.
        case stranded
        /// It was handed back before its time was up.
        case early
    }

    /// Which booking.
    public let token: Token
    /// Why.
    public let reason: Reason
    /// Whether it still counts in its member's quota.
    public let spent: Bool
    /// The statement that asked to give the booking back: there for ``Reason/asked`` alone.
    public let ask: VenueStatement?

    /// The end of `token` for a reason of the desk's own.
    public init(_ token: Token, _ reason: Reason, spent: Bool = false) {
        self.token = token
        self.reason = reason
        self.spent = spent
        ask = nil
    }

    /// The end of the booking that `ask` gives back; `nil` for a statement that says anything else.
    public init?(asked ask: VenueStatement, spent: Bool = false) {
        guard case .giveBack(let slot, nil)? = ask.ask?.wish else { return nil }
        token = slot.token
        reason = .asked
        self.spent = spent
        self.ask = ask
    }

    func write(to writer: inout CBORWriter) {
        writer.array(4)
        writer.value(token)
        writer.uint(reason.rawValue)
        writer.bool(spent)
        if let ask { writer.bytes(ask.encoded) } else { writer.null() }
    }

    init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(4)
        token = try reader.value(Token.self)
        let number = try reader.uint(max: Reason.early.rawValue)
        guard let reason = Reason(rawValue: number) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        self.reason = reason
        spent = try reader.bool()
        let start = reader.offset
        if try reader.takeNull() {
            ask = nil
        } else {
            ask = try VenueStatement(decoding: try reader.bytes(1...Limits.statement))
        }
        guard (reason == .asked) == (ask != nil) else {
            throw DecodeError(.badValue, at: start)
        }
        if let ask {
            guard case .giveBack(let slot, nil)? = ask.ask?.wish, slot.token == token else {
                throw DecodeError(.badValue, at: start)
            }
        }
    }
}
