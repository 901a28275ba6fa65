// SPDX-License-Identifier: Apache-2.0
/// Which periods of a place are offered, and for how much (docs/protocol.md section 33).
extension DeskPolicy.Place {
    /// Why a period is never offered in a ledger; `nil` for one that is. The ledger is given by its
    /// minutes since 2000-01-01; without it a period may go over the border of two.
    public func refusal(
        of period: Period, in ledger: Range<Int>? = nil, _ clock: VenueClock
    ) -> DeskReason? {
        // Where clocks skip an hour, nothing begins in it.
        guard isOpen(in: period), clock.shows(period.start) else { return .hours }
        guard period.from % grain == 0 else { return .grain }
        guard let ledger else { return allows(period.minutes) ? nil : .length }
        guard ledger.lowerBound + turnover <= period.start, period.end <= ledger.upperBound else {
            return .hours
        }
        let isPart = period.start == ledger.lowerBound || period.end == ledger.upperBound
        let fits = allows(period.minutes) || isPart && allowsPart(of: period.minutes)
        return fits ? nil : .length
    }

    /// Whether so many minutes may be a part of a longer period that goes over a border.
    private func allowsPart(of minutes: Int) -> Bool {
        minutes <= lengths.last ?? most ?? Limits.periodMinutes.upperBound
    }

    private func isOpen(in period: Period) -> Bool {
        if isByDay {
            let midnight = period.day.number * Limits.minutesOfDay
            let next = hours.partitionPoint { $0.lowerBound < midnight }
            return next < hours.count && hours[next].lowerBound < midnight + Limits.minutesOfDay
        }
        let next = hours.partitionPoint { $0.lowerBound <= period.start }
        return next > 0 && period.end <= hours[next - 1].upperBound
    }

    private func allows(_ minutes: Int) -> Bool {
        guard lengths.isEmpty else { return lengths.contains(minutes) }
        return minutes % grain == 0 && minutes >= least ?? grain
            && minutes <= most ?? Limits.periodMinutes.upperBound
    }
}

extension DeskPolicy {
    /// What so many of a place for a period cost somebody of a class; `nil` for nothing. The last
    /// price is that of a class that is not there.
    public func due(of period: Period, count: Int, class number: Int) -> Grant.Due? {
        guard !prices.isEmpty, let currency,
            let price = prices[min(max(number, 0), prices.count - 1)]
        else { return nil }
        let (amount, parts, part): (Int, Int, Int) =
            switch price {
            case .hour(let amount): (amount, period.minutes, 60)
            case .day(let amount):
                (amount, (period.minutes - 1) / Limits.minutesOfDay + 1, 1)
            }
        let (product, overflow) = amount.multipliedReportingOverflow(by: parts)
        let (whole, rest) = product.quotientAndRemainder(dividingBy: part)
        let (sum, more) = (whole + rest.signum()).multipliedReportingOverflow(by: count)
        guard !overflow, !more, sum <= Limits.money else {
            return Grant.Due(currency: currency, amount: Limits.money)
        }
        return sum > 0 ? Grant.Due(currency: currency, amount: sum) : nil
    }
}
