/// Where a peer may be reached.
package struct PeerAddress: Hashable, Comparable, Sendable {
    /// Numeric host text, with its scope where it needs one: `10.77.0.2`, `fe80::1%3`.
    package var host: String
    /// TCP port.
    package var port: UInt16

    /// An address.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `10.77.0.2:4000`, `[fe80::1%3]:4000`.
    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The host as an address; `nil` for a name, and for nothing.
    package var numeric: HostAddress? { HostAddress(host) }

    package static func < (left: PeerAddress, right: PeerAddress) -> Bool {
        left.host != right.host ? left.host < right.host : left.port < right.port
    }
}
