// SPDX-License-Identifier: Apache-2.0
/// Splits bytes that come in pieces into lines.
package struct LineBuffer: Hashable, Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private let limit: Int

    /// A buffer for lines of at most `limit` bytes, not counting the line end.
    package init(limit: Int) { self.limit = limit }

    /// Adds bytes that came.
    package mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// The next whole line without its `\n` and a `\r` before it; `nil` while none is complete.
    package mutating func nextLine() -> [UInt8]? {
        while scanned < bytes.count {
            guard bytes[scanned] == 10 else {
                scanned += 1
                continue
            }
            var line = Array(bytes[start..<scanned])
            if line.last == 13 { line.removeLast() }
            scanned += 1
            start = scanned
            compact()
            return line
        }
        return nil
    }

    /// What follows the last line end, for the end of the stream; empty afterwards.
    package mutating func takeRest() -> [UInt8] {
        defer { (bytes, start, scanned) = ([], 0, 0) }
        return Array(bytes[start...])
    }

    /// Whether the present line is longer than allowed.
    package var isOverfull: Bool { bytes.count - start > limit }

    /// Whether nothing is buffered.
    package var isEmpty: Bool { bytes.count == start }

    /// Removes what was read once it is the larger part, so that each byte moves at most twice.
    private mutating func compact() {
        guard start == bytes.count || start > 64 * 1024 && start > bytes.count / 2 else { return }
        bytes.removeFirst(start)
        scanned -= start
        start = 0
    }
}
