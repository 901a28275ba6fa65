// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Glibc
import Grammar
import Launch
import Parking
import Places
import Profile
import Protocol
import System
import Text
import Trips
import Venues

/// `seatagent completion SHELL`, and the hidden `__complete` that its scripts call.
enum CompletionCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let shell = call.operands[0]
        guard let script = CompletionScripts.script(shell) else {
            throw UserError(
                .usage, "there is no completion for \"\(shell)\"",
                why: "there is one for " + CompletionScripts.shells.joined(separator: ", "),
                advice: "seatagent completion bash")
        }
        return call.finish(["script": .string(script)], [script])
    }

    /// Answers with words, one a line, or with nothing: whatever goes wrong, a person is typing.
    static func complete(_ call: Invocation) throws(UserError) -> ExitCode {
        let question = CompletionQuestion(call.operands, parser: call.session.parser)
        var place = call.place
        if let given = question.profile {
            guard let profile = try? ProfileName(given),
                let other = try? ProfilePlace(
                    profile: profile, environment: call.session.environment)
            else { return .done }
            place = other
        }
        let isInVenue = VenueProfile.owner(of: place) != nil
        let words = LiveWords(place: place).candidates(question.kind).filter { word in
            // For the agent of a venue only what it can do.
            !isInVenue || !question.isCommand || Verb(rawValue: word.word)?.worksInVenue != false
        }
        let lines = CompletionAnswer.lines(question, words)
        for line in lines { call.session.console.out(line) }
        // Files are offered if nothing better is known.
        let wantsFile =
            question.kind == .files || question.kind == .receiptOrFile && words.isEmpty
            || question.kind == .venueOrFile && lines.isEmpty
        if wantsFile { call.session.console.out(CompletionAnswer.files) }
        return .done
    }
}

/// Words from the agent and the disk.
private struct LiveWords {
    let place: ProfilePlace

    /// How long a person at the keyboard waits for an agent that hangs.
    private static let patience = TimeSpan.milliseconds(200)
    /// The same for a program that has to start first.
    private static let startPatience = TimeSpan.seconds(2)

    func candidates(_ kind: CompletionQuestion.Kind) -> [Candidate] {
        switch kind {
        case .words(let words): words
        case .files, .nothing: []
        case .passenger: CompletionAnswer.passengers(ask(Op.Peers())?.peers ?? [])
        case .seatOfOthers:
            CompletionAnswer.seatsOfOthers(
                ask(Op.Peers())?.peers ?? [],
                ask(Op.Cabin()).flatMap { CabinLayout(told: $0.cabin) } ?? .standard)
        case .ownSeat: ask(Op.Status()).map { CompletionAnswer.ownSeats($0) } ?? []
        case .request(let use): requests(use)
        case .receiptOrFile: requests(.receipt)
        case .flight:
            ((try? KeptFlights.all(place, patience: Self.startPatience)) ?? []).map { item in
                Candidate(item.flight.isPractice ? "practice" : item.flight.text)
            }
        case .trip:
            ((try? TripBook.read(place))?.trips ?? []).map { trip in
                Candidate(trip.flight.text, trip.summary)
            }
        case .layout: layouts()
        case .venue, .venueOrFile:
            ((try? KnownVenues.read(place))?.venues ?? []).map { Candidate($0.slug, $0.name) }
        case .parkedCar:
            (try? ParkingBook.read(place)).map {
                CompletionAnswer.parkedCars($0, SystemClock.utc())
            } ?? []
        case .importedPlaces:
            PlaceShelf(place).items.map { Candidate($0.name, $0.kind.rawValue) }
        case .profile: profiles().map { Candidate($0) }
        case .interface: Self.names(in: "/sys/class/net").map { Candidate($0) }
        }
    }

    private func requests(_ use: RequestUse) -> [Candidate] {
        CompletionAnswer.requests(ask(Op.Requests(all: true))?.requests ?? [], for: use)
    }

    /// The agent's answer; `nil` if none comes at once.
    private func ask<Operation: ControlOperation>(_ operation: Operation) -> Operation.Reply? {
        do throws(UserError) {
            let client = try ControlClient(
                place.socket, deadline: SystemClock.now() + Self.patience)
            return try client.ask(operation).reply
        } catch {
            return nil
        }
    }

    /// Own layouts first, because one may have the name of a bundled one.
    private func layouts() -> [Candidate] {
        let own = CabinShelf(place).ownNames.map { Candidate($0, "your own") }
        return own + CabinLayout.bundled.map { Candidate($0.id, $0.name) }
    }

    /// Profiles with a folder here, and those in the config file.
    private func profiles() -> [String] {
        let folder = place.dataDirectory.split(separator: "/").dropLast().joined(separator: "/")
        let used = Self.names(in: "/" + folder)
        let set = (try? ConfigStore(place).read())?.sections.compactMap { $0.profile?.text } ?? []
        return Set(used + set).filter { (try? ProfileName($0)) != nil }.sorted()
    }

    /// Names in a folder, sorted, without hidden ones.
    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
