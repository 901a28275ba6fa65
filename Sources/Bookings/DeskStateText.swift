// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Protocol

/// What is known here of a venue's desk.
package enum DeskSight: Hashable, Sendable {
    /// It is linked, or reached through others.
    case here
    /// Nothing was heard of it since then; `nil` for never.
    case away(since: UTCTime?)
    /// Another agent answers as the desk: what that one grants does not count.
    case two(rival: PeerKey)
    /// It signed two ledgers that differ from that page on.
    case forked(page: Int)
}

/// The state of a desk in words (docs/guide/venues.md).
package enum DeskStateText {
    /// `desk: here`, for the head of a page.
    package static func short(_ sight: DeskSight, _ clock: VenueClock, at now: UTCTime) -> String {
        switch sight {
        case .here: "desk: here"
        case .away(let since): "desk: away" + Self.since(since, clock, now)
        case .two: "desk: two run"
        case .forked: "desk: forked"
        }
    }

    /// The sentence that stands on every screen; `nil` while all is well.
    package static func alarm(_ sight: DeskSight) -> String? {
        switch sight {
        case .here, .away: nil
        case .two(let rival): "two desks run: what \(rival.shortTag) grants does not count"
        case .forked(let page):
            "the desk signed two ledgers from page \(page) on: bookings behind it do not count"
        }
    }

    /// The same with what of the ledgers does not count.
    package static func alarms(_ sight: DeskSight, voids: Int, lost: Int) -> [String] {
        var lines = [alarm(sight)].compactMap(\.self)
        if voids > 0 {
            lines.append("the desk broke a rule of its own: \(bookings(voids)) void")
        }
        if lost > 0 {
            lines.append(
                "\(bookings(lost)) lost with an earlier desk: what it wrote last does not count")
        }
        return lines
    }

    private static func bookings(_ count: Int) -> String {
        "\(count) \(count == 1 ? "booking" : "bookings")"
    }

    /// What a request shows that the desk has not answered.
    package static func request(
        _ sight: DeskSight, _ clock: VenueClock, at now: UTCTime
    ) -> String {
        switch sight {
        case .here: "asked"
        case .away: "waiting: \(silence(sight, clock, at: now)); nothing is booked yet"
        case .two, .forked: "waiting: nothing is booked yet; " + silence(sight, clock, at: now)
        }
    }

    /// Why the desk has not answered.
    package static func silence(
        _ sight: DeskSight, _ clock: VenueClock, at now: UTCTime
    ) -> String {
        switch sight {
        case .away(let since): "the desk has been away" + Self.since(since, clock, now)
        case .here, .two, .forked: alarm(sight) ?? "the desk has not answered yet"
        }
    }

    /// `refused: others have it`: what a request shows that the desk refused.
    package static func refused(_ reason: DeskReason) -> String { "refused: \(words(reason))" }

    private static func words(_ reason: DeskReason) -> String {
        switch reason {
        case .place: "the desk does not give it out"
        case .hours: "it cannot be had then"
        case .grain: "it does not begin then"
        case .length: "it cannot be had for so long, or so short"
        case .tooSoon: "it was too late"
        case .tooFar: "it was too early"
        case .notJoined: "you have not joined"
        case .classes: "it is not for your class"
        case .blocked: "the desk has blocked you"
        case .tooMany: "the desk took no more of you that day"
        case .noRoom: "the desk's ledger was nearly full"
        case .quota: "it was more than you may have that day"
        case .together: "you had as many at that time as you may"
        case .kept: "the venue keeps it for itself"
        case .full: "others have it"
        case .notYours: "it was not yours"
        case .over: "it had ended"
        case .bound: "your yes to a swap bound it"
        case .late: "it was too late to move or give it"
        case .same: "nothing would change"
        case .expired: "the desk did not get to it in time"
        case .withdrawn: "you took it back"
        case .unknown: "there was nothing to take back"
        case .refused: "the desk said no"
        }
    }

    /// ` since 14:02`, with the day if that is not today.
    private static func since(
        _ since: UTCTime?, _ clock: VenueClock, _ now: UTCTime
    ) -> String {
        guard let since, let then = clock.clock(at: since), let today = clock.clock(at: now)?.day
        else { return "" }
        let time = TimeWords.clock(then.minute)
        return then.day == today
            ? " since \(time)" : " since \(DateWords.text(then.day, today: nil)) \(time)"
    }
}
