// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
package import Profile
package import Protocol
package import System
import Text
package import Web

/// Answers what pages send: opens it, looks whose it is, asks the agent, and seals what comes back
/// (docs/page.md).
package final class PageDesk {
    /// Requests that one page may send in a second.
    package static let callsOfPage = 30
    /// Requests that one address may send in a second, before anything of them is opened.
    package static let callsOfAddress = 60
    /// How many laptops fetch the program at once.
    private static let giftsAtOnce = 16
    /// Streams of events that are open at once.
    package static let streams = 128
    /// After how long a stream says that it is still there.
    package static let pulse = TimeSpan.seconds(15)

    /// Bytes of a one-time key.
    package static let entryCount = 16

    private let loop: EventLoop
    private let files = PageFiles()
    /// Six words that stand for the server's key (docs/page.md section 6).
    package var words: [String] {
        files.codeWords?.words(of: PageKey.digest(of: store.key.key)) ?? []
    }
    /// What people compare of the certificate with this SHA-256.
    package func mark(of digest: [UInt8]) -> CertificateMark? {
        files.codeWords.flatMap { CertificateMark(digest: digest, list: $0) }
    }
    private let random: (Int) -> [UInt8]
    private var store: PageStore
    private var gate = PageGate(hosts: [])
    private var sessions: PageSessions
    private var ofPage = CallRate<Bytes32>(most: callsOfPage)
    private var ofAddress = CallRate<Address.Host>(most: callsOfAddress)
    /// What lets the next page in as the user's; `nil` once it was used, or for a host.
    private var entry: [UInt8]?
    private var own: PageAgent?
    private let guests: GuestDesk?
    private let pictures: PassPictures
    /// Whose laptop it is; `nil` for the user's own page.
    private var hostName: String?
    /// What the venue is called into which guests come; `nil` for a flight.
    private var venue: String?
    /// What is given to laptops, if the host named a file.
    package var gift: ServedFile?
    /// How many fetch it now.
    private var gifts = 0

    private init(
        loop: EventLoop, store: PageStore, guests: GuestDesk?, entry: [UInt8]?,
        random: @escaping (Int) -> [UInt8]
    ) {
        self.loop = loop
        self.store = store
        self.guests = guests
        self.entry = entry
        self.random = random
        pictures = PassPictures(loop: loop)
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
        self.init(loop: loop, store: store, guests: nil, entry: entry, random: random)
        own = pageAgent(at: agent)
        own?.link?.connect()
    }

    /// A desk for the guests of `house`, whose host others know by that name, and who come into a
    /// venue if it has a name.
    package convenience init(
        loop: EventLoop, store: PageStore, house: GuestHouse, hostName: String,
        venue: String? = nil, limits: GuestIdle.Limits = GuestIdle.Limits(),
        random: @escaping (Int) -> [UInt8]
    ) {
        let guests = GuestDesk(house, limits: limits, loop: loop, random: random)
        self.init(loop: loop, store: store, guests: guests, entry: nil, random: random)
        self.hostName = hostName
        self.venue = venue
        guests.sealEvent = { [weak self] number, text, page in
            self?.sealed(event: number, text, for: page)
        }
        guests.onPage = { [weak self] key, isGuest in
            if isGuest { self?.sessions.keep(key) } else { self?.sessions.forget(key) }
        }
        guests.begin()
    }

    /// Serves pages that name one of these addresses, with their ports.
    package func serves(_ hosts: [String], over scheme: PageScheme = .http) {
        gate = PageGate(hosts: hosts, scheme: scheme)
    }

    /// Answers one request.
    package func serve(_ exchange: HTTPExchange) {
        if let refusal = gate.refusal(host: exchange.host, origin: exchange.origin) {
            return exchange.answer(.plain(403, refusal))
        }
        switch (exchange.method, exchange.path) {
        case ("GET", "/key") where guests != nil:
            exchange.answer(
                HTTPAnswer(
                    type: "text/plain; charset=utf-8",
                    body: Array(hexadecimal(store.key.key.bytes).utf8)))
        case ("GET", "/get"), ("HEAD", "/get"): give(exchange)
        case ("GET", _), ("HEAD", _): exchange.answer(files.answer(to: exchange))
        case ("POST", "/call"): open(exchange, of: .call)
        case ("POST", "/events"): open(exchange, of: .events)
        default: exchange.answer(.plain(405, "this is not how the page asks"))
        }
    }

    /// Hands the file out, to few at once: each takes one of the connections for long.
    private func give(_ exchange: HTTPExchange) {
        guard gifts < Self.giftsAtOnce else {
            return exchange.answer(.plain(503, "many are fetching it: try again in a minute"))
        }
        gifts += 1
        exchange.onEnd = { [weak self] in self?.gifts -= 1 }
        exchange.answer(giftAnswer)
    }

    private var giftAnswer: HTTPAnswer {
        guard let gift else { return .plain(404, "there is no such page") }
        guard gift.isWhole else { return .plain(503, "the file was changed: ask the host") }
        var answer = HTTPAnswer(type: "application/octet-stream", body: [])
        answer.file = HTTPFile(descriptor: gift.descriptor, size: gift.size, name: gift.name)
        return answer
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
        let pass = pass(of: key)
        let hasTaken = pass?.guest.flatMap { guests?.isTaken($0) } ?? false
        return .object(present: [
            "session": .string(hexadecimal(sessions.session.bytes)),
            "highest": .string(String(highest)),
            "right": pass.map { .string($0.right.rawValue) },
            "name": pass?.guest.flatMap { guests?.name(of: $0) }.map(JSON.string),
            "taken": hasTaken ? .bool(true) : nil,
            // A page that is nobody's may ask to be a guest's.
            "joins": guests == nil ? nil : .bool(true),
            "host": hostName.map(JSON.string), "venue": venue.map(JSON.string), "get": gift?.json,
        ])
    }

    /// Whose page it is, and the agent that it shows.
    private func pass(of key: Bytes32) -> PagePass? {
        if let guests { return guests.number(of: key).map { PagePass(right: .guest, guest: $0) } }
        return store.pass(of: key)
    }

    private func agent(of pass: PagePass) -> PageAgent? {
        pass.guest.flatMap { guests?.agent($0) } ?? (guests == nil ? own : nil)
    }

    /// A new question.
    private func take(_ call: PageCall, of caller: PageCaller) {
        guard let request = Self.request(call.text) else {
            return finish(caller, .failure(PageFault.unreadable), keeps: false)
        }
        switch request.op {
        case "enter": return enter(request, caller)
        case "join":
            if let guests {
                let from = caller.exchange.from
                return guests.join(caller.key, request.arguments, from: from) { [weak self] in
                    self?.finish(caller, $0, keeps: false)
                }
            }
        case "read-pass":
            // Who is in has said where they sit.
            if guests != nil, pass(of: caller.key) == nil {
                return pictures.read(request.arguments, from: caller.exchange.from) {
                    [weak self] in self?.finish(caller, $0, keeps: false)
                }
            }
        default: break
        }
        guard let pass = pass(of: caller.key), let agent = agent(of: pass) else {
            return finish(caller, .failure(PageFault.stranger(guests != nil)), keeps: false)
        }
        if request.op == "leave", let number = pass.guest {
            let deletesText = request.arguments["taken"]?.flag ?? false
            guests?.leave(number, deletesText: deletesText) { [weak self] in
                self?.finish(caller, $0, keeps: false)
            }
            return
        }
        guard let operation = OperationName(rawValue: request.op), pass.right.may(operation) else {
            return finish(caller, .failure(PageFault.notOfPages(request.op)), keeps: false)
        }
        if operation == .takeKey, let number = pass.guest {
            guests?.takeKey(number, request.arguments) { [weak self] in
                self?.finish(caller, $0, keeps: false)
            }
            return
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

    // MARK: Events

    private func pageAgent(at address: ControlAddress) -> PageAgent {
        PageAgent(address, loop: loop) { [weak self] number, text, page in
            self?.sealed(event: number, text, for: page)
        }
    }

    private func sealed(event number: UInt64, _ text: [UInt8], for page: Bytes32) -> [UInt8]? {
        sealed(BoxKind.event(of: sessions.session, number, text), for: page)
    }

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
        (own.map { [$0] } ?? []) + (guests?.agents ?? [])
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
    /// Whoever has a phone cannot type commands.
    static func stranger(_ isPhone: Bool) -> UserError {
        UserError(
            .notYours, "this page is nobody's",
            why: isPhone
                ? "it did not come in, or its seat was taken back in another browser"
                : "it was not opened with an address of this start",
            advice: isPhone ? nil : "seatagent web")
    }
    static let used = UserError(
        .notAllowedNow, "this address was used", why: "it lets one page in",
        advice: "seatagent web")

    static func notOfPages(_ name: String) -> UserError {
        UserError(.badRequest, "a page cannot ask \"\(name.prefix(32))\"")
    }
}
