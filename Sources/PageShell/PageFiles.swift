// SPDX-License-Identifier: Apache-2.0
import CPage
import Keys
import Protocol
package import Web

/// The files of the page, as they are sent: packed once, at the start.
package struct PageFiles: Sendable {
    private struct File: Sendable {
        let plain: HTTPAnswer
        let packed: HTTPAnswer
    }

    private var files: [String: File] = [:]

    /// All files that are compiled in.
    package init() {
        var number = 0
        while let path = page_file_at(number).path {
            let file = page_file_at(number)
            number += 1
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            let type = String(cString: file.type)
            let isScript = type.hasPrefix("text/javascript")
            var plain = HTTPAnswer(type: type, body: isScript ? Self.bare(bytes) : bytes)
            let digest = (SodiumPrimitives()?.sha256(plain.body).bytes ?? []).prefix(12)
            plain.tag = "\"\(hexadecimal(digest))\""
            var packed = plain
            packed.body = Self.packed(plain.body)
            packed.isPacked = true
            packed.tag = "\"\(hexadecimal(digest))-z\""
            files[String(cString: path)] = File(plain: plain, packed: packed)
        }
    }

    /// The words of which six stand for a key (docs/page.md section 6).
    package var codeWords: CodeWords? { files["/codewords"].flatMap { CodeWords($0.plain.body) } }

    /// The paths, in order.
    package var paths: [String] { files.keys.sorted() }

    /// Bytes that a browser gets for a path, with the heads above them or without; `nil` if there
    /// is no such file.
    package func packedCount(_ path: String, withHeads: Bool = false) -> Int? {
        guard let packed = files[path]?.packed else { return nil }
        let heads =
            PageHeads.of(packed) + [
                ("Content-Length", String(packed.body.count)),
                ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ]
        let sizes = heads.map { $0.utf8.count + $1.utf8.count + ": \r\n".utf8.count }
        let head = "HTTP/1.1 200 OK\r\n\r\n".utf8.count + sizes.reduce(0, +)
        return packed.body.count + (withHeads ? head : 0)
    }

    /// What is said to whoever wants a file.
    package func answer(to exchange: HTTPExchange) -> HTTPAnswer {
        guard let file = files[exchange.path] else { return .plain(404, "there is no such page") }
        var answer = exchange.unpacks ? file.packed : file.plain
        if let match = exchange.match, match == answer.tag {
            answer.status = 304
            answer.body = []
        }
        return answer
    }

    /// A script without lines of comments, which would be an eighth of its weight. Licences stay.
    static func bare(_ script: [UInt8]) -> [UInt8] {
        let lines = script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let kept = lines.filter { line in
            let words = line.drop { $0 == UInt8(ascii: " ") }
            return !words.starts(with: "//".utf8) || words.starts(with: "// SPDX".utf8)
        }
        return Array(kept.joined(separator: "\n".utf8))
    }

    private static func packed(_ bytes: [UInt8]) -> [UInt8] {
        // What cannot be packed grows by a few bytes for each block.
        var room = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 64)
        let count = page_gzip(bytes, bytes.count, &room, room.count)
        return Array(room.prefix(count))
    }
}
