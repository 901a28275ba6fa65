// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What goes between the agent under test and its neighbours, as the cable has it: frames, TLS
/// records of 22 bytes more, segments with 52 bytes of headers, and an acknowledgement of as many
/// for each transmission.
struct Traffic {
    private(set) var inward = 0
    private(set) var outward = 0
    /// TLS handshakes, at 3 KB each.
    private(set) var handshakes = 0
    /// Bytes of frames that came in, by the name of their type.
    private(set) var kinds: [String: Int] = [:]

    private static let record = (size: 16 * 1024, overhead: 22)
    private static let segment = (size: 1448, overhead: 52)

    /// Neighbours say something to the agent.
    mutating func tell(_ bytes: [UInt8]) {
        inward += Self.cost(bytes.count)
        count(bytes)
    }

    /// The agent says something.
    mutating func hear(_ bytes: [UInt8]) {
        outward += Self.cost(bytes.count)
    }

    /// A connection was made.
    mutating func link() { handshakes += 3000 }

    private static func cost(_ count: Int) -> Int {
        guard count > 0 else { return 0 }
        let sealed = count + parts(count, record.size) * record.overhead
        return sealed + (parts(sealed, segment.size) + 1) * segment.overhead
    }

    private static func parts(_ count: Int, _ size: Int) -> Int { (count + size - 1) / size }

    /// The name of a frame's type; of a FRONTIER, too, whether it is a digest or a list.
    private static func name(of frame: Frame) -> String {
        guard let type = FrameType(rawValue: frame.type) else { return "\(frame.type)" }
        guard type == .frontier else { return "\(type)" }
        // The digest alone ends with null and 0.
        return frame.payload.suffix(2) == [0xf6, 0] ? "digest" : "frontier"
    }

    private mutating func count(_ bytes: [UInt8]) {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        while let frame = try? decoder.next() {
            let name = Self.name(of: frame)
            kinds[name, default: 0] += frame.payload.count + 5
        }
    }
}
