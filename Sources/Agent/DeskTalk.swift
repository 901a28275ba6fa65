// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Profile
import Protocol
import Text

/// Operations that say something, and those about people and the user's own claims.
extension ControlDesk {
    func say(_ asked: Op.Say) -> Work<Op.Say.Reply> {
        .perform(.say(asked.text)) { reply, desk in
            Op.Say.Reply(id: Self.id(reply), linked: desk.host.node.links.count)
        }
    }

    func message(_ asked: Op.Message) throws(UserError) -> Work<PrivateMessage> {
        let to = try passenger(asked.who, "msg", then: "\"hi\"")
        try checkKey(of: to, word: asked.who)
        return .perform(.message(to: to.key, asked.text)) { reply, desk in
            guard case .message(let message) = reply else { return nil }
            return EventScribe(host: desk.host).facts(message)
        }
    }

    /// Throws `key-changed` for a passenger with the name of one whom the user verified, unless
    /// their key names them: a secret for one must not reach the other.
    func checkKey(of found: Passenger, word: String) throws(UserError) {
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

    func rename(_ asked: Op.Rename) throws(UserError) -> Work<Op.Own> {
        // Never another passenger's name, but one that only this passenger can have.
        let book = book
        let me = host.node.me
        let own = book[me]?.seats.first?.text.lowercased() ?? String(me.tag.prefix(4))
        let advice = "seatagent rename \(PassengerName.standard)-\(own)"
        let name = try PassengerName.check(asked.name, advice: advice)
        if let other = book.lookAlike(of: name) {
            throw UserError(
                .nameRefused, "\"\(visible(name))\" looks like the name of another passenger",
                why:
                    "\(book.described(other.key)) is on this flight, and you would be taken for "
                    + "each other",
                advice: advice)
        }
        return .perform(.rename(name)) { _, desk in desk.own }
    }

    /// The user, as they are now.
    private var own: Op.Own { Op.Own(me: book.person(host.node.me)) }

    func claim(_ asked: Op.Claim) throws(UserError) -> Work<Op.Own> {
        let seat = try seat(named: asked.seat)
        let intent = Intent.claim(seat, dependant: asked.dependant)
        return .perform(intent) { _, desk in
            let (node, book) = (desk.host.node, desk.book)
            let claims = node.seatView.places.first { $0.seat == seat }?.claims ?? []
            var others: [PeerKey] = []
            for key in claims.map(\.token.holder) where key != node.me && !others.contains(key) {
                others.append(key)
            }
            return Op.Own(
                me: book.person(node.me),
                others: others.isEmpty ? nil : others.map(book.person))
        }
    }

    func release(_ asked: Op.Release) throws(UserError) -> Work<Op.Own> {
        .perform(.release(try seat(named: asked.seat))) { _, desk in desk.own }
    }

    func block(_ who: String, _ blocked: Bool) throws(UserError) -> Work<Op.Named> {
        let found = try passenger(who, blocked ? "block" : "unblock")
        return .perform(.block(found.key, blocked)) { _, desk in
            // Which yes counts again must not tell who is blocked.
            desk.host.endings.kept.clear()
            return Op.Named(who: desk.book.person(found.key))
        }
    }

    /// The id of the entry that was written.
    static func id(_ reply: IntentReply) -> String? {
        switch reply {
        case .entry(let id): id.hex
        case .message(let message): message.id.hex
        case .done, .request, .later, .stay, .asked, .form, .entries, .desk: nil
        }
    }
}
