// SPDX-License-Identifier: Apache-2.0

/// Answers of the DNS, made by hand (RFC 1035 section 4).
struct DNSAnswer {
    var bytes: [UInt8]

    /// An answer to one question for SRV records.
    init(to name: String, records: Int) {
        bytes = [0, 7, 0x81, 0x80, 0, 1, UInt8(records >> 8), UInt8(records & 0xFF), 0, 0, 0, 0]
        bytes += Self.name(name) + [0, 33, 0, 1]
    }

    /// One more record, whose name points to the question's.
    mutating func add(port: UInt16, target: [UInt8], type: UInt8 = 33, length: Int? = nil) {
        let data: [UInt8] = [0, 1, 0, 2, UInt8(port >> 8), UInt8(port & 0xFF)] + target
        let count = length ?? data.count
        bytes += [0xC0, 12, 0, type, 0, 1, 0, 0, 1, 0, UInt8(count >> 8), UInt8(count & 0xFF)]
        bytes += data
    }

    /// A name without pointers.
    static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
