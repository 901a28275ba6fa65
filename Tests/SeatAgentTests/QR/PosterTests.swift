// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import QR
@testable import SeatAgent

@Suite("A poster with codes")
struct PosterTests {
    private static let words: [PosterWords] = [.flight, .booked, .counted]

    @Test("Names and passphrases of a Wi-Fi stand in a code as cameras read them")
    func wifi() throws {
        #expect(
            try WiFiText.of("ada's", passphrase: "correct horse")
                == "WIFI:T:WPA;S:ada's;P:correct horse;;")
        #expect(
            try WiFiText.of("a;b,c", passphrase: "x:y\"z\\;,12")
                == #"WIFI:T:WPA;S:a\;b\,c;P:x\:y\"z\\\;\,12;;"#)
        // A mark behind a sign does not hide it.
        let marked = try WiFiText.of("a;\u{301}b", passphrase: "12345678")
        #expect(
            marked.unicodeScalars.elementsEqual(
                "WIFI:T:WPA;S:a\\;\u{301}b;P:12345678;;".unicodeScalars))
        for name in ["", String(repeating: "ä", count: 17), "a\nb"] {
            #expect(throws: WiFiText.Fault.name) {
                try WiFiText.of(name, passphrase: "12345678")
            }
        }
        for wrong in ["", "1234567", String(repeating: "1", count: 64), "1234567ä", "1234567\n"] {
            #expect(throws: WiFiText.Fault.passphrase) { try WiFiText.of("a", passphrase: wrong) }
        }
    }

    @Test("A picture of dots is a PNG file, whatever its size")
    func dots() {
        var small = DotPicture(width: 9, height: 2)
        small.fill(8, 0, 1)
        small.fill(-3, -3, 4)
        // Nothing of it is there.
        small.fill(9, 2, 5)
        let file: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
            0, 0, 0, 9, 0, 0, 0, 2, 1, 0, 0, 0, 0,
        ]
        #expect(Array(small.png.prefix(29)) == file)
        // Two stored rows of a byte that says how, and two bytes of dots.
        let body: [UInt8] = [0x78, 1, 1, 6, 0, 0xF9, 0xFF, 0, 0x7F, 0x7F, 0, 0xFF, 0xFF]
        #expect(Array(small.png[41..<54]) == body)
        let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        #expect(Array(small.png.suffix(12)) == end)
        // More than one block.
        #expect(DotPicture(width: 8, height: 40_000).png.count == 80_000 + 2 + 2 * 5 + 4 + 57)
    }

    @Test("Codes are inside of the page, and each line fits beside the other column")
    func layout() throws {
        let code = try #require(
            QRCode("http://10.42.0.1:7790/#k=" + String(repeating: "a", count: 43)))
        for blocks in Self.words.flatMap({ [$0.withWiFi, $0.alone] }) {
            #expect(blocks.count == 6 && blocks.allSatisfy { $0.count == 4 })
            for line in blocks.joined() { #expect(line.unicodeScalars.count <= 31, "\(line)") }
        }
        for count in 1...2 {
            let signs = Array(repeating: Poster.Sign(code, "<&\u{7}\u{301}>"), count: count)
            let poster = Poster(signs, below: PosterWords.flight.withWiFi)
            #expect(poster.squares.allSatisfy { $0.x >= 0 && $0.x + $0.side <= Poster.width })
            #expect(
                poster.lines.allSatisfy { line in
                    let wide = line.text.unicodeScalars.count * PosterFont.width * line.scale
                    return line.x >= 0 && line.x + wide <= Poster.width
                        && line.y + PosterFont.height * line.scale <= Poster.height
                })
            #expect(poster.svg.contains("&lt;&amp;\u{301}&gt;") && !poster.svg.contains("<&"))
        }
        // A long name is cut.
        let long = Poster([Poster.Sign(code, String(repeating: "W", count: 500))], below: [])
        #expect(long.lines[0].text.count == 1120 / 24)
    }

    @Test("Above a page over HTTPS with a gift the code is smaller, so that all is on the paper")
    func encrypted() throws {
        let address = "https://255.255.255.255:65535"
        let code = try #require(QRCode(address + "/#k=" + String(repeating: "a", count: 43)))
        let page = [address] + Array(repeating: "words", count: 7)
        let gift = [address, "  /get", "name", "SHA-256", "1", "2", "3", "4"]
        for (withWiFi, printed) in [(false, [page]), (true, [page]), (false, [page, gift])] {
            let blocks = PosterWords.flight.blocks(withWiFi: withWiFi, isSecure: true)
            for line in (blocks + printed).joined() {
                #expect(line.unicodeScalars.count <= Poster.lettersInColumn, "\(line)")
            }
            let signs = Array(repeating: Poster.Sign(code, "1"), count: withWiFi ? 2 : 1)
            let poster = Poster(signs, below: blocks + printed)
            let height = PosterFont.height
            #expect(
                poster.lines.allSatisfy { $0.y + height * $0.scale <= Poster.height }
                    && poster.squares.allSatisfy { 0 <= $0.y && $0.y + $0.side <= Poster.height })
            #expect(poster.squares[0].side >= 8)
        }
    }

    @Test("The font has what the lines say, and a question mark for the rest")
    func font() {
        func picture(_ letter: Unicode.Scalar) -> [Bool] {
            (0..<13).flatMap { y in (0..<6).map { PosterFont.isInk(letter, $0, y) } }
        }
        let question = picture("?")
        #expect(question.contains(true) && picture("\u{1F600}") == question)
        #expect(picture(" ").allSatisfy { !$0 } && picture("\u{0}") == question)
        let blocks = Self.words.flatMap { $0.withWiFi + $0.alone } + [PosterWords.compared]
        let lines = blocks.joined()
        for letter in lines.joined().unicodeScalars
        where letter != " " && letter != "?" && letter != "\u{A0}" {
            #expect(picture(letter).contains(true) && picture(letter) != question, "\(letter)")
        }
        #expect(!PosterFont.isInk("A", 6, 0) && !PosterFont.isInk("A", 0, 13))
    }

    @Test("What NetworkManager says of a hotspot")
    func hotspot() {
        let active = ["11-22:802-11-wireless", "33-44:802-3-ethernet", ""]
        #expect(Hotspot.wireless(active) == ["11-22"])
        let own = Hotspot(["ap", "ada's: net", "secret:\\12", ""])
        #expect(own?.name == "ada's: net" && own?.passphrase == "secret:\\12")
        #expect(Hotspot(["ap", "open", "", ""])?.passphrase == nil)
        for other in [["infrastructure", "hotel", "secret"], ["ap", "", "x"], ["ap", "x"], []] {
            #expect(Hotspot(other) == nil)
        }
    }
}
