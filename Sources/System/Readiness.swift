// SPDX-License-Identifier: Apache-2.0
/// What a file descriptor is watched for, and what it turned out to be ready for.
package struct Readiness: OptionSet, Sendable {
    /// One bit per kind.
    package let rawValue: UInt8

    /// A set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What a connection is watched for: its bytes, room for more, both or nothing. An array
    /// literal of another module goes through generic code, each time.
    package init(reads: Bool, writes: Bool) { rawValue = (reads ? 1 : 0) | (writes ? 2 : 0) }

    /// Whether it has ``read``.
    package var reads: Bool { contains(.read) }
    /// Whether it has ``write``.
    package var writes: Bool { contains(.write) }

    /// Bytes, a connection or the end of the stream can be read.
    package static let read = Readiness(rawValue: 1)
    /// Bytes can be written, or a connection attempt has ended.
    package static let write = Readiness(rawValue: 2)
    /// The other end is gone or an error waits. Told without being asked for, always together
    /// with everything the descriptor is watched for, so that the next call finds the reason.
    package static let hangUp = Readiness(rawValue: 4)
}
