// SPDX-License-Identifier: Apache-2.0
/// Valid settings for a schedule service.
package enum LookupSetting {
    /// Whether `key` may be part of an address as it is.
    package static func isKey(_ key: String) -> Bool {
        1...128 ~= key.utf8.count
            && key.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 & 0xDF || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
    }

    /// Whether `base` is the address of a service: encrypted, or on this machine.
    package static func isBase(_ base: String) -> Bool {
        let isHere = ["http://127.0.0.1", "http://[::1]"].contains { start in
            // A longer name that begins this way is another machine's.
            base.hasPrefix(start) && [":", "/"].contains(base.dropFirst(start.count).first)
        }
        return (isHere || base.hasPrefix("https://") && base.utf8.count > 8) && isPlain(base)
    }

    private static func isPlain(_ base: String) -> Bool {
        base.utf8.count <= 256 && !base.hasSuffix("/")
            && base.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 & 0xDF || "-._~/:[]".utf8.contains($0)
            }
    }
}
