// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the kernel answered when a system call failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` value.
    package let code: Int32

    /// An error with a known `errno` value.
    package init(code: Int32) { self.code = code }

    /// The error that the last failed call of this thread left behind.
    package static var last: SystemError { SystemError(code: errno) }

    /// The system's own words, such as "Connection refused".
    package var description: String { String(cString: strerror(code)) }
}
