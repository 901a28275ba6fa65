// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Hostile keys in a venue, where each costs nothing: up to four of them come, ask for every place
/// and hour, want everybody's bookings, and write to everybody.
extension DeskWorld {
    mutating func besiege() throws {
        guard hostile.count == 4 || below(3) == 0 && !hostile.isEmpty else {
            hostile.append(world.hosts.count)
            note("hostile key \(world.hosts.count)")
            return try addHost()
        }
        let who = hostile[below(hostile.count)]
        guard world.hosts[who].isUp else { return }
        switch below(4) {
        case 0: askForEverything(who)
        case 1: wantEveryBooking(who)
        case 2: takeBackEverything(who)
        default:
            for member in honest {
                for _ in 0..<8 { _ = world.wish(who, .message(to: world.key(member), "mine")) }
            }
        }
    }

    /// Each place at each hour, all of it at once, waiting where it is taken.
    private mutating func askForEverything(_ who: Int) {
        let until = UTCTime(seconds: world.now.utc.seconds + 80_000)
        var done = 0
        for place in 1...5 {
            for hour in 8..<22 {
                guard let period = try? SmallVenue.period(below(3), hour, 60) else { continue }
                let wish = BookingAsk.Wish.book(
                    place: place, period: period, count: 1, waits: true, tag: nil, note: "")
                let reply = world.wish(who, .booking(.ask(wish, until: until)))
                done += reply?.isDone == true ? 1 : 0
            }
        }
        note("\(who) asks for everything, \(done) times")
    }

    /// A swap of whatever they have, or of nothing, for each booking of somebody else.
    private mutating func wantEveryBooking(_ who: Int) {
        let view = world.hosts[who].node.bookView
        let mine = view.bookings(of: world.key(who)).filter(\.isLive)
        let others = view.bookings.filter { $0.isLive && $0.holder != world.key(who) }
        note("\(who) wants \(others.count) bookings for \(mine.count)")
        for other in others.prefix(40) {
            var moves = [TokenMove(token: other.token, to: world.key(who))]
            if let own = mine.first { moves.append(TokenMove(token: own.token, to: other.holder)) }
            _ = world.wish(who, .exchange(moves, note: "", expires: nil, override: true))
        }
    }

    private mutating func takeBackEverything(_ who: Int) {
        let open = world.hosts[who].node.ownAsks
        note("\(who) takes \(open.count) asks back")
        for one in open { _ = world.wish(who, .booking(.withdraw(one.id))) }
        for record in world.hosts[who].node.swaps.records where !record.stage.isOver {
            _ = world.wish(who, .cancel(record.number))
        }
    }
}
