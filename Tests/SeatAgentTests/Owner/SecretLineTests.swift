// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent

@Suite("A line that is not shown, and what a passphrase needs")
struct SecretLineTests {
    private func typed(_ text: String) -> (line: String, step: SecretLine.Step) {
        var line = SecretLine()
        for byte in text.utf8 {
            let step = line.take(byte)
            if step != .goesOn { return (String(decoding: line.bytes, as: UTF8.self), step) }
        }
        return (String(decoding: line.bytes, as: UTF8.self), .goesOn)
    }

    @Test("Enter and Ctrl-D end it, Ctrl-C interrupts, backspace takes a whole character")
    func keys() {
        #expect(typed("abc\ndef") == ("abc", .ended))
        #expect(typed("abc\r") == ("abc", .ended))
        #expect(typed("\u{4}") == ("", .ended))
        #expect(typed("ab\u{3}").step == .interrupted)
        #expect(typed("aé座\u{7F}\u{7F}b\n") == ("ab", .ended))
        #expect(typed("\u{8}\u{8}x\n") == ("x", .ended))
        #expect(typed("abc\u{15}x y\n") == ("x y", .ended))
        #expect(typed(String(repeating: "x", count: 5000)).line.count == SecretLine.limit)
    }

    @Test("A new passphrase has 8 characters at least and 1024 bytes at most")
    func passphrase() {
        func fault(_ text: String) -> String? { PassphraseQuestion.fault(Array(text.utf8)) }
        #expect(fault("1234567") == "it has 7 characters, and needs 8")
        #expect(fault("12345678") == nil && fault("éééééééé") == nil)
        #expect(fault(String(repeating: "x", count: 1024)) == nil)
        #expect(fault(String(repeating: "x", count: 1025)) == "it has over 1024 bytes")
    }
}
