// SPDX-License-Identifier: Apache-2.0
/// Exactly 32 bytes, held inline: a public key, a SHA-256 digest, a token.
///
/// Ordered as byte strings are, first byte first.
public struct Bytes32: Hashable, Comparable, Sendable {
    private let a: UInt64
    private let b: UInt64
    private let c: UInt64
    private let d: UInt64

    /// Number of bytes: 32.
    public static let count = 32

    /// All zero.
    public static let zero = Bytes32(a: 0, b: 0, c: 0, d: 0)

    private init(a: UInt64, b: UInt64, c: UInt64, d: UInt64) {
        (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    /// Takes 32 bytes; `nil` for any other count.
    public init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() {
            switch index >> 3 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
        }
        self.init(a: words.0, b: words.1, c: words.2, d: words.3)
    }

    /// Takes 32 bytes; `nil` for any other count. It is not generic, so that calls from
    /// other modules are direct.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.init(bytes.span.bytes, at: 0)
    }

    /// Takes the 32 bytes of `span` at `offset`; `nil` if fewer are left.
    @inline(__always)
    public init?(_ span: RawSpan, at offset: Int) {
        guard offset >= 0, offset <= span.byteCount - Self.count else { return nil }
        let words = span.unsafeLoadUnaligned(
            fromByteOffset: offset, as: (UInt64, UInt64, UInt64, UInt64).self)
        self.init(
            a: words.0.bigEndian, b: words.1.bigEndian, c: words.2.bigEndian,
            d: words.3.bigEndian)
    }

    /// The 32 bytes as an array.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(Self.count)
        append(to: &out)
        return out
    }

    /// Appends the 32 bytes to `out`.
    public func append(to out: inout [UInt8]) {
        withUnsafeBytes(of: (a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian)) {
            out.append(contentsOf: $0)
        }
    }

    /// The bytes as four numbers, each big-endian.
    var words: (UInt64, UInt64, UInt64, UInt64) { (a, b, c, d) }

    /// The first 8 bytes as one number, big-endian: the short form in a frontier.
    public var prefix8: UInt64 { a }

    /// Orders as big-endian numbers.
    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        if left.a != right.a { return left.a < right.a }
        if left.b != right.b { return left.b < right.b }
        if left.c != right.c { return left.c < right.c }
        return left.d < right.d
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { hexadecimal(bytes) }
}

/// A value that is 32 bytes and means one thing only: two kinds never mix.
public protocol Bytes32Backed: Hashable, Comparable, Sendable {
    /// The 32 bytes.
    var raw: Bytes32 { get }
    /// Wraps 32 bytes.
    init(_ raw: Bytes32)
}

extension Bytes32Backed {
    /// Wraps 32 bytes; `nil` for any other count.
    public init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard let raw = Bytes32(bytes) else { return nil }
        self.init(raw)
    }

    /// Wraps 32 bytes; `nil` for any other count.
    public init?(_ bytes: [UInt8]) {
        guard let raw = Bytes32(bytes) else { return nil }
        self.init(raw)
    }

    /// The 32 bytes as an array.
    public var bytes: [UInt8] { raw.bytes }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { raw.hex }

    /// Orders by bytes.
    public static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}
