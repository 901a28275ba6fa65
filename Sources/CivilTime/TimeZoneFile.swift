// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Text

/// Reads the files of the system's time-zone database (RFC 9636).
extension TimeZoneRules {
    /// Where Debian and nearly everybody else keeps it.
    static let directory = "/usr/share/zoneinfo"

    /// The rules of `zone`, such as `Europe/Dublin`; `nil` if the system has no such zone or its
    /// file is not in the expected form.
    package static func named(_ zone: String, in directory: String = directory) -> TimeZoneRules? {
        let parts = zone.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy {
                    48...57 ~= $0 || 65...90 ~= $0 & 0xDF || $0 == 0x2B || $0 == 0x2D || $0 == 0x5F
                }
        }
        guard isName else { return nil }
        let descriptor = open(directory + "/" + zone, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        // The largest of all has some 4 KB; whatever is far longer is something else.
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_size <= 256 * 1024
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        var count = 0
        while count < bytes.count {
            let more = bytes[count...].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(count))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return nil }
            count += more
        }
        return TimeZoneRules(bytes)
    }

    /// Reads a whole file of any version; `nil` if it is malformed or counts leap seconds.
    init?(_ bytes: [UInt8]) {
        var reader = ZoneReader(rest: bytes[...])
        guard let old = reader.header() else { return nil }
        if old.version == 0 {
            guard let block = reader.block(old.counts, width: 4) else { return nil }
            self.init(first: block.first, changes: block.changes, rule: nil)
            return
        }
        // The first block is for readers from before 2005.
        guard reader.skip(old.counts.length(width: 4)), let new = reader.header(),
            let block = reader.block(new.counts, width: 8), let footer = reader.footer()
        else { return nil }
        let rule = footer.isEmpty ? nil : PosixRule(footer)
        guard rule != nil || footer.isEmpty else { return nil }
        self.init(first: block.first, changes: block.changes, rule: rule)
    }
}

/// Reads the parts of a file from the front.
private struct ZoneReader {
    var rest: ArraySlice<UInt8>

    /// How many of each there are in a block.
    struct Counts {
        let universal, standard, leaps, times, kinds, letters: Int

        /// Bytes of the block, with times of `width` bytes.
        func length(width: Int) -> Int {
            times * (width + 1) + kinds * 6 + letters + leaps * (width + 4) + standard + universal
        }
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Big-endian, with a sign.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let sign: UInt64 = (bytes.first ?? 0) & 0x80 != 0 ? .max : 0
        return Int64(bitPattern: bytes.reduce(sign) { $0 << 8 | UInt64($1) })
    }

    mutating func header() -> (version: UInt8, counts: Counts)? {
        guard let bytes = take(44), bytes.starts(with: Array("TZif".utf8)) else { return nil }
        let base = bytes.startIndex
        let numbers = (0..<6).map { index in
            let start = base + 20 + index * 4
            return Int(Self.number(bytes[start..<(start + 4)]))
        }
        guard numbers.allSatisfy({ 0...65_536 ~= $0 }), 1...256 ~= numbers[4] else { return nil }
        return (
            bytes[base + 4],
            Counts(
                universal: numbers[0], standard: numbers[1], leaps: numbers[2], times: numbers[3],
                kinds: numbers[4], letters: numbers[5])
        )
    }

    /// The first kind, which holds before any change, and the changes.
    mutating func block(
        _ counts: Counts, width: Int
    ) -> (first: TimeZoneRules.LocalKind, changes: [TimeZoneRules.Change])? {
        guard counts.leaps == 0, let times = take(counts.times * width),
            let indices = take(counts.times), let kinds = take(counts.kinds * 6),
            let letters = take(counts.letters), skip(counts.standard + counts.universal)
        else { return nil }
        var known: [TimeZoneRules.LocalKind] = []
        for index in 0..<counts.kinds {
            let start = kinds.startIndex + index * 6
            guard let kind = Self.kind(kinds[start..<(start + 6)], letters) else { return nil }
            known.append(kind)
        }
        var changes: [TimeZoneRules.Change] = []
        for (place, index) in indices.enumerated() {
            let start = times.startIndex + place * width
            let time = Self.number(times[start..<(start + width)])
            // Far beyond any date that is meant, and no sum of it overflows.
            guard -(1 << 59)...(1 << 59) ~= time, known.indices.contains(Int(index)),
                changes.last.map({ $0.at.seconds < time }) ?? true
            else { return nil }
            changes.append(.init(at: UTCTime(seconds: time), to: known[Int(index)]))
        }
        return known.first.map { ($0, changes) }
    }

    private static func kind(
        _ bytes: ArraySlice<UInt8>, _ letters: ArraySlice<UInt8>
    ) -> TimeZoneRules.LocalKind? {
        let start = bytes.startIndex
        let offset = number(bytes[start..<(start + 4)])
        let name = letters.dropFirst(Int(bytes[start + 5]))
        // RFC 9636 3.2: more than -25 and less than 26 hours.
        guard -89_999...93_599 ~= offset, let end = name.firstIndex(of: 0), bytes[start + 4] <= 1
        else { return nil }
        return TimeZoneRules.LocalKind(
            offset: offset, isDaylight: bytes[start + 4] == 1,
            abbreviation: visible(String(decoding: name[..<end], as: UTF8.self), cells: 16))
    }

    /// What stands between the two newlines at the end.
    mutating func footer() -> ArraySlice<UInt8>? {
        guard rest.first == 10 else { return nil }
        let text = rest.dropFirst()
        guard let end = text.firstIndex(of: 10) else { return nil }
        return text[..<end]
    }
}
