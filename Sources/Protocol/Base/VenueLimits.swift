// SPDX-License-Identifier: Apache-2.0
/// Limits of venues (docs/protocol.md section 31).
extension Limits {
    /// Days that have a number: two bytes, from 2000-01-01 on.
    package static let venueDays = 0...65_535
    /// Characters of a venue's name, the slash before its branch among them.
    package static let slug = 24
    /// Revisions of a venue's file: one a day for over a century.
    package static let venueRevisions = 1...65_535
    /// Numbers of places: two bytes of a mark on a map are more than any venue has places.
    package static let venuePlaces = 1...4095
    /// Bytes of a statement's body: a stay has 80 at most, the rest is for what comes later.
    package static let statementBody = 1...512
    /// Revisions of one author's stay: four bytes in a list.
    package static let stayRevisions = 1...4_294_967_295
    /// Authors known by hearsay whose stays are kept: the largest library on its busiest day.
    package static let stayAuthors = 4096
    /// Places beside these for people with whom this agent had a session: whoever makes up authors
    /// keeps nobody out who stands at the door.
    package static let stayAuthorsMet = 128
    /// Parts into which stays are cut by the first six bits of their author, so that few are listed
    /// where few differ.
    package static let stayBuckets = 64
    /// The agent takes one changed stay of an author in this time, after ``stayBurst`` at once,
    /// because everybody checks and forwards each.
    package static let stayPace = TimeSpan.seconds(5)
    /// See ``stayPace``.
    package static let stayBurst = 8
    /// Marks in one list: eight times as many as the largest bucket of 4096 authors has by chance,
    /// and a frame holds them.
    package static let stayMarks = 512
    /// Lists that one comparison sends at once; the next ones follow ``stayAgain`` later.
    package static let stayLists = 16
    /// How often the digests of all stays are sent on a link, to find what got lost.
    package static let stayRound = TimeSpan.seconds(60)
    /// The shortest time between two comparisons with one peer.
    package static let stayAgain = TimeSpan.seconds(2)
    /// A peer's lists are answered at this pace, after ``listBurst`` at once: an answer may be all
    /// stays of a bucket.
    package static let listPace = TimeSpan.milliseconds(500)
    /// See ``listPace``: both sides of a newcomer's first comparison.
    package static let listBurst = 128
    /// Bytes of a venue's words, one line of JSON.
    package static let page = 2...8192
}
