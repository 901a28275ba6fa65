// SPDX-License-Identifier: Apache-2.0
/// Limits of what keeps logs and links in order while nobody says anything (docs/protocol.md
/// sections 11 and 23).
extension Limits {
    /// Parts of the frontier in a SUMMARY: with 850 authors one that differs has 13 items, which is
    /// about what all digests take.
    package static let buckets = 64
    /// A frontier of so many authors or fewer is told as a list: that is hardly longer than a
    /// SUMMARY and the lists after it.
    package static let shortFrontier = 24
    /// The least time between two lists that answer a SUMMARY on a link, so that a peer who sends
    /// nothing else gets the whole frontier no more often.
    package static let summaryAgain = TimeSpan.seconds(10)
    /// The least time between two SUMMARYs on a link, and from one round to a digest that counts as
    /// the next one.
    package static let roundAgain = TimeSpan.seconds(15)
    /// How long a PEX waits for more changes of the own links in a partial mesh, where links are
    /// exchanged all the time: three or four changes are told at once.
    package static let exchangeGather = TimeSpan.seconds(30)...TimeSpan.seconds(60)
    /// Links that ended and are remembered, so that peers are told. With more, all is told again.
    package static let partings = 256

    /// A direct message that is not acknowledged goes out again after this time, then after twice
    /// that, and so on.
    package static let messageAgain = TimeSpan.seconds(60)
}
