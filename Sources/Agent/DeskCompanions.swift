// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
import Protocol
import Text

/// Operations about the user's party of companions.
extension ControlDesk {
    func party() -> Work<PartyStatus> { .done(partyStatus) }

    /// The party as it stands.
    private var partyStatus: PartyStatus {
        let now = host.now
        guard let party = host.node.party(at: now), let secret = party.state.secrets.first else {
            return PartyStatus()
        }
        func people(_ standings: [PartyMember.Standing]) -> [Person] {
            bySeat(party.state.members.filter { standings.contains($0.standing) }.map(\.key))
        }
        func has(_ keys: [PeerKey], _ who: Person) -> Bool {
            keys.contains { $0.hex == who.key }
        }
        return PartyStatus(
            code: secret.code, link: SeatLink.party(secret, flight: linkFlight).text,
            fromHome: party.state.isFromHome,
            openFor: party.openUntil.map { Int(($0 - now.instant).wholeSeconds) },
            companions: people([.companion]).map { who in
                PartyStatus.Companion(
                    who: who, here: has(party.companions, who), current: has(party.current, who))
            },
            candidates: bySeat(party.candidates), others: people([.refused, .removed]),
            trust: host.automatic.trusts)
    }

    /// As people look for each other in a cabin; who has no seat comes last.
    private func bySeat(_ keys: [PeerKey]) -> [Person] {
        func place(_ who: Person) -> (Int, Int, String) {
            who.seats.min().map { (Int($0.row), Int($0.column), who.key) } ?? (.max, 0, who.key)
        }
        let book = book
        return keys.map { book.person($0) }.sorted { place($0) < place($1) }
    }

    /// The flight that a link names: nobody needs to be told that they try things out.
    private var linkFlight: FlightName? {
        host.node.flight.isPractice ? nil : host.node.flight
    }

    private func perform(_ intent: PartyIntent) -> Work<PartyStatus> {
        .perform(.party(intent)) { _, desk in desk.partyStatus }
    }

    /// A new secret, from the operating system.
    private static func secret() throws(UserError) -> PartySecret {
        guard let secret = PartySecret(SodiumPrimitives.random(PartySecret.count)) else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        return secret
    }

    func newParty() throws(UserError) -> Work<PartyStatus> {
        perform(.new(try Self.secret()))
    }

    func joinParty(_ asked: Op.JoinParty) throws(UserError) -> Work<PartyStatus> {
        let (secret, flight) = try PartyCode.read(asked.code)
        if let flight, flight != host.node.flight, !host.facts.aliases.contains(flight) {
            throw UserError(
                .badRequest, "that party is on another flight",
                why: "it is for \(flight.text), and your agent is on \(host.node.flight.text)",
                advice: "seatagent party show")
        }
        return perform(.join(secret))
    }

    func inviteToParty() -> Work<PartyStatus> { perform(.invite) }

    func answerParty(_ asked: Op.AnswerParty) throws(UserError) -> Work<PartyStatus> {
        let found = try passenger(asked.who, "party \(asked.companion ? "yes" : "no")")
        return perform(asked.companion ? .yes(found.key) : .no(found.key))
    }

    func removeFromParty(_ asked: Op.RemoveFromParty) throws(UserError) -> Work<PartyStatus> {
        let found = try passenger(asked.who, "party remove")
        return perform(.remove(found.key, next: try Self.secret()))
    }

    /// Whether the agent says yes by itself to what companions propose.
    func trustParty(_ asked: Op.TrustParty) throws(UserError) -> Work<PartyStatus> {
        guard host.node.party(at: host.now) != nil || !asked.on else { throw error(.none) }
        var automatic = host.automatic
        automatic.trust(asked.on)
        try host.keep(automatic)
        return .done(partyStatus)
    }

    func leaveParty() -> Work<PartyStatus> { perform(.leave) }

    func sayToParty(_ asked: Op.SayToParty) -> Work<Op.Say.Reply> {
        .perform(.party(.say(asked.text))) { reply, desk in
            Op.Say.Reply(id: Self.id(reply), linked: desk.host.node.links.count)
        }
    }
}
