// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text
import Web

/// The agents of guests while a server runs: it links to them, starts again those that died, and
/// lets those go whose guests have left or were removed.
final class GuestDesk {
    /// How often it looks who is there.
    private static let pause = TimeSpan.seconds(2)
    /// The longest pause between two starts of an agent that dies again and again.
    private static let longest: Int64 = 60

    private struct Guest {
        var page: Bytes32
        let agent: PageAgent
        /// Starts since it last stayed, and when the next one may be.
        var starts = 0
        var next: Instant
        var isLeaving = false
        /// Whether the guest took their key along: their agent has ended for good.
        var hasTaken = false
        /// Questions of theirs to take it along that are not answered.
        var takings = 0
        var idle: GuestIdle
        /// When the agent is asked the next time what the guest does.
        var asks: Instant
    }

    let house: GuestHouse
    private let loop: EventLoop
    private let limits: GuestIdle.Limits
    private let random: (Int) -> [UInt8]
    private let names: GuestNames
    private var codes = SeatCodes<Bytes32>()
    private let statement: HostStatement
    private var guests: [Int: Guest] = [:]
    /// Links to agents that nobody owns, until they have ended.
    private let orphans: OrphanAgents
    /// Makes an event for a page.
    var sealEvent: (UInt64, [UInt8], Bytes32) -> [UInt8]? = { _, _, _ in nil }
    /// Called when a page becomes a guest's, and when it is nobody's any more.
    var onPage: (Bytes32, Bool) -> Void = { _, _ in }

    init(
        _ house: GuestHouse, limits: GuestIdle.Limits, loop: EventLoop,
        random: @escaping (Int) -> [UInt8]
    ) {
        self.house = house
        self.limits = limits
        self.loop = loop
        self.random = random
        names = GuestNames(loop: loop)
        orphans = OrphanAgents(house, loop: loop)
        statement = HostStatement(house.shelf, loop: loop)
        house.onGuest = { [weak self] (key, number, wish) throws(UserError) in
            try self?.welcome(key, number, wish)
        }
        house.onOrphan = { [weak self] in self?.end($0) }
    }

    /// Finds the guests of earlier starts. A folder without an owner is of one that was cut off.
    func begin() {
        for number in house.shelf.numbers {
            if let page = house.shelf.owner(of: number) {
                add(number, page)
            } else {
                end(number)
            }
        }
        lookLater()
    }

    /// The guest whose page has that key. The folder is asked each time: it may have been removed.
    func number(of key: Bytes32) -> Int? {
        let number = guests.first { $0.value.page == key && !$0.value.isLeaving }?.key
        return number.flatMap { house.shelf.owner(of: $0) == key ? $0 : nil }
    }

    /// The agent of a guest.
    func agent(_ number: Int) -> PageAgent? { guests[number]?.agent }

    /// What a guest is called.
    func name(of number: Int) -> String? { names[number]?.name }

    /// All of them, by number.
    var agents: [PageAgent] { guests.sorted { $0.key < $1.key }.map(\.value.agent) }

    // MARK: Coming and going

    /// Somebody wants to come in, or to have their seat back, or asks how far that is.
    func join(
        _ key: Bytes32, _ arguments: [String: JSON], from: Address.Host?,
        then: @escaping (Result<JSON, UserError>) -> Void
    ) {
        if number(of: key) != nil { return then(.success(["stage": "here"])) }
        do throws(UserError) {
            let wish = try GuestWish(arguments, inVenue: house.isVenue)
            if let code = wish.code { return then(take(code, of: key, from)) }
            if house.isComing(key) { return then(comeIn(key, wish, from)) }
            names.learn(links) { [weak self] in
                guard let self else { return }
                // Another question of theirs may have been answered meanwhile.
                if self.number(of: key) != nil { return then(.success(["stage": "here"])) }
                let guest = names.guest(wish.name, wish.seat, isBack: wish.isBack)
                if let guest, guests[guest]?.isLeaving == false {
                    then(ask(guest, key, from))
                } else if wish.isBack {
                    then(.failure(unknown))
                } else if house.isVenue, names.has(wish.name) || house.expects(wish.name) {
                    // Where nobody has a seat, the name alone says who comes back.
                    then(.failure(Self.taken))
                } else {
                    then(comeIn(key, wish, from))
                }
            }
        } catch {
            then(.failure(error))
        }
    }

    private func comeIn(
        _ key: Bytes32, _ wish: GuestWish, _ from: Address.Host?
    ) -> Result<JSON, UserError> {
        switch house.join(key, wish, from: from) {
        case .waits: .success(["stage": "waits"])
        case .starts: .success(["stage": "starts"])
        case .refused(let error): .failure(error)
        }
    }

    /// A guest leaves: the agent takes claims back, tells all, ends and deletes its records. It
    /// refuses while a swap that is signed has no outcome. Who took their key along deletes the
    /// text of it, which the page has to say that they want.
    func leave(
        _ number: Int, deletesText: Bool = false,
        then: @escaping (Result<JSON, UserError>) -> Void
    ) {
        if isTaken(number) {
            guard deletesText else { return then(.failure(Self.moved)) }
            // Nothing is left to take back: the claims go on with the key.
            guests[number]?.isLeaving = true
            return then(.success(.object([:])))
        }
        guard let link = guests[number]?.agent.link, link.isHere, !house.isStarting(number) else {
            return then(.failure(Self.away))
        }
        // Its answer says whether the key is still here.
        guard guests[number]?.takings == 0 else { return then(.failure(Self.takes)) }
        let forget = ControlCall(operation: .forget, arguments: ["force": false])
        link.ask(forget) { [weak self] result in
            switch result {
            // Where no answer came it may have been bound by a swap, so nothing is deleted.
            case .failure(let error): then(.failure(error))
            case .success:
                self?.guests[number]?.isLeaving = true
                // Else the others count them in a place of the venue until it closes. Who is
                // refused stays there.
                if self?.house.isVenue == true {
                    link.ask(ControlCall(operation: .checkOut, arguments: .object([:]))) { _ in }
                }
                then(.success(.object([:])))
            }
        }
    }

    /// The agent of somebody has started.
    private func welcome(_ key: Bytes32, _ number: Int, _ wish: GuestWish) throws(UserError) {
        // In another tab the page may have taken a seat back meanwhile.
        guard self.number(of: key) == nil else {
            throw UserError(.notAllowedNow, "this page is a guest's already")
        }
        // Who is here may have taken that name meanwhile.
        if house.isVenue, names.has(wish.name) { throw Self.taken }
        try house.shelf.give(number, to: key)
        add(number, key)
        guard let code = wish.party else { return }
        let join = ControlCall(operation: .joinParty, arguments: ["code": .string(code)])
        guests[number]?.agent.link?.ask(join) { _ in }
    }

    private func add(_ number: Int, _ page: Bytes32) {
        guard let place = house.shelf.place(of: number) else { return }
        drop(number)
        let wish = house.shelf.wish(of: number)
        names.add(number, wish?.name ?? "", [wish?.seat].compactMap(\.self))
        let agent = PageAgent(place.socket, loop: loop) { [weak self] event, text, page in
            self?.sealEvent(event, text, page)
        }
        let now = loop.clock()
        guests[number] = Guest(
            page: page, agent: agent, next: now + Self.pause, idle: GuestIdle(limits, at: now),
            asks: now + limits.pause)
        onPage(page, true)
        // Others read on whose computer it runs as soon as they read of the guest.
        agent.onPresence = { [weak self] isHere in
            guard isHere, let guest = self?.guests[number], let link = guest.agent.link else {
                return
            }
            self?.statement.tell(number, link)
        }
        agent.link?.connect()
        if house.shelf.taken(number) != nil { hasTaken(number) }
    }

    /// Whether a guest took their key along.
    func isTaken(_ number: Int) -> Bool { guests[number]?.hasTaken ?? false }

    /// A question to take the key along is asked of that agent, or was answered.
    func takes(_ number: Int, from agent: PageAgent, _ isAsked: Bool) {
        // The number may be of another guest meanwhile.
        guard guests[number]?.agent === agent else { return }
        guests[number]?.takings += isAsked ? 1 : -1
    }

    /// A guest took their key along: what others read of the host is not so any more, and pages of
    /// theirs that did not ask for it show the text too.
    func hasTaken(_ number: Int) {
        guard guests[number]?.hasTaken == false else { return }
        guests[number]?.hasTaken = true
        statement.takeBack(number)
        agent(number)?.tell(["event": "agent", "here": false, "taken": true])
    }

    private func drop(_ number: Int) {
        guard let guest = guests.removeValue(forKey: number) else { return }
        guest.agent.stop()
        names.drop(number)
        codes.leave(number)
        statement.takeBack(number)
        house.left(number)
        onPage(guest.page, false)
    }

    // MARK: Coming back

    private var links: [(number: Int, link: AgentLink)] {
        guests.keys.sorted().compactMap { number in
            guests[number]?.agent.link.map { (number, $0) }
        }
    }

    /// A page says that it is of a guest who is here: the host gets a code to read out to them.
    private func ask(
        _ guest: Int, _ key: Bytes32, _ from: Address.Host?
    ) -> Result<JSON, UserError> {
        let (now, place) = (loop.clock(), from.map { "\($0)" } ?? "")
        if codes.guest(of: key, at: now) == guest { return .success(["stage": "code"]) }
        guard let owner = guests[guest], let known = names[guest] else {
            return .failure(unknown)
        }
        guard house.canTell() else { return .failure(Self.unheard) }
        // Who is refused has not used up one of the tries of their phone.
        let isFree = codes.refusal(guest, by: key, from: place, at: now) == nil
        if isFree, let error = house.refusal(of: from) { return .failure(error) }
        do throws(SeatCodes<Bytes32>.Refusal) {
            let code = try codes.ask(guest, by: key, from: place, random: random(8), at: now)
            house.onCode(
                GuestCode(
                    guest: guest, name: known.name, seats: known.seats, code: code,
                    isOpen: owner.agent.isOpen(owner.page)))
            return .success(["stage": "code"])
        } catch {
            let what =
                switch error {
                case .taken: "somebody has asked for this place just now"
                case .often: "this place was asked for often"
                }
            return .failure(
                UserError(.notAllowedNow, what, why: "tell the host, and wait a few minutes"))
        }
    }

    /// A code is typed: if it is right, the guest's page is this one from now on, and no other.
    private func take(
        _ code: String, of key: Bytes32, _ from: Address.Host?
    ) -> Result<JSON, UserError> {
        switch codes.take(code, of: key, at: loop.clock()) {
        case .wrong(let left): return .success(["stage": "code", "left": .int(left)])
        case .over: return .failure(Self.over)
        case .right(let number):
            guard let old = guests[number], !old.isLeaving else { return .failure(unknown) }
            do throws(UserError) {
                try house.shelf.give(number, to: key)
            } catch {
                return .failure(error)
            }
            guests[number]?.page = key
            old.agent.end(old.page)
            house.moved(number, to: from)
            onPage(old.page, false)
            onPage(key, true)
            return .success(["stage": "here"])
        }
    }

    private var unknown: UserError {
        UserError(
            .noSuchPassenger,
            house.isVenue
                ? "no guest of that name is here, or several are"
                : "no guest of that name and seat is here",
            why: "they have left, or go by another name")
    }
    private static let taken = UserError(
        .nameRefused, "a guest of that name is here",
        why: "take another one, or say that you were here before")
    private static let unheard = UserError(
        .notAllowedNow, "no code can be shown to the host now",
        why: "their terminal takes no text: tell them")
    private static let over = UserError(
        .notAllowedNow, "this code has ended",
        why: "it is good for two minutes and three tries: ask for another one")

    // MARK: Looking after them

    private func lookLater() {
        loop.schedule(at: loop.clock() + Self.pause) { [weak self] in
            self?.look()
            self?.lookLater()
        }
    }

    private func look() {
        for number in guests.keys.sorted() { look(after: number) }
        orphans.look()
    }

    private func look(after number: Int) {
        guard var guest = guests[number] else { return }
        guard house.shelf.owner(of: number) == guest.page else {
            // Removed with seatagent host remove.
            drop(number)
            return end(number)
        }
        let isHere = guest.agent.link?.isHere ?? false
        let now = loop.clock()
        if guest.isLeaving {
            if !isHere, !house.isStarting(number), house.shelf.remove(number) { drop(number) }
            return
        }
        // After a crash the folder alone knows.
        if !isHere, !guest.hasTaken, house.shelf.taken(number) != nil {
            hasTaken(number)
            guest.hasTaken = true
        }
        guard !guest.hasTaken else { return }
        guest.idle.look(at: now, isOpen: guest.agent.streamCount > 0)
        let asks = isHere && now >= guest.asks
        if isHere {
            if asks { guest.asks = now + limits.pause }
            if now > guest.next + .seconds(Self.longest) { guest.starts = 0 }
        } else if now >= guest.next, !house.isStarting(number) {
            house.restart(number)
            guest.starts += 1
            let pause = min(Self.longest, 2 << Int64(min(guest.starts, 6)))
            guest.next = now + .seconds(pause)
        }
        guests[number] = guest
        // An answer can come at once, and change what is kept of the guest.
        if asks {
            GuestFacts.ask(guest.agent.link, inVenue: house.isVenue) { [weak self] in
                self?.take($0, of: number)
            }
        }
        // In a venue nobody has a log, with a name in it, who only looks, books or checks in.
        if isHere, !house.isVenue, let link = guest.agent.link { statement.tell(number, link) }
    }

    private func take(_ facts: GuestIdle.Facts, of number: Int) {
        guard guests[number]?.isLeaving == false,
            guests[number]?.idle.hear(facts, at: loop.clock()) == true
        else { return }
        leave(number) { _ in }
    }

    /// Ends an agent that is nobody's.
    private func end(_ number: Int) { if guests[number] == nil { orphans.end(number) } }
}
