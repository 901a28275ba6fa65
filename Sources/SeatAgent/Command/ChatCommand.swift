import Glibc

/// `seatagent chat`: plain lines, no screen taken over. Typed lines are said, incoming ones printed;
/// a line that begins with `/` is a command of the program.
enum ChatCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect()
        _ = try client.ask("watch")
        var partner: JSON?
        if let who = call.operands.first {
            partner = try client.ask("who", ["who": .string(who)])
        }
        let status = try client.ask("status")
        let chat = Chat(call: call, client: client, partner: partner)
        chat.greet(status)
        return try chat.run()
    }
}

/// One chat until its end of input.
private struct Chat {
    let call: Invocation
    let client: ControlClient
    /// The passenger talked to; `nil` for everyone.
    let partner: JSON?

    private var console: Console { call.session.console }

    /// Commands that would never come back, or end what they run in.
    private static let elsewhere = ["up", "agent", "restart", "chat", "watch"]

    func greet(_ status: JSON) {
        let others = status["aboard"]?.number ?? 0
        let target = partner.map { WhoText.full($0) } ?? "everyone"
        call.hint(
            "You are \(WhoText.full(status["me"])), talking to \(target). "
                + (others == 0 ? "No one else is aboard yet." : "\(others) aboard."))
        call.hint("/help for commands, /quit or Ctrl-D leaves.")
    }

    func run() throws(UserError) -> ExitCode {
        while true {
            while let line = console.nextWaitingLine() {
                if try typed(line) { return .done }
            }
            if console.hasEnded { return .done }
            let (events, ended) = try client.takeEvents()
            for event in events { show(event) }
            if ended {
                throw UserError(
                    .noAgent, "the agent has gone", why: "it closed the connection",
                    advice: "seatagent up --seat 14C --name ada")
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

    private func show(_ event: JSON) {
        if call.json { return console.out(event.line) }
        if let partner, !concerns(event, partner) { return }
        // What was typed stands on the terminal already.
        let isOwn = WhoText.isMe(event["who"]) && event["event"] == "chat"
        if isOwn, console.readsTerminal { return }
        if event["event"] == "message", event["state"] == "waiting" { return }
        let text = EventText(event: event, slash: true, ascii: call.ascii)
        if let line = text.line { console.out(line) }
    }

    private func concerns(_ event: JSON, _ partner: JSON) -> Bool {
        switch event["event"]?.text {
        case "request", "swap", "trouble": true
        default: event["who"]?["key"] == partner["key"]
        }
    }

    // MARK: Typed lines

    /// Does what a typed line says; `true` when it ends the chat.
    private func typed(_ line: String) throws(UserError) -> Bool {
        guard line.contains(where: { !$0.isWhitespace }) else { return false }
        if line.hasPrefix("//") {
            send(String(line.dropFirst()))
        } else if line.hasPrefix("/") {
            return command(String(line.dropFirst()))
        } else {
            send(line)
        }
        return false
    }

    private func send(_ text: String) {
        do throws(UserError) {
            if let key = partner?["key"] {
                _ = try client.ask("msg", ["who": key, "text": .string(text)])
            } else {
                _ = try client.ask("say", ["text": .string(text)])
            }
        } catch {
            call.session.report(error, asJSON: call.json)
        }
    }

    private func command(_ line: String) -> Bool {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        let word = words.first ?? ""
        if ["quit", "exit", "q"].contains(word) { return true }
        if word == "leave" {
            _ = call.session.run(["down"], profile: call.place.profile.text)
            return true
        }
        let names = call.session.parser.commands.filter { !$0.isHidden }.map(\.name)
        guard names.contains(word) else {
            let nearest = Suggestions.nearest(to: word, among: names + ["quit", "leave"])
            let hint = nearest.map { "Did you mean /\($0)? " } ?? ""
            console.err("No command /\(visible(word)). \(hint)Nothing was sent.")
            return false
        }
        if Self.elsewhere.contains(word) || words.contains("-f") || words.contains("--follow") {
            console.err("/\(word) has no place in a chat. Nothing was sent.")
            return false
        }
        words = Self.withNote(words)
        if call.json { words.append("--json") }
        _ = call.session.run(words, profile: call.place.profile.text)
        return false
    }

    /// `/swap 12A aisle for window`: what follows the seat is the note; `/decline 1 sorry` likewise.
    static func withNote(_ words: [String]) -> [String] {
        guard ["swap", "decline"].contains(words[0]), words.count > 2,
            !words.contains(where: { $0.hasPrefix("-") })
        else { return words }
        return Array(words[0..<2]) + ["--note", words[2...].joined(separator: " ")]
    }
}
