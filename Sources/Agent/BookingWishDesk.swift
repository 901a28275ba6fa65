// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Wishes about bookings, and who could exchange them with whom (docs/protocol.md section 32).
extension ControlDesk {
    func wishBookings(
        _ asked: Op.WishBookings
    ) throws(UserError) -> Work<Op.WishBookings.Reply> {
        guard host.node.venueView != nil else { throw noVenue }
        var tokens: [Token] = []
        for text in asked.tokens { tokens.append(try booking(text).token) }
        var ranks: [[BookingWant]] = []
        for rank in asked.ranks ?? [] {
            var wants: [BookingWant] = []
            for want in rank {
                guard let window = want.window.period,
                    let one = BookingWant(place: want.place, window: window)
                else { throw UserError(.badRequest, "no venue has such a place or time") }
                wants.append(one)
            }
            ranks.append(wants)
        }
        return .perform(.booking(.wish(tokens, ranks, note: asked.note ?? ""))) { reply, _ in
            if case .later(let seconds) = reply { return .init(later: seconds) }
            return .init(later: nil)
        }
    }

    func bookingRings(_: Op.BookingRings) throws(UserError) -> Work<Op.BookingRings.Reply> {
        let node = host.node
        guard node.venueView != nil else { throw noVenue }
        let scene = node.bookingRings(at: host.now)
        let (view, people) = (node.bookView, book)
        let rings = scene.rings.map { ring in
            let moves = ring.legs.map { leg in
                let grant = view.booking(leg.token)?.mint.grant
                return BookingMove(
                    token: hexadecimal(leg.token.bytes), place: grant?.place,
                    period: grant.map { PeriodFacts($0.period) }, count: grant?.count ?? 1,
                    from: people.person(leg.from), to: people.person(leg.to))
            }
            return BookingRing(
                moves: moves.filter(\.from.me) + moves.filter(\.to.me)
                    + moves.filter { !$0.from.me && !$0.to.me },
                helped: ring.helped)
        }
        return .done(Op.BookingRings.Reply(rings: rings, cut: scene.isCut))
    }
}
