// SPDX-License-Identifier: Apache-2.0
/// Which flight under which rules: hash of the flight's key and the fold version (docs/protocol.md
/// section 2).
public struct FlightID: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }
}

/// Hash of a signed payload, signature excluded (docs/protocol.md section 8).
public struct EntryID: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }

    /// The token that a claim with this id mints.
    public var token: Token { Token(raw) }
}

/// The right to a seat: the id of the claim that minted it (docs/protocol.md section 8).
public struct Token: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }
}

/// Hash of a contract's bytes, `cid` (docs/protocol.md section 8).
public struct ContractID: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }
}

/// What made the present holder of a token its holder: the claim itself, or a contract.
public struct Producer: Bytes32Backed {
    /// The 32 bytes.
    public let raw: Bytes32
    /// Takes any 32 bytes.
    public init(_ raw: Bytes32) { self.raw = raw }
    /// Produced by a claim.
    public init(claim token: Token) { self.init(token.raw) }
    /// Produced by a contract.
    public init(contract id: ContractID) { self.init(id.raw) }
}

/// One tenure of a token: the token and what produced it (docs/protocol.md section 8).
public struct Slot: Hashable, Comparable, Sendable {
    /// The token.
    public let token: Token
    /// The claim's id, or the contract that moved the token last.
    public let producer: Producer

    /// A tenure of `token` produced by `producer`.
    public init(token: Token, producer: Producer) {
        self.token = token
        self.producer = producer
    }

    /// Orders by token, then producer.
    public static func < (left: Slot, right: Slot) -> Bool {
        left.token != right.token ? left.token < right.token : left.producer < right.producer
    }
}

/// 16 random bytes: the thread of one negotiation through its revisions, or a direct message.
public struct ThreadID: Hashable, Comparable, Sendable {
    /// The first 8 bytes as one number, big-endian.
    public let high: UInt64
    /// The last 8 bytes.
    public let low: UInt64

    /// Takes 16 bytes; `nil` for any other count.
    public init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A fresh one.
    public init(random: inout SeededRandom) {
        high = random.next()
        low = random.next()
    }

    /// Takes the 16 bytes as two big-endian words.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(16)
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                out.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return out
    }

    /// 32 lower-case hexadecimal digits.
    public var hex: String { hexadecimal(bytes) }

    /// Orders as big-endian numbers.
    public static func < (left: ThreadID, right: ThreadID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}
