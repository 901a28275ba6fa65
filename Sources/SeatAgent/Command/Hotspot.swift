// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// A hotspot of this computer, as NetworkManager tells of it.
struct Hotspot: Hashable {
    let name: String
    /// `nil` where it is not told to this user.
    let passphrase: String?

    private static let patience = TimeSpan.seconds(3)

    /// Those that run; none where NetworkManager is not there.
    static func running(path: String) -> [Hotspot] {
        guard let program = ProgramOutput.find("nmcli", path: path) else { return [] }
        let deadline = SystemClock.now() + patience
        func said(_ words: [String]) -> [String] {
            let output = ProgramOutput.of([program] + words, deadline: deadline) ?? []
            return String(decoding: output, as: UTF8.self)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let active = said(["-t", "-f", "UUID,TYPE", "connection", "show", "--active"])
        return wireless(active).compactMap { id in
            Hotspot(
                said([
                    "-s", "-e", "no", "-g",
                    "802-11-wireless.mode,802-11-wireless.ssid,802-11-wireless-security.psk",
                    "connection", "show", id,
                ]))
        }
    }

    /// The numbers of connections that are Wi-Fi.
    static func wireless(_ lines: [String]) -> [String] {
        lines.filter { $0.hasSuffix(":802-11-wireless") }.map { String($0.prefix { $0 != ":" }) }
    }

    /// Reads mode, name and passphrase, a line each; `nil` for a network of somebody else.
    init?(_ lines: [String]) {
        guard lines.count >= 3, lines[0] == "ap", !lines[1].isEmpty else { return nil }
        name = lines[1]
        passphrase = lines[2].isEmpty ? nil : lines[2]
    }
}
