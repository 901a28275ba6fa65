// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Why the checks before a yes refused, in words.
extension ControlDesk {
    func error(_ fault: VoteFault) -> UserError {
        let fold = host.node.fold
        func seat(_ token: Token) -> String { fold.token(token)?.seat.text ?? "a seat" }
        switch fault {
        case .notAllowed:
            return UserError(
                .notAllowedNow, "that booking cannot be swapped between you",
                why: "the venue lets nobody swap it, or members of one class only",
                advice: "seatagent bookings")
        case .begun:
            return UserError(
                .notAllowedNow, "that booking has begun", why: "it is too late to swap it",
                advice: "seatagent bookings")
        case .unequal:
            return UserError(
                .notAllowedNow, "the bookings are not of one length",
                why: "you would get more or fewer minutes than you give",
                advice: overrideLine)
        case .unpaid:
            return UserError(
                .notAllowedNow, "that booking is not paid",
                why: "whoever has it pays, or loses it", advice: overrideLine)
        case .asked:
            return UserError(
                .notAllowedNow, "you asked the desk to change that booking",
                why: "it may do that at any moment until the request's time is over",
                advice: "seatagent bookings")
        case .notHeld(let token):
            let holder = fold.token(token).map { book.described($0.holder) }
            return UserError(
                .changed, changedWhat, why: holder.map { "\(seat(token)) is now with \($0)" },
                advice: "seatagent requests")
        case .encumbered(let token):
            return UserError(
                .changed, changedWhat, why: "\(seat(token)) is promised to another swap",
                advice: "seatagent requests")
        case .forked(let key):
            return UserError(
                .notAllowedNow, "\(book.described(key)) cannot be traded with",
                why: "that key signed two things at one place, and could undo the swap",
                advice: "seatagent requests")
        case .liar(let key):
            return UserError(
                .notAllowedNow, "\(book.described(key)) should not be traded with",
                why: "that key signed two things that exclude each other: seatagent who "
                    + "\(key.tag) shows both", advice: overrideLine)
        case .disputed(let token):
            return disputed(token)
        case .reminted(let token):
            return UserError(
                .disputed, "\(seat(token)) was claimed anew while an earlier swap is open",
                why: "if that swap counts after all, two passengers hold \(seat(token)), and "
                    + "whoever got it now may have to leave it", advice: overrideLine)
        case .unverified(let key):
            return UserError(
                .changed, "only their own claim still speaks for \(book.described(key))",
                why: "they took another name or claimed a seat since you agreed",
                advice: "seatagent verify '\(key.shortTag)'")
        case .busy: return promised
        case .otherContract:
            return UserError(
                .changed, changedWhat, why: "another offer took its place",
                advice: "seatagent requests")
        case .logFull: return error(Refusal.logFull)
        case .window: return windowError
        case .blocked(let key): return blocked(key)
        }
    }

    private var windowError: UserError {
        do throws(UserError) {
            try checkWindow()
            return UserError(.windowClosed, "seats cannot be swapped now")
        } catch {
            return error
        }
    }

    private var changedWhat: String {
        guard let number = words.request else { return "that swap is not possible any more" }
        return "request \(number) can no longer be accepted"
    }
}
