// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What the members of a venue do, and the people at its desk.
extension DeskWorld {
    /// A member does something.
    mutating func act(_ who: Int) {
        guard world.hosts[who].isUp else { return }
        let view = world.hosts[who].node.bookView
        let mine = view.bookings(of: world.key(who)).filter(\.isLive)
        let others = view.bookings.filter {
            $0.isLive && !$0.isBlocked && $0.holder != world.key(who)
        }
        switch below(12) {
        case 0...4: book(who)
        case 5 where !mine.isEmpty:
            ask(who, .giveBack(mine[below(mine.count)].slot, to: nil))
        case 6 where !mine.isEmpty:
            let to = world.key(1 + below(profile.members))
            ask(who, .giveBack(mine[below(mine.count)].slot, to: to))
        case 7 where !mine.isEmpty:
            guard let period else { return }
            ask(who, .move(mine[below(mine.count)].slot, place: 1 + below(5), period: period))
        case 8: withdraw(who)
        case 9, 10:
            guard !mine.isEmpty, !others.isEmpty else { return book(who) }
            swap(who, mine[below(mine.count)], others[below(others.count)])
        case 11: cancel(who)
        default: book(who)
        }
    }

    /// One of few hours, so that many want the same.
    private var period: Period? {
        mutating get {
            try? SmallVenue.period(below(2), 10 + below(3), 60 * (1 + below(4) / 3))
        }
    }

    private mutating func book(_ who: Int) {
        guard let period else { return }
        let place = [1, 1, 1, 2, 3, 4, 5, 9][below(8)]
        ask(
            who,
            .book(
                place: place, period: period, count: 1 + below(9) / 8, waits: below(2) == 0,
                tag: nil, note: ""))
    }

    /// Somebody asks the desk; nothing is owed if their agent refuses or dies.
    mutating func ask(_ who: Int, _ wish: BookingAsk.Wish) {
        let seconds = Int64(below(8) == 0 ? 20 + below(60) : 80_000)
        let until = UTCTime(seconds: world.now.utc.seconds + seconds)
        let reply = world.wish(who, .booking(.ask(wish, until: until)))
        guard case .success(.asked(let id))? = reply else { return }
        note("\(who) asks \(id.hex.prefix(6)): \(Self.text(wish))")
        totals.asks += 1
        asked.append(DeskAsked(host: who, id: id, until: until))
    }

    private static func text(_ wish: BookingAsk.Wish) -> String {
        switch wish {
        case .book(let place, let period, let count, let waits, _, _):
            "\(count) of \(place) from \(period.start) to \(period.end)"
                + (waits ? ", waits" : "")
        case .giveBack(let slot, let to):
            "gives \(slot.token.raw.hex.prefix(6)) " + (to.map { "to \($0.shortTag)" } ?? "back")
        case .move(let slot, let place, let period):
            "moves \(slot.token.raw.hex.prefix(6)) to \(place) at \(period.start)"
        case .withdraw(let id): "withdraws \(id.hex.prefix(6))"
        }
    }

    private mutating func withdraw(_ who: Int) {
        let open = world.hosts[who].node.ownAsks
        guard !open.isEmpty else { return }
        let id = open[below(open.count)].id
        guard case .success? = world.wish(who, .booking(.withdraw(id))) else { return }
        note("\(who) takes \(id.hex.prefix(6)) back")
        for index in asked.indices where asked[index].id == id { asked[index].isTakenBack = true }
    }

    // MARK: Swaps

    private mutating func swap(_ who: Int, _ mine: BookView.Booking, _ other: BookView.Booking) {
        let moves = [
            TokenMove(token: other.token, to: world.key(who)),
            TokenMove(token: mine.token, to: other.holder),
        ]
        let reply = world.wish(
            who, .exchange(moves, note: "", expires: nil, override: true))
        guard case .success? = reply else { return }
        note("\(who) wants to swap with \(other.holder.shortTag)")
    }

    private mutating func cancel(_ who: Int) {
        let open = world.hosts[who].node.swaps.records.filter { !$0.stage.isOver }
        guard let record = open.last else { return }
        note("\(who) takes request \(record.number) back")
        _ = world.wish(who, .cancel(record.number))
    }

    /// Those who were asked for a swap say yes, or no, or nothing yet.
    mutating func answerRequests() {
        for who in 1...profile.members where world.hosts[who].isUp {
            let open = world.hosts[who].node.swaps.records.filter {
                $0.stage == .requested || $0.stage == .invited
            }
            for record in open {
                switch below(6) {
                case 0...2:
                    let reply = world.wish(who, .accept(record.number, override: true))
                    note("\(who) says yes to \(record.number), \(reply?.isDone == true)")
                case 3: _ = world.wish(who, .decline(record.number, note: ""))
                default: break
                }
            }
        }
    }

    // MARK: The desk

    /// The people at the desk do something of their own.
    mutating func serveDesk() {
        guard world.hosts[0].isUp else { return }
        let requests = world.hosts[0].node.deskRequests
        let live = world.hosts[0].node.bookView.bookings.filter(\.isLive)
        switch below(4) {
        case 0 where !requests.isEmpty:
            want(.grant(ask: requests[below(requests.count)].ask.id))
        case 1 where !requests.isEmpty:
            want(.refuse(ask: requests[below(requests.count)].ask.id))
        case 2 where !live.isEmpty:
            want(.close(live[below(live.count)].token, .desk, spent: below(2) == 0))
        default:
            guard let period else { return }
            let guest = world.key(1 + below(profile.members))
            want(.book(DeskBooking(.key(guest), place: 1 + below(5), period: period)))
        }
    }

    /// A desk that is away or was put back from a copy is opened after a while.
    mutating func operate() {
        guard world.hosts[0].isUp, below(8) == 0 else { return }
        open()
    }

    /// Opens the desk, whatever its people have to say for it.
    mutating func open() {
        guard let state = world.hosts[0].node.deskState else { return }
        switch state {
        case .away, .restored, .twoDesks:
            let reply = want(
                .open(restored: state == .restored, random: ThreadID(random: &random)))
            note("the desk opens from \(state): \(reply?.isDone == true)")
            if reply?.isDone == true { world.hosts[0].setup.isRestored = false }
        case .open, .gathering, .alone, .shut, .noCharter, .over, .forked: break
        }
    }
}
