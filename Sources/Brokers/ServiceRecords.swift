// SPDX-License-Identifier: Apache-2.0
import Profile
package import Rendezvous

/// Reads the DNS's answer for SRV records (RFC 1035 section 4, RFC 2782). Whoever answers is a
/// stranger: lengths are looked at before anything is taken, and a name may only point backwards.
package enum ServiceRecords {
    private static let headBytes = 12
    private static let recordBytes = 10
    private static let service: UInt16 = 33
    private static let internet: UInt16 = 1

    /// The brokers that an answer names, in no order: who meets where is decided by a hash, so
    /// priorities and weights mean nothing. `nil` for an answer that breaks a rule, and at most
    /// ``MeetLimits/pool``.
    package static func brokers(in answer: [UInt8]) -> [MeetBroker]? {
        var reader = Reader(bytes: answer)
        guard answer.count >= headBytes, answer[2] & 0x80 != 0, answer[3] & 0x0F == 0 else {
            return nil
        }
        let questions = Int(answer[4]) << 8 | Int(answer[5])
        let records = Int(answer[6]) << 8 | Int(answer[7])
        guard questions == 1 else { return nil }
        reader.place = headBytes
        guard reader.name() != nil, reader.skip(4) else { return nil }
        var found: [MeetBroker] = []
        for _ in 0..<records where found.count < MeetLimits.pool {
            guard reader.name() != nil, let type = reader.number(), let kind = reader.number(),
                reader.skip(4), let length = reader.number()
            else { return nil }
            let end = reader.place + Int(length)
            guard end <= answer.count else { return nil }
            if type == service, kind == internet {
                guard reader.skip(4), let port = reader.number(), let target = reader.name(),
                    reader.place == end
                else { return nil }
                // A lone dot says that there is no such service.
                if let broker = broker(target, port), !found.contains(broker) {
                    found.append(broker)
                }
            }
            reader.place = end
        }
        return found
    }

    private static func broker(_ labels: [[UInt8]], _ port: UInt16) -> MeetBroker? {
        let name = labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
        let small = name.lowercased()
        // A dot in a label would make two of it. The last label of a name begins with a letter (RFC
        // 1123 section 2.1): "127.1" and "0x7f.1" would be taken for an address further on.
        guard MeetAddress.isName(small), !labels.contains(where: { $0.contains(0x2E) }),
            let first = labels.last?.first, (0x61...0x7A).contains(first | 0x20)
        else { return nil }
        return MeetBroker(host: small, port: port)
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func skip(_ count: Int) -> Bool {
            place += count
            return place <= bytes.count
        }

        mutating func number() -> UInt16? {
            guard place + 2 <= bytes.count else { return nil }
            defer { place += 2 }
            return UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
        }

        /// A name's labels; `place` is behind it then.
        mutating func name() -> [[UInt8]]? {
            var labels: [[UInt8]] = []
            var at = place
            var end: Int?
            var length = 0
            while at < bytes.count {
                let head = Int(bytes[at])
                switch head >> 6 {
                case 0:
                    if head == 0 {
                        place = end ?? at + 1
                        return labels
                    }
                    length += head + 1
                    guard length < 255, at + 1 + head <= bytes.count else { return nil }
                    labels.append(Array(bytes[at + 1..<at + 1 + head]))
                    at += 1 + head
                case 3:
                    guard at + 1 < bytes.count else { return nil }
                    let target = (head & 0x3F) << 8 | Int(bytes[at + 1])
                    // Backwards only, and never into the head: so it comes to an end.
                    guard target < at, target >= ServiceRecords.headBytes else { return nil }
                    end = end ?? at + 2
                    at = target
                default: return nil
                }
            }
            return nil
        }
    }
}
