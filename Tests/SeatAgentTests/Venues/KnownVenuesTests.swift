// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Profile
@testable import Protocol
@testable import System
@testable import Text
@testable import Venues

@Suite("Venues that the user knows")
struct KnownVenuesTests {
    private let now = UTCTime(seconds: 1_795_000_000)

    private func link(_ slug: String, by first: UInt8 = 0) throws -> VenueLink {
        let key = OperatorKey(try SignedFiles.key(first).key.raw)
        return try #require(VenueLink(slug: slug, runBy: key, kind: .month))
    }

    /// The code of what `body` throws.
    private func code(_ body: () throws -> Void) -> ErrorCode? {
        do {
            try body()
            return nil
        } catch {
            return (error as? UserError)?.code
        }
    }

    @Test("Of two revisions the higher one stays")
    func revisions() throws {
        var book = KnownVenues()
        #expect(try book.take(try SignedFiles.signed(revision: 2), at: now) == .added)
        #expect(try book.take(try SignedFiles.signed(revision: 2), at: now) == .known)
        let newer = try SignedFiles.signed(["name": "Wreck"], revision: 5)
        #expect(try book.take(newer, at: now) == .newer(than: 2))
        #expect(book.find("rec")?.signed == newer && book.find("rec")?.name == "Wreck")
        let before = book
        let older = try SignedFiles.signed(revision: 4)
        #expect(code { try book.take(older, at: now) } == .alreadySo)
        let twin = try SignedFiles.signed(["name": "Rock"], revision: 5)
        #expect(code { try book.take(twin, at: now) } == .badVenue)
        #expect(book == before)
    }

    @Test("Another key under a name that is known is refused, by file and by sign")
    func keys() throws {
        var book = KnownVenues()
        try book.take(try SignedFiles.signed(), at: now)
        let before = book
        let other = try SignedFiles.signed(revision: 9, by: 1)
        #expect(code { try book.take(other, at: now) } == .keyChanged)
        let sign = try link("rec", by: 1)
        #expect(code { try book.take(sign, at: now) } == .keyChanged)
        #expect(book == before)
        #expect(try book.knows("rec", runBy: SignedFiles.signed().runBy))
        #expect(try !book.knows("uva", runBy: other.runBy))
        book.forget("rec")
        #expect(try book.take(other, at: now) == .added)
        #expect(book.find("rec")?.operatorKey == other.runBy.bytes)
    }

    @Test("A sign is known before its words, and never takes their place")
    func signs() throws {
        var book = KnownVenues()
        #expect(try book.take(try link("rec"), at: now) == .added)
        #expect(try book.take(try link("rec"), at: now) == .known)
        let known = try book.named("rec")
        #expect(known.revision == nil && known.bytes == nil && known.signature == nil)
        #expect(known.kind == .month && known.name == "rec")
        let signed = try SignedFiles.signed()
        #expect(try book.take(signed, at: UTCTime(seconds: 1_796_000_000)) == .words)
        // The words say another volume than the sign, and when it was taken stays.
        let after = try book.named("rec")
        #expect(after.kind == .day && after.since == now && after.bytes == signed.words)
        #expect(try book.take(try link("rec"), at: now) == .known)
        #expect(book.find("rec")?.kind == .day)
    }

    @Test("The list is in order, has an end, and comes back from its file")
    func file() throws {
        var book = KnownVenues()
        for number in (0..<KnownVenues.limit - 1).reversed() {
            try book.take(try link("v\(number)"), at: now)
        }
        try book.take(try SignedFiles.signed(), at: now)
        #expect(code { try book.take(try link("w"), at: now) } == .tooLong)
        #expect(book.venues.first?.slug == "rec" && book.venues[1].slug == "v0")
        #expect(book.venues.count == KnownVenues.limit)
        let primitives = try SignedFiles.primitives()
        #expect(try KnownVenues(json: book.json, primitives: primitives) == book)
        #expect(code { _ = try book.named("recc") } == .noSuchVenue)
    }

    @Test("A file of the list that is not as it was written is refused")
    func strict() throws {
        var book = KnownVenues()
        try book.take(try SignedFiles.signed(), at: now)
        try book.take(try link("uva"), at: now)
        let items = try #require(book.json["venues"]?.list)
        let (rec, uva) = (items[0], items[1])
        let primitives = try SignedFiles.primitives()
        func fault(_ items: JSON...) -> String {
            do throws(FormFault) {
                _ = try KnownVenues(
                    json: ["version": 1, "venues": .array(items)], primitives: primitives)
                return ""
            } catch {
                return error.sentence
            }
        }
        #expect(fault(rec, uva) == "")
        #expect(fault(uva, uva) == "venues[1]: uva is there twice")
        #expect(fault(rec.adding(["slug": "rec"])).hasPrefix("venues[0]: signed, or slug"))
        #expect(fault(uva.adding(["slug": "-"])).hasPrefix("venues[0].slug: "))
        #expect(fault(uva.adding(["volume": "decade"])).hasPrefix("venues[0].volume: "))
        #expect(fault(uva.adding(["since": "now"])).hasPrefix("venues[0].since: "))
        #expect(fault(uva.adding(["x": 1])).contains("called x"))
        let forged = (rec["signed"] ?? .null).adding(["revision": 4])
        #expect(fault(rec.adding(["signed": forged])).hasPrefix("signature: it is not"))
    }

    @Test("On disk it is one private file, and a damaged one is left as it is")
    func disk() throws {
        var name = Array("/tmp/seatagent-known.XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&name))
        let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": folder, "XDG_DATA_HOME": folder])
        defer {
            for file in ["venues.json", "venues.lock"] { unlink("\(place.dataDirectory)/\(file)") }
            for path in [place.dataDirectory, "\(folder)/seatagent", folder] { rmdir(path) }
        }
        #expect(try KnownVenues.read(place) == KnownVenues())
        let signed = try SignedFiles.signed()
        try KnownVenues.change(place) { (book) throws(UserError) in
            try book.take(signed, at: now)
        }
        #expect(try KnownVenues.read(place).find("rec")?.signed == signed)
        var facts = stat()
        #expect(stat(place.venuesPath, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        try PrivateFile.write(Array("{".utf8), to: place.venuesPath)
        #expect(code { _ = try KnownVenues.read(place) } == .file)
        #expect(
            code { try KnownVenues.change(place) { (book) in book.forget("rec") } } == .file)
        #expect(try PrivateFile.read(place.venuesPath) == Array("{".utf8))
    }
}
