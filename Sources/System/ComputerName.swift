// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What this computer is called, and what avahi-daemon says that it is called.
package enum ComputerName {
    /// The kernel's name for this computer, its first part; empty where it has none.
    package static var own: String {
        var text = [CChar](repeating: 0, count: 256)
        guard gethostname(&text, text.count - 1) == 0 else { return "" }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return label(of: String(decoding: bytes, as: UTF8.self))
    }

    /// The first part of a host name.
    package static func label(of host: String) -> String {
        String(host.prefix { $0 != "." })
    }

    /// Whether an announced name is that of the computer. avahi-daemon appends `-2` and so on where
    /// two have the same, and announces as `linux` a computer without a name.
    package static func isOwn(_ host: String, computer: String) -> Bool {
        let announced = label(of: host).lowercased()
        let own = computer.lowercased()
        guard !own.isEmpty, own != "localhost", announced.hasPrefix(own) else { return false }
        let rest = announced.dropFirst(own.count)
        return rest.isEmpty || rest.hasPrefix("-") && rest.dropFirst().allSatisfy(\.isNumber)
    }

    /// A name that says nothing.
    package static func fresh() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        let first = letters[Int.random(in: 0..<26)]
        return String(first) + String((0..<9).map { _ in letters[Int.random(in: 0..<32)] })
    }
}
