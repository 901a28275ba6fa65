// SPDX-License-Identifier: Apache-2.0
import Glibc
@testable import Protocol

/// What became of one input. Broken properties do not come back: they end
/// the process with a message.
enum Verdict: Hashable, Sendable {
    /// The bytes were taken as what the target reads.
    case accepted
    /// They were refused, as they may be.
    case refused
}

/// A property of everything that is tried: where it does not hold the process ends.
func hold(_ holds: @autoclosure () -> Bool, _ property: @autoclosure () -> String) {
    if !holds() { broken(property()) }
}

/// Says what is wrong, which a release build would keep to itself, and ends the process.
func broken(_ property: String) -> Never {
    let line = Array("Broken property: \(property)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    fatalError(property)
}

/// Something that is fuzzed: a pure function of bytes, in which a broken property ends the process.
struct FuzzTarget: Sendable {
    /// Its name on the command line, and of its folders of inputs.
    let name: String
    /// Longest input that is tried, in bytes.
    let longest: Int
    /// Tries one input.
    let run: @Sendable ([UInt8]) -> Verdict

    // Those that only decode have small programs of their own, in which they are fastest.
    #if !PASSES
        private static let readers = [
            FuzzTarget(name: "frames", longest: 1024, run: FramesTarget.run),
            FuzzTarget(name: "cbor", longest: 1024, run: CBORTarget.run),
            FuzzTarget(name: "libcbor", longest: 1024, run: LibCBORTarget.run),
            FuzzTarget(name: "messages", longest: 4096, run: MessagesTarget.run),
        ]
    #endif

    #if !READERS
        private static let passes = [
            FuzzTarget(name: "boarding", longest: 1024, run: BoardingTarget.run)
        ]
    #endif

    #if READERS
        static let all = readers
    #elseif PASSES
        static let all = passes
    #else
        /// All of them.
        static let all: [FuzzTarget] =
            readers + passes + [
                FuzzTarget(name: "contracts", longest: 4096, run: ContractsTarget.run),
                FuzzTarget(name: "entries", longest: 8192, run: EntriesTarget.run),
                FuzzTarget(name: "cabins", longest: 4096, run: CabinsTarget.run),
                FuzzTarget(name: "json", longest: 4096, run: JSONTarget.run),
                FuzzTarget(name: "hello", longest: 1024, run: HelloTarget.run),
                FuzzTarget(name: "bundles", longest: 16384, run: BundlesTarget.run),
                FuzzTarget(name: "records", longest: 192, run: RecordsTarget.run),
                FuzzTarget(name: "requests", longest: 768, run: RequestsTarget.run),
                FuzzTarget(name: "node", longest: 256, run: NodeTarget.run),
            ]
    #endif

    /// The target of that name.
    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Bytes as a row of decisions; zeros when they are used up.
struct Choices {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all decisions are made.
    var isEmpty: Bool { offset >= bytes.count }

    /// The next byte.
    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        offset += 1
        return bytes[offset - 1]
    }

    /// A number in `0..<count`; 0 for a count of 0.
    mutating func below(_ count: Int) -> Int { count > 0 ? Int(byte()) % count : 0 }

    /// A decision that is taken in one of `count` cases.
    mutating func once(in count: Int) -> Bool { below(count) == count - 1 }

    /// Two bytes as a number.
    mutating func wide() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// One of `list`.
    mutating func one<T>(of list: [T]) -> T? { list.isEmpty ? nil : list[below(list.count)] }

    /// Up to `count` bytes as they are.
    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(offset + count, bytes.count)
        defer { offset = end }
        return Array(bytes[min(offset, end)..<end])
    }

    /// Whatever is left.
    mutating func rest() -> [UInt8] { take(bytes.count) }
}
