// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Foundation
import Protocol
import Testing
import Venues

@testable import PageShell
@testable import Text
@testable import Web

@Suite("Who may ask for a page, and for what")
struct PageGateTests {
    @Test("Only the page's own address is answered, and only its own page may ask")
    func gate() {
        let gate = PageGate(hosts: ["127.0.0.1:7790", "localhost:7790"])
        let cases: [(String?, String?, Bool)] = [
            ("127.0.0.1:7790", nil, true), ("localhost:7790", nil, true),
            ("LOCALHOST:7790", "http://localhost:7790", true),
            ("127.0.0.1:7790", "http://127.0.0.1:7790", true),
            // A name that leads here, another port, and none.
            ("evil.example:7790", nil, false), ("127.0.0.1:7791", nil, false),
            ("127.0.0.1", nil, false), (nil, nil, false), ("", nil, false),
            // Another page, a file, and another name of this very address.
            ("127.0.0.1:7790", "http://evil.example", false), ("127.0.0.1:7790", "null", false),
            ("127.0.0.1:7790", "https://127.0.0.1:7790", false),
            ("127.0.0.1:7790", "http://localhost:7790", false),
            ("127.0.0.1:7790", "", false),
        ]
        for (host, origin, passes) in cases {
            let refusal = gate.refusal(host: host, origin: origin)
            #expect((refusal == nil) == passes, "\(host ?? "-") \(origin ?? "-")")
        }
    }

    @Test("Over HTTPS only a page over HTTPS may ask")
    func encrypted() {
        let gate = PageGate(hosts: ["10.42.0.1:7790"], scheme: .https)
        for (origin, passes): (String?, Bool) in [
            (nil, true), ("https://10.42.0.1:7790", true), ("HTTPS://10.42.0.1:7790", true),
            ("http://10.42.0.1:7790", false), ("https://10.42.0.1", false), ("null", false),
            ("https://evil.example:7790", false),
        ] {
            let refusal = gate.refusal(host: "10.42.0.1:7790", origin: origin)
            #expect((refusal == nil) == passes, "\(origin ?? "-")")
        }
        #expect(gate.refusal(host: "10.42.0.2:7790", origin: nil) != nil)
    }

    @Test("Browsers leave out the port that a scheme has anyway")
    func bare() {
        let cases: [(PageScheme, Int, String?, Bool)] = [
            (.https, 443, "https://10.42.0.1", true), (.http, 80, "http://10.42.0.1", true),
            (.https, 443, nil, true), (.https, 443, "http://10.42.0.1", false),
            (.https, 443, "https://10.42.0.2", false), (.https, 80, "https://10.42.0.1", false),
            (.http, 443, "http://10.42.0.1", false), (.https, 1443, nil, false),
        ]
        for (scheme, port, origin, passes) in cases {
            let gate = PageGate(hosts: ["10.42.0.1:\(port)"], scheme: scheme)
            let refusal = gate.refusal(host: "10.42.0.1", origin: origin)
            #expect((refusal == nil) == passes, "\(scheme) \(port) \(origin ?? "-")")
            #expect(gate.refusal(host: "10.42.0.1:\(port)", origin: nil) == nil)
        }
        let six = PageGate(hosts: ["[fd00::1]:443"], scheme: .https)
        #expect(six.refusal(host: "[fd00::1]", origin: "https://[fd00::1]") == nil)
    }

    /// How many of `count` requests are answered.
    private func taken(
        _ count: Int, of sender: Int, _ rate: inout CallRate<Int>, _ now: Instant
    ) -> Int {
        var taken = 0
        for _ in 0..<count where rate.take(sender, at: now) { taken += 1 }
        return taken
    }

    @Test("A sender gets so many answers at once, and as many in each second behind")
    func rate() {
        var rate = CallRate<Int>(most: 30)
        var now = Instant(nanoseconds: 5_000_000_000)
        #expect(taken(40, of: 1, &rate, now) == 30)
        #expect(taken(1, of: 2, &rate, now) == 1)
        now = now + .milliseconds(100)
        #expect(taken(9, of: 1, &rate, now) == 3)
        now = now + .seconds(3600)
        #expect(taken(40, of: 1, &rate, now) == 30)
        // A clock that goes back gives nothing.
        #expect(taken(1, of: 1, &rate, now + .seconds(-60)) == 0)
        // Over a minute of pressing: no more than the rate, whatever the steps are.
        var (taken, at) = (0, Instant(nanoseconds: 0))
        for _ in 0..<60_000 {
            at = at + .milliseconds(1)
            if rate.take(3, at: at) { taken += 1 }
        }
        #expect(1800...1831 ~= taken, "\(taken)")
    }

    @Test("Of senders that nobody heard of for a second nothing is kept")
    func senders() {
        var rate = CallRate<Int>(most: 2)
        let now = Instant(nanoseconds: 1)
        let all = CallRate<Int>.senders
        var known = 0
        for sender in 0..<all + 10 where rate.take(sender, at: now) { known += 1 }
        #expect(known == all)
        #expect(taken(2, of: 0, &rate, now) == 1)
        #expect(taken(1, of: all + 5, &rate, now + .seconds(1)) == 1)
    }

    @Test("A guest asks for nothing that is the user's, and no page ends the agent")
    func rights() {
        let never: [OperationName] = [.watch, .export, .stay, .forget, .down, .deskBackup, .hello]
        for operation in OperationName.allCases {
            let (owner, guest) = (PageRight.owner.may(operation), PageRight.guest.may(operation))
            // The user's key is on the user's own computer already.
            let isOfGuests = operation == .takeKey
            #expect(owner == (!never.contains(operation) && !isOfGuests), "\(operation)")
            #expect(!guest || owner || isOfGuests, "\(operation)")
        }
        for operation in [OperationName.addPeer, .desk, .deskOpen, .deskMember, .deskBookings] {
            #expect(PageRight.owner.may(operation) && !PageRight.guest.may(operation))
        }
        for operation in [OperationName.accept, .swap, .say, .claim, .takeKey] {
            #expect(PageRight.guest.may(operation) && !operation.onlyReads)
        }
    }
}

@Suite("A stream of events")
struct HTTPFeedTests {
    @Test("A reader for whom too much waits is cut off, and what waits is dropped")
    func slow() {
        let feed = HTTPFeed()
        #expect(feed.write([UInt8](repeating: 1, count: HTTPFeed.most - 1)))
        #expect(feed.write([1]) && !feed.isOver)
        #expect(!feed.write([1]) && feed.isOver && feed.isEmpty)
        #expect(!feed.write([1]) && feed.isEmpty)
    }

    @Test("What waits is read in order, in pieces of any size, and ends when all is read")
    func pieces() {
        let feed = HTTPFeed()
        feed.write(Array(0..<100))
        feed.write(Array(100..<200))
        feed.end()
        var read: [UInt8] = []
        for size in [1, 7, 64, 300] {
            var room = [UInt8](repeating: 0, count: size)
            let count = room.withUnsafeMutableBytes { feed.read(into: $0) }
            read += room.prefix(count)
        }
        #expect(read == Array(0..<200) && feed.isEmpty && feed.isOver)
    }
}

@Suite("The files of the page")
struct PageFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/CPage/page").standardizedFileURL
    private static let languages = ["de", "en", "es", "fr", "it", "pl", "pt"]

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    private func words(
        _ language: String, of catalogue: String = "words"
    ) throws -> [String: String] {
        let page = try text("\(catalogue)/\(language).json").replacing("\n", with: "")
        return try #require(try JSON(line: page).members).compactMapValues(\.text)
    }

    private func scripts() throws -> String {
        let names = [
            "cabin", "door", "game", "pass", "people", "requests", "self", "start", "talk", "wire",
        ]
        return try names.map { try text("\($0).js") }.joined() + text("index.html")
    }

    @Test("A browser gets the page and one language in at most 45 kB, with the heads of HTTP")
    func size() throws {
        let files = PageFiles()
        // These are fetched by whoever needs them: the words of a typed address, a game, a picture
        // of a pass, a venue, and sentences for codes of refusals.
        let later = [
            "/words/", "/codes/", "/codewords", "/venue/", "/game.js", "/pass.js",
            "/take/",
        ]
        let first = files.paths.filter { path in !later.contains { path.hasPrefix($0) } }
        #expect(first == ["/", "/first.js", "/page.css", "/tabs.js"])
        let weights = first.compactMap { files.packedCount($0, withHeads: true) }
        let heads = (weights.first ?? 0) - (files.packedCount("/") ?? 0)
        #expect(500...700 ~= heads, "\(heads)")
        let words = files.paths.filter { $0.hasPrefix("/words/") }
            .compactMap { files.packedCount($0, withHeads: true) }
        #expect(words.count == Self.languages.count)
        let codes = files.paths.filter { $0.hasPrefix("/codes/") }
            .compactMap { files.packedCount($0, withHeads: true) }
        #expect(codes.count == Self.languages.count - 1)
        // Behind these come the two answers that the form waits for: what the page is, and events.
        let all = weights.reduce(0, +) + (words.max() ?? 0) + 2 * (heads + 300)
        #expect(all + (codes.max() ?? 0) <= 45_000, "\(all)")
    }

    @Test("A script is sent without its comments, and with its licence")
    func bare() throws {
        let script = "// SPDX-License: X\n// Why.\nlet a = '//b'; // c\n\n  // d\n  e();\n"
        #expect(
            PageFiles.bare(Array(script.utf8))
                == Array("// SPDX-License: X\nlet a = '//b'; // c\n\n  e();\n".utf8))
        // No text of several lines has a line that looks like one.
        for name in [
            "cabin", "door", "game", "pass", "people", "requests", "self", "start",
            "strict", "talk", "wire", "venue/venue",
        ] {
            var isText = false
            for line in try text("\(name).js").split(separator: "\n") {
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                #expect(!isComment || !isText, "\(name): \(line)")
                if !isComment, line.count(where: { $0 == "`" }) % 2 == 1 { isText.toggle() }
            }
            #expect(!isText, "\(name)")
        }
    }

    @Test("Each code in the catalogues is one of the agent, and each warning has its sentence")
    func codes() throws {
        let known = WarningCode.allCases.map { "warn.\($0.rawValue)" }
        let errors = Set(ErrorCode.allCases.map { "error.\($0.rawValue)" })
        for language in Self.languages where language != "en" {
            let codes = try words(language, of: "codes")
            #expect(known.allSatisfy { codes[$0] != nil }, "\(language)")
            let others = codes.keys.filter { !known.contains($0) && $0 != "warn.risk" }
            #expect(others.count > 15 && errors.isSuperset(of: others), "\(language)")
            #expect(try codes.keys.sorted() == words("de", of: "codes").keys.sorted())
            #expect(codes.values.allSatisfy { !$0.isEmpty && !$0.contains("{") }, "\(language)")
        }
    }

    /// What stands in braces in a text.
    private static func names(in text: String) -> [Substring] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
            $0.prefix { $0 != "}" }
        }.sorted()
    }

    @Test("Each language has the same words, with the same names in them")
    func catalogues() throws {
        let english = try words("en")
        #expect(english.count > 90)
        for language in Self.languages {
            let other = try words(language)
            #expect(other.keys.sorted() == english.keys.sorted(), "\(language)")
            for (key, text) in other {
                #expect(
                    Self.names(in: text) == Self.names(in: english[key] ?? ""),
                    "\(language) \(key)")
                #expect(!text.isEmpty, "\(language) \(key)")
            }
        }
    }

    @Test("The page asks for no word that is missing, and none is there for nothing")
    func used() throws {
        let (english, page) = (try words("en"), try scripts())
        let wordlike = try asked(in: page).filter { $0.contains(".") || english[$0] != nil }
        for key in wordlike { #expect(english[key] != nil, "\(key)") }
        // Words of which the page puts the end together.
        let open = Set(page.matches(of: /'([a-z]+\.)' \+/).map { String($0.output.1) })
        #expect(
            open
                == [
                    "asks.", "game.", "join.", "mark.", "message.", "needs.", "plan.", "request.",
                    "wish.",
                ])
        for key in english.keys where !open.contains(where: { key.hasPrefix($0) }) {
            #expect(page.contains("'\(key)'") || page.contains("\"\(key)\""), "\(key)")
        }
    }

    /// Keys of words in a script.
    private func asked(in page: String) throws -> Set<String> {
        let quote = "[\\x22\\x27]"
        let word = try Regex<(Substring, Substring)>(
            "(?:\\bt\\(|data-word=|part\\(|: )\(quote)([a-z]+(?:\\.[a-z-]+)*)\(quote)")
        return Set(page.matches(of: word).map { String($0.output.1) })
    }

    @Test("The page of a venue has its words, none for nothing, and a flight does not pay for it")
    func venue() throws {
        try check("venue", besides: ["mark.", "reason."], most: 8_000)
    }

    @Test("What takes a key along has its words, none for nothing, and comes when it is wanted")
    func taking() throws { try check("take", besides: [], most: 2_500) }

    /// A part of the page that is fetched when it is wanted: keys that begin with `besides` are put
    /// together, and a browser gets `most` bytes.
    private func check(_ part: String, besides: [String], most: Int) throws {
        let (own, page) = (try words("en", of: "\(part)/words"), try text("\(part)/\(part).js"))
        let all = try own.merging(words("en")) { $1 }
        for key in try asked(in: page) where key.contains(".") {
            #expect(all[key] != nil, "\(key)")
        }
        // What the door says is said in other words there.
        let flight = try words("en")
        for key in own.keys where !key.hasPrefix("mark.") && !key.hasPrefix("reason.") {
            #expect(page.contains("'\(key)'") || flight[key] != nil, "\(key)")
            #expect(flight[key] == nil || key.hasPrefix("join."), "\(key)")
        }
        for language in Self.languages {
            let other = try words(language, of: "\(part)/words")
            #expect(other.keys.sorted() == own.keys.sorted(), "\(language)")
            for (key, text) in other {
                #expect(
                    Self.names(in: text) == Self.names(in: own[key] ?? "") && !text.isEmpty,
                    "\(language) \(key)")
            }
        }
        let files = PageFiles()
        let paths = files.paths.filter { $0.hasPrefix("/\(part)/") }
        let sizes = paths.map { ($0.contains("/words/"), files.packedCount($0) ?? 0) }
        let parts = sizes.filter { !$0.0 }.map(\.1).reduce(0, +)
        #expect(parts + (sizes.filter(\.0).map(\.1).max() ?? 0) <= 8_700)
        #expect(sizes.count(where: \.0) == Self.languages.count)
    }

    @Test("The page counts the decimals of each currency as the agent does")
    func money() throws {
        let page = try text("venue/venue.js")
        let lists = page.matches(of: /const (whole|thousandths) = '([A-Z ]+)';/).map {
            ($0.output.1, $0.output.2.split(separator: " ").map(String.init).sorted())
        }
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let pairs = letters.flatMap { first in letters.map { first + $0 } }
        let all = pairs.flatMap { pair in letters.map { pair + $0 } }
        let whole = all.filter { MoneyText.words(1, $0).hasPrefix("1 ") }
        let thousandths = all.filter { MoneyText.words(1, $0).hasPrefix("0.001 ") }
        #expect(lists.map(\.0) == ["whole", "thousandths"])
        #expect(lists.map(\.1) == [whole, thousandths])
    }

    @Test("Words of others come into the page as text alone, and nothing in it is a script")
    func text() throws {
        let page = try scripts() + text("venue/venue.js")
        for danger in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
            "style=", "onclick=", "javascript:", "http://", "https://",
        ] {
            #expect(!page.contains(danger), "\(danger)")
        }
    }
}
