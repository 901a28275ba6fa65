/// Bytes on their way out: appended at the end, taken from the front.
struct ByteQueue {
    /// An idle queue gives back storage above this: hundreds of quiet links must stay small.
    private static let keptWhenEmpty = 4 * 1024

    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Lends the first bytes, at most `limit`, to `body`.
    func withFront<Result, Failure: Error>(
        _ limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = start..<start + min(limit, count)
        return try bytes.withUnsafeBufferPointer { all throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
        }
    }

    /// Drops the first `taken` bytes.
    mutating func drop(_ taken: Int) {
        precondition(taken <= count, "more taken than there was")
        start += taken
        if start == bytes.count {
            let keeps = bytes.capacity <= Self.keptWhenEmpty
            bytes.removeAll(keepingCapacity: keeps)
            start = 0
        } else if start > 64 * 1024 && start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }
}
