// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Glibc
package import Profile
package import Protocol
import System
package import Text

/// A question to the agent's program while no agent has to run: that program has the libraries for
/// the database and the network, with which a command is not linked. One line of JSON goes to its
/// standard input, and one comes back.
package struct Errand: Codable, Hashable, Sendable {
    /// The kinds of errands.
    package enum Job: String, Codable, Hashable, Sendable {
        /// List the files of flights.
        case files
        /// Delete the file at ``Errand/path``.
        case delete
        /// Report what an earlier start with the options ``Errand/values`` left behind.
        case earlier
        /// Return everything that is stored about each flight.
        case export
        /// Return what of the flight at ``Errand/path`` goes along to another flight.
        case moving
        /// Find out why no others are met.
        case examine
        /// Ask GeoClue where this computer is.
        case position
        /// Look for the venues that announce themselves.
        case venues
        /// Find out whether the meeting point at ``Errand/url`` can be used.
        case meet
        /// Store the key ``Errand/brought``.
        case bring
    }

    /// The version of the program that asks; another version is refused.
    package var version = Version.text
    /// The process that asks: once it has ended, nothing goes on.
    package var asker: Int32 = getpid()
    /// The name of the profile.
    package var profile: String
    /// The variables with the profile's places, as `NAME=VALUE`.
    package var places: [String]
    /// The kind of errand.
    package var job: Job
    /// For ``Job/delete`` and ``Job/moving``.
    package var path: String?
    /// For ``Job/earlier``.
    package var values: [String: [String]]?
    /// For ``Job/examine`` and ``Job/venues``: the one interface to look at; `nil` for all.
    package var interface: String?
    /// For ``Job/examine``: the port that others should reach, if it is known.
    package var port: UInt16?
    /// For ``Job/examine``: the port of the page for phones, if one is served.
    package var pagePort: UInt16?
    /// For ``Job/examine``: addresses to try, whatever is found.
    package var typed: [String]?
    /// For ``Job/meet``.
    package var url: String?
    /// For ``Job/bring``.
    package var brought: BroughtKey?
    /// For ``Job/examine``: `network` in the status of the profile's agent; `nil` if none runs.
    package var network: NetworkFacts?
    /// Passengers of whom its meeting point may hold records back, of `doctor`.
    package var withheld: Int?

    /// A key that comes from another computer.
    package struct BroughtKey: Codable, Hashable, Sendable {
        /// 32 bytes each, as hexadecimal digits.
        package var seed, auth: String
        /// The flight.
        package var flight: String
        /// Whether it has a cabin code.
        package var isGated: Bool
        /// How many entries it signed.
        package var floor: Int

        /// All of it.
        package init(
            seed: [UInt8], auth: Bytes32, flight: FlightName, isGated: Bool, floor: Int
        ) {
            self.seed = hexadecimal(seed)
            self.auth = hexadecimal(auth.bytes)
            self.flight = flight.text
            self.isGated = isGated
            self.floor = floor
        }
    }

    /// A job in the profile at `place`.
    package init(_ job: Job, _ place: ProfilePlace) {
        self.job = job
        profile = place.profile.text
        places = place.variables.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// The longest answer: a flight's records and messages, at most some dozens of MiB.
    private static let limit = 512 << 20

    /// Runs the errand. Throws what went wrong there, and `failed` if nothing came back.
    package func ask(patience: TimeSpan = .seconds(60)) throws(UserError) -> JSON {
        let path = try AgentProcess.path()
        let question = try AgentProcess.pipe()
        defer { close(question.read) }
        let answer = try AgentProcess.pipe()
        defer { close(answer.read) }
        try AgentProcess.send(self, to: question.write)
        var program = ChildProcess(
            path: path, arguments: [AgentProcess.name, "--errand"])
        program.input = .descriptor(question.read)
        program.output = .descriptor(answer.write)
        let child: pid_t
        do throws(SystemError) {
            defer { close(answer.write) }
            child = try program.start()
        } catch {
            throw Self.failed(error.description)
        }
        let line = Self.line(from: answer.read, until: SystemClock.now() + patience)
        if line == nil { kill(child, SIGKILL) }
        _ = ChildProcess.wait(for: child)
        guard let line, let json = try? JSON(line: line) else {
            throw Self.failed("nothing came back")
        }
        if let error = json["error"] { throw UserError(json: error) }
        return json["result"] ?? .null
    }

    private static func line(from descriptor: Int32, until end: Instant) -> [UInt8]? {
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while line.last != 10 {
            guard !Polling.wait(for: [descriptor], until: end).isEmpty else { return nil }
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0, line.count + count <= limit else { return nil }
            line += piece[..<count]
        }
        line.removeLast()
        return line
    }

    private static func failed(_ why: String) -> UserError {
        UserError(
            .failed, "\(AgentProcess.name) did not answer", why: why, advice: "seatagent --version")
    }
}

/// The libraries of the programs that commands start.
package enum CompanionLibraries {
    /// The libraries of the program `name`, one text each, or that the program is missing, does not
    /// run or is of another version.
    package static func versions(of name: String) -> [String] {
        guard let path = ChildProcess.companion(name) else { return ["no \(name)"] }
        guard let lines = lines(of: path) else { return ["a \(name) that does not run"] }
        return lines.map { visible($0, cells: 80) }.filter { $0 != Version.line(of: name) }
    }

    /// What the program at `path` says of itself and its libraries; `nil` if it does not run.
    static func lines(of path: String) -> [String]? {
        ProgramOutput.of(
            [path, "--libraries"], deadline: SystemClock.now() + .seconds(5),
            // As it is started otherwise: its libraries may be where a variable says.
            environment: ProcessEnvironment.lines()
        ).map { $0.split(separator: 10).map { String(decoding: $0, as: UTF8.self) } }
    }
}
