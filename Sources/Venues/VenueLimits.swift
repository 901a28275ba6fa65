// SPDX-License-Identifier: Apache-2.0
/// Limits for a venue's file, because it comes from strangers and is sent as one message.
package enum VenueLimits {
    /// Bytes as one line: what a message holds.
    package static let bytes = 8 * 1024
    /// Bytes of a file, which has blanks and line ends for people.
    package static let file = 64 * 1024
    /// Bytes of a name, of whatever kind.
    static let name = 60
    /// Bytes of any other text that has to fit on a line or two.
    static let text = 160
    /// Bytes of a text of several sentences.
    static let words = 600
    /// Dates in a list of them: more are a week's hours.
    static let dates = 128
    /// A place's number has a place in two bytes beside others.
    static let place = 4095
    /// Places, and physical units: what the rules of a ledger hold.
    static let places = 256
    static let units = 256
    /// Groups have numbers below 63, which stands for any.
    static let groups = 63
    /// Classes of people.
    static let classes = 16
    /// Quotas of one class, and units of one place.
    static let few = 8
    /// Pieces of a unit, and how many there are of a place.
    static let count = 65_535
    /// The longest period: a month, in minutes.
    static let period = 44_640
    /// Time after a period in which nobody may have the place: a week, in minutes.
    static let turnover = 10_080
    /// People whose presence agents count.
    package static let people = 4096
    /// Lengths to choose from.
    static let lengths = 16
    /// Days ahead, and the minutes of as many.
    static let ahead = 730
    static let notice = ahead * 1440
    /// An amount of money in the smallest unit of its currency.
    static let amount = 1_000_000_000
}
