// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text
package import Venues

extension Venue {
    /// Whether a desk gives anything of it out.
    package var hasBookings: Bool { places.contains { $0.mode == .granted } }

    /// The rules of the ledger of one volume, as its charter has them (docs/protocol.md section
    /// 32). Throws for a venue of which nothing is booked, and for rules that no charter holds.
    package func bookRules(for volume: Protocol.Volume) throws(FormFault) -> BookRules {
        guard volume.kind.rawValue == self.volume.rawValue else {
            throw FormFault(
                place: "volume", why: "\(volume.text) is no \(self.volume.rawValue)")
        }
        let numbers = BookNumbers(self)
        let booked = places.filter { $0.mode == .granted }.sorted { $0.id < $1.id }
        guard !booked.isEmpty else {
            throw FormFault(place: "places", why: "nothing is booked: none is granted")
        }
        let rules = BookRules(
            first: volume.first, last: volume.last, units: units(booked, numbers),
            places: booked.map { place in
                BookRules.Place(
                    number: place.id, group: numbers.group(place.group),
                    turnover: place.periods?.turnover ?? 0, uses: uses(place, numbers))
            },
            classes: classes.map { one in
                one.quota.map { quota in
                    BookRules.Quota(
                        group: quota.group.map(numbers.group), minutes: quota.minutes ?? 0,
                        bookings: quota.bookings ?? 0)
                }
            }, swaps: swaps)
        // The reader of files holds each number to the same limits, so only the size is left.
        guard let rules else {
            throw FormFault(
                place: "places",
                why: "the rules of a ledger have at most \(Limits.bookRules.upperBound) bytes, "
                    + "and these have more: fewer places, units or classes are wanted")
        }
        return rules
    }

    private func units(_ booked: [VenuePlace], _ numbers: BookNumbers) -> [BookRules.Unit] {
        let named = units.compactMap { unit in
            numbers.unit(unit.key).map { BookRules.Unit(number: $0, capacity: unit.capacity) }
        }
        // What takes units is one thing: several of it are several places.
        let own = booked.filter { $0.isUnit(among: units) }.map {
            BookRules.Unit(
                number: numbers.ownUnit($0), capacity: $0.uses.isEmpty ? $0.count : 1)
        }
        return (named + own).sorted { $0.number < $1.number }
    }

    private func uses(_ place: VenuePlace, _ numbers: BookNumbers) -> [BookRules.Use] {
        let own =
            place.isUnit(among: units)
            ? [BookRules.Use(unit: numbers.ownUnit(place), amount: 1)] : []
        let named = place.uses.compactMap { use in
            numbers.unit(use.unit).map { BookRules.Use(unit: $0, amount: use.amount) }
        }
        return (own + named).sorted { $0.unit < $1.unit }
    }

    private var swaps: BookRules.Swaps {
        switch rules.swaps {
        case .none: .none
        case .sameClass: .classes
        case .all: .all
        }
    }
}

/// Whether a later file of a venue can go on with the bookings of an earlier one, within a volume.
///
/// Bookings keep what they took of units by number, members keep the number of their class, and
/// quotas count by the number of a group. So a change that moves one of these numbers waits for the
/// next volume.
package enum RulesChange {
    /// The first thing that would change its meaning; `nil` if nothing does.
    package static func fault(from earlier: Venue, to later: Venue) -> FormFault? {
        let (old, new) = (BookNumbers(earlier), BookNumbers(later))
        guard earlier.classes.map(\.name) == later.classes.map(\.name) else {
            return FormFault(
                place: "classes",
                why: "members would be of another class: within a \(earlier.volume.rawValue) "
                    + "classes keep their names and their order")
        }
        for unit in earlier.units {
            guard let number = old.unit(unit.key) else { continue }
            // A unit that nothing uses any more keeps its bookings, if its number stays free.
            let isKept = new.unit(unit.key) == number
            let isGone =
                new.unit(unit.key) == nil && new.unit(numbered: number) == nil
                && later.place(number).map { $0.mode != .granted } ?? true
            guard !isKept, !isGone else { continue }
            return FormFault(
                place: "units.\(unit.key)",
                why: "bookings would count for another unit: within a "
                    + "\(earlier.volume.rawValue) new places get higher ids than all others")
        }
        for place in earlier.places where place.mode == .granted {
            let isUnit = place.isUnit(among: earlier.units)
            guard let next = later.place(place.id), next.mode == .granted else { continue }
            // A place that goes keeps its bookings: it only gets no new ones.
            guard new.group(next.group) == old.group(place.group) else {
                return FormFault(
                    place: "places.\(place.id)",
                    why: "what was booked of \(place.name) would count for another group")
            }
            guard next.isUnit(among: later.units) == isUnit,
                Set(next.uses.map(\.unit)) == Set(place.uses.map(\.unit))
            else {
                return FormFault(
                    place: "places.\(place.id)",
                    why: "what was booked of \(place.name) would count for another unit")
            }
        }
        return nil
    }
}
