// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// A stream cut into pieces anywhere gives the same frames, or the same refusal,
/// as the whole stream does.
///
/// Input: the limit, two bytes that choose where the stream is cut, the stream.
enum FramesTarget {
    /// Limits that are tried.
    private static let limits = [1, 2, 16, 256, Limits.frameBeforeHello, Limits.frame]

    static func run(_ input: [UInt8]) -> Verdict {
        guard input.count >= 3 else { return .refused }
        let limit = limits[Int(input[0]) % limits.count]
        let stream = Array(input[3...])
        let expected = split(stream, limit)

        var decoder = FrameDecoder(limit: limit)
        var frames: [Frame] = []
        var fault: DecodeError.Code?
        var chance = UInt32(input[1]) << 8 | UInt32(input[2])
        var start = 0
        while start < stream.count, fault == nil {
            chance = chance &* 1_664_525 &+ 1_013_904_223
            let size = input[1] == 0 ? stream.count : 1 + Int(chance >> 24) % (Int(input[1]) + 1)
            let end = min(start + size, stream.count)
            decoder.append(Array(stream[start..<end]))
            start = end
            do throws(DecodeError) {
                while let frame = try decoder.next() { frames.append(frame) }
                hold(decoder.waiting < 4 + limit, "a whole frame was not drawn")
            } catch {
                fault = error.code
            }
        }
        hold(frames == expected.frames, "the cuts changed the frames")
        hold(fault == expected.fault, "the cuts changed the refusal")
        let encoded = frames.flatMap(\.bytes)
        hold(stream.starts(with: encoded), "frames encode to other bytes")
        if fault == nil {
            hold(encoded.count + decoder.waiting == stream.count, "bytes were lost")
        }
        return frames.isEmpty ? .refused : .accepted
    }

    /// The frames of a whole stream, in the plainest way.
    private static func split(
        _ stream: [UInt8], _ limit: Int
    ) -> (frames: [Frame], fault: DecodeError.Code?) {
        var frames: [Frame] = []
        var rest = stream[...]
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 * 256 + Int($1) }
            if length == 0 { return (frames, .tooSmall) }
            if length > limit { return (frames, .tooLarge) }
            guard rest.count >= 4 + length else { break }
            let frame = rest.dropFirst(4).prefix(length)
            frames.append(Frame(type: frame[frame.startIndex], payload: Array(frame.dropFirst())))
            rest = rest.dropFirst(4 + length)
        }
        return (frames, nil)
    }
}
