// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text

/// Swaps of bookings between people. No desk takes part (docs/protocol.md section 32).
extension ControlDesk {
    func swapBookings(_ asked: Op.SwapBookings) throws(UserError) -> Work<BookingSwap> {
        guard host.node.venueView != nil else { throw noVenue }
        var moves: [TokenMove] = []
        for leg in asked.legs {
            moves.append(
                TokenMove(token: try booking(leg.token).token, to: try receiver(leg.to)))
        }
        // The desk knows its members and ends what is stuck, so no second question is asked about
        // whoever votes last.
        return change(
            .exchange(
                moves, note: asked.note ?? "", expires: asked.expires,
                override: asked.override ?? false, unverified: true))
    }

    func bookingSwaps(_ asked: Op.BookingSwaps) throws(UserError) -> Work<Op.BookingSwaps.Reply> {
        let node = host.node
        guard node.venueView != nil else { throw noVenue }
        let swaps = node.swapRecords.sorted { $0.number < $1.number }.map(node.facts)
            .filter { facts in
                asked.all == true || [.open, .agreed, .stranded].contains(facts.state)
            }
        return .done(Op.BookingSwaps.Reply(swaps: swaps.map(described)))
    }

    func answerSwap(_ asked: Op.AnswerSwap) throws(UserError) -> Work<BookingSwap> {
        guard host.node.venueView != nil else { throw noVenue }
        guard let answer = asked.answer.known else {
            throw UserError(.badRequest, "an answer is accept, decline or cancel")
        }
        let facts = try bookingSwap(asked.request)
        // The user said yes to this contract; a change since then needs another yes.
        if let seen = asked.contract, seen != facts.contract.id.hex {
            throw UserError(
                .changed, "request \(asked.request) has changed",
                why: "another offer took its place while you read it",
                advice: "seatagent bookings requests")
        }
        let number = facts.record.number
        let intent: Intent =
            switch answer {
            case .accept:
                .accept(
                    number, override: asked.override ?? false, unverified: true,
                    of: facts.contract.id)
            case .decline: .decline(number, note: asked.note ?? "")
            case .cancel: .cancel(number)
            }
        return change(intent, of: number)
    }

    /// What people are told about a refusal. In a venue requests stand among the bookings.
    func told(_ refusal: Refusal) -> UserError {
        var told = error(refusal)
        if host.node.venueView != nil, told.advice == "seatagent requests" {
            told.advice = "seatagent bookings requests"
        }
        return told
    }

    /// A turn of the core, and the negotiation `number`, or the one that it made.
    private func change(_ intent: Intent, of number: Int? = nil) -> Work<BookingSwap> {
        .perform(intent) { reply, desk in
            let node = desk.host.node
            desk.host.endings.said(
                intent, of: node.swapRecords.first { $0.number == number }, by: node.me)
            var number = number
            if case .request(let made) = reply { number = made }
            return node.swapRecords.first { $0.number == number }
                .map { desk.described(node.facts(of: $0)) }
        }
    }

    private func receiver(_ word: String) throws(UserError) -> PeerKey {
        if word == "me" { return host.node.me }
        if let key = bytes(hexadecimal: word).flatMap({ PeerKey($0) }) { return key }
        return try passenger(word, "bookings propose", notMe: false).key
    }

    private func bookingSwap(_ number: Int) throws(UserError) -> RequestFacts {
        let node = host.node
        guard let record = node.swapRecords.first(where: { $0.number == number }) else {
            throw UserError(
                .noSuchRequest, "there is no request \(number)",
                advice: "seatagent bookings requests")
        }
        return node.facts(of: record)
    }

    private func described(_ facts: RequestFacts) -> BookingSwap {
        BookingSwapScribe(host.node, book, host.endings).described(facts)
    }
}
