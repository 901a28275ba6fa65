// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Keys
import Launch
import Protocol
import Store
import Text
import Trips

extension LeftFlight {
    /// Reads it from the file at `path` while no agent has it open. Throws `file` if that cannot
    /// be.
    static func read(_ path: String) throws(UserError) -> LeftFlight {
        do throws(StoreError) {
            guard let primitives = SodiumPrimitives() else {
                throw StoreError(code: 7, words: "this machine gives no random numbers")
            }
            let store = try Store(path: path, primitives: primitives, wasKept: true)
            guard let seed = try store.identity()?.seed, let key = Identity(seed: seed)?.key else {
                throw StoreError(code: 26, words: "there is no key in it")
            }
            store.owned(by: key)
            let stored = try store.load()
            // The caller knows under which name it is in the list.
            var left = LeftFlight(.practice)
            left.moved.party = stored.party?.secrets.first
            left.hasNeeds = try !store.needs().people.isEmpty
            if let wish = stored.wish { left.take(wish) { stored.logs.lastName(of: $0) } }
            return left
        } catch {
            throw UserError(
                .file, "what goes along from that flight cannot be read",
                why: "\(path): \(error.words)", advice: "ls -l \(ShellWord.quoted(path))")
        }
    }

    /// Takes of `wish` what says something in any cabin. Keys are others on each flight, so a
    /// passenger in it becomes the name that `name` knows.
    mutating func take(_ wish: OwnWish, name: (PeerKey) -> String?) {
        let said = SaidWish(wish.words)
        var choices: [WishChoice] = []
        for choice in said.choices {
            let isKnown = choice.people.allSatisfy { key in
                bytes(hexadecimal: key).flatMap { PeerKey($0) }.flatMap(name) != nil
            }
            guard isKnown else {
                leftOut.append("a wish for a place near somebody whose name is not known")
                continue
            }
            choices.append(
                choice.naming { key in
                    bytes(hexadecimal: key).flatMap { PeerKey($0) }.flatMap(name) ?? ""
                })
        }
        let (kept, seats) = WishChoice.elsewhere(choices)
        leftOut += seats
        var next = MovedWish()
        next.words = WishWords.text(kept)
        next.stays = said.stays && !kept.isEmpty
        next.isPrivate = wish.isPrivate
        next.offers = !wish.offered.isEmpty && !kept.isEmpty
        next.asks = wish.asks
        if wish.note.split(whereSeparator: \.isWhitespace).contains(where: Self.namesSeat) {
            leftOut.append("the note")
        } else {
            next.note = wish.note
        }
        let isNothing = kept.isEmpty && next.asks == .alike && next.note.isEmpty
        moved.wish = isNothing ? nil : next
    }

    /// `14C`, also with a comma behind it.
    private static func namesSeat(_ word: Substring) -> Bool {
        Seat(String(word.filter { $0.isLetter || $0.isNumber })) != nil
    }
}

extension LogSet {
    /// The name that `key` had last; `nil` for none.
    func lastName(of key: PeerKey) -> String? {
        var last: String?
        for entry in log(of: key)?.entries ?? [] {
            switch entry.body {
            case .genesis(let name, _), .profile(let name): last = name
            case .claim, .retract, .vote, .commit, .abandon, .chat, .wish, .sealed, .seated,
                .hosting,
                .unknown, .vouch, .ledger, .end:
                break
            }
        }
        return last.flatMap { $0.isEmpty ? nil : $0 }
    }
}
