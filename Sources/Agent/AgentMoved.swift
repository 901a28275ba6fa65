// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import System
import Text
import Trips

/// What goes along from a flight that was cancelled or changed, until this agent has taken it.
struct MovedHere {
    /// What the list has of it.
    fileprivate var trip: MovedTrip?
    /// Whether the core is being told of the wish.
    fileprivate var isSaying = false
}

/// Party and wish that `seatagent flight move` brought to this flight.
extension Agent {
    /// Joins the party, and says the wish once a seat is held.
    func takeMoved() {
        guard !options.flight.isPractice else { return }
        do throws(UserError) {
            movedHere.trip = try TripBook.read(options.place)[options.flight]?.moved
        } catch {
            Log.line("what goes along from another flight cannot be read: \(error.what)")
        }
        guard let moved = movedHere.trip else { return }
        if moved.isTaken { settleMoved { _ in } }
        sayMovedWish()
        guard let secret = moved.party else { return }
        // Whoever is aboard here did not hear the code here.
        perform(.party(.join(secret, fromHome: true))) { [unowned self] _ in
            guard node.party(at: now)?.state.secrets.contains(secret) == true else {
                return Log.line("the party of the flight before waits: you are in another one here")
            }
            settleMoved { $0.party = nil }
        }
    }

    /// Says what can be said of the wish: with a seat, and near passengers who are aboard. Whatever
    /// the user says themselves takes its place.
    func sayMovedWish() {
        guard let wish = movedHere.trip?.wish, !movedHere.isSaying, node.canAppend else { return }
        let held = node.fold.held(by: node.me).map(\.seat)
        guard !held.isEmpty else { return }
        let own = node.ownWish.words
        guard own.isEmpty || own == wish.said else { return settleMoved { $0.wish = nil } }
        let all = wish.words.isEmpty ? [] : (try? WishReader.read(wish.words)) ?? []
        var said = SaidWish()
        said.choices = known(all)
        said.stays = wish.stays
        let isWhole = said.choices.count == all.count
        guard isWhole || !said.choices.isEmpty, isWhole || said.text != own else { return }
        let change = WishChange(
            words: said.text, offer: wish.offers ? .all : nil,
            ranks: all.isEmpty ? nil : said.ranks(wishSeats, than: held), asks: wish.asks,
            note: wish.note, isPrivate: wish.isPrivate)
        // Before it is said, so that a start after a crash knows it again.
        if !isWhole { settleMoved { $0.wish?.said = said.text } }
        movedHere.isSaying = true
        perform(.wish(change)) { [unowned self] result in
            movedHere.isSaying = false
            if isWhole, case .success = result { settleMoved { $0.wish = nil } }
        }
    }

    /// The choices in which everybody is aboard under a name that is theirs alone, by their keys.
    private func known(_ choices: [WishChoice]) -> [WishChoice] {
        guard choices.contains(where: { !$0.people.isEmpty }) else { return choices }
        var keys: [String: [PeerKey]] = [:]
        for passenger in node.passengers where !passenger.isMe && !passenger.hasLeft {
            keys[visible(passenger.name).lowercased(), default: []].append(passenger.key)
        }
        func key(_ name: String) -> PeerKey? {
            let found = keys[visible(name).lowercased()] ?? []
            return found.count == 1 ? found[0] : nil
        }
        return choices.filter { $0.people.allSatisfy { key($0) != nil } }
            .map { choice in choice.naming { key($0)?.hex ?? $0 } }
    }

    /// Remembers what was taken. If the list cannot be changed now, the next start finds it taken.
    private func settleMoved(_ change: (inout MovedTrip) -> Void) {
        guard var moved = movedHere.trip else { return }
        change(&moved)
        movedHere.trip = moved.isTaken ? nil : moved
        do throws(UserError) {
            // It does not wait for a command, because others wait for this agent.
            try TripBook.change(options.place, patience: .zero) { book in
                book.settle(options.flight, change)
            }
        } catch {
            Log.line("the list still has what went along to this flight: \(error.what)")
        }
    }
}
