// SPDX-License-Identifier: Apache-2.0
/// The instance name under which an agent is published: 16 lower-case hex digits of a random
/// 64-bit number, new at every start and at every network change (docs/protocol.md section 3).
package struct ServiceLabel: Hashable, Sendable, CustomStringConvertible {
    /// The 16 digits, with `doctor-` before them for a probe.
    package let text: String

    /// The label of `random`, which has to come from a good source: the label must tell nothing.
    package init(random: UInt64) {
        let digits = String(random, radix: 16)
        text = String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }

    /// The label of a probe: no name an agent can have, so that agents leave it alone.
    package init(probe random: UInt64) {
        text = Self.probePrefix + ServiceLabel(random: random).text
    }

    /// True if `name` is the name of a probe on this or another machine.
    package static func isProbeName(_ name: String) -> Bool {
        name.hasPrefix(probePrefix) && isInstanceName(String(name.dropFirst(probePrefix.count)))
    }

    private static let probePrefix = "doctor-"

    /// The digits.
    package var description: String { text }

    /// True if `name` is a name an agent can have: 16 lower-case hex digits, then perhaps the
    /// " #2" that Avahi appends when two instances collide. Everything else is not ours to follow.
    package static func isInstanceName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count >= digitCount, bytes.prefix(digitCount).allSatisfy(isHexDigit) else {
            return false
        }
        let suffix = bytes.dropFirst(digitCount)
        if suffix.isEmpty { return true }
        let number = suffix.dropFirst(2)
        return suffix.starts(with: Array(" #".utf8)) && (1...3).contains(number.count)
            && number.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static let digitCount = 16

    // A spelling, not a number: nothing is decoded, and capitals are none of ours.
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
