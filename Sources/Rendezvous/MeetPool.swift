// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// One broker of a pool: a name and a port, as a DNS SRV record has them (RFC 2782).
package struct MeetBroker: Hashable, Comparable, Sendable {
    /// In lower case, without the dot at its end.
    package let host: String
    /// 1...65535.
    package let port: UInt16

    /// `nil` for an empty name, one of over 253 characters, one with other characters than ASCII
    /// has without blanks (all agents have to write a name alike), and port 0.
    package init?(host: String, port: UInt16) {
        guard host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard (1...253).contains(name.utf8.count), port > 0 else { return nil }
        self.host = name
        self.port = port
    }

    /// By name, then by port.
    package static func < (left: MeetBroker, right: MeetBroker) -> Bool {
        left.host != right.host
            ? left.host.utf8.lexicographicallyPrecedes(right.host.utf8) : left.port < right.port
    }
}

/// Which brokers of a pool a flight lives on (docs/meet.md section 5).
package enum MeetPool {
    /// The homes of a flight (``MeetKeys/pool``), at most two, the first one first: those with the
    /// highest `SHA-256(host ":" port name)[0..<8]`. A broker that joins or leaves moves only the
    /// flights that it is or was a home of. O(n log n) with one hash for each broker.
    package static func homes(
        of name: String, among brokers: [MeetBroker], primitives: any Primitives
    ) -> [MeetBroker] {
        let known = Array(Set(brokers)).sorted().prefix(MeetLimits.pool)
        let weighed = known.map { (broker: $0, weight: weight($0, name, primitives)) }
        let sorted = weighed.sorted {
            $0.weight != $1.weight ? $0.weight > $1.weight : $0.broker < $1.broker
        }
        return sorted.prefix(MeetLimits.homes).map(\.broker)
    }

    private static func weight(
        _ broker: MeetBroker, _ name: String, _ primitives: any Primitives
    ) -> UInt64 {
        primitives.sha256(Array("\(broker.host):\(broker.port)\(name)".utf8)).prefix8
    }
}
