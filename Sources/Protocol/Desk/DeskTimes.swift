// SPDX-License-Identifier: Apache-2.0
/// What the clock alone brings about: somebody has not come, has not paid, or has waited until
/// their time was over (docs/protocol.md section 33).
struct DeskTimes: Sendable {
    /// What comes.
    enum What: Hashable, Sendable {
        /// Whoever booked it must be there.
        case arrive(Token)
        /// It must be paid.
        case pay(Token)
        /// An ask in the queue is over.
        case wait(Bytes32)
    }

    private struct Due: Comparable, Sendable {
        let at: UTCTime
        let number: Int
        let what: What

        static func < (left: Due, right: Due) -> Bool {
            left.at != right.at ? left.at < right.at : left.number < right.number
        }
    }

    private var dues = Heap<Due>()
    private var number = 0

    /// Something comes at a time. What means nothing by then is looked at and left.
    mutating func add(_ what: What, at time: UTCTime) {
        dues.insert(Due(at: time, number: number, what: what))
        number += 1
    }

    /// How many there are, with those that mean nothing any more.
    var count: Int { dues.count }

    /// When the next thing comes.
    var next: UTCTime? { dues.first?.at }

    /// Takes the next thing out, if its time has come.
    mutating func pop(at now: UTCTime) -> What? {
        guard let first = dues.first, first.at <= now else { return nil }
        return dues.popFirst()?.what
    }
}

/// When a booking has to be paid, and when whoever booked it has to be there.
struct DeskDeadlines: Sendable {
    let policy: DeskPolicy
    let clock: VenueClock

    /// When a period begins, in UTC.
    func start(_ period: Period) -> UTCTime { clock.time(of: period.start) }

    /// When it ends, in UTC.
    func end(_ period: Period) -> UTCTime { clock.time(of: period.end) }

    /// When a booking that was granted at a time is a no-show; `nil` for never. Who was granted it
    /// after its begin, from the queue, has as long from there on.
    func arrive(_ period: Period, granted: UTCTime) -> UTCTime? {
        policy.arrive.map { max(start(period), granted).adding(minutes: $0) }
    }

    /// When a booking that was granted at a time has to be paid; `nil` for whenever. Who books
    /// when it should be paid already has a quarter of an hour.
    func pay(_ period: Period, granted: UTCTime) -> UTCTime? {
        policy.payBy.map { minutes in
            guard minutes < 0 else { return granted.adding(minutes: minutes) }
            return max(
                start(period).adding(minutes: minutes),
                granted.adding(minutes: Limits.payAtLeast))
        }
    }

    /// Whether giving a booking back at a time is too late for it not to stay spent.
    func isLate(_ period: Period, at now: UTCTime) -> Bool {
        start(period).adding(minutes: -(policy.cancel ?? 0)) < now || now >= start(period)
    }
}

extension UTCTime {
    /// So many minutes later; saturates.
    func adding(minutes: Int) -> UTCTime {
        let (span, overflow) = Int64(minutes).multipliedReportingOverflow(by: 60)
        let (sum, more) = seconds.addingReportingOverflow(span)
        guard !overflow, !more else { return UTCTime(seconds: minutes < 0 ? .min : .max) }
        return UTCTime(seconds: sum)
    }
}
