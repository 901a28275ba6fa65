// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

private let primitives = FakePrimitives()

private func suggestion(_ author: UInt8, _ revision: Int, _ layout: [UInt8]) -> LayoutSuggestion {
    LayoutSuggestion(
        layout, revision: revision, flight: testFlight.id, by: FakeSigner(author))
}

extension LayoutBook {
    fileprivate mutating func keep(_ suggestion: LayoutSuggestion, at now: Instant = .zero) {
        keep(suggestion, primitives.sha256(suggestion.layout), at: now)
    }
}

@Suite struct LayoutBookTests {
    @Test func mostAuthorsDecideAndTheSmallerHashAmongEquals() {
        var book = LayoutBook()
        book.keep(suggestion(1, 1, [1]))
        book.keep(suggestion(2, 1, [2]))
        let first = [[1], [2]].min { primitives.sha256($0) < primitives.sha256($1) }
        #expect(book.tally { _ in true }.map(\.layout).first == first)
        book.keep(suggestion(3, 7, [3]))
        book.keep(suggestion(4, 1, [3]))
        book.keep(suggestion(5, 1, []))
        let tally = book.tally { _ in true }
        #expect(tally[0].layout == [3] && tally.count == 3)
        #expect(tally[0].authors == [FakeSigner(3).key, FakeSigner(4).key])
        // An author who does not count has no voice, and gets it back by counting.
        #expect(book.tally { $0 != FakeSigner(4).key }.map(\.authors.count) == [1, 1, 1])
    }

    @Test func aHigherRevisionReplacesAndAnEqualOneOnlyBySmallerHash() {
        let low = [[1], [2]].min { primitives.sha256($0) < primitives.sha256($1) } ?? []
        let high: [UInt8] = low == [1] ? [2] : [1]
        var book = LayoutBook()
        for (revision, layout, kept) in [
            (2, high, high), (1, low, high), (2, low, low), (2, high, low), (3, [9], [9]),
            (4, [], []), (3, [9], []),
        ] as [(Int, [UInt8], [UInt8])] {
            book.keep(suggestion(1, revision, layout))
            #expect(book.suggestions.map(\.layout) == [kept], "\(revision) \(layout)")
        }
    }

    /// Whatever came first: those of the 64 smallest keys, and so one digest.
    @Test func whatIsKeptDoesNotDependOnTheOrder() {
        var random = SeededRandom(seed: 5)
        var all: [LayoutSuggestion] = []
        for author in 0..<90 as Range<UInt8> {
            for revision in 1...3 { all.append(suggestion(author, revision, [author % 4])) }
            all.append(suggestion(author, 3, [9]))
        }
        var digests: [Bytes32] = []
        for _ in 0..<8 {
            var book = LayoutBook()
            for item in all.shuffled(using: &random) { book.keep(item) }
            #expect(book.suggestions.count == Limits.layoutAuthors)
            #expect(book.suggestions.last?.author == FakeSigner(63).key)
            #expect(
                !book.isNews(LayoutMark(author: FakeSigner(64).key, revision: 9, hash: .zero)))
            digests.append(book.digest(primitives))
        }
        #expect(Set(digests).count == 1)
    }

    /// Two books tell each other what is newer, and are equal then.
    @Test func whatIsNewerMakesBooksEqual() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<50 {
            var books = [LayoutBook(), LayoutBook()]
            for _ in 0..<40 {
                let author = UInt8.random(in: 0..<80, using: &random)
                let revision = Int.random(in: 1...4, using: &random)
                let layout = [UInt8.random(in: 0..<3, using: &random)]
                books[Int.random(in: 0..<2, using: &random)]
                    .keep(suggestion(author, revision, layout))
            }
            let marks = books.map(\.marks)
            for item in books[0].newer(than: marks[1]) { books[1].keep(item) }
            for item in books[1].newer(than: marks[0]) { books[0].keep(item) }
            #expect(books[0].digest(primitives) == books[1].digest(primitives))
            #expect(books[0].newer(than: books[1].marks).isEmpty)
        }
    }

    @Test func fourChangesAtOnceThenOneInTenSeconds() {
        var book = LayoutBook()
        let key = FakeSigner(1).key
        for revision in 1...4 {
            #expect(book.rests(key, at: .zero) == nil)
            book.keep(suggestion(1, revision, [1]))
        }
        let again = Instant.zero + Limits.layoutPace
        #expect(book.rests(key, at: .zero) == again)
        #expect(book.rests(FakeSigner(2).key, at: .zero) == nil)
        #expect(book.rests(key, at: again) == nil)
        book.keep(suggestion(1, 5, [2]), at: again)
        #expect(book.rests(key, at: again) == again + Limits.layoutPace)
        #expect(book.rests(key, at: again + .seconds(60)) == nil)
    }

    @Test func aSignatureIsForOneFlightOneRevisionAndThoseBytes() {
        let good = suggestion(1, 2, [1, 2])
        #expect(good.isSigned(flight: testFlight.id, primitives: primitives))
        #expect(!good.isSigned(flight: FlightID(.zero), primitives: primitives))
        for bad in [
            LayoutSuggestion(
                author: good.author, revision: 3, signature: good.signature, layout: [1, 2]),
            LayoutSuggestion(
                author: good.author, revision: 2, signature: good.signature, layout: [1]),
            LayoutSuggestion(
                author: FakeSigner(2).key, revision: 2, signature: good.signature,
                layout: [1, 2]),
        ] {
            #expect(!bad.isSigned(flight: testFlight.id, primitives: primitives))
        }
        // Nothing else that a key signs begins like it.
        let text = LayoutSuggestion.toBeSigned(flight: testFlight.id, revision: 1, layout: [])
        #expect(text.starts(with: [0x84, 0x71] + Array("seatswap/1 layout".utf8)))
        #expect(!EntryCodec.toBeSigned([]).starts(with: text.prefix(2)))
    }

    @Test func marksInAMessageAreSortedAndWhole() {
        func isRead(_ marks: [LayoutMark]) -> Bool {
            let bytes = Message.layout(.known(digest: .zero, marks: marks)).encode()
            return (try? Message.decode(Frame(type: bytes[4], payload: Array(bytes[5...])))) != nil
        }
        let marks = (0..<65 as Range<UInt8>).map {
            LayoutMark(author: FakeSigner($0).key, revision: 1, hash: .zero)
        }
        #expect(isRead(Array(marks.prefix(64))) && isRead([]))
        #expect(!isRead(marks) && !isRead([marks[1], marks[0]]) && !isRead([marks[0], marks[0]]))
        #expect(!isRead([LayoutMark(author: marks[0].author, revision: 0, hash: .zero)]))
    }
}
