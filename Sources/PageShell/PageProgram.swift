// SPDX-License-Identifier: Apache-2.0
import CMicroHTTP
import CPage
import ControlAPI
import Glibc
import Keys
import Profile
import Protocol
import System
package import Text
import Web

/// `seatagent-web`: serves the page of a profile's agent.
package struct PageProgram {
    /// Its name.
    package static let name = "seatagent-web"
    /// The port of the page unless another one is named.
    package static let port: UInt16 = 7790

    private let environment: [String: String]

    /// A program with these environment variables.
    package init(environment: [String: String]) { self.environment = environment }

    /// `--profile NAME --port N [--json]` serves the page until INT or TERM comes; `--libraries`
    /// names what it is linked with.
    package func run(_ arguments: [String]) -> ExitCode {
        if arguments == ["--libraries"] {
            let own = Version.line(of: Self.name)
            for version in [own] + Self.libraries { StandardStream.out(version) }
            return .done
        }
        do throws(UserError) {
            try serve(PageOptions(arguments))
            return .done
        } catch {
            if arguments.contains("--json") {
                let line = ["ok": false, "error": error.json, "version": 1] as JSON
                StandardStream.out(line.line)
            } else {
                for line in error.lines { StandardStream.err(line) }
            }
            return error.code.exit
        }
    }

    private static var libraries: [String] {
        [
            "libmicrohttpd " + String(cString: MHD_get_version()),
            "zlib " + String(cString: page_zlib()),
        ]
    }

    private func serve(_ options: PageOptions) throws(UserError) {
        let place = try ProfilePlace(profile: options.profile, environment: environment)
        guard SodiumPrimitives() != nil else {
            throw UserError(.noStart, "this machine gives no random numbers")
        }
        let folder = place.dataDirectory + "/web"
        let store = try PageStore(folder, random: SodiumPrimitives.random)
        let lock = try Self.lock(folder)
        let loop = try Self.trying("the page cannot be served") { () throws(SystemError) in
            try EventLoop()
        }
        let entry = SodiumPrimitives.random(PageDesk.entryCount)
        let desk = PageDesk(
            loop: loop, store: store, files: PageFiles(), entry: entry,
            link: { AgentLink(place.socket, loop: loop, onNews: $0) },
            random: SodiumPrimitives.random)
        let server = try Self.server(at: options.port, loop, desk)
        let signals = try Self.trying("the page cannot be served") { () throws(SystemError) in
            try Signals(loop: loop) { request in
                if request == .end { loop.stop() }
            }
        }
        loop.nextDeadline = { server.deadline }
        loop.onDeadline = { _ in server.run() }
        say(PageAddress(port: server.port, key: store.key.key, entry: entry), options)
        loop.run()
        server.stop()
        withExtendedLifetime((lock, signals)) {}
    }

    /// One server for a profile: a second one would not know what the first has answered.
    private static func lock(_ folder: String) throws(UserError) -> ProfileLock {
        let path = folder + "/lock"
        do throws(ProfileLock.Trouble) {
            return try ProfileLock(path: path)
        } catch {
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "the page of this profile is served already",
                    why: "another process holds \(path)",
                    advice: "seatagent web --profile another")
            case .unusable(let code): throw ProfileLock.unusable(path, code)
            }
        }
    }

    private static func server(
        at port: UInt16, _ loop: EventLoop, _ desk: PageDesk
    ) throws(UserError) -> HTTPServer {
        do throws(SystemError) {
            let server = try HTTPServer(Address(host: .loopback4, port: port), loop: loop) {
                desk.serve($0)
            }
            desk.serves(["127.0.0.1:\(server.port)", "localhost:\(server.port)"])
            return server
        } catch {
            throw UserError(
                .noStart, "the page cannot be served on port \(port)", why: "\(error)",
                advice: "seatagent web --port 0")
        }
    }

    private static func trying<Result>(
        _ what: String, _ body: () throws(SystemError) -> Result
    ) throws(UserError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw UserError(.noStart, what, why: "\(error)")
        }
    }

    private func say(_ address: PageAddress, _ options: PageOptions) {
        if options.json {
            let line = ["address": .string(address.text), "port": .int(Int(address.port))] as JSON
            return StandardStream.out(line.line)
        }
        StandardStream.out("The page of your agent: \(address.text)")
        StandardStream.out("Open it in the browser of this computer: the address lets one page in.")
        StandardStream.out("ctrl-C ends it; the agent goes on.")
    }
}

/// What the program was told.
private struct PageOptions {
    var profile = ProfileName.standard
    var port = PageProgram.port
    var json = false

    init(_ arguments: [String]) throws(UserError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": json = true
            case "--profile":
                guard let name = rest.popFirst() else { throw Self.usage }
                profile = try ProfileName(name)
            case "--port":
                guard let number = rest.popFirst().flatMap({ UInt16($0) }) else { throw Self.usage }
                port = number
            default: throw Self.usage
            }
        }
    }

    private static let usage = UserError(
        .usage, "\(PageProgram.name) is started by seatagent", why: "it serves a page of an agent",
        advice: "seatagent help web")
}

/// Where the page is, with what only its user should see behind the `#`.
private struct PageAddress {
    let port: UInt16
    let key: Bytes32
    let entry: [UInt8]

    var text: String {
        "http://127.0.0.1:\(port)/#k=\(Self.short(key.bytes))&o=\(Self.short(entry))"
    }

    /// Base64 as it may stand in an address (RFC 4648 section 5), without what fills it up.
    private static func short(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
