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
        guard (words.count == 2) == (word == .remove) else {
            throw UserError(
                .usage,
                word == .remove
                    ? "host remove wants a guest" : "host \(word.rawValue) stands alone",
                advice: word == .remove ? "seatagent host guests" : word.sampleLine)
        }
        for option in ["open", "address", "port", "joins"] where word != .on {
            guard !call.line.has(option) else {
                throw UserError(
                    .usage, "host \(word.rawValue) takes no --\(option)",
                    advice: "seatagent help host")
            }
        }
        return switch word {
        case .on: try turnOn()
        case .guests: list()
        case .remove: try remove(words[1])
        case .off: turnOff()
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
        guard let stored = try StoredOptions.read(call.place), stored.venue == nil else {
            throw StoredOptions.missing(call.place)
        }
        let address = try self.address(stored)
        try PrivateFile.makeDirectory(call.place.hostDirectory)
        var values = stored.filled(from: call.config).values
        for own in ["seat", "name", "port"] { values[own] = nil }
        // So that they are linked at once, whatever mDNS does on this network.
        values["peer", default: []].append("\(address):\(status.network.port)")
        let json = JSON.object(values.mapValues { .array($0.map(JSON.string)) })
        try PrivateFile.write(
            Array((json.line + "\n").utf8), to: call.place.hostDirectory + "/options.json")
        var words = [
            WebCommand.program, "--profile", call.place.profile.text, "--host", "--program",
            ChildProcess.itselfPath, "--address", "\(address)",
        ]
        if !status.flight.practice {
            words += ["--flight", status.flight.designator]
        }
        if isOpen { words.append("--open") }
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
            if let client = try? ControlClient(place.socket, deadline: call.deadline(standard: 2)),
                let me = try? client.ask(Op.Status()).reply.me
            {
                return Guest(
                    number: number, place: place, name: me.name, seats: me.seats.map(\.text),
                    isHere: true)
            }
            let kept = try? StoredOptions.read(place)
            return Guest(
                number: number, place: place, name: kept?.values["name"]?.last ?? "",
                seats: kept.map { [$0.seats] } ?? [], isHere: false)
        }
    }

    private func list() -> ExitCode {
        let all = guests
        let json = all.map { guest in
            [
                "guest": .int(guest.number), "name": .string(guest.name),
                "seats": .array(guest.seats.map(JSON.string)), "here": .bool(guest.isHere),
            ] as JSON
        }
        var lines = all.map { guest in
            let seats = guest.seats.joined(separator: ",") + (guest.isHere ? "" : ", away")
            return
                "\(guest.number)  \(visible(guest.name)) (\(seats))"
        }
        if all.isEmpty { lines = ["Nobody is here. seatagent host on takes people in."] }
        return call.finish(["guests": .array(json)], lines)
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
        end(guest)
        Folder.remove(guest.place.dataDirectory)
        Folder.remove(guest.place.stateDirectory)
        return call.finish(
            ["removed": .int(guest.number)],
            ["\(visible(guest.name)) is removed, and what was kept of them is deleted."])
    }

    private func turnOff() -> ExitCode {
        let page = call.place.hostDirectory + "/lock"
        var wasOn = false
        if let pid = Self.holder(of: page) {
            wasOn = true
            kill(pid, SIGTERM)
            for _ in 0..<1000 where Self.holder(of: page) != nil { usleep(10_000) }
        }
        let here = guests.filter(\.isHere)
        for guest in here { end(guest) }
        let ended = here.count == 1 ? "One guest has left." : "\(here.count) guests have left."
        return call.finish(
            ["off": .bool(wasOn), "left": .int(here.count)],
            [(wasOn ? "The page is not served any more. " : "No page was served. ") + ended])
    }

    /// Ends the agent of a guest, if it runs.
    private func end(_ guest: Guest) {
        guard guest.isHere,
            let client = try? ControlClient(
                guest.place.socket, deadline: call.deadline(standard: 15)),
            (try? client.ask(Op.Down())) != nil
        else { return }
        while let event = try? client.nextEvent() { _ = event }
        LifecycleCommands.waitForEnd(guest.place)
    }

    /// The process that holds a lock file; `nil` if none does.
    private static func holder(of path: String) -> pid_t? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK,
            let bytes = try? PrivateFile.read(path, limit: 64)
        else { return nil }
        return pid_t(String(decoding: bytes.prefix { 48...57 ~= $0 }, as: UTF8.self))
    }
}
