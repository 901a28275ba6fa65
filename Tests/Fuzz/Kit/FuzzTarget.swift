// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What became of one input. Broken properties do not come back: they end
/// the process with a message.
package enum Verdict: Hashable, Sendable {
    /// The bytes were taken as what the target reads.
    case accepted
    /// They were refused, as they may be.
    case refused
}

/// A property of everything that is tried: where it does not hold the process ends.
package func hold(_ holds: @autoclosure () -> Bool, _ property: @autoclosure () -> String) {
    if !holds() { broken(property()) }
}

/// Says what is wrong, which a release build would keep to itself, and ends the process.
package func broken(_ property: String) -> Never {
    let line = Array("Broken property: \(property)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    fatalError(property)
}

/// Something that is fuzzed: a pure function of bytes, in which a broken property ends the process.
package struct FuzzTarget: Sendable {
    /// Its name on the command line, and of its folders of inputs.
    package let name: String
    /// Longest input that is tried, in bytes.
    package let longest: Int
    /// Tries one input.
    package let run: @Sendable ([UInt8]) -> Verdict

    /// All of it.
    package init(name: String, longest: Int, run: @escaping @Sendable ([UInt8]) -> Verdict) {
        self.name = name
        self.longest = longest
        self.run = run
    }
}

/// Bytes as a row of decisions; zeros when they are used up.
package struct Choices {
    private let bytes: [UInt8]
    private var offset = 0

    /// Decisions by these bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all decisions are made.
    package var isEmpty: Bool { offset >= bytes.count }

    /// The next byte.
    package mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        offset += 1
        return bytes[offset - 1]
    }

    /// A number in `0..<count`; 0 for a count of 0.
    package mutating func below(_ count: Int) -> Int { count > 0 ? Int(byte()) % count : 0 }

    /// A decision that is taken in one of `count` cases.
    package mutating func once(in count: Int) -> Bool { below(count) == count - 1 }

    /// Two bytes as a number.
    package mutating func wide() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// One of `list`.
    package mutating func one<T>(of list: [T]) -> T? {
        list.isEmpty ? nil : list[below(list.count)]
    }

    /// Up to `count` bytes as they are.
    package mutating func take(_ count: Int) -> [UInt8] {
        let end = min(offset + count, bytes.count)
        defer { offset = end }
        return Array(bytes[min(offset, end)..<end])
    }

    /// Whatever is left.
    package mutating func rest() -> [UInt8] { take(bytes.count) }
}
