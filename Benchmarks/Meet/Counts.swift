// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What is counted at the agents' ends of all connections.
struct Counts {
    /// Messages that came and that were published.
    var delivered = 0
    var published = 0
    /// Subscriptions that were asked for.
    var subscribed = 0
    /// Bytes of MQTT that the agents got and sent.
    var bytesOut = 0
    var bytesIn = 0
    /// Connections that were made, and that ended unasked.
    var connected = 0
    var lost = 0
    /// What brokers refused.
    var refused = 0
    /// Entries that were said.
    var said = 0

    static func - (left: Counts, right: Counts) -> Counts {
        Counts(
            delivered: left.delivered - right.delivered,
            published: left.published - right.published,
            subscribed: left.subscribed - right.subscribed,
            bytesOut: left.bytesOut - right.bytesOut, bytesIn: left.bytesIn - right.bytesIn,
            connected: left.connected - right.connected, lost: left.lost - right.lost,
            refused: left.refused - right.refused, said: left.said - right.said)
    }
}

/// What a process has used, by `/proc` (proc(5)).
struct ProcessUse {
    /// Seconds of processor.
    let seconds: Double
    /// Bytes that it holds: those that it wrote, where the kernel says so, else all.
    let memory: Int

    init(of process: Int) {
        let stat = Self.text("/proc/\(process)/stat")
        // Behind the name, which may have blanks: state is the third field, utime the 14th.
        let fields = stat.drop { $0 != ")" }.split(separator: " ")
        let ticks = fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
        seconds = Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
        memory =
            Self.kilobytes("Private_Dirty:", "/proc/\(process)/smaps_rollup")
            ?? Self.kilobytes("VmRSS:", "/proc/\(process)/status") ?? 0
    }

    private static func kilobytes(_ name: String, _ path: String) -> Int? {
        let words = text(path).split { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard let index = words.firstIndex(of: name[...]), index + 1 < words.count else {
            return nil
        }
        return Int(words[index + 1]).map { $0 * 1024 }
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, 8192, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
