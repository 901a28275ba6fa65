// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import SeatAgent
@testable import Store
@testable import Text
@testable import Transport
@testable import Keys

/// A flight's file on a disk in memory, with lines that were said.
private struct Shelf {
    // First: it is closed before its disk goes.
    let store: Store
    let driver: DiskDriver
    let primitives: SodiumPrimitives
    let identity: Identity
    private var last: Entry?
    private var count: UInt8 = 0

    init(_ disk: Disk = Disk()) throws {
        driver = DiskDriver(disk)
        primitives = try #require(SodiumPrimitives())
        identity = try #require(Identity(seed: Array(repeating: 3, count: 32)))
        store = try Store(path: driver.path("flight.db"), primitives: primitives)
        // Every log begins with it; it says nothing and is not kept here.
        last = try EntryCodec(primitives).sign(
            .genesis(name: "ada", agent: "test"), flight: FlightID(.zero), seq: 1, previous: nil,
            by: identity)
    }

    /// The writes of a line to everyone.
    mutating func said(_ text: String, at seconds: Int64 = 0) throws -> Write {
        let entry = try EntryCodec(primitives).sign(
            .chat(text: text, replyTo: nil), flight: FlightID(.zero), seq: (last?.seq ?? 0) + 1,
            previous: last?.id, by: identity)
        last = entry
        return .entry(entry, seen: UTCTime(seconds: seconds))
    }

    /// The write of a message to one passenger.
    mutating func message(
        _ text: String, at seconds: Int64 = 0, outgoing: Bool = true
    ) throws -> DirectMessage {
        count += 1
        let id = try #require(ThreadID(Array(repeating: count, count: 16)))
        return DirectMessage(
            id: id, peer: PeerKey(.zero), outgoing: outgoing, text: text,
            at: UTCTime(seconds: seconds), state: outgoing ? .waiting : .received)
    }

    /// What a start would find if the process ended now.
    func copied() throws -> Shelf {
        var image = Platter.Image()
        image.files = driver.disk.names.map { ($0.key, $0.value.bytes) }
        return try Shelf(Disk(image))
    }

    /// Lines that the index knows in the file.
    func indexed() throws -> Int {
        var count = 0
        try store.database.prepare("SELECT count(*) FROM said").run { count = Int($0.integer(0)) }
        return count
    }

    /// Texts that are found, newest first.
    func found(_ text: String, limit: Int = 100) throws -> [String] {
        try store.search(try SearchQuery(text), limit: limit) { _ in true }.hits.map(\.text)
    }
}

extension SearchHit {
    fileprivate var text: String {
        switch self {
        case .chat(let entry, _):
            if case .chat(let said) = entry.body { return said.text }
            return ""
        case .message(let message): return message.text
        }
    }
}

@Suite("Search") struct SearchTests {
    @Test("Chat and messages are found by their words, newest first")
    func words() throws {
        var shelf = try Shelf()
        let message = try shelf.message("a window would be nice")
        try shelf.store.apply([
            try shelf.said("anyone by the window?"), .message(message), try shelf.said("no"),
            try shelf.said("Window or aisle"),
        ])
        #expect(
            try shelf.found("window") == [
                "Window or aisle", "a window would be nice", "anyone by the window?",
            ])
        #expect(try shelf.found("window aisle") == ["Window or aisle"])
        #expect(try shelf.found("WIN") == shelf.found("window"))
        #expect(try shelf.found("win nice") == [])
        #expect(try shelf.found("window nic") == ["a window would be nice"])
        #expect(try shelf.found("aisle window") == ["Window or aisle"])
        #expect(try shelf.found("12A") == [])
    }

    @Test("Accents and case do not matter, on neither side")
    func accents() throws {
        var shelf = try Shelf()
        try shelf.store.apply([
            try shelf.said("na\u{EF}ve caf\u{E9}"), try shelf.said("cafe\u{301} \u{1EAD}m"),
        ])
        for word in ["cafe", "CAF\u{C9}", "caf\u{E9}", "cafe\u{301}", "caf"] {
            #expect(try shelf.found(word).count == 2, "\(word)")
        }
        #expect(try shelf.found("naive").count == 1)
        #expect(try shelf.found("am").count == 1)
    }

    @Test(
        "Scripts without spaces are found by any part",
        arguments: [
            ("窓側の座席を交換しませんか", ["座席", "席", "交換し", "窓", "しませんか"], ["席座", "換交"]),
            ("안녕하세요 김하늘입니다", ["김하늘", "하늘", "안녕", "늘입"], ["늘하"]),
            ("ที่นั่งริมหน้าต่าง", ["ริม", "หน้าต่าง"], ["ต่างหน้า"]),
            ("meet at gate座席12A", ["座席", "gate", "12A", "gate座席"], ["座gate"]),
        ])
    func withoutSpaces(line: String, parts: [String], others: [String]) throws {
        var shelf = try Shelf()
        try shelf.store.apply([try shelf.said(line)])
        for part in parts { #expect(try shelf.found(part) == [line], "\(part)") }
        for other in others { #expect(try shelf.found(other) == [], "\(other)") }
    }

    @Test(
        "No text is an error of syntax",
        arguments: [
            "\"", "\"\"", "a\"b", "AND", "OR NOT", "NEAR(a b)", "text:a", "a*", "*", "^a", "-a",
            "(a",
            "a)", "{a}", "a + b", "'", "a'b; DROP TABLE said", "\u{0}a\"", "a\u{0}\"", "\\", "%_",
            "\u{202E}a", "\u{10CFF}", "🎉 a", "a AND", "NOT a", "\u{104B0}\u{104B1}",
            String(repeating: "a ", count: 255), String(repeating: "座", count: 170),
        ])
    func hostile(text: String) throws {
        var shelf = try Shelf()
        try shelf.store.apply([try shelf.said("a b"), try shelf.said(text)])
        do throws(UserError) {
            let query = try SearchQuery(text)
            _ = try? shelf.store.search(query, limit: 5) { _ in true }
            let found = try? shelf.store.search(query, limit: 5) { _ in true }
            #expect(found != nil)
        } catch {
            #expect(error.code == .emptyText)
        }
    }

    @Test("Of ASCII letters and digits are parts of words, and all else parts them")
    func ascii() {
        for value in UInt8.min..<128 {
            let scalar = Unicode.Scalar(value)
            let isPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            #expect(SearchWords.isPart(scalar) == isPart)
            #expect(SearchWords.indexed("a\(scalar)b") == (isPart ? "a\(scalar)b" : "a b"))
        }
    }

    @Test("A query of signs is refused in words, and so is one without end")
    func refused() {
        for text in ["", "   ", "?!", "🎉", "\u{300}"] {
            #expect(throws: UserError.self) { try SearchQuery(text) }
        }
        #expect { try SearchQuery(String(repeating: "a", count: 513)) } throws: { error in
            (error as? UserError)?.code == .tooLong
        }
    }

    @Test("A message that gets further is still one line")
    func states() throws {
        var shelf = try Shelf()
        var message = try shelf.message("psst")
        try shelf.store.apply([.message(message)])
        message.state = .acknowledged
        try shelf.store.apply([.message(message)])
        let found = try shelf.store.search(try SearchQuery("psst"), limit: 5) { _ in true }
        #expect(found.hits == [.message(message)])
        #expect(try shelf.store.load().messages == [message])
    }

    @Test("So many and no more, without those that are not to be shown")
    func limits() throws {
        var shelf = try Shelf()
        for number in 0..<20 {
            try shelf.store.apply([try shelf.said("word \(number)")])
        }
        let query = try SearchQuery("word")
        let newest = try shelf.store.search(query, limit: 3) { _ in true }
        #expect(newest.hits.map(\.text) == ["word 19", "word 18", "word 17"] && newest.more)
        let all = try shelf.store.search(query, limit: 20) { _ in true }
        #expect(all.hits.count == 20 && !all.more)
        let even = try shelf.store.search(query, limit: 2) { hit in
            hit.text.hasSuffix("4") || hit.text.hasSuffix("2")
        }
        #expect(even.hits.map(\.text) == ["word 14", "word 12"] && even.more)
    }

    @Test("Nothing of it is left when the flight is deleted")
    func wiped() throws {
        let disk = Disk()
        var shelf = try Shelf(disk)
        for number in 0..<8 {
            try shelf.store.apply([try shelf.said("xylophone \(number) quixotic")])
        }
        func holds(_ word: String) -> Bool {
            let wanted = Array(word.utf8)
            return disk.names.values.contains { file in
                file.bytes.indices.contains { file.bytes[$0...].starts(with: wanted) }
            }
        }
        #expect(try shelf.found("xylophone").count == 8)
        #expect(holds("xylophone"))
        try shelf.store.wipe()
        #expect(!holds("xylophone") && !holds("quixotic"))
    }

    @Test("Words are indexed many lines at a time, and before somebody searches")
    func batches() throws {
        var shelf = try Shelf()
        for number in 1..<Store.unindexedLines {
            try shelf.store.apply([try shelf.said("line \(number)")])
        }
        #expect(try shelf.indexed() == 0)
        try shelf.store.apply([.message(try shelf.message("line between"))])
        #expect(try shelf.indexed() == Store.unindexedLines)
        try shelf.store.apply([try shelf.said("last line")])
        #expect(try shelf.indexed() == Store.unindexedLines)
        #expect(try shelf.found("line", limit: 2) == ["last line", "line between"])
        #expect(try shelf.indexed() == Store.unindexedLines + 1)
        #expect(try shelf.found("line").count == Store.unindexedLines + 1)
    }

    @Test("What was not indexed when the process died is found after the next start, once")
    func death() throws {
        var shelf = try Shelf()
        try shelf.store.apply([
            .message(try shelf.message("window one", at: 1)), try shelf.said("window two", at: 2),
        ])
        #expect(try shelf.found("window") == ["window two", "window one"])
        try shelf.store.apply([
            .message(try shelf.message("window four", at: 4)),
            try shelf.said("window three", at: 3),
        ])
        try shelf.store.apply([.message(try shelf.message("window five", at: 5))])
        let wanted = ["five", "four", "three", "two", "one"].map { "window \($0)" }
        let again = try shelf.copied()
        #expect(try again.indexed() == 2)
        #expect(try again.found("window") == wanted)
        #expect(try again.copied().found("window") == wanted)
    }

    @Test("Lines are kept where the index cannot be written, and found when it can be again")
    func brokenIndex() throws {
        var shelf = try Shelf()
        try shelf.store.apply([try shelf.said("word one")])
        #expect(try shelf.found("word") == ["word one"])
        try shelf.store.database.execute("ALTER TABLE said RENAME TO gone")
        let count = 2 * Store.unindexedLines + 3
        for number in 0..<count {
            try shelf.store.apply([try shelf.said("word \(number)", at: Int64(number))])
        }
        #expect(throws: StoreError.self) { try shelf.found("word") }
        // Nor does it keep a start from going on.
        let again = try shelf.copied()
        #expect(try again.store.load().entries.count == count + 1)
        for shelf in [shelf, again] {
            try shelf.store.database.execute("ALTER TABLE gone RENAME TO said")
            #expect(try shelf.found("word", limit: 1000).count == count + 1)
            #expect(try shelf.found("word", limit: 1) == ["word \(count - 1)"])
        }
    }

    @Test("Many lines at once are indexed by the commit that keeps them")
    func together() throws {
        let disk = Disk()
        var shelf = try Shelf(disk)
        #expect(try shelf.found("word").isEmpty)
        let lines = try (0..<3 * Store.unindexedLines).map { try shelf.said("word \($0)") }
        func syncs(of writes: some Collection<Write>) throws -> Int {
            let before = disk.operations.count
            try shelf.store.apply(Array(writes))
            return disk.operations[before...].count { if case .sync = $0 { true } else { false } }
        }
        // The first of all also syncs what begins the log of writes.
        _ = try syncs(of: lines[..<1])
        #expect(try syncs(of: lines[1..<2]) == 1)
        #expect(try syncs(of: lines[2...]) == 1)
        #expect(try shelf.indexed() == lines.count)
        #expect(try shelf.found("word", limit: 1) == ["word \(lines.count - 1)"])
    }

    /// Whatever fails, in a line's own transaction or in that which indexes many: what
    /// is found is what is there.
    @Test(arguments: [0, Store.unindexedLines - 2], [false, true])
    func theIndexIsNeverAheadOfTheLinesNorBehind(before: Int, isSearched: Bool) throws {
        var points = 0
        for kind: (Int) -> Disk.Trouble in [
            { .brokenOnce($0) }, { .brokenFrom($0) }, { .fullFrom($0) },
        ] {
            for place in 1..<1000 {
                let disk = Disk()
                var shelf = try Shelf(disk)
                // Behind a search the index goes with many lines.
                if isSearched { _ = try shelf.found("word") }
                let writes = [
                    try shelf.said("word one"), try shelf.said("word two"),
                    Write.message(try shelf.message("word three")),
                ]
                let others = try (0..<before).map { _ in Write.message(try shelf.message("word")) }
                try shelf.store.apply(others + [writes[0]])
                disk.trouble = kind(place)
                for write in writes.dropFirst() { try? shelf.store.apply([write]) }
                // It may be the search that fails.
                _ = try? shelf.found("word")
                guard disk.failures > 0 else { break }
                points += 1
                disk.repair()
                for shelf in [shelf, try shelf.copied()] {
                    let stored = try shelf.store.load()
                    #expect(
                        try shelf.found("word").count
                            == stored.entries.count + stored.messages.count)
                }
            }
        }
        #expect(points > 30)
    }
}
