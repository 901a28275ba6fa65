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
    /// Places beside these for people with whom a session is open: as many as have one at once.
    package static let stayAuthorsMet = 128
    /// Authors that one peer may introduce at once: all of a full library, so that a newcomer with
    /// one neighbour knows it within seconds. They take 0.3 s of a core to check, no faster than
    /// ``entriesPerSecond``, and places that others want come back from whoever has more than
    /// their share (``StayPlaces``).
    package static let stayNewcomers = 4096
    /// See ``stayNewcomers``: ten times as many as come to the largest library in a second.
    package static let stayNewcomersPerSecond = 10
    /// Parts into which stays are cut by the first six bits of their author, so that few are listed
    /// where few differ.
    package static let stayBuckets = 64
    /// The agent takes one changed stay of an author in this time, after ``stayBurst`` at once,
    /// because everybody checks and forwards each.
    package static let stayPace = TimeSpan.seconds(5)
    /// See ``stayPace``.
    package static let stayBurst = 8
    /// Marks in one list: eight times as many as the largest bucket of 4096 authors has by chance,
    /// and a frame holds them. More take several lists.
    package static let stayMarks = 512
    /// Lists that one comparison sends at once; the next ones follow ``stayAgain`` later.
    package static let stayLists = 16
    /// Marks that are listed to a peer, whatever digests they send, after ``stayListed`` at once:
    /// 35 kB a second.
    package static let stayListedPerSecond = 500
    /// See ``stayListedPerSecond``: all that is kept, three times.
    package static let stayListed = 3 * (stayAuthors + stayAuthorsMet)
    /// Stays that are sent to a peer, whatever they say that they lack, after ``stayAnswers`` at
    /// once: as many as they can take of ``entriesPerSecond``.
    package static let stayAnswersPerSecond = 200
    /// See ``stayAnswersPerSecond``: all that is kept, twice.
    package static let stayAnswers = 2 * (stayAuthors + stayAuthorsMet)
    /// A stay that comes so long after its bucket was listed to its sender is taken for an answer:
    /// others have it, or hear of it by the digests. As long as a full answer takes at
    /// ``entriesPerSecond``.
    package static let stayAnswered = TimeSpan.seconds(30)
    /// How long digests wait for more, when others are to hear that there was an answer.
    package static let stayGathered = TimeSpan.seconds(10)
    /// How often the digests of all stays are sent on a link, to find what got lost.
    package static let stayRound = TimeSpan.seconds(60)
    /// The shortest time between two comparisons with one peer.
    package static let stayAgain = TimeSpan.seconds(2)
    /// A peer's lists are looked at at this pace, after ``listBurst`` at once: each costs a look at
    /// all stays of a bucket.
    package static let listPace = TimeSpan.milliseconds(500)
    /// See ``listPace``: more than all lists of a full book, whatever is in which bucket.
    package static let listBurst = 128
    /// Bytes of a venue's words, one line of JSON.
    package static let page = 2...8192
}
