// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Keys
@testable import PageShell
@testable import System
@testable import Text
@testable import Web

@Suite("A seat taken back with a code")
struct SeatCodesTests {
    private let now = Instant(nanoseconds: 1_000_000_000)
    private let random: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 42]

    @Test("A code has six digits, is for the page that asked, and works once")
    func once() throws {
        var codes = SeatCodes<String>()
        #expect(try codes.ask(7, by: "new", from: "new 0", random: random, at: now) == "000042")
        #expect(codes.guest(of: "new", at: now) == 7 && codes.guest(of: "eve", at: now) == nil)
        #expect(codes.take("000042", of: "eve", at: now) == .over)
        #expect(codes.take("000042", of: "new", at: now) == .right(guest: 7))
        #expect(codes.take("000042", of: "new", at: now) == .over)
        let most = try codes.ask(
            8, by: "new", from: "new 1", random: [UInt8](repeating: 255, count: 8), at: now)
        #expect(most == "551615")
    }

    @Test("Three wrong tries end a code, and so do two minutes")
    func ends() throws {
        var codes = SeatCodes<String>()
        _ = try codes.ask(7, by: "new", from: "new 2", random: random, at: now)
        #expect(codes.take("42", of: "new", at: now) == .wrong(left: 2))
        #expect(codes.take("0000420", of: "new", at: now) == .wrong(left: 1))
        #expect(codes.take("", of: "new", at: now) == .over)
        #expect(codes.take("000042", of: "new", at: now) == .over)
        _ = try codes.ask(7, by: "new", from: "new 3", random: random, at: now)
        #expect(codes.take("000042", of: "new", at: now + .seconds(120)) == .over)
        _ = try codes.ask(7, by: "new", from: "new 4", random: random, at: now + .seconds(120))
        let late = now + .seconds(239)
        #expect(codes.take("000042", of: "new", at: late) == .right(guest: 7))
    }

    @Test("One place asks twice in ten minutes, so that another one keeps a try")
    func places() throws {
        var codes = SeatCodes<String>()
        for (page, seconds) in [("eve", 0), ("mallory", 120)] as [(String, Int64)] {
            _ = try codes.ask(
                7, by: page, from: "10.0.0.9", random: random, at: now + .seconds(seconds))
        }
        let later = now + .seconds(240)
        #expect(codes.refusal(7, by: "eve", from: "10.0.0.9", at: later) == .often)
        #expect(codes.refusal(8, by: "eve", from: "10.0.0.9", at: later) == nil)
        #expect(codes.refusal(7, by: "mia", from: "10.0.0.2", at: later) == nil)
        _ = try codes.ask(7, by: "mia", from: "10.0.0.2", random: random, at: later)
        #expect(codes.refusal(7, by: "eve", from: "10.0.0.3", at: later) == .taken)
        #expect(codes.refusal(7, by: "mia", from: "10.0.0.4", at: later) == .often)
    }

    @Test("One page at a time asks for a seat, three times in ten minutes")
    func limits() throws {
        var codes = SeatCodes<String>()
        _ = try codes.ask(7, by: "new", from: "new 5", random: random, at: now)
        #expect(throws: SeatCodes<String>.Refusal.taken) {
            try codes.ask(7, by: "eve", from: "eve 6", random: random, at: now + .seconds(119))
        }
        _ = try codes.ask(8, by: "eve", from: "eve 7", random: random, at: now)
        _ = try codes.ask(7, by: "eve", from: "eve 8", random: random, at: now + .seconds(120))
        // Whoever asks anew ends what they asked before.
        _ = try codes.ask(7, by: "eve", from: "eve 9", random: random, at: now + .seconds(121))
        #expect(throws: SeatCodes<String>.Refusal.often) {
            try codes.ask(7, by: "eve", from: "eve 10", random: random, at: now + .seconds(599))
        }
        // Who is refused keeps the code that they have.
        #expect(codes.guest(of: "eve", at: now + .seconds(122)) == 7)
        _ = try codes.ask(7, by: "eve", from: "eve 11", random: random, at: now + .seconds(600))
        codes.leave(7)
        #expect(codes.take("000042", of: "eve", at: now + .seconds(600)) == .over)
    }

    @Test("Who asks for a seat counts as one who comes in")
    func joins() {
        var limits = JoinLimits<String>(most: 40)
        for _ in 0..<3 { #expect(limits.count(from: "a", at: now) == nil) }
        #expect(limits.count(from: "b", at: now) == .rate)
        #expect(limits.count(from: "a", at: now + .seconds(60)) == nil)
        #expect(limits.count(from: "a", at: now + .seconds(120)) == .tries)
        #expect(limits.take(1, from: "b", besides: 0, at: now + .seconds(121)) == nil)
    }

    @Test("A guest is known by name and seat, or by the name alone if they were here before")
    func names() throws {
        let names = GuestNames(loop: try EventLoop())
        names.add(1, "Mia", ["14B"])
        names.add(2, "leo", ["20F"])
        names.add(3, "Leo", ["21F"])
        #expect(names.guest("mia", "14B", isBack: false) == 1)
        #expect(names.guest("mia", "9A", isBack: false) == nil)
        #expect(names.guest("mia", "9A", isBack: true) == 1)
        #expect(names.guest("LEO", "20F", isBack: true) == 2)
        #expect(names.guest("leo", "9A", isBack: true) == nil)
        names.drop(1)
        #expect(names.guest("mia", "14B", isBack: true) == nil)
    }

    @Test("The host reads who it is about, and that their page is open")
    func said() {
        let code = GuestCode(
            guest: 1, name: "mia\u{1b}[2J", seats: ["14B"], code: "000042", isOpen: true)
        #expect(!code.lines.joined().contains("\u{1b}"))
        #expect(code.lines[1].contains("is OPEN now") && code.lines[2].contains("000042"))
        #expect(code.lines[0].contains("(14B)") && code.json["open"]?.flag == true)
    }
}

@Suite("Words that stand for a key")
struct CodeWordsTests {
    @Test("Each ten bits are a word of the list, and a page finds the same")
    func words() throws {
        let words = try #require(PageFiles().codeWords)
        #expect(
            words.words(of: [UInt8](repeating: 0, count: 64)) == .init(repeating: "acorn", count: 6)
        )
        #expect(
            words.words(of: [UInt8](repeating: 255, count: 8)) == .init(repeating: "zoo", count: 6))
        #expect(words.words(of: [1, 2, 3]) == [])
        let digest = PageKey.digest(of: try #require(Bytes32([UInt8](repeating: 7, count: 32))))
        #expect(digest.count == 64 && words.words(of: digest).count == 6)
    }

    @Test("A list has 1024 words, none twice")
    func list() {
        let all = (0..<1024).map { "w\($0)" }
        #expect(CodeWords(Array(all.joined(separator: "\n").utf8)) != nil)
        #expect(CodeWords(Array(all.dropLast().joined(separator: "\n").utf8)) == nil)
        #expect(CodeWords(Array((all.dropLast() + ["w0"]).joined(separator: "\n").utf8)) == nil)
    }
}
