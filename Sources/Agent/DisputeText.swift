// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Text
import Wording

/// Errors about seats that several passengers claim: who they are, what evidence each has, and how
/// to end the dispute.
extension ControlDesk {
    /// The error if nobody said whose of several claims is meant, or the one named does not have
    /// the most evidence.
    func disputed(_ seat: Seat, _ keys: [PeerKey]) -> UserError {
        let named = words.terms.from.flatMap { try? book.find($0) { _ in "" } }
        let key = named?.key ?? keys.first { $0 != host.node.me } ?? host.node.me
        return UserError(
            .disputed, "\(seat.text) is claimed by more than one passenger",
            why: claimants(of: seat) + ". " + Self.ending,
            advice: advice(seat, key))
    }

    private func advice(_ seat: Seat, _ key: PeerKey) -> String? {
        if operation == .counter { return overrideLine }
        // Who is meant can be said of one seat only.
        guard operation == .swap, words.seat.flatMap({ Seat($0) }) != nil else {
            return "seatagent who \(book.naming(key))"
        }
        return again { words in
            words.terms.override = true
            words.terms.from = book.word(key)
        }
    }

    /// The same error from the checks before a yes.
    func disputed(_ token: Token) -> UserError {
        guard let state = host.node.fold.token(token) else {
            return UserError(
                .disputed, "a seat of it is claimed by more than one passenger",
                advice: overrideLine)
        }
        return UserError(
            .disputed, "\(state.seat.text) is claimed by more than one passenger",
            why: claimants(of: state.seat) + ". " + Self.ending, advice: overrideLine)
    }

    /// The error if the passenger named for a seat does not claim it.
    func notTheirs(_ seat: Seat, _ key: PeerKey) -> UserError {
        UserError(
            .changed, "\(book.described(key)) does not claim \(seat.text)",
            why: "it is claimed by " + claimants(of: seat), advice: "seatagent seats")
    }

    /// `bo #c2d9, claimed only, since 11:38; cy #7f3a, claimed only, since 11:40`.
    private func claimants(of seat: Seat) -> String {
        let node = host.node
        guard let place = node.seatView.place(seat) else { return "nobody" }
        let book = book
        let claims = place.claims
        let words = claims.prefix(Self.named).map { claim in
            let since = node.heard(claim.token.token).map {
                ", since " + EventText.clock(Stamp($0))
            }
            let holder = claim.token.holder
            let name = holder == node.me ? "you" : book.tagged(holder)
            return name + ", " + ClaimText.evidence(claim, me: node.me) + (since ?? "")
        }
        let rest = claims.count - words.count
        return words.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }

    /// How many claims an error names; `seats` shows all.
    private static let named = 4

    private static let ending =
        "Compare numbers face to face with whoever sits there, and it is settled: seatagent verify"
}
