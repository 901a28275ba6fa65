import Glibc
import Protocol

/// Flights whose records are kept in this profile.
enum FlightCommands {
    static func list(_ call: Invocation) throws(UserError) -> ExitCode {
        let items = FlightFiles(place: call.place).all()
        let running = try running(call)?.file
        let rows = items.map { item -> JSON in
            let deleted = item.end.map { UTCTime(seconds: $0.seconds + FlightLife.keptFor) }
            return [
                "flight": .string(name(item.flight)), "bytes": .int(item.size),
                "running": .bool(item.path.split(separator: "/").last.map(String.init) == running),
                "deleted": deleted.map { .string(RFC3339.text($0)) } ?? .null,
            ]
        }
        let lines = rows.map { row -> String in
            let when = row["deleted"]?.text.map { "deleted after \($0)" } ?? "kept until forgotten"
            let size = ((row["bytes"]?.number ?? 0) + 1023) / 1024
            return padded(row["flight"]?.text ?? "?", to: 24) + padded("\(size) KiB", to: 10) + when
                + (row["running"] == true ? "  (your agent is on it)" : "")
        }
        return call.finish(
            ["flights": .array(rows)], lines.isEmpty ? ["no flight is kept here"] : lines)
    }

    static func forget(_ call: Invocation) throws(UserError) -> ExitCode {
        let word = call.operands[0]
        // Under its own name first: records may be older than the table of airlines.
        let wanted =
            word.lowercased() == "practice"
            ? FlightName.practice : kept(FlightName(word), call) ?? read(word)
        let files = FlightFiles(place: call.place)
        let found = files.all().filter { $0.flight == wanted }
        guard let wanted, !found.isEmpty else {
            throw UserError(
                .noSuchFlight, "no records of \"\(visible(word, cells: 40))\" are kept here",
                advice: "seatagent flights")
        }
        guard call.line.has("yes") || call.mayAsk else {
            throw UserError(
                .usage, "this cannot be undone, and nobody can be asked here",
                why: "standard input is not a terminal",
                advice: "seatagent forget \(name(wanted)) --yes")
        }
        if !call.line.has("yes") {
            let question = "Delete your key and all records of \(name(wanted)) for good?"
            guard call.confirm(question) else { return call.unchanged() }
        }
        let agent = try running(call)
        if agent?.flight == wanted.text {
            let client = try call.connect(deadline: call.deadline(standard: 15))
            _ = try client.ask("forget", ["force": .bool(call.line.has("force"))])
            while try client.nextEvent() != nil {}
            LifecycleCommands.waitForEnd(call)
        }
        // No agent may begin with a file that is about to go; one on another flight is in nobody's way.
        let lock = ProfileLock(path: call.place.lockPath)
        defer { withExtendedLifetime(lock) {} }
        guard lock != nil || agent.map({ $0.flight != wanted.text }) == true else {
            throw UserError(
                .alreadyRunning, "an agent of this profile is just starting",
                why: "\(call.place.lockPath) is held by another process",
                advice: "seatagent forget \(name(wanted)) --yes")
        }
        for item in found { files.delete(item.path) }
        if try StoredOptions.read(call.place).map(Self.flight) == wanted {
            unlink(call.place.optionsPath)
        }
        return call.finish(
            ["flight": .string(name(wanted))], ["\(name(wanted)) is forgotten: key and records."])
    }

    /// The flight that the profile's agent is on, and the file it has open; `nil` without an agent.
    private static func running(
        _ call: Invocation
    ) throws(UserError) -> (flight: String, file: String)? {
        do throws(UserError) {
            let flight = try call.ask("status")["flight"]
            guard let name = flight?["name"]?.text, let id = flight?["id"]?.text else { return nil }
            let isGated = flight?["gated"] == true
            return (name, FlightStore.fileName(name, id: isGated ? id : nil))
        } catch {
            guard error.code == .noAgent else { throw error }
            return nil
        }
    }

    /// The flight of the last start.
    private static func flight(_ options: StoredOptions) -> FlightName {
        (options.values["flight"]?.last).flatMap(read) ?? .practice
    }

    /// The flight that was typed; `nil` where it is none.
    private static func read(_ text: String) -> FlightName? { try? FlightText.read(text).flight }

    /// The flight, if records of it are kept.
    private static func kept(_ flight: FlightName?, _ call: Invocation) -> FlightName? {
        FlightFiles(place: call.place).all().contains { $0.flight == flight } ? flight : nil
    }

    private static func name(_ flight: FlightName) -> String {
        flight.isPractice ? "practice" : flight.text
    }
}
