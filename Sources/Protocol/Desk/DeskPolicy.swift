// SPDX-License-Identifier: Apache-2.0
/// What a desk goes by that is no rule of the book: which periods it offers, to whom, and for how
/// much (docs/protocol.md section 33). The shell makes it from the operator's words, so that the
/// core reads no JSON and knows no hours of its own.
public struct DeskPolicy: Hashable, Sendable {
    /// How a place is offered.
    public struct Place: Hashable, Sendable {
        /// 1...4095, as in ``BookRules``.
        public let number: Int
        /// A period begins at a multiple of this after midnight, in minutes, at least 1. Where
        /// ``lengths`` is empty it lasts a multiple of it too.
        public let grain: Int
        /// The shortest period in minutes; `nil` for one grain.
        public let least: Int?
        /// The longest period in minutes; `nil` for the longest that can be written.
        public let most: Int?
        /// The lengths to choose from, in minutes; empty for any from `least` to `most`.
        public let lengths: [Int]
        /// When it is offered: minutes since 2000-01-01 by the venue's clocks, sorted; spans that
        /// touch are one, so that a place that never closes has a single one. A period lies in one
        /// span, or with ``isByDay`` begins on a day on which a span begins.
        public let hours: [Range<Int>]
        /// Whether it is had for whole days, whatever the hours: only the day of its begin has to
        /// be one on which the venue is open.
        public let isByDay: Bool
        /// The longest turnover of what shares a unit with it, in minutes. Nothing begins so early
        /// in a ledger: what the ledger before gave out until its end is made ready then.
        public let turnover: Int
        /// The classes that may have it, as numbers of classes; empty for all.
        public let classes: [Int]

        /// A place that is offered in `hours`. Spans are sorted, and those that overlap or touch
        /// become one.
        public init(
            number: Int, grain: Int, least: Int? = nil, most: Int? = nil, lengths: [Int] = [],
            hours: [Range<Int>], isByDay: Bool = false, turnover: Int = 0, classes: [Int] = []
        ) {
            self.number = number
            self.grain = max(grain, 1)
            self.least = least
            self.most = most
            self.lengths = lengths.sorted()
            self.isByDay = isByDay
            self.turnover = max(turnover, 0)
            self.classes = classes.sorted()
            var spans: [Range<Int>] = []
            let sorted = hours.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
            for span in sorted {
                // Days are told apart by where spans begin.
                if let last = spans.last, span.lowerBound <= last.upperBound, !isByDay {
                    spans[spans.count - 1] =
                        last.lowerBound..<max(last.upperBound, span.upperBound)
                } else {
                    spans.append(span)
                }
            }
            self.hours = spans
        }
    }

    /// What a booking costs, in minor units of the currency.
    public enum Price: Hashable, Sendable {
        /// For each hour; parts of one are rounded up to a minor unit.
        case hour(Int)
        /// For each day that is begun.
        case day(Int)
    }

    /// How one joins.
    public enum Join: Hashable, Sendable {
        /// Everybody may book.
        case open
        /// By a form that the desk admits.
        case form
        /// By showing a card at the desk.
        case card
    }

    /// By number, each once.
    public let places: [Place]
    /// The price of each class by its number; `nil` for nothing. The last class is everybody's.
    public var prices: [Price?] = []
    /// Three capital letters (ISO 4217); `nil` where nothing costs anything.
    public var currency: String?
    /// Minutes until which it has to be paid: negative before the begin, else after the grant;
    /// `nil` for whenever.
    public var payBy: Int?
    /// A period begins at most so many days after today; `nil` for any day of the volume.
    public var ahead: Int?
    /// A period begins at least so many minutes from now.
    public var notice = 0
    /// Whoever gives back less than so many minutes before the begin has spent it; `nil` for
    /// nobody before the begin.
    public var cancel: Int?
    /// Whoever has not come so many minutes after the begin loses it; `nil` for nobody.
    public var arrive: Int?
    /// Whether there is a queue for what is full.
    public var waiting = false
    /// So many of what one person booked may overlap at any minute; `nil` for any number.
    public var together: Int?
    /// How one joins.
    public var join = Join.open

    /// A policy that offers these places, free of charge, to everybody. Of two with one number the
    /// first stays.
    public init(places: [Place]) {
        var kept: [Place] = []
        for place in places.sorted(by: { $0.number < $1.number })
        where kept.last?.number != place.number {
            kept.append(place)
        }
        self.places = kept
    }

    /// How a place is offered; `nil` for one that is not. O(log n).
    public func place(_ number: Int) -> Place? {
        let index = places.partitionPoint { $0.number < number }
        return index < places.count && places[index].number == number ? places[index] : nil
    }
}
