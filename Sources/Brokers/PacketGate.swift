// SPDX-License-Identifier: Apache-2.0

/// Looks at the head of each packet that a broker sends, before the library allocates what the head
/// says: the library takes up to 256 MB (MQTT 5.0 section 2.1).
struct PacketGate {
    private enum State {
        case head
        case length(head: UInt8, value: Int, bytes: Int)
        case body(left: Int)
    }

    private var state = State.head
    private var isGreeted = false

    /// Whether these bytes may pass. Once they may not, none may.
    mutating func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            switch state {
            case .head:
                guard isExpected(bytes[place]) else { return false }
                state = .length(head: bytes[place], value: 0, bytes: 0)
                place += 1
            case .length(let head, let value, let count):
                let byte = bytes[place]
                let sum = value | Int(byte & 0x7F) << (7 * count)
                let isLast = byte & 0x80 == 0
                // The shortest form only, so that there are no more than three bytes of it.
                guard sum + 2 + count <= BrokerLimits.packet, count < 3,
                    !(isLast && byte == 0 && count > 0)
                else { return false }
                place += 1
                guard isLast else {
                    state = .length(head: head, value: sum, bytes: count + 1)
                    continue
                }
                guard Self.isPlausible(head, sum) else { return false }
                state = sum == 0 ? .head : .body(left: sum)
            case .body(let left):
                let taken = min(left, bytes.count - place)
                place += taken
                state = taken == left ? .head : .body(left: left - taken)
            }
        }
        return true
    }

    /// The kinds of packets that a client like this one gets (MQTT 5.0 section 2.1.2): a CONNACK
    /// first and once; no quality 2, which nobody asks for, and no AUTH.
    private mutating func isExpected(_ head: UInt8) -> Bool {
        guard isGreeted else {
            isGreeted = true
            return head == 0x20
        }
        switch head {
        case 0x40, 0x90, 0xB0, 0xD0, 0xE0: return true
        // PUBLISH: with quality 0 it is never a repetition.
        default: return head >> 4 == 3 && head & 0x04 == 0 && head & 0x0A != 0x08
        }
    }

    /// The shortest bodies that hold what each kind must have.
    private static func isPlausible(_ head: UInt8, _ length: Int) -> Bool {
        switch head >> 4 {
        case 2, 4: length >= 2
        case 3: length >= (head & 0x02 == 0 ? 4 : 6)
        case 9, 11: length >= 4
        case 13: length == 0
        default: true
        }
    }
}
