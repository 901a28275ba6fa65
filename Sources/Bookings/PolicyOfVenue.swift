// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol
package import Venues

/// What a venue's file says of bookings, in the form in which the core judges them: its desk goes
/// by it, and whoever books sees before what it would say.
extension Venue {
    /// The policy of the desk for one volume.
    package func deskPolicy(for volume: Protocol.Volume) -> DeskPolicy {
        // The night before the first day reaches into it, and its own last one beyond it.
        let days = volume.first.number - 1...volume.last.number + 1
        return policy(places.compactMap { deskPlace($0, days: days) })
    }

    /// Prices and rules alone, without places.
    package var deskTerms: DeskPolicy { policy([]) }

    /// What so many of something cost for a period, for somebody of that class; `nil` for nothing.
    /// The grant of the desk is what counts.
    package func due(_ period: Period, count: Int, memberClass number: Int?) -> Grant.Due? {
        deskTerms.due(of: period, count: count, class: number ?? classes.count - 1)
    }

    /// How a place is offered on some days, counted since 2000-01-01; `nil` for one that nobody
    /// books.
    func deskPlace(_ place: VenuePlace, days numbers: ClosedRange<Int>) -> DeskPolicy.Place? {
        guard place.mode == .granted, let periods = place.periods else { return nil }
        let days = VenueDays(place, of: self)
        var hours: [Range<Int>] = []
        for number in numbers {
            guard let day = VenueDay(number: number), let date = FlightDate(day) else { continue }
            let midnight = number * Limits.minutesOfDay
            for span in days.spans(on: date) {
                hours.append(midnight + span.from..<midnight + span.to)
            }
        }
        return DeskPolicy.Place(
            number: place.id, grain: periods.grain, least: periods.least, most: periods.most,
            lengths: periods.lengths, hours: hours, isByDay: place.isByDay,
            turnover: turnover(beside: place),
            classes: place.classes.compactMap { name in
                classes.firstIndex { $0.name == name }
            })
    }

    /// The longest turnover of what shares a unit with a place, itself included.
    func turnover(beside place: VenuePlace) -> Int {
        let units = Set(place.uses.map(\.unit))
        return places.filter { other in
            other.id == place.id || other.uses.contains { units.contains($0.unit) }
        }.compactMap { $0.periods?.turnover }.max() ?? 0
    }

    private func policy(_ places: [DeskPolicy.Place]) -> DeskPolicy {
        var policy = DeskPolicy(places: places)
        policy.prices = classes.map { one in
            switch one.price {
            case .hour(let amount): .hour(amount)
            case .day(let amount): .day(amount)
            case nil: nil
            }
        }
        policy.currency = money?.currency
        policy.payBy = money?.payBy
        policy.ahead = rules.ahead
        policy.notice = rules.notice ?? 0
        policy.cancel = rules.cancel
        policy.arrive = rules.arrive
        policy.waiting = rules.waiting
        policy.together = rules.together
        policy.join =
            switch rules.join {
            case .open: .open
            case .form: .form
            case .card: .card
            }
        return policy
    }
}

extension Grant.Due {
    /// `20.00 USD`.
    package var words: String { MoneyText.words(amount, currency) }
}

extension VenuePlace {
    /// Whether it is had by whole days: its hours say then when it is fetched.
    package var isByDay: Bool { (periods?.shortest ?? 0) >= Limits.minutesOfDay }

    /// Whether a period of it begins at a time of the day, and not with the day.
    package var hasTimes: Bool { (periods?.grain ?? 1) % Limits.minutesOfDay != 0 }
}
