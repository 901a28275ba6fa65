// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import Text

/// Operations that say something, and those about people and one's own claims.
extension ControlDesk {
    func say() throws(UserError) -> Outcome {
        .perform(.say(try request.text("text"))) { reply, desk in
            let linked = desk.host.node.links.count
            return .object(present: ["id": Self.id(reply), "linked": .int(linked)])
        }
    }

    func message() throws(UserError) -> Outcome {
        let to = try passenger("msg", then: "\"hi\"")
        try checkKey(of: to)
        return .perform(.message(to: to.key, try request.text("text"))) { reply, desk in
            guard case .message(let message) = reply else { return [:] }
            return .object(EventScribe(host: desk.host).messageMembers(message))
        }
    }

    /// Throws `key-changed` for a namesake of somebody whom the user verified, unless they are
    /// named by their key: a secret for the one must not go to the other.
    private func checkKey(of found: Passenger) throws(UserError) {
        let word = try request.text("who")
        let isName = visible(word).lowercased() == visible(found.name).lowercased()
        guard isName || Seat(word) != nil, let other = book.verifiedNamesake(of: found) else {
            return
        }
        throw UserError(
            .keyChanged, "\(visible(found.name, cells: 24))'s key is not the one you verified",
            why: "you verified \(book.described(other.key)); this one is \(found.key.shortTag), "
                + "so ask in person",
            advice: "seatagent verify \(found.key.tag)")
    }

    func offer() throws(UserError) -> Outcome {
        let mine = book[host.node.me]?.seats ?? []
        var ranks: [SeatSet] = []
        for word in try request.texts("for") {
            ranks.append(try OfferJSON.rank(word, for: mine, host.cabin))
        }
        guard ranks.count <= Limits.ranks else {
            throw UserError(
                .tooLong, "that are too many wishes", why: "\(Limits.ranks) are allowed",
                advice: "seatagent offer --for window")
        }
        let note = try request.optionalText("note") ?? ""
        return .perform(.offer(ranks: ranks.isEmpty ? [.all] : ranks, note: note)) { reply, desk in
            let wish = desk.book[desk.host.node.me]?.wish
            let members =
                wish.map { OfferJSON.members($0, desk.host.node.fold, desk.host.cabin) } ?? [:]
            return JSON.object(members).adding(["id": Self.id(reply) ?? .null])
        }
    }

    func withdraw() -> Outcome { .perform(.withdrawOffer) { _, _ in [:] } }

    func rename() throws(UserError) -> Outcome {
        // Never another passenger's name: one that only this one can have.
        let book = book
        let me = host.node.me
        let own = book[me]?.seats.first?.text.lowercased() ?? String(me.tag.prefix(4))
        let advice = "seatagent rename \(PassengerName.standard)-\(own)"
        let name = try PassengerName.check(try request.text("name"), advice: advice)
        if let other = book.lookAlike(of: name) {
            throw UserError(
                .nameRefused, "\"\(visible(name))\" looks like the name of another passenger",
                why:
                    "\(book.described(other.key)) is on this flight, and you would be taken for "
                    + "each other",
                advice: advice)
        }
        return .perform(.rename(name)) { _, desk in ["me": desk.book.json(desk.host.node.me)] }
    }

    func claim() throws(UserError) -> Outcome {
        let seat = try seat("seat")
        let intent = Intent.claim(seat, dependant: try request.flag("dependant"))
        return .perform(intent) { _, desk in
            let (node, book) = (desk.host.node, desk.book)
            let claims = node.seatView.places.first { $0.seat == seat }?.claims ?? []
            var others: [PeerKey] = []
            for key in claims.map(\.token.holder) where key != node.me && !others.contains(key) {
                others.append(key)
            }
            return .object(present: [
                "me": book.json(node.me),
                "others": others.isEmpty ? nil : .array(others.map(book.json)),
            ])
        }
    }

    func release() throws(UserError) -> Outcome {
        .perform(.release(try seat("seat"))) { _, desk in
            ["me": desk.book.json(desk.host.node.me)]
        }
    }

    func block(_ blocked: Bool) throws(UserError) -> Outcome {
        let found = try passenger(blocked ? "block" : "unblock")
        return .perform(.block(found.key, blocked)) { _, desk in
            ["who": desk.book.json(found.key)]
        }
    }

    /// The id of the entry that was written.
    private static func id(_ reply: IntentReply) -> JSON? {
        switch reply {
        case .entry(let id): .string(id.hex)
        case .message(let message): .string(message.id.hex)
        case .done, .request: nil
        }
    }
}
