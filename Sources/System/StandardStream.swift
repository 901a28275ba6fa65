// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a program that is no command says: lines straight to a descriptor.
package enum StandardStream {
    /// A line for people on standard error.
    package static func err(_ line: String) { write(line, to: 2) }

    /// A line for the program that asked on standard output. Gives the `errno` of a failure.
    @discardableResult
    package static func out(_ line: String) -> Int32? { write(line, to: 1) }

    @discardableResult
    private static func write(_ line: String, to descriptor: Int32) -> Int32? {
        let bytes = Array((line + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: buffer[sent...]).baseAddress,
                    bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            // Nobody reads it any more.
            guard count > 0 else { return errno }
            sent += count
        }
        return nil
    }
}
