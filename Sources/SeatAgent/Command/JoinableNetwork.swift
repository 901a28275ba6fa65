// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Interfaces
import Protocol
import System
import Text

/// A network that a passenger may want to join, in the words that they know.
struct JoinableNetwork: Hashable, Sendable {
    /// The interface: `wlp2s0`.
    var name: String
    /// Its first address, IPv4 before IPv6.
    var address: String
    /// The name of the access point: hostile text.
    var wireless: String?
    /// Whether only this computer is on it.
    var isLoopback = false

    /// `wlp2s0 192.168.1.20 "Cabin-WiFi"`.
    var words: String {
        let place = "\(visible(name, cells: 16)) \(visible(address, cells: 48))"
        if isLoopback { return place + ", this computer alone" }
        return place + (wireless.map { " \"\(visible($0, cells: 32))\"" } ?? "")
    }

    /// The networks of this machine: wireless ones first, the loopback last, without tunnels and
    /// containers.
    static func all() -> [JoinableNetwork] {
        let found = NetworkInterface.all().compactMap(Self.init)
        return found.filter { $0.wireless != nil }
            + found.filter { $0.wireless == nil && !$0.isLoopback }
            + found.filter(\.isLoopback)
    }

    private init?(_ interface: NetworkInterface) {
        let kind = NetworkInterface.kind(
            of: interface.name, isLoopback: interface.isLoopback,
            isPointToPoint: interface.isPointToPoint)
        guard kind == .network || kind == .loopback, interface.isUp, interface.isRunning,
            let bytes = interface.addresses.min(by: { $0.count < $1.count })
        else { return nil }
        let host = Address.Host(bytes: bytes, scope: bytes.count == 16 ? interface.index : 0)
        self.init(
            name: interface.name, address: host.description,
            wireless: kind == .network ? Self.wireless(interface.name) : nil,
            isLoopback: kind == .loopback)
    }

    /// An interface with its address, and the network's name if it is a wireless one.
    init(name: String, address: String, wireless: String? = nil, isLoopback: Bool = false) {
        self.name = name
        self.address = address
        self.wireless = wireless
        self.isLoopback = isLoopback
    }

    private static func wireless(_ interface: String) -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var name = [UInt8](repeating: 0, count: 33)
        let count = linux_wireless_name(descriptor, interface, &name)
        return count > 0 ? String(decoding: name.prefix(Int(count)), as: UTF8.self) : nil
    }
}
