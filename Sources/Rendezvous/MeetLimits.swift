// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// The numbers of the meeting point (docs/meet.md).
package enum MeetLimits {
    /// Seconds of an epoch: names and keys change at midnight UTC (docs/meet.md section 1).
    package static let epochSeconds: Int64 = 86_400
    /// Epochs that are read: this one and those before it, since a flight's window is up to four
    /// days long (docs/meet.md section 3).
    package static let epochsRead = 4
    /// Clocks may differ by so much: within it of midnight both epochs are followed.
    package static let clockSlack = TimeSpan.seconds(600)
    /// Bytes of a sealed payload are one of these, so that sizes say little (docs/meet.md section
    /// 2).
    package static let payloadSizes = [512, 1024, 2048, 4096, 8192, 16_384]
    /// Bytes of entries in a part, their three bytes of head counted (docs/meet.md section 3).
    package static let partBytes = 15_360
    /// Parts of a log that are left at the meeting point.
    package static let parts = 4
    /// Bytes of an entry that can be left; a longer one ends what is left (docs/meet.md section 3).
    package static let mailedEntry = 15_000
    /// Entries in one live message.
    package static let liveEntries = 64
    /// Items of a frontier in a card.
    package static let cardItems = 64
    /// Zero bits in front of the hash of a stamp: about a second of one core to find.
    package static let stampBits = 20
    /// Buckets of boxes, so that no read matches more messages than a broker queues.
    package static let buckets = 16
    /// Seconds for which anything is left, at most: 96 hours (docs/meet.md section 3).
    package static let longestStay: Int64 = 96 * 3600
    /// Seconds that a card's time may be ahead of the reader's clock.
    package static let cardAhead: Int64 = 600
    /// Letters in one lane (docs/meet.md section 4).
    package static let letters = 8
    /// Bytes of what a letter says.
    package static let letterBytes = 1...4096
    /// Bytes of a list of letters: what is sealed has at most 16000, with nonce and tag.
    package static let lettersBytes = 16_000 - 24 - 16
    /// Lanes of an inbox that are read in one epoch.
    package static let lanes = 64
    /// A change of what is left for somebody waits so long: a tunnel may reach them first.
    package static let letterSettle = TimeSpan.seconds(3)
    /// Letters are left again after so long, in case that somebody took them away.
    package static let letterRenewal = TimeSpan.seconds(900)
    /// Homes of a group (docs/meet.md section 5).
    package static let homes = 2
    /// Homes of before that are visited beside them after the pool changed.
    package static let oldHomes = 2
    /// For so long: by then everybody has looked the pool up again (docs/meet.md section 5).
    package static let oldHomeStay = TimeSpan.seconds(6 * 3600)
    /// Brokers of a pool that are looked at.
    package static let pool = 64
}
