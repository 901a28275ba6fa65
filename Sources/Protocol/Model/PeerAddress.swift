// SPDX-License-Identifier: Apache-2.0
/// Where a peer may be reached.
public struct PeerAddress: Hashable, Comparable, Sendable {
    /// Numeric host text, with its scope where it needs one: `10.77.0.2`, `fe80::1%3`.
    public var host: String
    /// TCP port.
    public var port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `10.77.0.2:4000`, `[fe80::1%3]:4000`.
    public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The host as an address; `nil` for a name, and for nothing.
    public var numeric: HostAddress? { HostAddress(host) }

    /// Orders by the host's text, then port.
    public static func < (left: PeerAddress, right: PeerAddress) -> Bool {
        left.host != right.host ? left.host < right.host : left.port < right.port
    }
}
