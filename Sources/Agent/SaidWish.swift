// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol

/// A wish as the user said it, in the form for the flight's file. A passenger in it is their key:
/// a name may change, or be taken by somebody else.
struct SaidWish: Hashable {
    /// What would be taken, the best first.
    var choices: [WishChoice] = []
    /// Whether only a better seat than the present one is taken.
    var stays = false

    /// Nothing was said.
    init() {}

    /// Reads what ``text`` wrote.
    init(_ text: String) {
        guard let end = text.firstIndex(of: "\n") else { return }
        stays = text[..<end] == "stay"
        choices = (try? WishReader.read(String(text[text.index(after: end)...]))) ?? []
    }

    /// The form for the file.
    var text: String {
        choices.isEmpty ? "" : (stays ? "stay" : "") + "\n" + WishWords.text(choices)
    }

    /// What each choice comes to now.
    func sets(
        _ seats: WishSeats
    ) -> [Result<SeatSet, WishSeats.Nothing>] {
        choices.map { choice in
            do throws(WishSeats.Nothing) {
                return .success(try seats.set(choice))
            } catch {
                return .failure(error)
            }
        }
    }

    /// The ranks for others: choices that some seat is like now, and only those that are better
    /// than sitting in one of `present`, if the user wants that.
    func ranks(_ seats: WishSeats, than present: [Seat]) -> [SeatSet] {
        let all = sets(seats).compactMap { try? $0.get() }
        return stays ? WishSeats.better(all, than: present) : all
    }
}

extension ControlHost {
    /// The seats of this moment, for the words of a wish.
    var wishSeats: WishSeats {
        let book = PeopleBook(node)
        return WishSeats(cabin: cabin, mine: book[node.me]?.seats ?? []) { key in
            bytes(hexadecimal: key).flatMap { PeerKey($0) }.flatMap { book[$0] }?.seats ?? []
        }
    }

    /// The seats that the user's wish is about: what is offered, or else all own ones.
    var wishedAway: [Seat] {
        let node = node
        let mine = node.fold.held(by: node.me)
        let offered = mine.filter { node.ownWish.offered.contains($0.token) }
        return (offered.isEmpty ? mine : offered).map(\.seat)
    }

    /// Says the same words anew where they come to other seats now: somebody whom they name moved,
    /// the user did, or another layout is drawn.
    func renewWish() {
        let own = node.ownWish
        let said = SaidWish(own.words)
        guard !said.choices.isEmpty, node.canAppend else { return }
        let ranks = said.ranks(wishSeats, than: wishedAway)
        guard ranks != own.ranks else { return }
        perform(.wish(WishChange(ranks: ranks, isRenewal: true))) { _ in }
    }
}

extension Notice {
    /// Whether words may come to other seats after it.
    var movesWishes: Bool {
        switch self {
        case .map, .caughtUp: true
        case .aboard, .left, .renamed, .chat, .message, .offer, .swap, .verification, .unverified,
            .trouble, .layouts, .party, .attendance, .venue, .book, .desk, .ask, .asks, .form,
            .counter:
            false
        }
    }
}
