// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text

/// Why no exchange is found, and what people can do about it.
extension ControlDesk {
    /// Why there is nothing to look for; `nil` if there is.
    func nothingToLookFor(_ search: MatchSearch) -> UserError? {
        let node = host.node
        let held = node.fold.held(by: node.me)
        guard !held.isEmpty else { return error(.whichSeat([])) }
        let mine = search.scenes.own.people.filter { $0.holder == node.me }
        if !mine.contains(where: \.isFree), let why = heldFast(held) { return why }
        if mine.isEmpty { return disputed(held[0].seat, []) }
        if mine.allSatisfy({ $0.place == nil }) { return unknownSeats }
        switch search.aim {
        case .together, .all: return alone(search.scenes.own)
        case .wishes: return wishless(mine)
        }
    }

    /// Why none of the own seats can be given: each is promised, or not sure to be the user's.
    private func heldFast(_ held: [TokenState]) -> UserError? {
        let promise = host.node.swapRecords.last { record in
            record.stage.isPromised
                && record.contract.legs.contains { leg in held.contains { $0.token == leg.token } }
        }
        if let promise, promise.stage == .prepared || promise.stage == .stranded {
            return UserError(
                .stranded, "swap \(promise.number) has no outcome yet",
                why: "your yes to it is signed, and gives that seat away",
                advice: "seatagent requests")
        }
        if let promise { return error(.swap(.given(promise))) }
        guard let stays = host.knownSeats.kept.first else { return nil }
        return UserError(
            .againstRules, "\(stays.text) is not sure to be yours",
            why: "you said that you are on standby or not checked in",
            advice: "seatagent needs \(stays.text) standby --remove")
    }

    /// Why nobody is to sit together; `nil` if there are at least two.
    private func alone(_ scene: MatchScene) -> UserError? {
        let seated = scene.own.filter { scene.people[$0].place != nil }
        if seated.count > Limits.legs.upperBound {
            return UserError(
                .nothingFound, "your party is too large to look for seats",
                why: "it has \(seated.count) seats, and at most \(Limits.legs.upperBound) change "
                    + "hands in one swap", advice: "seatagent seats")
        }
        guard seated.count < 2 else { return nil }
        if scene.own.count > 1 { return unknownSeats }
        let what = "there is nobody to sit with"
        guard let party = host.node.party(at: host.now) else {
            return UserError(
                .nothingFound, what, why: "you have one seat, and you are in no party",
                advice: "seatagent party new")
        }
        if let waiting = party.candidates.first {
            return UserError(
                .nothingFound, what,
                why: "\(book.described(waiting)) has your code and waits for your answer",
                advice: "seatagent party yes \(book.naming(waiting))")
        }
        guard !party.companions.isEmpty else {
            return UserError(
                .nothingFound, what, why: "nobody has joined your party yet",
                advice: "seatagent party invite")
        }
        return UserError(
            .nothingFound, what, why: "nobody of your party has a seat here",
            advice: "seatagent party show")
    }

    private var unknownSeats: UserError {
        UserError(
            .nothingFound, "it is not known where your party sits",
            why: "the layout that is drawn (\(visible(host.cabin.name, cells: 40))) does not "
                + "have your seats", advice: "seatagent cabins")
    }

    /// Why no wish of the user can be served; `nil` if one may be.
    private func wishless(_ mine: [MatchScene.Person]) -> UserError? {
        let wishing = mine.filter { !$0.ranks.isEmpty }
        guard !wishing.isEmpty else {
            return UserError(
                .nothingFound, "you have not said what you would take instead of your seat",
                why: "a swap is found by wishes",
                advice: "seatagent wish " + WishReader.shell(WishReader.standard))
        }
        guard wishing.contains(where: { $0.rank(of: $0.seat) > 0 }) else {
            return UserError(
                .alreadySo, "you have what you wish for first",
                why: wishing.map(\.seat.text).joined(separator: " and ")
                    + " is as good as anything in your first wish", advice: "seatagent wish")
        }
        return nil
    }

    /// Why a search found nothing.
    func nothingFound(_ search: MatchSearch, _ matcher: Matcher) -> UserError {
        let isParty = search.aim != .wishes
        if isParty, matcher.now.together.degree == .block {
            return UserError(
                .alreadySo, "you sit together already",
                why: "nobody and no aisle is between you", advice: "seatagent seats")
        }
        let others = search.scenes.own.people.filter { !$0.isOwn }
        let free = others.filter(\.isFree)
        guard !free.isEmpty else {
            return UserError(
                .nothingFound, "there is nobody to ask",
                why: others.isEmpty
                    ? "nobody else is known to have a seat here"
                    : "those who have a seat here want no requests, said no, are out of reach, or "
                        + "have a swap open", advice: "seatagent peers")
        }
        let wishing = free.count { !$0.ranks.isEmpty }
        let could =
            free.count == 1 ? "1 seat could be asked for" : "\(free.count) seats could be asked for"
        let said =
            wishing == 0
            ? "nobody there said what they would like" : "\(wishing) of them by wish"
        return UserError(
            .nothingFound,
            isParty
                ? "no swap was found that brings you together and leaves nobody worse off"
                : "no swap was found that serves your wish and leaves nobody worse off",
            why: "\(could): \(said)"
                + (matcher.isWhole ? "" : "; the search ended before it had looked at everything"),
            advice: wishing == 0
                ? "seatagent say \"which seats would you like? seatagent wish tells me\""
                : "seatagent seats")
    }
}
