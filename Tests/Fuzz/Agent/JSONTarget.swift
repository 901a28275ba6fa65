// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import ControlAPI
import Protocol

@testable import Text

/// Lines of the control socket: cut anywhere they are the same lines, what is read is written as
/// the one line that reads as the same, and nothing in that line acts on a terminal.
///
/// Input: a byte that chooses where the stream is cut, the stream.
enum JSONTarget {
    private static let limit = 2048

    static func run(_ input: [UInt8]) -> Verdict {
        guard let cut = input.first else { return .refused }
        let stream = Array(input.dropFirst())
        var verdict = Verdict.refused
        for line in lines(stream, cut: 1 + Int(cut)) where read(line) { verdict = .accepted }
        return verdict
    }

    private static func lines(_ stream: [UInt8], cut: Int) -> [[UInt8]] {
        var buffer = LineBuffer(limit: limit)
        var lines: [[UInt8]] = []
        var start = 0
        while start < stream.count {
            let end = min(start + cut, stream.count)
            buffer.append(stream[start..<end])
            start = end
            while let line = buffer.nextLine() { lines.append(line) }
        }
        var expected = stream.split(separator: 10, omittingEmptySubsequences: false).map {
            Array($0)
        }
        let rest = expected.removeLast()
        for index in expected.indices where expected[index].last == 13 {
            expected[index].removeLast()
        }
        hold(lines == expected, "the cuts changed the lines")
        hold(buffer.isOverfull == (rest.count > limit), "the limit is not kept")
        hold(buffer.takeRest() == rest && buffer.isEmpty, "the rest is another")
        return lines + [rest]
    }

    private static func read(_ line: [UInt8]) -> Bool {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(line: line)
        } catch {
            hold((0...line.count).contains(error.offset), "refused outside of the line")
            return false
        }
        let written = json.line
        hold(written.unicodeScalars.allSatisfy(\.isSafeToPrint), "a line that acts")
        let again = try? JSON(line: written)
        hold(again == json, "written as another value")
        hold(again?.line == written, "two lines of one value")
        for text in texts(json) { show(text) }
        if let request = try? ControlRequest(json) {
            let copy = (try? JSON(line: request.line)).flatMap { try? ControlRequest($0) }
            hold(copy == request, "another request")
        }
        let error = UserError(json: json)
        hold(UserError(json: error.json) == error, "another error")
        return true
    }

    private static func texts(_ json: JSON) -> [String] {
        switch json {
        case .null, .bool, .int, .double: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(texts)
        case .object(let members): members.flatMap { [$0.key] + texts($0.value) }
        }
    }

    /// What a passenger wrote, in few cells.
    private static func show(_ text: String) {
        let cells = 12
        let shown = visible(text, cells: cells)
        hold(shown.unicodeScalars.allSatisfy(\.isSafeToPrint), "shown text acts")
        hold(cellWidth(shown) <= cells, "shown text is too wide")
        hold(cellWidth(padded(text, to: cells)) == cells, "padded to another width")
        if let bytes = Base64.decode(text) {
            hold(Base64.encode(bytes) == text, "two texts of the same bytes")
        }
    }
}
