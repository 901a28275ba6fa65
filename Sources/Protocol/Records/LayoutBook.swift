// SPDX-License-Identifier: Apache-2.0
/// The suggestions of all passengers, and what most of them suggest (docs/protocol.md section 27).
///
/// It keeps those of the 64 smallest keys, so that agents who heard the same suggestions keep the
/// same ones, in whatever order they came.
package struct LayoutBook: Hashable, Sendable {
    /// A suggestion that is kept.
    struct Item: Hashable, Sendable {
        var suggestion: LayoutSuggestion
        var hash: Bytes32
        /// When all changes of the author so far are paid off: each costs
        /// one ``Limits/layoutPace``.
        var paid: Instant

        var mark: LayoutMark {
            LayoutMark(author: suggestion.author, revision: suggestion.revision, hash: hash)
        }
    }

    /// Sorted by author, at most ``Limits/layoutAuthors``.
    private(set) var items: [Item] = []

    /// No suggestions.
    package init() {}

    /// Whether nobody suggested anything.
    package var isEmpty: Bool { items.isEmpty }

    /// What is kept, sorted by author; also what was taken back.
    package var suggestions: [LayoutSuggestion] { items.map(\.suggestion) }

    /// What is kept, in short, sorted by author.
    package var marks: [LayoutMark] { items.map(\.mark) }

    /// Whether it would be kept: newer than what is here of its author, and its author has a place.
    package func isNews(_ mark: LayoutMark) -> Bool {
        if let old = items.first(where: { $0.suggestion.author == mark.author }) {
            return mark.replaces(old.mark)
        }
        guard items.count >= Limits.layoutAuthors, let last = items.last else { return true }
        return mark.author < last.suggestion.author
    }

    /// When the next change of `author` may be taken; `nil` for now. Four at once, then one in 10
    /// s, because each costs everybody a signature check and a copy.
    package func rests(_ author: PeerKey, at now: Instant) -> Instant? {
        guard let item = items.first(where: { $0.suggestion.author == author }) else { return nil }
        let debt = item.paid - now
        let most = TimeSpan(
            nanoseconds: Limits.layoutPace.nanoseconds * Int64(Limits.layoutBurst - 1))
        guard debt > most else { return nil }
        return now + TimeSpan(nanoseconds: debt.nanoseconds - most.nanoseconds)
    }

    /// Keeps a suggestion that is news, whose signature was checked and whose bytes have that hash.
    package mutating func keep(_ suggestion: LayoutSuggestion, _ hash: Bytes32, at now: Instant) {
        var item = Item(suggestion: suggestion, hash: hash, paid: now + Limits.layoutPace)
        guard isNews(item.mark) else { return }
        if let place = items.firstIndex(where: { $0.suggestion.author == suggestion.author }) {
            item.paid = max(now, items[place].paid) + Limits.layoutPace
            items[place] = item
            return
        }
        let place = items.firstIndex { suggestion.author < $0.suggestion.author }
        items.insert(item, at: place ?? items.count)
        if items.count > Limits.layoutAuthors { items.removeLast() }
    }

    /// SHA-256 over "seatswap/1 layouts" and the CBOR array of the marks.
    package func digest(_ primitives: any Primitives) -> Bytes32 {
        var writer = CBORWriter(capacity: 8 + 70 * items.count)
        LayoutMark.write(marks, to: &writer)
        return primitives.sha256(Array("seatswap/1 layouts".utf8) + writer.bytes)
    }

    /// Suggestions that are new to a peer who keeps `theirs`.
    package func newer(than theirs: [LayoutMark]) -> [LayoutSuggestion] {
        items.filter { item in
            guard let known = theirs.first(where: { $0.author == item.suggestion.author }) else {
                return true
            }
            return item.mark.replaces(known)
        }
        .map(\.suggestion)
    }

    /// The layouts suggested by authors who count, with their authors: most authors
    /// first, then the smaller hash.
    package func tally(of counts: (PeerKey) -> Bool) -> [LayoutTally] {
        var tallies: [LayoutTally] = []
        for item in items where !item.suggestion.layout.isEmpty && counts(item.suggestion.author) {
            let author = item.suggestion.author
            if let place = tallies.firstIndex(where: { $0.hash == item.hash }) {
                tallies[place].authors.append(author)
            } else {
                tallies.append(
                    LayoutTally(
                        layout: item.suggestion.layout, hash: item.hash, authors: [author]))
            }
        }
        return tallies.sorted { one, other in
            one.authors.count != other.authors.count
                ? one.authors.count > other.authors.count : one.hash < other.hash
        }
    }
}

/// A layout, and who suggests it.
public struct LayoutTally: Hashable, Sendable {
    /// Its bytes, as they were signed. Hostile.
    public var layout: [UInt8]
    /// SHA-256 of them.
    public var hash: Bytes32
    /// Who suggests it, sorted.
    public var authors: [PeerKey]

    /// The layout that at least ``Limits/layoutVoices`` of the authors in `tallies` suggest, and
    /// more than half of them; `nil` if there is none. One passenger alone agrees on nothing.
    public static func agreed(among tallies: [LayoutTally]) -> LayoutTally? {
        let voices = tallies.reduce(0) { $0 + $1.authors.count }
        return tallies.first { tally in
            tally.authors.count >= Limits.layoutVoices && 2 * tally.authors.count > voices
        }
    }
}
