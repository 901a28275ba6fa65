// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text
package import Venues

/// What somebody wants to book: one thing of each part, all or some of them.
package struct BookingWish: Hashable, Sendable {
    /// One booking.
    package struct Part: Hashable, Sendable {
        /// What it may be: one place, or those of a group in the order of the file. Not empty.
        package let spots: [BookingSpot]
    }

    /// In the order in which they were typed; at least one.
    package let parts: [Part]

    /// What to ask for: of each part the first that is free and no choice of a part before; the
    /// first of all if there is none, so that the refusal says why.
    package func choices(_ isFree: (BookingSpot) -> Bool) -> [BookingSpot] {
        var chosen: [BookingSpot] = []
        for part in parts {
            let others = part.spots.filter { spot in
                !chosen.contains { $0.place == spot.place }
            }
            let spots = others.isEmpty ? part.spots : others
            chosen.append(spots.first(where: isFree) ?? spots[0])
        }
        return chosen
    }
}

/// Reads what people type to book: `tennis 5 dec 18:00 2h`, `'Tennis 2' sat 18-20`, `Piraat 12 jun`
/// (docs/guide/venues.md).
///
/// What is missing is named, what fits several things is answered with a list, and each complaint
/// comes with a line that can be typed.
package struct BookingReader: Sendable {
    /// Which periods there are.
    package let offered: OfferedPeriods
    /// Now.
    package let now: UTCTime
    /// What is free, as far as it is known here: lines to try are of that.
    package var isFree: @Sendable (VenuePlace, Period) -> Bool
    /// Whether lines say which venue they mean: whoever types them knows several.
    package var namesVenue = false
    let names: BookingNames

    /// Reads words for a venue at `now`.
    package init(
        _ offered: OfferedPeriods, at now: UTCTime,
        isFree: @escaping @Sendable (VenuePlace, Period) -> Bool = { _, _ in true }
    ) {
        self.offered = offered
        self.now = now
        self.isFree = isFree
        names = BookingNames(offered.venue)
    }

    /// Places of one line.
    static let most = 8

    private var venue: Venue { offered.venue }

    /// The day of now by the venue's clocks.
    package var today: VenueDay? { offered.clock.clock(at: now)?.day }

    // MARK: Reading

    /// Reads a command line. Throws `usage`, `ambiguous`, `no-such-place` and `too-long`.
    package func read(_ operands: [String]) throws(UserError) -> BookingWish {
        guard operands.reduce(0, { $0 + $1.utf8.count }) <= BookingToken.longest else {
            throw refused(.tooLong, "that is too long", "\(BookingToken.longest) bytes are read")
        }
        let tokens = BookingToken.split(operands) { names.isName($0) }
        guard tokens.count <= BookingToken.most else {
            throw refused(.tooLong, "that is too long", "\(BookingToken.most) words are read")
        }
        let phrase = BookingPhrase(tokens, names: names)
        var draft = BookingDraft(offered, names, at: now)
        for piece in phrase.pieces {
            if let slip = draft.take(piece.part) {
                throw complaint(slip, phrase.text(piece), draft)
            }
        }
        switch draft.spots() {
        case .success(let parts): return BookingWish(parts: parts.map { .init(spots: $0) })
        case .failure(let slip): throw complaint(slip, operands.joined(separator: " "), draft)
        }
    }

    // MARK: Complaints

    /// A complaint with a line that works.
    private func refused(_ code: ErrorCode, _ what: String, _ why: String?) -> UserError {
        UserError(code, what, why: why, advice: line(names.places))
    }

    /// A line that books something of these places, the nearest to a time; without one from an hour
    /// from now on.
    package func line(
        _ places: [VenuePlace], start: Int? = nil, minutes: Int? = nil
    ) -> String {
        let first = offered.clock.minute(at: now) + 60
        let last = first + (venue.rules.ahead ?? 400) * Limits.minutesOfDay
        let wanted = min(max(start ?? first, first), last)
        let found = offered.nearest(
            1, to: wanted, minutes: minutes ?? 0, of: places, at: now, isFree: isFree)
        guard let spot = found.first else {
            return BookingLines.show(venue)
        }
        return line(BookingSpot(spot.place, spot.period))
    }

    /// The operands that book it.
    package func operands(_ spot: BookingSpot, today: VenueDay) -> [String] {
        let named = spot.typed(today: today)
        return reads(named, as: spot) ? named : spot.typedByNumber(today: today)
    }

    /// The line that books it: it reads as that and nothing else.
    package func line(_ spot: BookingSpot) -> String {
        guard let today else { return BookingLines.show(venue) }
        let words = operands(spot, today: today)
        return "seatagent book " + words.map { ShellWord.quoted($0) }.joined(separator: " ")
            + (namesVenue ? " --venue " + ShellWord.quoted(venue.slug) : "")
    }

    /// `Tennis 2, Sat 5 Dec 18:00-20:00` for people, in a form that can be typed back: a name that
    /// would be read as something else stands in quotes.
    package func words(_ spot: BookingSpot) -> String {
        guard let today else { return spot.what }
        let plain = spot.words(today: today)
        let when = spot.when(today: today)
        let count = spot.count == 1 ? "" : "\(spot.count) x "
        let quote = spot.name.unicodeScalars.contains("'") ? "\"" : "'"
        let quoted = "\(count)\(quote)\(spot.name)\(quote), \(when)"
        let tries = [plain, quoted]
        return tries.first { reads([$0], as: spot) } ?? "\(count)#\(spot.place), \(when)"
    }

    /// Whether words say that and nothing else.
    private func reads(_ operands: [String], as spot: BookingSpot) -> Bool {
        guard operands.reduce(0, { $0 + $1.utf8.count }) <= BookingToken.longest else {
            return false
        }
        let tokens = BookingToken.split(operands) { names.isName($0) }
        guard tokens.count <= BookingToken.most else { return false }
        let phrase = BookingPhrase(tokens, names: names)
        var draft = BookingDraft(offered, names, at: now)
        for piece in phrase.pieces where draft.take(piece.part) != nil { return false }
        return (try? draft.spots().get()) == [[spot]]
    }
}
