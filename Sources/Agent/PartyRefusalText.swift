// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Why the core refused something about a party, in words.
extension ControlDesk {
    func error(_ refusal: PartyRefusal) -> UserError {
        switch refusal {
        case .none:
            UserError(
                .notAllowedNow, "you are in no party",
                why: "somebody makes one, and the others join with its code",
                advice: "seatagent party new")
        case .already:
            UserError(
                .alreadySo, "you are in a party already", why: "one at a time",
                advice: "seatagent party show")
        case .notCandidate(let key):
            UserError(
                .notAllowedNow, "\(book.described(key)) has not shown the code of your party",
                why: "aboard it works for ten minutes after an invitation",
                advice: "seatagent party invite")
        case .notMember(let key):
            UserError(
                .notAllowedNow, "\(book.described(key)) is not in your party",
                why: "they have not shown its code", advice: "seatagent party show")
        case .full:
            UserError(
                .notAllowedNow, "your party is full",
                why: "it has \(Limits.partyCompanions) companions, as many as it may",
                advice: "seatagent party show")
        case .tooOften:
            UserError(
                .notAllowedNow, "too many were taken out of your party within an hour",
                why: "the agents of the others follow \(Limits.partyChangesOfOne) an hour of one"
                    + " companion and \(Limits.partyChanges) of all: wait, or leave and make a"
                    + " new party",
                advice: "seatagent party leave")
        case .noSeal: UserError(.failed, "this program cannot seal a line for your party")
        }
    }
}
