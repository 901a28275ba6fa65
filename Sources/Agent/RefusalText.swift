// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Protocol
import Text

/// Why the core refused, in words.
extension ControlDesk {
    private var flightWord: String {
        host.node.flight.isPractice ? "practice" : host.node.flight.text
    }

    /// What people are told about `refusal`.
    func error(_ refusal: Refusal) -> UserError {
        switch refusal {
        case .swap(let refusal): return error(refusal)
        case .party(let refusal): return error(refusal)
        case .notSwapped:
            return UserError(
                .notAllowedNow, "that swap did not move your seat",
                why: "records that came since undo it", advice: "seatagent seats")
        case .emptySeat(let seat):
            return UserError(
                .emptySeat, "nobody is known in \(seat.text)",
                why: "a seat can be asked for once its passenger is aboard here",
                advice: "seatagent seats")
        case .ownSeat(let seat):
            return UserError(
                .ownSeat, "\(seat.text) goes to the passenger who has it already",
                why: host.node.fold.held(by: host.node.me).contains { $0.seat == seat }
                    ? "\(seat.text) is yours" : nil, advice: "seatagent seats")
        case .disputed(let seat, let keys): return disputed(seat, keys)
        case .notTheirs(let seat, let key): return notTheirs(seat, key)
        case .whichSeat(let seats): return whichSeat(seats)
        case .notYours(let seat):
            return UserError(
                .notYours, "\(seat.text) is not yours", advice: "seatagent seats")
        case .notInRequest(let seat): return notInRequest(seat)
        case .tooLong(let limit):
            return UserError(
                .tooLong, "the text is too long", why: "at most \(limit) bytes are allowed")
        case .emptyText: return UserError(.emptyText, "there is nothing to send")
        case .tooManyWishes:
            return UserError(
                .logFull, "others are told no more wishes of yours on this flight",
                why: "your log has \(Limits.wishesPerLog - 1) of them, which everybody keeps; "
                    + "you can still take your offer back, and keep a wish to yourself",
                advice: "seatagent withdraw")
        case .tooManyClaims: return tooManyClaims
        case .alreadySo: return alreadySo
        case .takenBack: return takenBack
        case .unknownPassenger:
            return UserError(
                .noSuchPassenger, "no passenger has that key", advice: "seatagent peers")
        case .outboxFull:
            return UserError(
                .outboxFull, "too many messages wait for that passenger already",
                why: "\(Limits.outboxPerPeer) have not arrived", advice: "seatagent peers")
        case .bound:
            return UserError(
                .notAllowedNow, "you signed a swap whose outcome is not known yet",
                why: "forgetting the flight now leaves the others waiting",
                advice: "seatagent forget \(flightWord) --yes --force")
        case .verifyBusy(let key): return verifyBusy(key)
        case .verifyRests: return verifyRests
        case .notVerified(let key): return notVerified(key)
        case .nothingToCompare:
            return UserError(
                .notAllowedNow, "there is no code to compare now", advice: "seatagent status")
        case .noVenue, .staysAt, .staysNowhere, .outsideOfVolume: return staying(refusal)
        case .desk(let refusal): return error(refusal)
        case .tooManyAsks, .noSuchAsk, .tooManyForms, .noSuchForm, .notDesk, .badEntry:
            return asking(refusal)
        case .logClosed: return logClosed
        case .logFull: return logFull
        case .disk:
            return UserError(
                .file, "the disk refused, so nothing was changed or sent",
                why: "the agent's log says more", advice: "seatagent status")
        }
    }

    private var logFull: UserError {
        UserError(
            .logFull, "your log is full",
            why: "it has \(Limits.entriesPerAuthor) records, as many as it may")
    }

    private func notInRequest(_ seat: Seat) -> UserError {
        UserError(
            .notAllowedNow, "\(seat.text) is not to be had in that request",
            why: "it is not one of its seats, or somebody would get what they do not want; "
                + "whoever looks for swaps reads your wish",
            advice: "seatagent wish \(seat.text)")
    }

    private func verifyBusy(_ key: PeerKey) -> UserError {
        UserError(
            .notAllowedNow, "you are comparing codes with \(book.described(key))",
            why: "one at a time", advice: "seatagent verify --cancel")
    }

    private var verifyRests: UserError {
        UserError(
            .notAllowedNow, "comparing with that passenger rests for ten minutes",
            why: "\(Limits.verifyFailures) attempts failed: somebody may stand between you",
            advice: "seatagent peers")
    }

    private func notVerified(_ key: PeerKey) -> UserError {
        UserError(
            .notAllowedNow, "you have not verified \(book.described(key))",
            why: "you can vouch only for a passenger you compared codes with",
            advice: "seatagent verify \(key.tag)")
    }

    private var tooManyClaims: UserError {
        UserError(
            .tooManyClaims, "that is one seat too many",
            why: "one passenger speaks for at most \(Limits.liveClaims), and claims at most "
                + "\(Limits.claimsPerAuthor) in all", advice: "seatagent status")
    }

    private var takenBack: UserError {
        UserError(
            .changed, "you took that yes back",
            why: "it still waited for your own records, so nobody has heard of it",
            advice: "seatagent requests")
    }

    private var alreadySo: UserError {
        let what =
            switch operation {
            case .withdraw: "there is no offer to take back"
            case .vouch: "you have vouched for that passenger already"
            case .block: "that passenger is blocked already"
            case .unblock: "that passenger is not blocked"
            case .rename: "that is your name already"
            case .claim: "that seat is yours already"
            case .hosting: "that is what everybody reads already"
            case .seated: "that is what the others of the swap read already"
            case .hello, .status, .peers, .seats, .cabin, .useCabin, .answerCabin, .suggestCabin,
                .suggestions, .needs, .setNeeds, .party, .newParty, .joinParty, .inviteToParty,
                .answerParty, .sayToParty, .removeFromParty, .trustParty, .leaveParty, .who, .say,
                .message, .game, .play,
                .search, .log, .watch, .wish, .offer, .together, .match, .swap, .ring, .propose,
                .requests, .accept,
                .decline, .counter, .cancel, .force, .undo, .receipt, .verify, .compared,
                .cancelVerify, .silence, .release, .export,
                .addPeer, .venue, .checkIn, .checkOut,
                .friend, .day, .days, .book, .giveBack, .moveBooking, .withdrawAsk, .asked,
                .bookings,
                .sendForm, .forms, .desk, .deskOpen, .deskAway, .deskAnswer, .deskBook,
                .deskBlock, .deskClose, .deskPaid, .deskVisit, .deskLate, .deskMember, .deskMove,
                .deskDecide, .deskBookings, .deskBackup, .swapBookings, .bookingSwaps, .answerSwap,
                .wishBookings,
                .bookingRings,
                .takeKey, .stay,
                .forget, .down, nil:
                "it is so already"
            }
        return UserError(.alreadySo, what, advice: "seatagent status")
    }

    private var logClosed: UserError {
        UserError(
            .logClosed, "nothing can be written now",
            why: host.facts.logTrouble ?? "your own earlier records are still looked for",
            advice: "seatagent status")
    }

    private func whichSeat(_ seats: [Seat]) -> UserError {
        guard let first = seats.first else {
            // A code that belongs to nobody: it is typed as it stands.
            let held = SeatHolders.of(host.node.seatView)
            let free = host.cabin.seats.first { held[$0] == nil }
            return UserError(
                .whichSeat, "you have no seat to give",
                why: "say which seat is yours first",
                advice: free.map { "seatagent claim \($0.text)" } ?? "seatagent seats")
        }
        return UserError(
            .whichSeat, "you have several seats and it is not said which one you give",
            why: seats.map(\.text).joined(separator: ", "),
            advice: again { $0.terms.give = first.text })
    }

    // MARK: Negotiations

    private func error(_ refusal: SwapRefusal) -> UserError {
        switch refusal {
        case .noSuchRequest(let number):
            return UserError(
                .noSuchRequest, "there is no request \(number)", advice: "seatagent requests")
        case .alreadyAnswered(let record): return answered(record)
        case .notYours(let record): return notYours(record)
        case .notStranded(let record):
            return UserError(
                .notAllowedNow, "request \(record.number) is not stuck",
                why: "only a swap without an outcome can be left by force",
                advice: "seatagent requests")
        case .onlyDesk(let record):
            return UserError(
                .notAllowedNow, "request \(record.number) is not left by force",
                why: "in a venue its desk ends what is stuck, and books it anew",
                advice: "seatagent bookings")
        case .check(let fault): return error(fault)
        case .windowEarly(let left): return windowEarly(left)
        case .windowClosed(let since): return windowClosed(since)
        case .blocked(let key): return blocked(key)
        case .badContract:
            return UserError(
                .badRequest, "that is no swap",
                why: "2 to 8 passengers take part, each gives as many seats as they get, and no "
                    + "seat stays where it is")
        case .tooManyReady:
            return UserError(
                .notAllowedNow, "too many of your yeses are open",
                why: "at most \(Limits.readyAtOnce) at once", advice: "seatagent requests")
        case .tooMany:
            return UserError(
                .notAllowedNow, "too many requests are open", advice: "seatagent requests")
        case .promised: return promised
        case .given(let record):
            return UserError(
                .notAllowedNow,
                "you said yes to request \(record.number), which gives that seat away",
                why: "one seat goes to one passenger",
                advice: "seatagent cancel \(record.number)")
        case .askedAlready(let record): return askedAlready(record)
        case .strandedWith(let key):
            return UserError(
                .stranded, "a swap with \(book.described(key)) has no outcome yet",
                why: "another one could end the same way", advice: overrideLine)
        case .logClosed: return logClosed
        case .mayStick(let key, let give):
            return UserError(
                .notAllowedNow, "nobody has verified \(book.described(key)), who votes last",
                why: RequestFacts.risk(book.described(key), give), advice: unverifiedLine)
        }
    }

    private func notYours(_ record: SwapRecord) -> UserError {
        let isTheirs = [.invited, .counterSent, .requested].contains(record.stage)
        guard operation == .cancel, isTheirs else {
            return UserError(
                .notAllowedNow, "request \(record.number) is not yours to answer",
                why: "it waits for an answer from others", advice: "seatagent requests")
        }
        let other = book.described(record.partner(of: host.node.me))
        return UserError(
            .notAllowedNow, "request \(record.number) is not yours to take back",
            why: record.stage == .counterSent
                ? "you asked \(other) for other seats in it; a no ends that too"
                : "\(other) waits for your answer",
            advice: "seatagent decline \(record.number)")
    }

    /// A request for just that is open; it may wait for the user's own answer.
    func askedAlready(_ record: SwapRecord) -> UserError {
        let facts = host.node.facts(of: record)
        guard !facts.needsAnswer else {
            return UserError(
                .alreadySo,
                "\(book.tagged(facts.author)) proposes that already, in request \(record.number)",
                why: "it waits for your answer", advice: "seatagent accept \(record.number)")
        }
        let left = SpanText.words(max(record.expires.seconds - host.now.utc.seconds, 0))
        return UserError(
            .alreadySo, "you ask for that already, in request \(record.number)",
            why: "it stands for \(left) more, or until it is answered",
            advice: "seatagent requests")
    }

    private func answered(_ record: SwapRecord) -> UserError {
        let verbs: [OperationName: String] = [
            .accept: "accepted", .decline: "declined", .cancel: "cancelled", .counter: "countered",
        ]
        let verb = operation.flatMap { verbs[$0] } ?? "changed"
        let facts = RequestFacts(record, me: host.node.me)
        let age = SpanText.ago(host.now.utc.seconds - record.updated.seconds)
        let asker = book.described(record.asker(host.node.me))
        let cause = facts.cause(host.endings, book, host.node.fold, me: host.node.me)
        let why =
            switch facts.state {
            case .open: "it waits for an answer from others"
            case .agreed: "you said yes to it \(age)"
            case .stranded: "you signed it, and its outcome is not known yet"
            case .final: "the swap was made \(age)"
            case .declined: "it was declined \(age)"
            case .withdrawn where record.instead != 0:
                "your yes went to request \(record.instead) \(age)"
            case .withdrawn:
                cause.map { "\($0), \(age)" }
                    ?? (host.endings[record.number] == .here
                        ? "you withdrew it \(age)" : "\(asker) withdrew it \(age)")
            case .expired: "its time ran out \(age)"
            case .failed: cause.map { "\($0), \(age)" } ?? "it came to nothing \(age)"
            }
        return UserError(
            .changed, "request \(record.number) can no longer be \(verb)", why: why,
            advice: "seatagent requests")
    }

    func blocked(_ key: PeerKey) -> UserError {
        UserError(
            .blocked, "\(book.described(key)) is blocked by you",
            advice: "seatagent unblock \(key.tag)")
    }

    var promised: UserError {
        UserError(
            .notAllowedNow, "your seat is promised to a swap that is being decided",
            why: "one yes at a time for each seat", advice: "seatagent requests")
    }

    /// The same command again, with `--override`.
    var overrideLine: String? {
        let operations: [OperationName?] = [.swap, .ring, .accept, .counter, .undo]
        guard operations.contains(operation) else { return "seatagent requests" }
        return again { $0.terms.override = true }
    }

    /// The same command again, with the answer to the second question.
    private var unverifiedLine: String? { again { $0.terms.unverified = true } }
}
