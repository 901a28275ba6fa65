// SPDX-License-Identifier: Apache-2.0
/// A machine's numeric address, read from text. The agent judges it before it dials an address that
/// another agent or mDNS told of (docs/protocol.md section 23).
public enum HostAddress: Hashable, Sendable {
    /// An IPv4 address as one number, 127.0.0.1 being 0x7f000001.
    case v4(UInt32)
    /// An IPv6 address as two halves, without its interface.
    case v6(high: UInt64, low: UInt64)

    /// Reads `192.0.2.1`, `fd00::1`, `fe80::1%3`; `nil` for a name and for everything else. An IPv4
    /// address written as IPv6 (`::ffff:192.0.2.1`) is that IPv4 address.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Limits.hostText else { return nil }
        if !bytes.contains(0x3a) {
            guard let number = Self.four(bytes[...]) else { return nil }
            self = .v4(number)
            return
        }
        let parts = bytes.split(separator: 0x25, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count == 1 || !parts[1].isEmpty,
            let groups = Self.groups(parts[0])
        else { return nil }
        func half(_ range: Range<Int>) -> UInt64 {
            groups[range].reduce(0) { $0 << 16 | UInt64($1) }
        }
        self = Self.undressed(high: half(0..<4), low: half(4..<8))
    }

    /// An address from its 4 or 16 bytes in network order; `nil` for another number of bytes.
    public init?(bytes: [UInt8]) {
        func number(_ range: Range<Int>) -> UInt64 {
            bytes[range].reduce(0) { $0 << 8 | UInt64($1) }
        }
        switch bytes.count {
        case 4: self = .v4(UInt32(truncatingIfNeeded: number(0..<4)))
        case 16: self = Self.undressed(high: number(0..<8), low: number(8..<16))
        default: return nil
        }
    }

    /// Only this machine reaches it, whichever machine that is.
    public var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    /// Means something on one link only.
    public var isLinkLocal: Bool {
        switch self {
        case .v4(let number): number >> 16 == 0xa9fe
        case .v6(let high, _): high >> 54 == 0x3fa
        }
    }

    /// One machine may have it: not unspecified, multicast, broadcast or of no meaning.
    public var isOfOneMachine: Bool {
        switch self {
        // 0.0.0.0/8 is this machine to some kernels; from 224 on it is
        // multicast, reserved, broadcast.
        case .v4(let number): (1..<224).contains(number >> 24)
        case .v6(let high, let low):
            high >> 56 != 0xff && !(high == 0 && low >> 32 == 0 && low != 1)
        }
    }

    private static func undressed(high: UInt64, low: UInt64) -> HostAddress {
        high == 0 && low >> 32 == 0xffff
            ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high: high, low: low)
    }

    /// Four decimal numbers without leading zeros, which some readers take for octal ones.
    private static func four(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: 0x2e, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.count == 1 || part.first != 0x30,
                part.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            let value = part.reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
            guard value <= 255 else { return nil }
            number = number << 8 | value
        }
        return number
    }

    /// The eight groups of an IPv6 address.
    private static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        var before: [UInt16] = []
        var after: [UInt16]?
        var rest = text
        if rest.starts(with: [0x3a, 0x3a]) {
            after = []
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let part = rest.prefix { $0 != 0x3a }
            rest = rest.dropFirst(part.count)
            let found: [UInt16]
            if rest.isEmpty, part.contains(0x2e) {
                guard let number = four(part) else { return nil }
                found = [UInt16(number >> 16), UInt16(number & 0xffff)]
            } else {
                guard let group = group(part) else { return nil }
                found = [group]
            }
            if after == nil { before += found } else { after?.append(contentsOf: found) }
            guard before.count + (after?.count ?? 0) <= 8 else { return nil }
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == 0x3a {
                guard after == nil else { return nil }
                after = []
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        guard let after else { return before.count == 8 ? before : nil }
        let missing = 8 - before.count - after.count
        guard missing > 0 else { return nil }
        return before + Array(repeating: 0, count: missing) + after
    }

    private static func group(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(text.count) else { return nil }
        var value: UInt16 = 0
        for byte in text {
            guard let digit = byte.hexadecimalValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}

/// An address of this machine and how many of its first bits its whole network shares.
public struct NetworkPrefix: Hashable, Sendable {
    /// This machine's address.
    public let own: HostAddress
    /// Bits that the machines of the network have in common.
    public let length: Int

    /// A network by the own address in it.
    public init(own: HostAddress, length: Int) {
        self.own = own
        self.length = length
    }

    /// Whether a machine with this address would be on the same link.
    func contains(_ host: HostAddress) -> Bool {
        switch (own, host) {
        case (.v4(let mine), .v4(let other)):
            // A network of half the Internet is a tunnel's or a mistake.
            guard (8...32).contains(length) else { return false }
            let rest: UInt32 = length == 32 ? 0 : .max >> UInt32(length)
            // All bits of the rest set is everybody; none is the network itself. A
            // link of two has neither.
            let isOne = length >= 31 || (other & rest != rest && other & rest != 0)
            return mine & ~rest == other & ~rest && (isOne || other == mine)
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
            guard (32...128).contains(length) else { return false }
            let restHigh: UInt64 = length >= 64 ? 0 : .max >> UInt64(length)
            let restLow: UInt64 =
                length <= 64 ? .max : length == 128 ? 0 : .max >> UInt64(length - 64)
            return high & ~restHigh == otherHigh & ~restHigh
                && low & ~restLow == otherLow & ~restLow
        case (.v4, .v6), (.v6, .v4): return false
        }
    }
}

/// The networks that this machine is on, as its shell sees them now, and what may be dialled there.
///
/// An agent that lives on loopback only has the loopback networks here; every
/// other one has none of them.
public struct OwnNetworks: Hashable, Sendable {
    /// The prefixes.
    public let prefixes: [NetworkPrefix]

    /// On these networks.
    public init(_ prefixes: [NetworkPrefix]) { self.prefixes = prefixes }

    /// No network: only addresses that the user typed are dialled.
    public static let none = OwnNetworks([])

    /// Whether an instance that mDNS showed may be dialled: a machine of one of these networks,
    /// this one too, where another passenger may sit.
    public func admitsSighted(_ address: PeerAddress) -> Bool {
        guard address.port != 0, let host = address.numeric, host.isOfOneMachine else {
            return false
        }
        return prefixes.contains { $0.contains(host) }
    }

    /// Whether a place that another agent told of may be dialled: on one of these networks,
    /// not this machine itself (but for loopback, where all agents are on it), and nothing
    /// that is local to a link.
    public func admitsTold(_ address: PeerAddress) -> Bool {
        guard admitsSighted(address), let host = address.numeric, !host.isLinkLocal else {
            return false
        }
        return host.isLoopback || !prefixes.contains { $0.own == host }
    }
}
