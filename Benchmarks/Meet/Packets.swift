// SPDX-License-Identifier: Apache-2.0

/// The packets of MQTT 5 that an agent's library sends, written by hand: three thousand libraries
/// would be measured in place of the broker (MQTT 5.0 section 3).
enum Packet {
    /// CONNECT with a clean start, without a session that outlives the connection, and with the
    /// limits that the agent's library names.
    static func connect(name: String, keepAlive: Int) -> [UInt8] {
        let properties: [UInt8] =
            [0x11, 0, 0, 0, 0] + [0x21] + short(20) + [0x27] + long(20_000)
        let body =
            text("MQTT") + [5, 0x02] + short(keepAlive) + size(properties.count) + properties
            + text(name)
        return packet(0x10, body)
    }

    /// PUBLISH of quality 1; one with a `stay` is retained.
    static func publish(_ topic: String, _ payload: [UInt8], stay: Int64?, _ id: Int) -> [UInt8] {
        let expiry = stay.map { payload.isEmpty ? [] : [0x02] + long(Int($0)) } ?? []
        let body = text(topic) + short(id) + size(expiry.count) + expiry + payload
        return packet(stay == nil ? 0x32 : 0x33, body)
    }

    /// SUBSCRIBE to one filter with quality 1.
    static func subscribe(_ filter: String, _ id: Int, withOwn: Bool) -> [UInt8] {
        packet(0x82, short(id) + [0] + text(filter) + [withOwn ? 1 : 5])
    }

    /// UNSUBSCRIBE from one filter.
    static func unsubscribe(_ filter: String, _ id: Int) -> [UInt8] {
        packet(0xA2, short(id) + [0] + text(filter))
    }

    /// PUBACK.
    static func acknowledge(_ id: Int) -> [UInt8] { [0x40, 2] + short(id) }

    /// PINGREQ.
    static let ping: [UInt8] = [0xC0, 0]
    /// DISCONNECT.
    static let goodBye: [UInt8] = [0xE0, 0]

    private static func packet(_ head: UInt8, _ body: [UInt8]) -> [UInt8] {
        [head] + size(body.count) + body
    }

    private static func text(_ text: String) -> [UInt8] { short(text.utf8.count) + text.utf8 }

    private static func short(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func long(_ number: Int) -> [UInt8] { short(number >> 16) + short(number) }

    /// A variable byte integer (MQTT 5.0 section 1.5.5).
    private static func size(_ number: Int) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }
}

/// What a broker sends, as far as an agent looks at it.
enum Heard {
    /// CONNACK with its reason.
    case greeting(UInt8)
    /// PUBLISH; the number is 0 for quality 0.
    case message(topic: String, payload: [UInt8], id: Int)
    /// PUBACK with its reason.
    case stored(Int, UInt8)
    /// SUBACK with its reason.
    case subscribed(Int, UInt8)
    /// DISCONNECT.
    case goodBye(UInt8)
    /// UNSUBACK, PINGRESP.
    case other
}

/// Cuts what came into packets.
struct PacketReader {
    private var bytes: [UInt8] = []
    private var at = 0

    mutating func take(_ more: UnsafeRawBufferPointer) {
        if at > 0 {
            bytes.removeFirst(at)
            at = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next whole packet; `nil` where more has to come.
    mutating func next() -> Heard? {
        guard let (count, start) = size(from: at + 1), start + count <= bytes.count else {
            return nil
        }
        let head = bytes[at]
        at = start + count
        let body = start..<start + count
        return switch head >> 4 {
        case 2: .greeting(bytes[body.lowerBound + 1])
        case 3: message(body, quality: Int(head >> 1) & 3)
        case 4: .stored(short(body.lowerBound), count > 2 ? bytes[body.lowerBound + 2] : 0)
        case 9: .subscribed(short(body.lowerBound), bytes[body.upperBound - 1])
        case 14: .goodBye(count > 0 ? bytes[body.lowerBound] : 0)
        default: .other
        }
    }

    private func message(_ body: Range<Int>, quality: Int) -> Heard {
        let end = body.lowerBound + 2 + short(body.lowerBound)
        let topic = String(decoding: bytes[body.lowerBound + 2..<end], as: UTF8.self)
        let behind = quality > 0 ? end + 2 : end
        let (count, start) = size(from: behind) ?? (0, behind)
        return .message(
            topic: topic, payload: Array(bytes[start + count..<body.upperBound]),
            id: quality > 0 ? short(end) : 0)
    }

    private func short(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }

    private func size(from start: Int) -> (value: Int, end: Int)? {
        var (value, index) = (0, start)
        while index < bytes.count, index < start + 4 {
            value |= Int(bytes[index] & 0x7F) << (7 * (index - start))
            index += 1
            if bytes[index - 1] & 0x80 == 0 { return (value, index) }
        }
        return nil
    }
}
