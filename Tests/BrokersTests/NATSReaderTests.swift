// SPDX-License-Identifier: Apache-2.0
import Rendezvous
import Testing

@testable import Brokers

/// The bytes of a server of NATS, good and bad.
@Suite("Bytes of a NATS server") struct NATSReaderTests {
    private static func read(_ pieces: [[UInt8]]) throws -> [NATSReader.Operation] {
        var reader = NATSReader()
        var found: [NATSReader.Operation] = []
        for piece in pieces {
            piece.withUnsafeBytes { reader.append($0) }
            while let operation = try reader.next() { found.append(operation) }
        }
        return found
    }

    private static let text =
        "PING\r\nINFO {\"a\":1}\r\n+OK\r\nPONG\r\n-ERR 'No Way'\r\nMSG a.b 2 3\r\nxyz\r\n"
        + "MSG a 1 r.s 0\r\n\r\nHMSG q.1 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n"
        + "HMSG q 7 r 22 24\r\nNATS/1.0\r\nA: bcdef\r\n\r\nhi\r\n"

    private static func message(
        _ subject: String, _ number: Int, _ body: [UInt8]?, status: Int? = nil
    ) -> NATSReader.Operation {
        .message(NATSMessage(subject: subject, number: number, status: status, body: body))
    }

    private static let meant: [NATSReader.Operation] = [
        .ping, .note, .note, .pong, .complaint("No Way"), message("a.b", 2, Array("xyz".utf8)),
        message("a", 1, []), message("q.1", 1, [], status: 503), message("q", 7, Array("hi".utf8)),
    ]

    @Test func whereverTheyAreCutTheyMeanTheSame() throws {
        let bytes = Array(Self.text.utf8)
        for cut in bytes.indices {
            #expect(try Self.read([Array(bytes[..<cut]), Array(bytes[cut...])]) == Self.meant)
        }
        #expect(try Self.read(bytes.map { [$0] }) == Self.meant)
    }

    @Test(
        arguments: [
            "HTTP/1.1 400 no\r\n", "PING\n", "\r\n", "MSG\r\n", "MSG a\r\n", "MSG a 1\r\n",
            "MSG a x 3\r\n", "MSG a 1 -3\r\n", "MSG a 1 r s 3\r\n", "MSG a 1 9999999999\r\n",
            "MSG a 1 1100001\r\n", "MSG a 1 3\r\nabcd\r\n", "MSG a 1 3\r\nabc\n\n",
            "HMSG a 1 3\r\n", "HMSG a 1 5 3\r\n", "HMSG a 1 3 3\r\nabc\r\n", "MSG a\u{7F} 1 0\r\n",
            "MSG " + String(repeating: "a", count: 257) + " 1 0\r\n",
            "MSG " + String(repeating: "a", count: 4096),
            "INFO " + String(repeating: "a", count: 32_768),
        ])
    func whatBreaksTheRulesIsRefused(text: String) {
        #expect(throws: NATSReader.Fault.self) { try Self.read([Array(text.utf8)]) }
    }

    @Test func aLargeMessageIsLetPassAndNotKept() throws {
        let head = Array("MSG a 2 1100000\r\n".utf8)
        let piece = [UInt8](repeating: 0x78, count: 100_000)
        let pieces = [head] + Array(repeating: piece, count: 11) + [Array("\r\nPONG\r\n".utf8)]
        #expect(try Self.read(pieces) == [Self.message("a", 2, nil), .pong])
    }

    @Test func aGreetingIsOneLineAndNothingBehindIt() {
        func take(_ pieces: String...) -> Bool? {
            var greeting = NATSGreeting()
            var last: Bool? = false
            for piece in pieces {
                last = Array(piece.utf8).withUnsafeBytes { greeting.take($0) }
            }
            return last
        }
        #expect(take("INFO {\"a\":1}\r\n") == true)
        #expect(take("IN", "FO {", "}\r", "\n") == true)
        #expect(take("INFO {") == false)
        #expect(take("INFO {}\r\nPING\r\n") == nil)
        #expect(take("HTTP/1.1 400\r\n") == nil)
        #expect(take("INFO {" + String(repeating: "a", count: 32_768)) == nil)
    }

    @Test func topicsAreSpelledAsSubjectsAndBack() {
        let topic = "sa1/3a/" + String(repeating: "a", count: 26) + "/c/5/bbbbbbbbbbbbb"
        let subject = topic.split(separator: "/").joined(separator: ".")
        #expect(NATSText.subject(of: topic) == subject)
        #expect(NATSText.topic(of: subject) == topic)
        #expect(NATSText.subject(of: "sa1/3a/g/l/5/+/+") == "sa1.3a.g.l.5.*.*")
        #expect(NATSText.subject(of: "sa1/#") == "sa1.>")
        for bad in ["", "a//b", "a b", "a.b", "a/*", "a/>", "a\r\nPUB x 0\r\n", "/a", "a/"] {
            #expect(NATSText.subject(of: bad) == nil)
        }
        for bad in ["a/b", "a.*", "a.>", "a+", "#"] { #expect(NATSText.topic(of: bad) == nil) }
    }

    @Test(
        arguments: [
            ("sa1/3a/g/c/5/b", "SA1_3"), ("sa1/f0/g/l/5/+/+", "SA1_F"), ("sa1/00/g/q/i/+", "SA1_0"),
            ("sa1/3a/g/e", nil), ("sa1/3a/g/t/i", nil), ("sa1/#", nil), ("sa1/+/+/c/+/+", nil),
        ] as [(String, String?)])
    func whatIsKeptHasAStream(topic: String, stream: String?) {
        #expect(NATSText.stream(of: topic) == stream)
        #expect(NATSText.streams.count == 16)
    }

    @Test func aPatternNamesWholeWords() {
        #expect(NATSFilters.matches("a.*.c", "a.b.c"))
        for other in ["a.b", "a.b.c.d", "a.b.d", "b.b.c", ""] {
            #expect(!NATSFilters.matches("a.*.c", other))
        }
    }
}
