// SPDX-License-Identifier: Apache-2.0
@testable import Brokers
import FuzzKit
@testable import Profile
import Rendezvous

/// Answers of the DNS about brokers: few, each once, each a name with a port, and the same when a
/// plain answer is written of them.
///
/// Input: a byte that says whether a head and a question are put before the rest, then the rest.
enum DNSTarget {
    /// A head for `count` records, and a question for a name of one letter (RFC 1035 section 4.1).
    private static func head(_ count: Int) -> [UInt8] {
        [0, 0, 0x81, 0x80, 0, 1, UInt8(count >> 8), UInt8(count & 0xFF), 0, 0, 0, 0]
            + [1, 0x61, 0, 0, 33, 0, 1]
    }

    static func run(_ input: [UInt8]) -> Verdict {
        guard let first = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        let answer = first & 1 == 0 ? rest : head(Int(first >> 1)) + rest
        guard let found = ServiceRecords.brokers(in: answer) else { return .refused }
        hold(found.count <= MeetLimits.pool, "more brokers than are looked at")
        hold(Set(found).count == found.count, "a broker twice")
        for broker in found {
            hold(MeetAddress.isName(broker.host), "a host that is no name")
            hold(broker.host == broker.host.lowercased(), "two names of one host")
            hold(broker.port > 0, "no port")
        }
        hold(ServiceRecords.brokers(in: written(found)) == found, "others when written anew")
        return .accepted
    }

    private static func written(_ brokers: [MeetBroker]) -> [UInt8] {
        var bytes = head(brokers.count)
        for broker in brokers {
            var target: [UInt8] = []
            for label in broker.host.split(separator: ".") {
                target += [UInt8(label.utf8.count)] + Array(label.utf8)
            }
            target.append(0)
            let length = 6 + target.count
            bytes += [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, UInt8(length >> 8), UInt8(length & 0xFF)]
            bytes += [0, 0, 0, 0, UInt8(broker.port >> 8), UInt8(broker.port & 0xFF)] + target
        }
        return bytes
    }
}
