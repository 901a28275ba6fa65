// SPDX-License-Identifier: Apache-2.0
/// What a ledger says beside grants and closes (docs/protocol.md section 32).
public enum DeskNote: Hashable, Sendable {
    /// What became of a booking at the counter.
    public enum Visit: Int, CaseIterable, Hashable, Sendable {
        /// They came.
        case arrived
        /// It was handed out.
        case handedOut
        /// It was returned.
        case returned
    }

    /// 0: member `number` is of that class, and `key` is theirs.
    case member(number: Int, class: Int, key: PeerKey?)
    /// 1: the ask of that id waits, at that place in the queue.
    case waiting(ask: Bytes32, place: Int)
    /// 2: so much was paid for a booking, in minor units.
    case paid(Token, amount: Int, means: Int)
    /// 3: what became of a booking at the counter.
    case visit(Token, Visit)
    /// 4: the 16 bytes that a lot is drawn by. `hash` is their SHA-256, made by whoever reads them.
    case lot(ThreadID, hash: Bytes32)
    /// 5: the SHA-256 of the bytes that the next lot will be drawn by.
    case lotOpens(Bytes32)

    func write(to writer: inout CBORWriter) {
        switch self {
        case .member(let number, let klass, let key):
            writer.array(4)
            for part in [0, number, klass] { writer.uint(part) }
            if let key { writer.value(key) } else { writer.null() }
        case .waiting(let ask, let place):
            writer.array(3)
            writer.uint(1)
            writer.bytes32(ask)
            writer.uint(place)
        case .paid(let token, let amount, let means):
            writer.array(4)
            writer.uint(2)
            writer.value(token)
            writer.uint(amount)
            writer.uint(means)
        case .visit(let token, let visit):
            writer.array(3)
            writer.uint(3)
            writer.value(token)
            writer.uint(visit.rawValue)
        case .lot(let bytes, _):
            writer.array(2)
            writer.uint(4)
            writer.words16(bytes.high, bytes.low)
        case .lotOpens(let hash):
            writer.array(2)
            writer.uint(5)
            writer.bytes32(hash)
        }
    }

    init(_ reader: inout CBORReader, _ primitives: any Primitives) throws(DecodeError) {
        let count = try reader.array(2...4)
        let kind = try reader.uint(max: 5)
        let wanted = [4, 3, 4, 3, 2, 2][kind]
        guard count == wanted else { throw DecodeError(count < wanted ? .tooSmall : .tooLarge) }
        switch kind {
        case 0:
            let number = try reader.uint(in: Limits.members)
            let klass = try reader.uint(max: Limits.memberClasses.upperBound - 1)
            self = .member(
                number: number, class: klass,
                key: try reader.takeNull() ? nil : try reader.value(PeerKey.self))
        case 1:
            let ask = try reader.bytes32()
            self = .waiting(ask: ask, place: try reader.uint(in: Limits.queue))
        case 2:
            let token = try reader.value(Token.self)
            let amount = try reader.uint(max: Limits.money)
            self = .paid(token, amount: amount, means: try reader.uint(max: Limits.means))
        case 3:
            let token = try reader.value(Token.self)
            let number = try reader.uint(max: Visit.returned.rawValue)
            guard let visit = Visit(rawValue: number) else {
                throw DecodeError(.badValue, at: reader.offset)
            }
            self = .visit(token, visit)
        case 4:
            let words = try reader.words16()
            let bytes = ThreadID(high: words.high, low: words.low)
            self = .lot(bytes, hash: primitives.sha256(bytes.bytes))
        default: self = .lotOpens(try reader.bytes32())
        }
    }
}
