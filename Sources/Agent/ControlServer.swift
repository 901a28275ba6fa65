// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Profile
import Protocol
import System
import Text
import Trips
import Wording

/// The control socket of an agent: answers requests and reports events.
final class ControlServer {
    private unowned let host: any ControlHost
    private let listener: ControlListener
    private var seats: [Seat: [PeerKey]]
    private var authors: [PeerKey]
    private var told: [Int: Told] = [:]
    /// Who sits where a swap put them, as watchers were told, by its number.
    private var seated: [Int: [PeerKey]] = [:]

    /// What has to change before watchers are told of a negotiation.
    private struct Told: Hashable {
        let step: RequestFacts.Step
        let isLooking: Bool
        let counts: Bool
    }

    /// Listens at `path` for clients of the same user. Throws what people should be told.
    init(host: any ControlHost, loop: EventLoop, path: String) throws(UserError) {
        self.host = host
        listener = try ControlListener(loop: loop, address: try ControlAddress(path: path))
        seats = SeatFacts.shown(host.node, PeopleBook(host.node))
        authors = host.node.logs.logs.map(\.author)
        for facts in requestFacts(host.node) { told[facts.record.number] = standing(facts) }
        _ = newlySeated()
        listener.greeting = { [unowned self] in greeting() }
        listener.onRequest = { [unowned self] request, client in serve(request, client) }
    }

    /// Closes everything and removes the socket.
    func close() { listener.close() }

    /// How many clients watch events.
    var watchers: Int { listener.watchers }

    private func greeting() -> Greeting {
        let facts = host.facts
        return Greeting(
            version: controlVersion, agent: Version.text, commit: Version.commit,
            profile: facts.profile, pid: Int(facts.pid))
    }

    // MARK: Requests

    private func serve(_ request: ControlRequest, _ client: ControlConnection) {
        do throws(UserError) {
            let desk = ControlDesk(host: host, request: request)
            switch try desk.outcome() {
            case .done(let result): client.reply(ControlReply.done(result, id: request.id))
            case .watch(let names):
                client.watched = names
                let list = EventName.allCases.filter(names.contains).map { Word($0) }
                reply(Op.Watch.Reply(events: list), request, client)
            case .dial(let address):
                host.dial(address)
                reply(Op.AddPeer.Reply(address: address.text), request, client)
            case .stop:
                reply(Done(), request, client)
                host.stop()
            case .stay:
                host.stay()
                reply(Done(), request, client)
            case .take(let passphrase):
                host.takeKey(passphrase) { [unowned self, weak client] result in
                    switch result {
                    case .success(let taken):
                        client?.reply(ControlReply.done(JSON(taken), id: request.id))
                        host.stop()
                    case .failure(let error):
                        client?.reply(ControlReply.failed(error, id: request.id))
                    }
                }
            case .use(let layout):
                try host.use(layout)
                reply(CabinInUse(cabin: layout.json), request, client)
                tellCabin()
            case .perform(let intent, let result):
                perform(intent, result, request, client)
            case .match(let search, let result):
                host.match(search) { [unowned self, weak client] matcher in
                    let desk = ControlDesk(host: host, request: request)
                    switch result(matcher, desk) {
                    case .success(let json):
                        client?.reply(ControlReply.done(json, id: request.id))
                    case .failure(let error):
                        client?.reply(ControlReply.failed(desk.here(error), id: request.id))
                    }
                }
            }
        } catch {
            let desk = ControlDesk(host: host, request: request)
            client.reply(ControlReply.failed(desk.here(error), id: request.id))
        }
    }

    private func reply(
        _ reply: some Encodable, _ request: ControlRequest, _ client: ControlConnection
    ) {
        client.reply(ControlReply.done(JSON(reply), id: request.id))
    }

    private func perform(
        _ intent: Intent, _ result: @escaping (IntentReply, ControlDesk) -> JSON,
        _ request: ControlRequest, _ client: ControlConnection
    ) {
        host.perform(intent) { [unowned self, weak client] outcome in
            let desk = ControlDesk(host: host, request: request)
            switch outcome {
            case .success(let reply):
                client?.reply(ControlReply.done(result(reply, desk), id: request.id))
            case .failure(let refusal):
                client?.reply(ControlReply.failed(desk.here(desk.told(refusal)), id: request.id))
            }
        }
    }

    // MARK: Events

    private func tell(_ what: ControlEvent.What) {
        listener.tell(EventScribe(host: host).event(what))
    }

    /// Tells watchers the state of the selection window.
    func publishWindow() {
        if let window = WindowFacts(host) { tell(.window(window)) }
    }

    /// Tells watchers that people may not be found on this network, or that they can be again.
    func publishTrouble() {
        let trouble = host.facts.trouble
        tell(trouble.map { .trouble(TroubleNews(code: Word(.discovery), what: $0.what)) } ?? .ready)
    }

    /// Tells watchers that the meeting point has been out of reach for a while, or is back.
    func publishMeeting() {
        let since = host.facts.meeting?.unreachable
        let news = since.map { MeetingText.unreachable(since: $0) } ?? MeetingText.back
        tell(.trouble(TroubleNews(code: Word(since == nil ? .meetingBack : .meeting), what: news)))
    }

    /// Tells watchers that the cabin is drawn with another layout.
    func tellCabin() { tell(.cabin(CabinNews(id: host.cabin.id, name: host.cabin.name))) }

    /// Tells watchers about which layout the passenger is asked, or that they are no longer asked.
    func tellCabinQuestion() {
        let asked = host.cabinQuestion?.facts(PeopleBook(host.node))
        tell(.layout(asked.map(LayoutNews.asked) ?? .gone))
    }

    /// Tells watchers whether the computer is kept awake.
    func tellAwake() { tell(.awake(AwakeNews(held: host.facts.isKeptAwake))) }

    /// Tells watchers that the computer slept so many seconds, and what is open.
    func tellWake(_ slept: Int64) { tell(.woke(WokeNews(host, slept: slept))) }

    private func standing(_ facts: RequestFacts) -> Told {
        Told(
            step: facts.step, isLooking: host.endings.replacements.isLooking(facts.record.number),
            counts: host.endings.kept.isFree(facts.record.number, at: host.now.utc))
    }

    /// Tells watchers what happened in a turn. Called after every turn, also without notices: what
    /// makes a swap final may not be news itself.
    func publish(_ notices: [Notice]) {
        let node = host.node
        let scribe = EventScribe(host: host)
        if listener.isWatched {
            for notice in notices {
                for event in scribe.events(notice) { listener.tell(event) }
            }
        }
        // The core sends no notice for a new log, and a name first comes with one.
        if node.logs.logs.count != authors.count {
            let known = authors
            authors = node.logs.logs.map(\.author)
            for author in authors where !known.contains(author) {
                listener.tell(scribe.joined(author))
            }
        }
        if notices.contains(where: \.movesSeats) {
            let current = SeatFacts.shown(node, scribe.book)
            for seat in Set(seats.keys).union(current.keys).sorted()
            where seats[seat] != current[seat] {
                listener.tell(scribe.seat(seat, current[seat] ?? []))
            }
            seats = current
        }
        // Many may end at once, so the history is read once for all of them.
        lazy var past = PastStandings(node.timeline)
        for facts in requestFacts(node) where told[facts.record.number] != standing(facts) {
            let isNew = told.updateValue(standing(facts), forKey: facts.record.number) == nil
            // A request that was declined before anybody could be told about it got silence.
            if isNew, facts.isIncoming, facts.state == .declined { continue }
            if listener.isWatched {
                listener.tell(scribe.request(facts, past))
            }
        }
        for (record, key, sits) in newlySeated() where listener.isWatched {
            listener.tell(scribe.event(.seated(scribe.seated(record, key, sits: sits))))
        }
    }

    /// Who of the user's swaps sits now and did not when watchers were told, or the other way.
    private func newlySeated() -> [(record: SwapRecord, key: PeerKey, sits: Bool)] {
        let node = host.node
        var news: [(record: SwapRecord, key: PeerKey, sits: Bool)] = []
        for record in node.swapRecords where record.isFinal {
            let now = node.logs.seated(by: record.contract.id, node.fold)
            let before = seated[record.number] ?? []
            guard now != before else { continue }
            seated[record.number] = now
            for key in record.contract.parties where now.contains(key) != before.contains(key) {
                news.append((record, key, now.contains(key)))
            }
        }
        return news
    }
}

extension Notice {
    /// Whether somebody else may be shown in a seat after it, also because a holder's agent came or
    /// went.
    fileprivate var movesSeats: Bool {
        switch self {
        case .map, .aboard, .left: true
        case .renamed, .chat, .message, .offer, .swap, .verification, .unverified, .trouble,
            .caughtUp, .layouts, .party, .attendance, .venue, .book, .desk, .ask, .asks, .form,
            .counter:
            false
        }
    }
}

private func requestFacts(_ node: any NodeReading) -> [RequestFacts] {
    node.swapRecords.map(node.facts)
}
