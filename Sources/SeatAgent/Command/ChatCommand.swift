// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Glibc
import Launch
import Profile
import Protocol
import Text
import View
import Wording

/// `seatagent chat`: plain lines, without a full screen. Typed lines are said, incoming ones
/// printed; a line that begins with `/` is a command. Lines are only added, and nothing is written
/// that acts on a terminal: for screen readers, pipes and dumb terminals.
enum ChatCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect()
        _ = try client.ask(Op.Watch())
        var partner: Person?
        if let who = call.operands.first {
            partner = try client.ask(Op.Who(who: who)).reply.peer.person
        }
        let status = try client.ask(Op.Status()).reply
        var chat = Chat(call: call, client: client, partner: partner)
        // The agent of a flight refuses, and that of a venue has neither requests nor a party.
        if (try? client.ask(Op.Venue())) != nil {
            chat.isInVenue = true
            chat.greet(status, [], nil)
        } else {
            let requests = try client.ask(Op.Requests()).requests
            chat.greet(status, requests, try client.ask(Op.Party()).reply)
        }
        return try chat.run()
    }
}

/// One chat, until its input ends.
private struct Chat {
    let call: Invocation
    let client: ControlClient
    /// The partner; `nil` for everyone.
    var partner: Person?
    /// Whether lines go to the user's party.
    private var toParty = false
    /// Whether a `/to` failed, so that nothing is sent until another one names a passenger.
    private var isAstray = false
    var listener: ChatListener
    /// Whether the agent is in a venue, where nobody has a seat.
    var isInVenue = false

    init(call: Invocation, client: ControlClient, partner: Person?) {
        self.call = call
        self.client = client
        self.partner = partner
        listener = ChatListener(
            only: partner?.key, isEchoed: call.session.console.readsTerminal,
            ascii: call.ascii)
    }

    private var console: Console { call.session.console }

    mutating func greet(
        _ status: AgentStatus, _ requests: [SwapRequest], _ party: PartyStatus?
    ) {
        listener.cabin = CabinLayout(told: status.cabin) ?? .standard
        call.hint(
            "You are \(WhoText.full(status.me)), talking to \(target). "
                + others(status))
        // Otherwise, nothing from before the chat would be known here.
        for request in requests.map({ RequestText($0) }) where request.needsAnswer {
            call.hint("* request " + request.line(slash: true))
        }
        for who in party?.candidates ?? [] {
            let news = PartyNews(change: Word(.asked), who: who)
            if let line = PartyWords.event(news, slash: true) { call.hint(line) }
        }
        if let asked = CabinAskText(status.cabinAsked) {
            call.hint("* " + asked.line(slash: true))
        }
        call.hint("/help for commands, /quit or Ctrl-D leaves.")
    }

    private func others(_ status: AgentStatus) -> String {
        let (aboard, remote) = (status.aboard, status.remote ?? 0)
        let there = remote > 0 ? "\(remote) at the meeting point" : ""
        if aboard > 0 {
            return "\(aboard) \(isInVenue ? "here" : "aboard")"
                + (there.isEmpty ? "." : ", \(there).")
        }
        if remote > 0 { return there + "." }
        if status.away > 0 { return "0 of \(status.away) within reach." }
        let nobody = "No one else is \(isInVenue ? "here" : "aboard") yet"
        return nobody + (status.meeting.flatMap(MeetingText.sign).map { ": \($0)." } ?? ".")
    }

    private var target: String {
        toParty ? "your party" : partner.map { WhoText.full($0) } ?? "everyone"
    }

    mutating func run() throws(UserError) -> ExitCode {
        while true {
            while let line = console.nextWaitingLine() {
                if try typed(line) { return .done }
            }
            if console.hasEnded { return .done }
            let (events, ended) = try client.takeEvents()
            for told in events {
                if case .cabin = told.event.what { listener.cabin = try client.cabin() }
                show(told)
            }
            if ended {
                throw LastAgent(call.place).explaining(
                    UserError(
                        .noAgent, "the agent has gone", why: "it closed the connection",
                        advice: LastAgent.example))
            }
            waitForBoth()
        }
    }

    /// Waits until a line is typed or something comes from the agent.
    private func waitForBoth() {
        var descriptors = [
            pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
            pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&descriptors, 2, -1) > 0 else { return }
        if descriptors[0].revents != 0 { console.fill() }
    }

    private func show(_ told: ToldEvent) {
        if call.json { return console.out(told.json.line) }
        if let line = listener.line(told.event) { console.out(line) }
    }

    // MARK: Typed lines

    /// Handles a typed line; `true` if it ends the chat.
    private mutating func typed(_ line: String) throws(UserError) -> Bool {
        call.session.isChat = true
        defer { call.session.isChat = false }
        do throws(UserError) {
            switch ChatStep(line) {
            case .nothing: break
            case .say(let text): try send(text)
            case .act(let text):
                try send("* \(try client.ask(Op.Status()).me.name) \(text)")
            case .talkTo(let who): try talk(to: who)
            case .talkToParty:
                isAstray = true
                guard try client.ask(Op.Party()).code != nil else {
                    throw UserError(
                        .notAllowedNow, "you are in no party",
                        why: "somebody makes one, and the others join with its code",
                        advice: "seatagent party new")
                }
                toParty = true
                partner = nil
                isAstray = false
                listener.only = nil
                call.hint("Now talking to \(target).")
            case .run(let words): run(words)
            case .reseat(let seat): try reseat(seat)
            case .help: for line in ChatStep.helpLines(isInVenue) { console.out(line) }
            case .tell(let words): console.err(words)
            case .quit: return true
            case .leave:
                run(["down"])
                return true
            }
        } catch {
            // An agent that is gone ends the chat; any other error concerns this line only.
            if error.code.exit == .noAgent { throw error }
            call.session.report(error, asJSON: call.json)
        }
        return false
    }

    private mutating func send(_ text: String) throws(UserError) {
        guard !isAstray else {
            return console.err("Not sent: say first to whom, /to WHO or /to all.")
        }
        if toParty {
            tell(listener.sent(try client.ask(Op.SayToParty(text: text)).reply))
        } else if let key = partner?.key {
            let peer = try client.ask(Op.Who(who: key)).reply.peer
            if peer.reach == .nowhere, !peer.remote {
                let who = WhoText.full(peer.person)
                call.hint("\(who) is out of reach: it waits here until that changes.")
            }
            tell(listener.sent(try client.ask(Op.Message(who: key, text: text)).reply))
        } else {
            let status = try client.ask(Op.Status()).reply
            if status.linked == 0 {
                call.hint(
                    MeetingText.heard(status)
                        ?? (ReachText.known(status) == 0
                            ? "No one else is aboard yet. Whoever comes later will read it."
                            : "No one is within reach now. Whoever comes back will read it."))
            }
            tell(listener.sent(try client.ask(Op.Say(text: text)).reply))
        }
    }

    /// Shows the mark of a line that is on the terminal as it was typed; a pipe gets the mark with
    /// the line.
    private func tell(_ mark: DeliveryMark) {
        guard console.readsTerminal, !call.json, !call.quiet else { return }
        console.out("  " + mark.text(ascii: call.ascii))
    }

    private mutating func talk(to who: String?) throws(UserError) {
        isAstray = true
        partner = try who.map { (who) throws(UserError) in
            try client.ask(Op.Who(who: who)).reply.peer.person
        }
        isAstray = false
        toParty = false
        if partner == nil { listener.only = nil }
        call.hint("Now talking to \(target).")
    }

    /// Claims another seat in place of the only one that the user holds.
    private func reseat(_ word: String) throws(UserError) {
        let seat = try SeatText.parse(word).text
        let held = try client.ask(Op.Status()).me.seats.map(\.text)
        guard held.count == 1 else {
            return console.err(
                "You have \(held.count) seats: /claim and /release change one of them.")
        }
        let old = visible(held[0], cells: 4)
        guard call.mayAsk else {
            return console.err(
                "Nobody can be asked here: /claim \(seat) and /release \(old) do it.")
        }
        guard call.confirm("Tell everyone that you sit in \(seat) and not in \(old)?") else {
            return console.err("Nothing was sent.")
        }
        _ = try client.ask(Op.Claim(seat: seat, dependant: false))
        _ = try client.ask(Op.Release(seat: held[0]))
        console.out("Everyone can see your new seat. \(old) is not yours any more.")
    }

    private func run(_ words: [String]) {
        // Before anything else: everything after `--` is text.
        let json = call.json ? ["--json"] : []
        _ = call.session.run(json + words, profile: call.place.profile.text)
    }
}
