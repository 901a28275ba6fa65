// SPDX-License-Identifier: Apache-2.0
/// Bytes that come in pieces, cut into lines.
package struct LineBuffer: Hashable, Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private let limit: Int

    /// Lines of at most `limit` bytes, the line end not counted.
    package init(limit: Int) { self.limit = limit }

    /// Adds what came.
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

    /// What stands after the last line end, for the end of the stream; empty afterwards.
    package mutating func takeRest() -> [UInt8] {
        defer { (bytes, start, scanned) = ([], 0, 0) }
        return Array(bytes[start...])
    }

    /// Whether the line under way is longer than allowed.
    package var isOverfull: Bool { bytes.count - start > limit }

    /// Whether nothing is kept.
    package var isEmpty: Bool { bytes.count == start }

    /// Cuts what was read off once it is the larger part, so that each byte moves at most twice.
    private mutating func compact() {
        guard start == bytes.count || start > 64 * 1024 && start > bytes.count / 2 else { return }
        bytes.removeFirst(start)
        scanned -= start
        start = 0
    }
}
