// SPDX-License-Identifier: Apache-2.0
import System
package import Text

/// Where the brokers of a meeting point are: what `rendezvous.url` says (docs/meet.md section 5).
package struct MeetAddress: Hashable, Sendable {
    /// A name or an address, in lower case.
    package let host: String
    /// Given, or the usual one.
    package let port: UInt16
    /// Whether connections are TLS. Only those to this machine may be without.
    package let isTLS: Bool
    /// What is spoken there.
    package let engine: Engine
    /// Whether the DNS may name other brokers: for a name without a port.
    package let hasRecords: Bool

    /// What the brokers of a meeting point speak (docs/meet.md section 5 and section 9).
    package enum Engine: Hashable, Sendable {
        /// MQTT 5: brokers that do not know each other.
        case mqtt
        /// NATS with JetStream: machines that keep everything together.
        case nats

        /// What an address begins with.
        package var scheme: (tls: String, plain: String) {
            switch self {
            case .mqtt: ("mqtts://", "mqtt://")
            case .nats: ("nats+tls://", "nats://")
            }
        }

        /// The registered ports; NATS has one for both.
        package var usualPorts: (tls: UInt16, plain: UInt16) {
            switch self {
            case .mqtt: (8883, 1883)
            case .nats: (4222, 4222)
            }
        }
    }

    /// Reads `mqtts://HOST[:PORT]`, `nats+tls://HOST[:PORT]` and, for this machine only,
    /// `mqtt://HOST[:PORT]` and `nats://HOST[:PORT]`.
    package init(parsing text: String) throws(UserError) {
        let engine: Engine = text.hasPrefix("nats") ? .nats : .mqtt
        let scheme = engine.scheme
        let isTLS = text.hasPrefix(scheme.tls)
        guard isTLS || text.hasPrefix(scheme.plain) else {
            throw Self.fault("\"\(text)\" does not begin with mqtts:// or nats+tls://")
        }
        let begin = isTLS ? scheme.tls : scheme.plain
        let (name, digits) = Self.parts(String(text.dropFirst(begin.count)))
        guard let name = name?.lowercased(), Self.isHost(name) else {
            throw Self.fault("\"\(text)\" is not \(scheme.tls)HOST or \(scheme.tls)HOST:PORT")
        }
        let address = try? Address.Host(parsing: name)
        let usual = isTLS ? engine.usualPorts.tls : engine.usualPorts.plain
        guard let port = digits.map(Self.port) ?? usual else {
            throw Self.fault("the port of \"\(text)\" is not a number from 1 to 65535")
        }
        guard isTLS || address.map(Self.isHere) ?? false else {
            throw UserError(
                .usage, "rendezvous.url: TLS is required outside this machine",
                why: scheme.plain
                    + " shows your user name, and who meets whom, to everybody on the way",
                advice: "seatagent config set rendezvous.url \(scheme.tls)\(name)")
        }
        host = name
        self.port = port
        self.isTLS = isTLS
        self.engine = engine
        hasRecords = isTLS && address == nil && digits == nil
    }

    /// What the DNS is asked for (RFC 2782).
    package var recordName: String { "_seatmeet._tcp.\(host)." }

    /// Host, without brackets, and digits behind the colon.
    private static func parts(_ rest: String) -> (host: String?, port: String?) {
        if rest.hasPrefix("[") {
            let parts = rest.dropFirst().split(
                separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].contains(":") else { return (nil, nil) }
            if parts[1].isEmpty { return (String(parts[0]), nil) }
            guard parts[1].hasPrefix(":") else { return (nil, nil) }
            return (String(parts[0]), String(parts[1].dropFirst()))
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return (String(parts[0]), nil)
        case 2: return (String(parts[0]), String(parts[1]))
        default: return (nil, nil)
        }
    }

    private static func port(_ digits: String) -> UInt16? {
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
            port > 0
        else { return nil }
        return port
    }

    /// An address, or a name as the DNS has them for hosts.
    package static func isHost(_ name: String) -> Bool {
        if name.contains(":") { return (try? Address.Host(parsing: name)) != nil }
        return isName(name)
    }

    /// Labels of letters, digits and hyphens (RFC 1123 section 2.1).
    package static func isName(_ name: String) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy {
            label in
            (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                && label.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                }
        }
    }

    private static func isHere(_ host: Address.Host) -> Bool {
        switch host {
        case .v4(let number): number >> 24 == 127
        case .v6: host == .loopback6
        }
    }

    private static func fault(_ why: String) -> UserError {
        UserError(
            .usage, "rendezvous.url: this is not the address of a meeting point", why: why,
            advice: "seatagent config set rendezvous.url mqtts://meet.example.org")
    }
}
