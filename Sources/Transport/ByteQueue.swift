// SPDX-License-Identifier: Apache-2.0
/// Bytes on their way out: appended at the end, taken from the front.
///
/// Keeps much storage while it is used to the full, and gives it back when little passes through
/// it, as on a link that goes quiet after a burst: hundreds of quiet links must stay small.
package struct ByteQueue {
    /// Storage up to this is never given back: a keep-alive with its record, or a line of chat.
    private static let smallStorage = 256
    /// Storage up to this is given back at once: it is had again in less time than a record takes.
    private static let mediumStorage = 4 * 1024

    private var bytes: [UInt8] = []
    private var start = 0

    /// None yet.
    package init() {}

    /// Bytes that wait.
    package var count: Int { bytes.count - start }
    /// Whether none waits.
    package var isEmpty: Bool { start == bytes.count }
    /// Bytes of storage, for tests.
    var capacity: Int { bytes.capacity }

    /// Puts bytes behind those that wait.
    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Lends the first bytes, at most `limit`, to `body`.
    package func withFront<Result, Failure: Error>(
        _ limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = start..<start + min(limit, count)
        return try bytes.withUnsafeBufferPointer { all throws(Failure) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
        }
    }

    /// Drops the first `taken` bytes.
    package mutating func drop(_ taken: Int) {
        precondition(taken <= count, "more taken than there was")
        start += taken
        if start == bytes.count {
            // The count is what has passed since it was last empty.
            let wasUsed = bytes.count > max(bytes.capacity / 8, Self.mediumStorage)
            bytes.removeAll(keepingCapacity: wasUsed || bytes.capacity <= Self.smallStorage)
            start = 0
        } else if start > 64 * 1024 && start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }
}
