// SPDX-License-Identifier: Apache-2.0
/// Limits of a desk (docs/protocol.md section 33).
extension Limits {
    /// How long a desk that was away gathers asks before it draws lots for them.
    package static let lotGathers = TimeSpan.seconds(5)
    /// How long nobody was linked when a desk was away.
    package static let deskAlone = TimeSpan.seconds(45)
    /// The first ask this long after the desk came back begins the gathering: agents find it again
    /// within their backoff, and a desk that nobody asks anything draws no lots.
    package static let deskReturns = TimeSpan.seconds(30)
    /// How long after it came back a desk takes nobody for absent: agents compare stays once a
    /// minute.
    package static let deskStays = TimeSpan.seconds(75)
    /// The shortest time between two looks at the wall clock, which may be set.
    package static let deskClock: Int64 = 60

    /// Entries of a ledger that asks of keys without a number may take it up to: half of it.
    package static let ledgerForStrangers = entriesPerLedger / 2
    /// The same of asks of members: the rest is for staff and for bookings that end.
    package static let ledgerForMembers = entriesPerLedger - 4096
    /// The same of bookings that end: the rest is for staff alone.
    package static let ledgerForEnds = entriesPerLedger - 64
    /// The same three in bytes.
    package static let ledgerBytesForStrangers = bytesPerLedger / 2
    /// See ``ledgerBytesForStrangers``.
    package static let ledgerBytesForMembers = bytesPerLedger - 2 * 1024 * 1024
    /// See ``ledgerBytesForStrangers``.
    package static let ledgerBytesForEnds = bytesPerLedger - 64 * 1024

    /// Entries that a key without a number causes in a day.
    package static let strangerEntriesPerDay = 4
    /// And in all.
    package static let strangerEntries = 64
    /// Entries that a member causes in a day: a booking each week of a year, and some changes.
    package static let memberEntriesPerDay = 64

    /// Asks of one author that a desk keeps while it does not grant, and that wait in the queue.
    package static let asksPerAuthor = 8
    /// The same of all authors.
    package static let asksKept = 32_768
    /// Asks whose end is remembered until their time is over.
    package static let asksAnswered = 65_536
    /// Answers to one asker that are on the desk's disk.
    package static let answersToOne = 256
    /// Answers to members that are passed over, where another one has to go.
    package static let answersPassed = 1024
    /// Words of one author that take asks back that have not come.
    package static let wordsOfOne = 16
    /// The same of all keys without a number.
    package static let wordsOfStrangers = 16_384
    /// Refused asks that the people at the desk may still grant.
    package static let asksRefused = 256
    /// The same of one author.
    package static let asksRefusedOfOne = 16
    /// Authors whose stay a desk remembers: as many as an agent keeps.
    package static let deskStaysKept = 8192
    /// The shortest time that somebody has to pay, in minutes.
    package static let payAtLeast = 15
}
