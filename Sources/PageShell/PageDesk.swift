// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
package import Profile
package import Protocol
package import System
import Text
import Web

/// Answers what pages send: opens it, looks whose it is, asks the agent, and seals what comes back
/// (docs/page.md).
package final class PageDesk {
    /// Requests that one page may send in a second.
    package static let callsOfPage = 30
    /// Requests that one address may send in a second, before anything of them is opened.
    package static let callsOfAddress = 60
    /// Streams of events that are open at once.
    package static let streams = 128
    /// After how long a stream says that it is still there.
    package static let pulse = TimeSpan.seconds(15)
    /// After how long an agent of a guest that has gone is started again.
    private static let restart = TimeSpan.seconds(2)

    /// Bytes of a one-time key.
    package static let entryCount = 16

    private let loop: EventLoop
    private let files = PageFiles()
    private let random: (Int) -> [UInt8]
    private var store: PageStore
    private var gate = PageGate(hosts: [])
    private var sessions: PageSessions
    private var ofPage = CallRate<Bytes32>(most: callsOfPage)
    private var ofAddress = CallRate<Address.Host>(most: callsOfAddress)
    /// What lets the next page in as the user's; `nil` once it was used, or for a host.
    private var entry: [UInt8]?
    private var own: PageAgent?
    private let house: GuestHouse?
    private var guests: [Int: PageAgent] = [:]
    /// Guests who leave: what is kept of them goes when their agents have ended.
    private var leaving: Set<Int> = []

    private init(
        loop: EventLoop, store: PageStore, house: GuestHouse?, entry: [UInt8]?,
        random: @escaping (Int) -> [UInt8]
    ) {
        self.loop = loop
        self.store = store
        self.house = house
        self.entry = entry
        self.random = random
        // Random bytes are as many as asked for.
        sessions = PageSessions(session: PageID(random(PageID.count)) ?? .unknown)
        for page in store.pages { sessions.keep(page.key) }
        pulseLater()
    }

    /// A desk for pages of the user, whose agent answers at `agent`. `entry` lets one page in.
    package convenience init(
        loop: EventLoop, store: PageStore, entry: [UInt8], agent: ControlAddress,
        random: @escaping (Int) -> [UInt8]
    ) {
        self.init(loop: loop, store: store, house: nil, entry: entry, random: random)
        own = pageAgent(at: agent)
        own?.link?.connect()
    }

    /// A desk for the guests of `house`.
    package convenience init(
        loop: EventLoop, store: PageStore, house: GuestHouse, random: @escaping (Int) -> [UInt8]
    ) {
        self.init(loop: loop, store: store, house: house, entry: nil, random: random)
        house.onGuest = { [weak self] (key, number) throws(UserError) in
            try self?.welcome(key, number)
        }
        for number in house.numbers {
            link(number)
            house.restart(number)
        }
    }

    /// Serves pages that name one of these addresses, with their ports.
    package func serves(_ hosts: [String]) { gate = PageGate(hosts: hosts) }

    /// Answers one request.
    package func serve(_ exchange: HTTPExchange) {
        if let refusal = gate.refusal(host: exchange.host, origin: exchange.origin) {
            return exchange.answer(.plain(403, refusal))
        }
        switch (exchange.method, exchange.path) {
        case ("GET", _), ("HEAD", _): exchange.answer(files.answer(to: exchange))
        case ("POST", "/call"): open(exchange, of: .call)
        case ("POST", "/events"): open(exchange, of: .events)
        default: exchange.answer(.plain(405, "this is not how the page asks"))
        }
    }

    // MARK: What is sealed

    private enum Path { case call, events }

    private func open(_ exchange: HTTPExchange, of path: Path) {
        if let from = exchange.from, !ofAddress.take(from, at: loop.now) {
            return exchange.answer(.plain(429, "too many requests: wait a second"))
        }
        guard let body = SealedBody(exchange.body),
            let plain = store.key.open(body.box, from: body.key, nonce: body.nonce),
            let call = PageCall(plain)
        else { return exchange.answer(.plain(400, "this is not what the page sends")) }
        guard ofPage.take(body.key, at: loop.now) else {
            return exchange.answer(.plain(429, "too many requests: wait a second"))
        }
        let caller = PageCaller(key: body.key, id: call.id, exchange: exchange)
        switch sessions.take(call, from: body.key) {
        case .hello(let highest): say(hello(highest, body.key), to: caller)
        case .otherStart: say(["again": "session"], to: caller)
        case .repeated: say(["again": "number"], to: caller)
        case .busy: say(["again": "later"], to: caller)
        case .again(let text): seal(text, to: caller)
        case .new(let call):
            path == .call ? take(call, of: caller) : begin(call, of: caller)
        }
    }

    private func hello(_ highest: UInt64, _ key: Bytes32) -> JSON {
        .object(present: [
            "session": .string(hexadecimal(sessions.session.bytes)),
            "highest": .string(String(highest)),
            "right": pass(of: key).map { .string($0.right.rawValue) },
            // A page that is nobody's may ask to be a guest's.
            "joins": house == nil ? nil : .bool(true),
        ])
    }

    /// Whose page it is. A guest without files is none any more.
    private func pass(of key: Bytes32) -> PagePass? {
        guard let pass = store.pass(of: key) else { return nil }
        if let number = pass.guest, house?.isHere(number) != true { return nil }
        return pass
    }

    private func agent(of pass: PagePass) -> PageAgent? {
        pass.guest.map { guests[$0] } ?? own
    }

    /// A new question.
    private func take(_ call: PageCall, of caller: PageCaller) {
        guard let request = Self.request(call.text) else {
            return finish(caller, .failure(PageFault.unreadable), keeps: false)
        }
        switch request.op {
        case "enter": return enter(request, caller)
        case "join" where house != nil: return join(request, caller)
        default: break
        }
        guard let pass = pass(of: caller.key), let agent = agent(of: pass) else {
            return finish(caller, .failure(PageFault.stranger), keeps: false)
        }
        if request.op == "leave", let number = pass.guest { return leave(number, agent, caller) }
        guard let operation = OperationName(rawValue: request.op), pass.right.may(operation) else {
            return finish(caller, .failure(PageFault.notOfPages(request.op)), keeps: false)
        }
        let asked = ControlCall(operation: operation, arguments: .object(request.arguments))
        agent.link?.ask(asked) { [weak self] result in
            // A no of the agent changes nothing: the same question may be asked anew. What may have
            // been done must not be.
            var keeps = !operation.onlyReads
            if case .failure(let error) = result { keeps = keeps && error.code == .unreachable }
            self?.finish(caller, result, keeps: keeps)
        }
    }

    /// The user's own page comes with the one-time key of this start.
    private func enter(_ request: ControlRequest, _ caller: PageCaller) {
        let given = request.arguments["key"]?.text.flatMap { bytes(hexadecimal: $0) } ?? []
        guard let entry, Self.same(given, entry) else {
            return finish(caller, .failure(PageFault.used), keeps: false)
        }
        do throws(UserError) {
            try store.admit(caller.key, as: PagePass(right: .owner))
            sessions.keep(caller.key)
            self.entry = nil
            let right = ["right": .string(PageRight.owner.rawValue)] as JSON
            finish(caller, .success(right), keeps: true)
        } catch {
            finish(caller, .failure(error), keeps: false)
        }
    }

    /// In a time that does not depend on where they differ.
    private static func same(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func request(_ text: [UInt8]) -> ControlRequest? {
        do {
            return try ControlRequest(JSON(line: text))
        } catch {
            return nil
        }
    }

    private func finish(_ caller: PageCaller, _ result: Result<JSON, UserError>, keeps: Bool) {
        let answer: JSON =
            switch result {
            case .success(let json): ["ok": true, "result": json]
            case .failure(let error): ["ok": false, "error": error.json]
            }
        let text = Array(answer.line.utf8)
        sessions.answer(caller.id, of: caller.key, with: text, keeps: keeps)
        seal(text, to: caller)
    }

    private func say(_ json: JSON, to caller: PageCaller) {
        seal(Array(json.line.utf8), to: caller)
    }

    private func seal(_ text: [UInt8], to caller: PageCaller) {
        guard let body = sealed(BoxKind.reply(to: caller.id, text), for: caller.key) else {
            return caller.exchange.answer(.plain(400, "this key is none"))
        }
        caller.exchange.answer(HTTPAnswer(type: "application/octet-stream", body: body))
    }

    /// A nonce and a box.
    private func sealed(_ plain: [UInt8], for page: Bytes32) -> [UInt8]? {
        let nonce = random(PageKey.nonceCount)
        return store.key.seal(plain, for: page, nonce: nonce).map { nonce + $0 }
    }

    // MARK: Guests

    /// Somebody wants to come in, or asks how far that is.
    private func join(_ request: ControlRequest, _ caller: PageCaller) {
        do throws(UserError) {
            let wish = try GuestWish(request.arguments)
            let stage: String
            switch pass(of: caller.key) == nil
                ? house?.join(caller.key, wish, from: caller.exchange.from) : .here(0)
            {
            case .waits?: stage = "waits"
            case .starts?: stage = "starts"
            case .here?: stage = "here"
            case .refused(let error)?: throw error
            case nil: throw PageFault.stranger
            }
            finish(caller, .success(["stage": .string(stage)]), keeps: false)
        } catch {
            finish(caller, .failure(error), keeps: false)
        }
    }

    /// The agent of a guest has started.
    private func welcome(_ key: Bytes32, _ number: Int) throws(UserError) {
        try store.admit(key, as: PagePass(right: .guest, guest: number))
        sessions.keep(key)
        link(number)
        guard let code = house?.wish(of: key)?.party else { return }
        let join = ControlCall(operation: .joinParty, arguments: ["code": .string(code)])
        guests[number]?.link?.ask(join) { _ in }
    }

    /// A guest leaves: the agent says so to all, and ends.
    private func leave(_ number: Int, _ agent: PageAgent, _ caller: PageCaller) {
        let down = ControlCall(operation: .down, arguments: .object([:]))
        agent.link?.ask(down) { [weak self] result in
            // The agent may have closed the connection before its answer was read.
            self?.leaving.insert(number)
            self?.finish(caller, .success(.object([:])), keeps: true)
            if self?.guests[number]?.link?.isHere == false { self?.forget(number) }
        }
    }

    private func forget(_ number: Int) {
        leaving.remove(number)
        guests.removeValue(forKey: number)?.stop()
        house?.remove(number)
        for key in store.keys(ofGuest: number) { sessions.forget(key) }
        try? store.dismiss(number)
    }

    private func link(_ number: Int) {
        guard guests[number] == nil, let place = house?.place(of: number) else { return }
        let agent = pageAgent(at: place.socket)
        agent.onPresence = { [weak self] isHere in
            if !isHere { self?.lost(number) }
        }
        guests[number] = agent
        agent.link?.connect()
    }

    /// The agent of a guest does not answer any more.
    private func lost(_ number: Int) {
        loop.schedule(at: loop.clock() + Self.restart) { [weak self] in
            guard let self, let agent = guests[number], agent.link?.isHere == false else { return }
            if leaving.contains(number) || house?.isHere(number) != true {
                forget(number)
            } else {
                house?.restart(number)
            }
        }
    }

    private func pageAgent(at address: ControlAddress) -> PageAgent {
        PageAgent(address, loop: loop) { [weak self] number, text, page in
            guard let self else { return nil }
            return sealed(BoxKind.event(of: sessions.session, number, text), for: page)
        }
    }

    // MARK: Events

    /// Opens a stream behind the last event that the page saw.
    private func begin(_ call: PageCall, of caller: PageCaller) {
        // Nothing of it is kept: the page opens another stream with another question.
        sessions.answer(caller.id, of: caller.key, with: [], keeps: false)
        guard let pass = pass(of: caller.key), let agent = agent(of: pass) else {
            return caller.exchange.answer(.plain(403, "this page is nobody's"))
        }
        let open = all.reduce(0) { $0 + $1.streamCount }
        guard open < Self.streams else {
            return caller.exchange.answer(.plain(503, "too many pages are open"))
        }
        let asked = try? JSON(line: call.text)
        let after = asked?["after"]?.text.flatMap { UInt64($0) }
        agent.open(caller.exchange, of: caller.key, after: after)
    }

    private var all: [PageAgent] {
        (own.map { [$0] } ?? []) + guests.sorted { $0.key < $1.key }.map(\.value)
    }

    private func pulseLater() {
        loop.schedule(at: loop.clock() + Self.pulse) { [weak self] in
            guard let self else { return }
            for agent in all { agent.pulse() }
            pulseLater()
        }
    }
}

/// Who waits for an answer.
private struct PageCaller {
    let key: Bytes32
    let id: PageID
    let exchange: HTTPExchange
}

/// What a page is refused for.
private enum PageFault {
    static let unreadable = UserError(.badRequest, "the page's question cannot be read")
    static let stranger = UserError(
        .notYours, "this page is nobody's", why: "it was not opened with an address of this start",
        advice: "seatagent web")
    static let used = UserError(
        .notAllowedNow, "this address was used", why: "it lets one page in",
        advice: "seatagent web")

    static func notOfPages(_ name: String) -> UserError {
        UserError(.badRequest, "a page cannot ask \"\(name.prefix(32))\"")
    }
}
