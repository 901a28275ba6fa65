// SPDX-License-Identifier: Apache-2.0
/// What must be equal everywhere about the bookings of a venue: what there is, how much of it one
/// booking takes, and how much one member may have (docs/protocol.md section 32). Hours, prices and
/// clocks are no part of it.
public struct BookRules: Hashable, Sendable {
    /// Something physical of which only so much is there at once: a hall, the castles of one kind.
    public struct Unit: Hashable, Sendable {
        /// 0...4095.
        public let number: Int
        /// 1...65535.
        public let capacity: Int

        /// Unit `number`, which holds `capacity`.
        public init(number: Int, capacity: Int) {
            self.number = number
            self.capacity = capacity
        }
    }

    /// How much of a unit one booking of a place takes.
    public struct Use: Hashable, Sendable {
        /// The number of the unit.
        public let unit: Int
        /// 1...65535.
        public let amount: Int

        /// A use of `amount` of `unit`.
        public init(unit: Int, amount: Int) {
            self.unit = unit
            self.amount = amount
        }
    }

    /// What people book.
    public struct Place: Hashable, Sendable {
        /// 1...4095.
        public let number: Int
        /// The set of places to which it belongs, 0...63.
        public let group: Int
        /// Minutes after a booking in which its units are not free, 0...10080.
        public let turnover: Int
        /// 1...8, sorted by unit.
        public let uses: [Use]

        /// A place.
        public init(number: Int, group: Int, turnover: Int, uses: [Use]) {
            self.number = number
            self.group = group
            self.turnover = turnover
            self.uses = uses
        }
    }

    /// What a member may have of the bookings that begin on one day.
    public struct Quota: Hashable, Sendable {
        /// Of which group; `nil` for all places.
        public let group: Int?
        /// At most so many minutes; 0 for any number.
        public let minutes: Int
        /// At most so many bookings; 0 for any number.
        public let bookings: Int

        /// A quota.
        public init(group: Int?, minutes: Int, bookings: Int) {
            self.group = group
            self.minutes = minutes
            self.bookings = bookings
        }
    }

    /// Between whom bookings change hands by a contract.
    public enum Swaps: Int, Hashable, Sendable {
        /// Between nobody.
        case none
        /// Between members of one class.
        case classes
        /// Between all.
        case all
    }

    /// The first day of the volume.
    public let first: VenueDay
    /// The last day of the volume.
    public let last: VenueDay
    /// 1...256, sorted by number.
    public let units: [Unit]
    /// 1...256, sorted by number; each uses units that are there.
    public let places: [Place]
    /// 1...16 classes with their quotas; the last one is for everybody.
    public let classes: [[Quota]]
    /// Which swaps apply.
    public let swaps: Swaps

    /// Rules of these parts; `nil` for those that nobody would read.
    public init?(
        first: VenueDay, last: VenueDay, units: [Unit], places: [Place], classes: [[Quota]],
        swaps: Swaps
    ) {
        self.first = first
        self.last = last
        self.units = units
        self.places = places
        self.classes = classes
        self.swaps = swaps
        guard (try? BookRules(decoding: encoded)) == self else { return nil }
    }

    /// The place of that number; `nil` if there is none. O(log n).
    public func place(_ number: Int) -> Place? {
        let index = places.partitionPoint { $0.number < number }
        return index < places.count && places[index].number == number ? places[index] : nil
    }

    /// How much a unit holds; 0 for one that is not there. O(log n).
    public func capacity(of unit: Int) -> Int {
        let index = units.partitionPoint { $0.number < unit }
        return index < units.count && units[index].number == unit ? units[index].capacity : 0
    }

    /// The quotas of a class; those of the last one for a class that is not there.
    public func quotas(of number: Int) -> [Quota] {
        classes[min(max(number, 0), classes.count - 1)]
    }

    /// Whether each place that `earlier` rules have as well takes the same units, and counts for
    /// the same group: what was booked by those rules stays what it was. O(n log n).
    public func keepsUnits(of earlier: BookRules) -> Bool {
        places.allSatisfy { place in
            guard let before = earlier.place(place.number) else { return true }
            return before.group == place.group
                && before.uses.map(\.unit) == place.uses.map(\.unit)
        }
    }

    /// The minutes of the volume, since 2000-01-01. A desk gives nothing out beyond them, as the
    /// next ledger begins there (docs/protocol.md section 33).
    public var minutes: Range<Int> { Volume.minutes(first, last) }

    /// Whether a period begins on a day of the volume and ends in it, or at most 360 minutes later.
    public func contains(_ period: Period) -> Bool {
        first <= period.day && period.day <= last
            && period.end <= (last.number + 1) * Limits.minutesOfDay + Limits.pastMidnight
    }

    // MARK: Bytes

    /// The deterministic CBOR that a charter holds.
    public var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 64 + 8 * units.count + 24 * places.count)
        writer.array(6)
        writer.uint(first.number)
        writer.uint(last.number)
        writer.array(units.count)
        for unit in units { Self.write([unit.number, unit.capacity], to: &writer) }
        writer.array(places.count)
        for place in places {
            writer.array(4)
            for part in [place.number, place.group, place.turnover] { writer.uint(part) }
            writer.array(place.uses.count)
            for use in place.uses { Self.write([use.unit, use.amount], to: &writer) }
        }
        writer.array(classes.count)
        for quotas in classes {
            writer.array(quotas.count)
            for quota in quotas {
                writer.array(3)
                if let group = quota.group { writer.uint(group) } else { writer.null() }
                writer.uint(quota.minutes)
                writer.uint(quota.bookings)
            }
        }
        writer.uint(swaps.rawValue)
        return writer.bytes
    }

    private static func write(_ pair: [Int], to writer: inout CBORWriter) {
        writer.array(pair.count)
        for number in pair { writer.uint(number) }
    }

    /// Reads rules, a text of its own. Throws ``DecodeError`` for all that is not their one form.
    public init(decoding bytes: [UInt8]) throws(DecodeError) {
        guard Limits.bookRules.contains(bytes.count) else { throw DecodeError(.tooLarge) }
        var reader = CBORReader(bytes.span.bytes)
        try reader.array(6)
        first = try VenueDay(&reader)
        last = try VenueDay(&reader)
        guard first <= last else { throw DecodeError(.badValue, at: reader.offset) }
        var units: [Unit] = []
        for _ in 0..<(try reader.array(Limits.bookUnits)) { units.append(try Unit(&reader)) }
        try Self.sorted(units.map(\.number), reader)
        var places: [Place] = []
        for _ in 0..<(try reader.array(Limits.bookUnits)) { places.append(try Place(&reader)) }
        try Self.sorted(places.map(\.number), reader)
        for use in places.flatMap(\.uses) {
            let index = units.partitionPoint { $0.number < use.unit }
            guard index < units.count, units[index].number == use.unit else {
                throw DecodeError(.badValue, at: reader.offset)
            }
        }
        var classes: [[Quota]] = []
        for _ in 0..<(try reader.array(Limits.memberClasses)) {
            var quotas: [Quota] = []
            for _ in 0..<(try reader.array(0...Limits.quotas)) {
                quotas.append(try Quota(&reader))
            }
            classes.append(quotas)
        }
        guard let swaps = Swaps(rawValue: try reader.uint(max: Swaps.all.rawValue)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        try reader.finish()
        self.units = units
        self.places = places
        self.classes = classes
        self.swaps = swaps
    }

    fileprivate static func sorted(
        _ numbers: [Int], _ reader: borrowing CBORReader
    ) throws(DecodeError) {
        guard zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
            throw DecodeError(.notSorted, at: reader.offset)
        }
    }
}

extension BookRules.Unit {
    fileprivate init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(2)
        number = try reader.uint(max: Limits.unitNumber)
        capacity = try reader.uint(in: Limits.capacity)
    }
}

extension BookRules.Place {
    fileprivate init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(4)
        number = try reader.uint(in: Limits.venuePlaces)
        group = try reader.uint(max: Limits.placeGroup)
        turnover = try reader.uint(max: Limits.turnover)
        var uses: [BookRules.Use] = []
        for _ in 0..<(try reader.array(Limits.usesOfPlace)) {
            try reader.array(2)
            let unit = try reader.uint(max: Limits.unitNumber)
            uses.append(BookRules.Use(unit: unit, amount: try reader.uint(in: Limits.capacity)))
        }
        try BookRules.sorted(uses.map(\.unit), reader)
        self.uses = uses
    }
}

extension BookRules.Quota {
    fileprivate init(_ reader: inout CBORReader) throws(DecodeError) {
        try reader.array(3)
        group = try reader.takeNull() ? nil : try reader.uint(max: Limits.placeGroup)
        minutes = try reader.uint(max: Limits.quotaMinutes)
        bookings = try reader.uint(max: Limits.quotaBookings)
    }
}
