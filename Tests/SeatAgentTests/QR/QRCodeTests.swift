// SPDX-License-Identifier: Apache-2.0
import QR
import Testing

@Suite("QR codes")
struct QRCodeTests {
    private static let link = "seatagent:party?v=1&k=aaaaaaaaaaaaaaaaa"

    /// The three corners by which a camera finds a code: a dark ring, a light one, a dark square.
    private func isFinder(_ code: QRCode, _ left: Int, _ top: Int) -> Bool {
        (0..<7).allSatisfy { y in
            (0..<7).allSatisfy { x in
                let ring = max(abs(x - 3), abs(y - 3))
                return code.isDark(left + x, top + y) == (ring != 2)
            }
        }
    }

    @Test("It has its corners, and light all around")
    func corners() throws {
        let code = try #require(QRCode(Self.link))
        #expect(code.side == 29)
        #expect(isFinder(code, 0, 0) && isFinder(code, 22, 0) && isFinder(code, 0, 22))
        #expect(!isFinder(code, 22, 22))
        #expect(!code.isDark(-1, 0) && !code.isDark(0, -1) && !code.isDark(29, 28))
    }

    @Test("The lines say the modules, two in a character")
    func lines() throws {
        let code = try #require(QRCode(Self.link))
        let lines = code.lines()
        #expect(lines.count == 19 && lines.allSatisfy { $0.count == 37 })
        let blocks = lines.map(Array.init)
        for y in 0..<29 {
            for x in 0..<29 {
                let block = blocks[(y + 4) / 2][x + 4]
                let isLight = (y % 2 == 0 ? ["█", "▀"] : ["█", "▄"]).contains(block)
                #expect(isLight != code.isDark(x, y), "\(x) \(y)")
            }
        }
        let plain = code.lines(ascii: true)
        #expect(plain.count == 37 && plain.allSatisfy { $0.utf8.count == 74 })
    }

    @Test("A picture has a square for each dark module, and its text in a form that is text only")
    func picture() throws {
        let code = try #require(QRCode(Self.link))
        let svg = code.svg(below: ["<a> & b"])
        var dark = 0
        for y in 0..<29 {
            for x in 0..<29 where code.isDark(x, y) {
                dark += 1
                #expect(svg.contains("M\(x + 4) \(y + 4)h1v1h-1z"))
            }
        }
        #expect(svg.split(separator: "h1v1h-1z").count - 1 == dark)
        #expect(svg.contains("viewBox=\"0 0 37 42\"") && svg.contains(">&lt;a&gt; &amp; b</text>"))
        #expect(!svg.contains("<a>"))
    }

    @Test("What cannot be a code is none")
    func refused() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\u{0}b") == nil)
        #expect(QRCode(String(repeating: "x", count: 5000)) == nil)
    }
}
