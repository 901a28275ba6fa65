/// Which flight under which rules: hash of the flight's key and the fold version (docs/protocol.md
/// section 2).
package struct FlightID: Bytes32Backed {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Hash of a signed payload, signature excluded (docs/protocol.md section 8).
package struct EntryID: Bytes32Backed {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }

    /// The token that a claim with this id mints.
    package var token: Token { Token(raw) }
}

/// The right to a seat: the id of the claim that minted it (docs/protocol.md section 8).
package struct Token: Bytes32Backed {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// Hash of a contract's bytes, `cid` (docs/protocol.md section 8).
package struct ContractID: Bytes32Backed {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
}

/// What made the present holder of a token its holder: the claim itself, or a contract.
package struct Producer: Bytes32Backed {
    package let raw: Bytes32
    package init(_ raw: Bytes32) { self.raw = raw }
    /// Produced by a claim.
    package init(claim token: Token) { self.init(token.raw) }
    /// Produced by a contract.
    package init(contract id: ContractID) { self.init(id.raw) }
}

/// One tenure of a token: the token and what produced it (docs/protocol.md section 8).
package struct Slot: Hashable, Comparable, Sendable {
    /// The token.
    package let token: Token
    /// The claim's id, or the contract that moved the token last.
    package let producer: Producer

    /// A tenure of `token` produced by `producer`.
    package init(token: Token, producer: Producer) {
        self.token = token
        self.producer = producer
    }

    package static func < (left: Slot, right: Slot) -> Bool {
        left.token != right.token ? left.token < right.token : left.producer < right.producer
    }
}

/// 16 random bytes: the thread of one negotiation through its revisions, or a direct message.
package struct ThreadID: Hashable, Comparable, Sendable {
    /// The first 8 bytes as one number, big-endian.
    package let high: UInt64
    /// The last 8 bytes.
    package let low: UInt64

    /// Takes 16 bytes; `nil` for any other count.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A fresh one.
    package init(random: inout SeededRandom) {
        high = random.next()
        low = random.next()
    }

    /// Takes the 16 bytes as two big-endian words.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes.
    package var bytes: [UInt8] {
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
    package var hex: String { hexadecimal(bytes) }

    package static func < (left: ThreadID, right: ThreadID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}
