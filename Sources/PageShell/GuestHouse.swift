// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import Profile
package import Protocol
package import System
package import Text
import Web

/// The guests of a host: who wants to come in, whose agent is started, and who is there. A guest's
/// agent is an ordinary one, in a profile of its own below the host's (docs/page.md section 5).
package final class GuestHouse {
    /// How far somebody is who wants to come in.
    package enum Stage: Hashable {
        /// The host is asked.
        case waits
        /// Their agent starts.
        case starts
        /// It came to nothing.
        case refused(UserError)
    }

    /// People who wait for the host's answer.
    private static let waitingAtMost = 20
    /// Whoever has not asked again for so long does not wait any more.
    private static let patience = TimeSpan.seconds(30)
    /// Refusals that are kept until the page asks again.
    private static let refusalsAtMost = 200

    private struct Join {
        let number: Int
        let wish: GuestWish
        var isWelcome: Bool
        var asked: Instant
    }

    /// The options of the host's agent, but for seat, name and port.
    private let options: [String: JSON]
    private let loop: EventLoop
    private let isOpen: Bool
    let shelf: GuestShelf
    private let starts: GuestStarts
    private var limits: JoinLimits<Address.Host>
    private var joins: [Bytes32: Join] = [:]
    private var refusals: [Bytes32: UserError] = [:]
    private var queue: [Bytes32] = []

    /// Called with the page and the number of a guest whose agent has started, and what they said
    /// of themselves. Throws if that cannot be kept.
    var onGuest: (Bytes32, Int, GuestWish) throws(UserError) -> Void = { _, _, _ in }
    /// Called with the number of an agent that nobody waits for any more, and that may run.
    var onOrphan: (Int) -> Void = { _ in }
    /// Called when a guest waits for the host's word.
    package var onAsk: () -> Void = {}
    /// Called with a code that the host may read out.
    package var onCode: (GuestCode) -> Void = { _ in }
    /// Whether the host's terminal takes a line at this moment.
    package var canTell: () -> Bool = { true }

    /// The guests of `host`, whose agents `program` starts with `options`. In an open house nobody
    /// is asked.
    package init(
        _ host: ProfilePlace, options: [String: JSON], program: String, isOpen: Bool,
        joinsInMinute: Int, loop: EventLoop
    ) {
        self.options = options
        self.isOpen = isOpen
        self.loop = loop
        shelf = GuestShelf(host)
        starts = GuestStarts(shelf, program: program, loop: loop)
        limits = JoinLimits(most: ProfilePlace.guestNumbers.count, perMinute: joinsInMinute)
        starts.onEnd = { [weak self] in self?.ended($0, $1) }
    }

    /// Whether guests come into a venue, not aboard a flight: nobody has a seat there.
    var isVenue: Bool { options["venue"] != nil }

    /// Starts the agent of a guest again, after a crash or a start of the computer. In a venue it
    /// is for the days of the host's agent, since its own may be over.
    func restart(_ number: Int) {
        if isVenue, !starts.isGoing(number), let wish = shelf.wish(of: number) {
            // What cannot be written is as it was: the start says what is wrong with it.
            try? prepare(number, wish.name, nil)
        }
        starts.start(number)
    }

    /// Writes what the agent of a guest starts with.
    private func prepare(_ number: Int, _ name: String, _ seat: String?) throws(UserError) {
        var all = options
        all["seat"] = seat.map { [.string($0)] }
        all["name"] = [.string(name)]
        all["port"] = [.string(String(ProfilePlace.port(ofGuest: number)))]
        try shelf.prepare(
            number, ["at": .string(RFC3339.text(SystemClock.utc())), "options": .object(all)])
    }

    /// Whether it starts.
    func isStarting(_ number: Int) -> Bool { starts.isGoing(number) }

    /// A guest has gone: others may come from their address.
    func left(_ number: Int) { limits.leave(number) }

    /// A guest has come back from another address.
    func moved(_ number: Int, to place: Address.Host?) { limits.move(number, to: place) }

    /// Counts one who wants their seat back as one who comes in. Gives why they cannot now.
    func refusal(of place: Address.Host?) -> UserError? {
        limits.count(from: place, at: loop.now).map(Self.words)
    }

    /// Whether a page has asked to be taken in, and waits.
    func isComing(_ key: Bytes32) -> Bool { joins[key] != nil || refusals[key] != nil }

    /// Whether somebody of that name, in any case, wants to come in and is not here yet.
    func expects(_ name: String) -> Bool {
        dropSilent()
        let word = name.lowercased()
        return joins.values.contains { $0.wish.name.lowercased() == word }
    }

    /// The server ends.
    package func finish() { starts.finish() }

    // MARK: Coming in

    /// Those who wait, the first one first; whoever does not ask any more is not among them.
    package var waiting: [(page: Bytes32, wish: GuestWish)] {
        queue.compactMap { key in
            guard let join = joins[key], loop.now - join.asked < Self.patience else { return nil }
            return (key, join.wish)
        }
    }

    /// How far the join of a page is; begins it if it is new. A refusal is told once.
    func join(_ key: Bytes32, _ wish: GuestWish, from: Address.Host?) -> Stage {
        if let error = refusals.removeValue(forKey: key) { return .refused(error) }
        dropSilent()
        if joins[key] != nil {
            joins[key]?.asked = loop.now
            return joins[key]?.isWelcome == true ? .starts : .waits
        }
        let taken = Set(shelf.numbers + joins.values.map(\.number))
        // An agent that was left behind may still hold a number.
        let free = ProfilePlace.guestNumbers.first { !taken.contains($0) && !shelf.isAnswering($0) }
        guard let number = free, queue.count < Self.waitingAtMost else {
            return .refused(Self.words(for: .full))
        }
        if let refusal = limits.take(number, from: from, besides: taken.count, at: loop.now) {
            return .refused(Self.words(for: refusal))
        }
        joins[key] = Join(number: number, wish: wish, isWelcome: isOpen, asked: loop.now)
        guard isOpen else {
            queue.append(key)
            onAsk()
            return .waits
        }
        begin(key)
        return refusals.removeValue(forKey: key).map { .refused($0) } ?? .starts
    }

    /// The host's answer about somebody who waits; `false` if they do not any more. Nobody else is
    /// let in by it.
    package func answer(_ page: Bytes32, _ isWelcome: Bool) -> Bool {
        dropSilent()
        guard queue.contains(page) else { return false }
        queue.removeAll { $0 == page }
        if isWelcome {
            joins[page]?.isWelcome = true
            begin(page)
        } else {
            refuse(page, UserError(.declined, "the host said no"))
        }
        return true
    }

    /// Forgets whoever waited and does not ask any more: their page is closed.
    private func dropSilent() {
        for key in queue {
            guard let join = joins[key], loop.now - join.asked >= Self.patience else { continue }
            joins[key] = nil
            limits.leave(join.number)
        }
        queue.removeAll { joins[$0] == nil }
    }

    private func refuse(_ key: Bytes32, _ error: UserError) {
        guard let join = joins.removeValue(forKey: key) else { return }
        limits.leave(join.number)
        if refusals.count >= Self.refusalsAtMost { refusals.removeAll() }
        refusals[key] = error
    }

    /// Writes what the guest's agent starts with, and starts it.
    private func begin(_ key: Bytes32) {
        guard let join = joins[key] else { return }
        do throws(UserError) {
            try prepare(join.number, join.wish.name, join.wish.seat)
            starts.start(join.number)
        } catch {
            shelf.remove(join.number)
            refuse(key, error)
        }
    }

    /// A start is over: of somebody who comes in, or again after a crash.
    private func ended(_ number: Int, _ error: UserError?) {
        guard let (key, join) = joins.first(where: { $0.value.number == number }) else {
            if shelf.owner(of: number) == nil { onOrphan(number) }
            return
        }
        do throws(UserError) {
            if let error { throw error }
            try onGuest(key, number, join.wish)
            joins[key] = nil
        } catch {
            refuse(key, error)
            // It may have come up all the same.
            onOrphan(number)
        }
    }

    private static func words(for refusal: JoinLimits<Address.Host>.Refusal) -> UserError {
        switch refusal {
        case .full:
            UserError(
                .notAllowedNow, "all places of this host are taken", why: "40 guests are here")
        case .address:
            UserError(.notAllowedNow, "two guests have come from this phone already")
        case .rate:
            UserError(.notAllowedNow, "many come at once", why: "wait a minute and try again")
        case .tries:
            UserError(
                .notAllowedNow, "this phone has tried often", why: "wait ten minutes")
        }
    }
}
