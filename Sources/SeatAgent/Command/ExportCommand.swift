// SPDX-License-Identifier: Apache-2.0
import Agent
import Aviation
import CivilTime
import Glibc
import Launch
import Profile
import Protocol
import Store
import System
import Text
import Transport
import Trips

/// `seatagent export`: all that this profile keeps of its passenger, in one file. Needs no agent.
enum ExportCommand {
    /// The layout of the file.
    private static let version = 1

    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        let book = try TripBook.read(call.place)
        let flights = FlightFiles(place: call.place).all().map { flight($0, primitives) }
        let settings = settings(call.config)
        let document: JSON = [
            "version": .int(version), "agent": .string("seatagent " + Version.text),
            "profile": .string(call.place.profile.text),
            "written": .string(RFC3339.text(SystemClock.utc())),
            "trips": .array(book.trips.map(\.json)),
            "history": .array(book.history.map(\.json)), "settings": .object(settings),
            "last_start": try lastStart(call.place), "flights": .array(flights.map(\.json)),
        ]
        let file = call.operands[0]
        let bytes = Array((document.line + "\n").utf8)
        // Said before anything is called whole.
        let unread = flights.compactMap(\.trouble)
        for trouble in unread { call.note(trouble) }
        if file == "-" {
            call.session.console.out(bytes)
            return unread.isEmpty ? .done : .failed
        }
        try PassengerFile.write(bytes, to: file)
        let result: JSON = [
            "file": .string(file), "bytes": .int(bytes.count), "trips": .int(book.trips.count),
            "history": .int(book.history.count), "settings": .int(settings.count),
            "flights": .int(flights.count), "unread": .array(unread.map(JSON.string)),
        ]
        let code = call.finish(
            result,
            [
                "\(visible(file)): trips \(book.trips.count), history \(book.history.count), "
                    + "settings \(settings.count), flights with records \(flights.count); "
                    + "\(bytes.count) bytes."
            ])
        call.hint("Your keys are not in it: whoever has one can sign as you.")
        return unread.isEmpty ? code : .failed
    }

    /// What was set, not what holds by default, nor what holds for this line alone.
    private static func settings(_ config: Config) -> [String: JSON] {
        ConfigKey.allCases.reduce(into: [:]) { settings, key in
            let entry = config.entry(key)
            switch entry.source {
            case .section, .file: settings[key.rawValue] = .string(entry.value)
            case .option, .variable, .standard: break
            }
        }
    }

    private static func lastStart(_ place: ProfilePlace) throws(UserError) -> JSON {
        guard let stored = try StoredOptions.read(place) else { return .null }
        return [
            "at": .string(RFC3339.text(stored.at)),
            "options": .object(stored.values.mapValues { .array($0.map(JSON.string)) }),
        ]
    }

    /// What a flight's file has, or why it cannot be read.
    private struct Flight {
        let json: JSON
        var trouble: String?
    }

    private static func flight(
        _ item: FlightFiles.Item, _ primitives: SodiumPrimitives
    ) -> Flight {
        let facts: [String: JSON] = [
            "flight": .string(item.flight.text),
            "ends": item.end.map { .string(RFC3339.text($0)) } ?? .null,
        ]
        do throws(StoreError) {
            let store = try Store(path: item.path, primitives: primitives, wasKept: true)
            let key = try store.identity().flatMap { Identity(seed: $0.seed)?.key }
            if let key { store.owned(by: key) }
            let (stored, party) = (try store.load(), try store.party())
            let answers = try store.cabinAnswers()
            let more: [String: JSON] = [
                "key": key.map { .string($0.hex) } ?? .null,
                // As `log --export` writes them.
                "records": .string(Base64.encode(Bundle.bytes(stored.logs))),
                "messages": .array(stored.messages.map(message)),
                "verified": .array(stored.verified.map(verified)),
                "blocked": .array(stored.blocked.map { .string($0.hex) }),
                "party": .object(
                    party.members.reduce(into: [:]) { $0[$1.seat.text] = .string($1.text) }),
                "cabin_answers": [
                    "taken": answers.taken?.layout.json ?? .null,
                    "refused": .array(answers.refused.map { .string($0.hex) }),
                ],
            ]
            return Flight(json: .object(facts.merging(more) { $1 }))
        } catch {
            let why = "the records of \(item.flight.text) cannot be read: \(error.words)"
            return Flight(
                json: .object(facts.merging(["unread": .string(error.words)]) { $1 }), trouble: why)
        }
    }

    private static func message(_ message: DirectMessage) -> JSON {
        [
            "with": .string(message.peer.hex), "outgoing": .bool(message.outgoing),
            "text": .string(message.text), "at": .string(RFC3339.text(message.at)),
            "state": .string(message.state.word),
        ]
    }

    private static func verified(_ known: VerifiedPeer) -> JSON {
        [
            "key": .string(known.key.hex), "name": .string(known.name),
            "seats": .array(known.seats.map { .string($0.text) }),
            "at": .string(RFC3339.text(known.at)),
        ]
    }
}
