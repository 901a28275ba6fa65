// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Grammar
import Interfaces
import Launch
import Profile
import Protocol
import System
import Text

/// `seatagent host`: the guests of this computer, who have no more than a browser.
struct HostCommand {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run() throws(UserError) -> ExitCode {
        let words = call.operands
        guard let word = words.first.flatMap(HostWord.init(rawValue:)) else {
            let typed = words.first ?? ""
            let near = Suggestions.nearest(to: typed, among: HostWord.words)
            throw UserError(
                .usage, "host does not know \"\(visible(typed, cells: 30))\"",
                why: "it knows " + HostWord.words.joined(separator: ", ")
                    + (near.map { "; the nearest is \($0)" } ?? ""),
                advice: "seatagent help host")
        }
        guard (words.count == 2) == [.remove, .poster].contains(word) else {
            let what =
                switch word {
                case .remove: "host remove wants a guest"
                case .poster: "host poster wants a file"
                case .on, .guests, .off: "host \(word.rawValue) stands alone"
                }
            throw UserError(.usage, what, advice: word.sampleLine)
        }
        for option in Self.options(notOf: word) {
            guard !call.line.has(option) else {
                throw UserError(
                    .usage, "host \(word.rawValue) takes no --\(option)",
                    advice: "seatagent help host")
            }
        }
        return switch word {
        case .on: try turnOn()
        case .poster: try HostPoster(call).draw(words[1])
        case .guests: list()
        case .remove: try remove(words[1])
        case .off: turnOff()
        }
    }

    private static func options(notOf word: HostWord) -> [String] {
        let (on, poster) =
            (["open", "address", "port", "joins", "get", "https"], ["wifi", "passphrase-file"])
        return switch word {
        case .on: poster + ["force"]
        case .remove: on + poster
        case .poster: on + ["force"]
        case .guests, .off: on + poster + ["force"]
        }
    }

    // MARK: on

    private func turnOn() throws(UserError) -> ExitCode {
        let isOpen = call.line.has("open")
        guard isOpen || call.session.console.readsTerminal && !call.json else {
            throw UserError(
                .usage, "nobody can be asked here whom to let in",
                why: "standard input is not a terminal, or JSON is wanted",
                advice: "seatagent host on --open")
        }
        let status = try call.ask(Op.Status())
        guard let stored = try StoredOptions.read(call.place) else {
            throw StoredOptions.missing(call.place)
        }
        let address = try self.address(stored)
        try PrivateFile.makeDirectory(call.place.hostDirectory)
        var values = stored.filled(from: call.config).values
        // A guest is neither the operator of a venue nor its desk, and a neighbour puts nobody on
        // the internet.
        for own in ["seat", "name", "port", "meet"] + VenueStart.ownOptions { values[own] = nil }
        // So that they are linked at once, whatever mDNS does on this network.
        values["peer", default: []].append("\(address):\(status.network.port)")
        let json = JSON.object(values.mapValues { .array($0.map(JSON.string)) })
        try PrivateFile.write(
            Array((json.line + "\n").utf8), to: call.place.hostDirectory + "/options.json")
        var words = [
            WebCommand.program, "--profile", call.place.profile.text, "--host", "--program",
            ChildProcess.itselfPath, "--address", "\(address)", "--name", status.me.name,
        ]
        if let slug = stored.venue {
            words += ["--venue", stored.venueStart?.venue?.name ?? slug]
        } else if !status.flight.practice {
            words += ["--flight", status.flight.designator]
        }
        return try serve(words)
    }

    /// Turns into the program that serves the page, with the options as typed.
    private func serve(_ start: [String]) throws(UserError) -> ExitCode {
        var words = start
        if call.line.has("open") { words.append("--open") }
        if call.line.has("https") { words.append("--https") }
        if let file = call.line.value("get") { words += ["--get", file] }
        if call.ascii { words.append("--ascii") }
        let sample = "seatagent host on --port 7790"
        if let port = call.line.value("port") {
            words += ["--port", try WebCommand.check(port, advice: sample)]
        }
        if let joins = call.line.value("joins") {
            guard let count = Int(joins), 1...60 ~= count else {
                throw UserError(
                    .usage, "\"\(joins)\" is no number of guests",
                    why: "1 to 60 may come in a minute",
                    advice: "seatagent host on --joins 3")
            }
            words += ["--joins", joins]
        }
        try WebCommand.take(over: words, call)
        return .done
    }

    /// Where phones reach this computer: as typed, or the address of the agent's interface, or of
    /// the first one at which people can be met.
    private func address(_ stored: StoredOptions) throws(UserError) -> Address.Host {
        if let typed = call.line.value("address") {
            do throws(AddressError) {
                return try Address.Host(parsing: typed)
            } catch {
                throw UserError(
                    .usage, "\"\(visible(typed, cells: 40))\" is no address",
                    why: "it has four numbers, as 192.0.2.1", advice: "seatagent host on")
            }
        }
        let name = stored.values["interface"]?.last
        let fitting = NetworkInterface.all().filter {
            name.map($0.name.elementsEqual) ?? $0.isUsable
        }
        let own = fitting.flatMap(\.addresses).first { $0.count == 4 }
        guard let own else {
            throw UserError(
                .noStart, "phones cannot reach this computer",
                why: "it has no IPv4 address in a network", advice: "seatagent doctor")
        }
        return Address.Host(bytes: own, scope: 0)
    }

    // MARK: The others

    /// A guest, and whether the agent answers.
    private struct Guest {
        let number: Int
        let place: ProfilePlace
        var name: String
        var seats: [String]
        var isHere: Bool
    }

    private var guests: [Guest] {
        ProfilePlace.guestNumbers.compactMap { number in
            guard let place = try? call.place.guest(number), Folder.isThere(place.dataDirectory)
            else { return nil }
            let kept = try? StoredOptions.read(place)
            let name = kept?.values["name"]?.last ?? ""
            if let client = try? ControlClient(place.socket, deadline: call.deadline(standard: 2)),
                let me = try? client.ask(Op.Status()).reply.me
            {
                // In a venue, nobody has said a name who has only looked, booked or checked in.
                return Guest(
                    number: number, place: place, name: me.name.isEmpty ? name : me.name,
                    seats: me.seats.map(\.text), isHere: true)
            }
            return Guest(
                number: number, place: place, name: name,
                seats: [kept?.seats ?? ""].filter { !$0.isEmpty }, isHere: false)
        }
    }

    private func list() -> ExitCode {
        let all = guests
        let json = all.map { guest in
            [
                "guest": .int(guest.number), "name": .string(guest.name),
                "seats": .array(guest.seats.map(JSON.string)), "here": .bool(guest.isHere),
                "taken": .bool(guest.place.takenKey != nil),
            ] as JSON
        }
        var lines = all.map { guest in
            let absence = guest.place.takenKey != nil ? "took their key along" : "away"
            // Nobody has a seat in a venue.
            let seats = guest.seats.isEmpty ? [] : [guest.seats.joined(separator: ",")]
            let words = (seats + (guest.isHere ? [] : [absence])).joined(separator: ", ")
            return "\(guest.number)  \(visible(guest.name))" + (words.isEmpty ? "" : " (\(words))")
        }
        if all.isEmpty { lines = ["Nobody is here. seatagent host on takes people in."] }
        let page = HostedPage(call.place)
        if let page { lines += page.lines }
        return call.finish(
            .object(present: ["guests": .array(json), "page": page?.json]), lines)
    }

    private func remove(_ word: String) throws(UserError) -> ExitCode {
        let named = guests.filter {
            String($0.number) == word || $0.name.lowercased() == word.lowercased()
        }
        guard let guest = named.first, named.count == 1 else {
            throw UserError(
                named.isEmpty ? .noSuchPassenger : .ambiguous,
                "\"\(visible(word, cells: 40))\" is "
                    + (named.isEmpty ? "no guest" : "several guests"),
                why: named.isEmpty ? nil : "their numbers tell them apart",
                advice: "seatagent host guests")
        }
        try end(guest) { (client) throws(UserError) in
            // In a venue, else the others count them there until it closes.
            _ = try? client.ask(Op.CheckOut())
            _ = try client.ask(Op.Forget(force: call.line.has("force")))
        }
        Folder.remove(guest.place.stateDirectory)
        Folder.remove(guest.place.dataDirectory)
        return call.finish(
            ["removed": .int(guest.number)],
            ["\(visible(guest.name)) is removed, and what was kept of them is deleted."])
    }

    private func turnOff() -> ExitCode {
        let page = call.place.hostDirectory + "/lock"
        var wasOn = false
        if let pid = ProfileLock.holder(of: page) {
            wasOn = true
            kill(pid, SIGTERM)
            for _ in 0..<1000 where ProfileLock.holder(of: page) != nil { usleep(10_000) }
        }
        // One that starts just now comes up a moment later.
        var left: Set<Int> = []
        for _ in 0..<30 {
            let held = guests.filter { ProfileLock.holder(of: $0.place.lockPath) != nil }
            guard !held.isEmpty else { break }
            for guest in held {
                do throws(UserError) {
                    try end(guest) { (client) throws(UserError) in
                        _ = try client.ask(Op.Down())
                    }
                    left.insert(guest.number)
                } catch {
                    // It starts, or ends: it is asked again.
                }
            }
            usleep(100_000)
        }
        let ended = left.count == 1 ? "One guest has left." : "\(left.count) guests have left."
        return call.finish(
            ["off": .bool(wasOn), "left": .int(left.count)],
            [(wasOn ? "The page is not served any more. " : "No page was served. ") + ended])
    }

    /// Ends the agent of a guest, if it runs, by asking it so. Throws if it goes on.
    private func end(
        _ guest: Guest, _ ask: (ControlClient) throws(UserError) -> Void
    ) throws(UserError) {
        let lock = guest.place.lockPath
        guard ProfileLock.holder(of: lock) != nil else { return }
        let client = try ControlClient(guest.place.socket, deadline: call.deadline(standard: 15))
        try ask(client)
        while try client.nextEvent() != nil {}
        LifecycleCommands.waitForEnd(guest.place)
        guard ProfileLock.holder(of: lock) == nil else {
            throw UserError(
                .unreachable, "the agent of \(visible(guest.name)) does not end",
                advice: "seatagent host guests")
        }
    }
}
