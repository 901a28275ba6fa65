// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// Asks NetworkManager, or looks for hostapd, whether this machine runs a hotspot. Neither has to
/// be there.
struct Hotspots {
    /// As `PATH`.
    let path: String

    private static let patience = TimeSpan.seconds(2)
    /// Connections that are asked about: a machine has one or two radios.
    private static let most = 4

    var fact: HotspotFact {
        let nmcli = ProgramOutput.find("nmcli", path: path)
        let active = nmcli.flatMap {
            Self.output([
                $0, "--terse", "--fields", "UUID,TYPE,DEVICE", "connection", "show", "--active",
            ])
        }
        for one in Self.wireless(active ?? "").prefix(Self.most) {
            let mode = nmcli.flatMap {
                Self.output([
                    $0, "--get-values", "802-11-wireless.mode", "connection", "show", one.id,
                ])
            }
            if Self.isAccessPoint(mode ?? "") { return .runs(one.device) }
        }
        if Self.isRunning("hostapd") { return .runs(nil) }
        let isKnown = active != nil || ProgramOutput.find("hostapd", path: path) != nil
        return isKnown ? .none : .unknown
    }

    /// Connections by Wi-Fi in what `nmcli` printed (nmcli(1)).
    static func wireless(_ output: String) -> [(id: String, device: String)] {
        output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1] == "802-11-wireless",
                parts[0].utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 || $0 == 45 })
            else { return nil }
            return (String(parts[0]), String(parts[2]))
        }
    }

    /// Whether `nmcli` says that a connection is a hotspot.
    static func isAccessPoint(_ output: String) -> Bool {
        output.split(separator: "\n").first == "ap"
    }

    private static func output(_ arguments: [String]) -> String? {
        ProgramOutput.of(arguments, deadline: SystemClock.now() + patience)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a program of that name runs, as the kernel says to everybody (proc(5)).
    private static func isRunning(_ name: String) -> Bool {
        guard let folder = opendir("/proc") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            guard (48...57).contains(entry.pointee.d_name.0) else { continue }
            let number = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let file = fopen("/proc/\(number)/comm", "re") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 32)
            guard fgets(&line, Int32(line.count), file) != nil else { continue }
            let word = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
            if word.elementsEqual(name.utf8) { return true }
        }
        return false
    }
}
