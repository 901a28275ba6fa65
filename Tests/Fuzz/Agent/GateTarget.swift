// SPDX-License-Identifier: Apache-2.0
@testable import Brokers
import FuzzKit

/// The gate before libmosquitto: cut anywhere it says the same, and of what it lets through the
/// heads are those of packets that such a client gets, none longer than it may be.
///
/// Input: a byte that says where the stream is cut, the stream.
enum GateTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let cut = input.first else { return .refused }
        let stream = Array(input.dropFirst())
        let isGood = passes(stream, cut: max(stream.count, 1))
        hold(passes(stream, cut: 1 + Int(cut & 31)) == isGood, "the cuts change what passes")
        guard isGood else { return .refused }
        return judge(stream) ? .accepted : .refused
    }

    private static func passes(_ stream: [UInt8], cut: Int) -> Bool {
        var gate = PacketGate()
        var start = 0
        while start < stream.count {
            let part = Array(stream[start..<min(start + cut, stream.count)])
            let isGood = part.withUnsafeBytes { gate.passes($0) }
            if !isGood { return false }
            start += cut
        }
        return true
    }

    /// Reads the heads in the plainest way; whether there is one whole packet at least.
    private static func judge(_ stream: [UInt8]) -> Bool {
        var place = 0
        var packets = 0
        while place < stream.count {
            let kind = stream[place] >> 4
            hold((kind == 2) == (packets == 0), "a greeting that is not the first, or none")
            hold([2, 3, 4, 9, 11, 13, 14].contains(kind), "a packet that no such client gets")
            var length = 0
            var count = 0
            repeat {
                count += 1
                guard place + count < stream.count else { return packets > 0 }
                length |= Int(stream[place + count] & 0x7F) << (7 * (count - 1))
            } while stream[place + count] & 0x80 != 0
            hold(1 + count + length <= BrokerLimits.packet, "a packet that is too long")
            place += 1 + count + length
            packets += place <= stream.count ? 1 : 0
        }
        return packets > 0
    }
}
