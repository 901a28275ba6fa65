// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a socket is: an IPv4 or IPv6 address and a TCP port. Never a name, so nothing here asks
/// the DNS.
package struct Address: Hashable, Sendable {
    /// The machine part.
    package enum Host: Hashable, Sendable {
        /// An IPv4 address as one number, 127.0.0.1 being 0x7f000001.
        case v4(UInt32)
        /// An IPv6 address as two halves, and the index of the interface that a link-local
        /// address belongs to, 0 elsewhere.
        case v6(high: UInt64, low: UInt64, scope: UInt32)
    }

    /// The machine.
    package var host: Host
    /// The TCP port; 0 only where the kernel shall choose.
    package var port: UInt16

    /// A known address.
    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// Why a text is not an address.
package enum AddressError: Error, Equatable, Sendable {
    /// There is no `:PORT` at the end.
    case noPort
    /// The port is not a number from 1 to 65535.
    case port(String)
    /// Neither an IPv4 nor an IPv6 address nor `localhost`; names are not looked up.
    case host(String)
    /// The part after `%` is no interface of this machine.
    case interface(String)
}

extension Address {
    /// Reads `192.0.2.1:4000`, `[fe80::1%eth0]:4000`, `localhost:4000`.
    package init(parsing text: String) throws(AddressError) {
        let hostText: Substring
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .host(text) }
            hostText = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard hostText.contains(":") else { throw .host(String(hostText)) }
        } else {
            guard let colon = text.firstIndex(of: ":") else { throw .noPort }
            hostText = text[..<colon]
            rest = text[colon...]
            // A bare IPv6 address: where its port begins cannot be told.
            guard rest.dropFirst().firstIndex(of: ":") == nil else { throw .noPort }
        }
        guard rest.hasPrefix(":") else { throw .noPort }
        let digits = rest.dropFirst()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port != 0
        else { throw .port(String(digits)) }
        self.init(host: try Host(parsing: String(hostText)), port: port)
    }
}

extension Address.Host {
    /// The loopback address of IPv4.
    package static let loopback4 = Self.v4(0x7f00_0001)
    /// The loopback address of IPv6.
    package static let loopback6 = Self.v6(high: 0, low: 1, scope: 0)
    /// All IPv4 addresses of this machine, for a listening socket.
    package static let any4 = Self.v4(0)
    /// All IPv6 addresses of this machine, for a listening socket.
    package static let any6 = Self.v6(high: 0, low: 0, scope: 0)

    /// Reads an address without port or brackets. An IPv4 address written as IPv6
    /// (`::ffff:192.0.2.1`) becomes the IPv4 address.
    package init(parsing text: String) throws(AddressError) {
        if text == "localhost" {
            self = .loopback4
            return
        }
        if let four = Self.bytes(text, AF_INET, count: 4) {
            self.init(bytes: four, scope: 0)
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let sixteen = Self.bytes(String(first), AF_INET6, count: 16)
        else { throw .host(text) }
        var scope: UInt32 = 0
        if parts.count == 2 {
            let name = String(parts[1])
            scope = UInt32(name) ?? if_nametoindex(name)
            guard scope != 0 else { throw .interface(name) }
        }
        self.init(bytes: sixteen, scope: scope)
    }

    /// An address from its 4 or 16 bytes in network order.
    package init(bytes: [UInt8], scope: UInt32) {
        func number(_ range: Range<Int>) -> UInt64 {
            bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        if bytes.count == 4 {
            self = .v4(UInt32(truncatingIfNeeded: number(0..<4)))
        } else if number(0..<8) == 0 && number(8..<12) == 0xffff {
            self = .v4(UInt32(truncatingIfNeeded: number(12..<16)))
        } else {
            self = .v6(high: number(0..<8), low: number(8..<16), scope: scope)
        }
    }

    /// Its 4 or 16 bytes in network order, without the interface.
    package var bytes: [UInt8] {
        func split(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
        }
        switch self {
        case .v4(let number): return split(UInt64(number), 4)
        case .v6(let high, let low, _): return split(high, 8) + split(low, 8)
        }
    }

    /// Whether it is of this machine only.
    package var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6: self == .loopback6
        }
    }

    /// Whether it means something on one interface only.
    package var isLinkLocal: Bool {
        switch self {
        case .v4(let number): number >> 16 == 0xa9fe
        case .v6(let high, _, _): high >> 54 == 0x3fa
        }
    }

    private static func bytes(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        // A zero byte would end the C string early and hide the rest.
        guard !text.utf8.contains(0) else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &buffer) == 1 ? buffer : nil
    }
}

extension Address.Host: CustomStringConvertible {
    /// As people write it: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`.
    package var description: String {
        let family: Int32
        var suffix = ""
        switch self {
        case .v4: family = AF_INET
        case .v6(_, _, let scope):
            family = AF_INET6
            if scope != 0 { suffix = "%" + Self.interfaceName(scope) }
        }
        var text = [CChar](repeating: 0, count: 64)
        let source = bytes
        guard inet_ntop(family, source, &text, 64) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self) + suffix
    }

    private static func interfaceName(_ index: UInt32) -> String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return String(index) }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Address: CustomStringConvertible {
    /// As `init(parsing:)` reads it.
    package var description: String {
        switch host {
        case .v4: "\(host):\(port)"
        case .v6: "[\(host)]:\(port)"
        }
    }
}
