// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Keys
import Profile
import Protocol
import Store
import Text
import Transport

/// Everything in a flight's file, for `seatagent export`.
enum FlightExport {
    /// The content of the file, or under `unread` why it cannot be read.
    static func json(_ item: KeptFlight) -> JSON {
        let facts: [String: JSON] = [
            "flight": .string(item.flight.text),
            "ends": item.end.map { .string(RFC3339.text($0)) } ?? .null,
        ]
        do throws(StoreError) {
            guard let primitives = SodiumPrimitives() else {
                throw StoreError(code: 7, words: "this machine gives no random numbers")
            }
            let store = try Store(path: item.path, primitives: primitives, wasKept: true)
            let key = try store.identity().flatMap { Identity(seed: $0.seed)?.key }
            if let key { store.owned(by: key) }
            let (stored, needs) = (try store.load(), try store.needs())
            let answers = try store.cabinAnswers()
            let automatic = try store.automaticYes()
            let more: [String: JSON] = [
                "key": key.map { .string($0.hex) } ?? .null,
                // In the form of `log --export`.
                "records": .string(Base64.encode(Bundle.bytes(stored.logs))),
                "messages": .array(stored.messages.filter { !$0.isForAgents }.map(message)),
                "party": stored.party.map(party) ?? .null,
                "automatic": Self.automatic(automatic),
                "verified": .array(stored.verified.map(verified)),
                "blocked": .array(stored.blocked.map { .string($0.hex) }),
                "needs": .object(
                    needs.people.reduce(into: [:]) { $0[$1.seat.text] = .string($1.text) }),
                "wish": stored.wish.map(wish) ?? .null,
                "cabin_answers": [
                    "taken": answers.taken?.layout.json ?? .null,
                    "refused": .array(answers.refused.map { .string($0.hex) }),
                ],
            ]
            return .object(facts.merging(more) { $1 })
        } catch {
            return .object(facts.merging(["unread": .string(error.words)]) { $1 })
        }
    }

    /// The own wish, with what others were not told; a passenger in it is a key.
    private static func wish(_ wish: OwnWish) -> JSON {
        let said = SaidWish(wish.words)
        return [
            "words": .string(WishWords.text(said.choices)), "stay": .bool(said.stays),
            "private": .bool(wish.isPrivate), "note": .string(wish.note),
            "asks": .string(Asking(wish.asks).rawValue),
        ]
    }

    private static func message(_ message: DirectMessage) -> JSON {
        [
            "with": .string(message.peer.hex), "outgoing": .bool(message.outgoing),
            "text": .string(message.text), "at": .string(RFC3339.text(message.at)),
            "state": .string(MessageState(message.state).rawValue),
        ]
    }

    private static func party(_ party: PartyState) -> JSON {
        [
            "codes": .array(party.secrets.map { .string($0.code) }),
            "members": .array(
                party.members.map { member in
                    ["key": .string(member.key.hex), "standing": .string("\(member.standing)")]
                }),
        ]
    }

    /// To what the agent says yes for the user, and to what it did.
    private static func automatic(_ automatic: AutomaticYes) -> JSON {
        [
            "trust": .bool(automatic.trusts), "wish": .bool(automatic.serves),
            "given": .array(
                automatic.given.map { yes in
                    [
                        "to": .string(yes.proposer.hex), "contract": .string(yes.contract.hex),
                        "at": .string(RFC3339.text(yes.at)),
                    ]
                }),
        ]
    }

    private static func verified(_ known: VerifiedPeer) -> JSON {
        [
            "key": .string(known.key.hex), "name": .string(known.name),
            "seats": .array(known.seats.map { .string($0.text) }),
            "at": .string(RFC3339.text(known.at)),
        ]
    }
}
