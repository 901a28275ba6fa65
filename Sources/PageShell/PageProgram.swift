// SPDX-License-Identifier: Apache-2.0
import CGnuTLS
import CMicroHTTP
import CPage
import ControlAPI
import Glibc
import Keys
import Profile
import Protocol
import QR
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

    /// `--profile NAME --port N [--json]` serves the page until INT or TERM comes, with `--host`
    /// and what ``HostOptions`` has to guests; `--libraries`
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
            let line = ["ok": false, "error": error.json, "version": 1] as JSON
            if !arguments.contains("--json") || StandardStream.out(line.line) != nil {
                for line in error.lines { StandardStream.err(line) }
            }
            return error.code.exit
        }
    }

    private static var libraries: [String] {
        [
            "libmicrohttpd " + String(cString: MHD_get_version()),
            "GnuTLS " + (gnutls_check_version(nil).map { String(cString: $0) } ?? "?"),
            "zlib " + String(cString: page_zlib()),
        ]
    }

    private func serve(_ options: PageOptions) throws(UserError) {
        let place = try ProfilePlace(profile: options.profile, environment: environment)
        guard SodiumPrimitives() != nil else {
            throw UserError(.noStart, "this machine gives no random numbers")
        }
        let folder = options.host == nil ? place.dataDirectory + "/web" : place.hostDirectory
        let store = try PageStore(folder, random: SodiumPrimitives.random)
        let lock = try Self.lock(folder, isHost: options.host != nil)
        let loop = try Self.trying("the page cannot be served") { () throws(SystemError) in
            try EventLoop()
        }
        let served: (desk: PageDesk, prompt: HostPrompt?, house: GuestHouse?)
        let entry = SodiumPrimitives.random(PageDesk.entryCount)
        if let host = options.host {
            served = try self.host(host, place, store, loop, isJSON: options.json)
        } else {
            let desk = PageDesk(
                loop: loop, store: store, entry: entry, agent: place.socket,
                random: SodiumPrimitives.random)
            served = (desk, nil, nil)
        }
        let address = options.host?.address ?? .loopback4
        let certificate = try options.host.flatMap { (host) throws(UserError) in
            try host.isSecure ? Self.certificate(folder, for: address) : nil
        }
        let server = try Self.server(
            at: Address(host: address, port: options.port), with: certificate, loop, served.desk,
            isHost: options.host != nil)
        let signals = try Self.trying("the page cannot be served") { () throws(SystemError) in
            try Signals(loop: loop) { request in
                if request == .end { loop.stop() }
            }
        }
        loop.nextDeadline = { server.deadline }
        loop.onDeadline = { _ in server.run() }
        let said = PageAddress(
            host: Address(host: address, port: server.port).description, key: store.key.key,
            entry: options.host == nil ? entry : nil, flight: options.host?.flight,
            words: options.host == nil ? nil : served.desk.words.joined(separator: " "),
            certificate: certificate.flatMap { served.desk.mark(of: $0.digest) },
            gift: served.desk.gift)
        if let words = said.words {
            // For `seatagent host poster` and `guests`.
            try PrivateFile.write(Array(said.text.utf8), to: folder + "/address")
            try PrivateFile.write(Array(words.utf8), to: folder + "/words")
            let gift = served.desk.gift.map { "\($0.sum)  \($0.name)" } ?? ""
            try PrivateFile.write(Array(gift.utf8), to: folder + "/get")
            let mark = said.certificate.map { mark in
                [hexadecimal(mark.digest), mark.start, mark.words.joined(separator: " ")]
            }
            let lines = (mark ?? []).joined(separator: "\n")
            try PrivateFile.write(Array(lines.utf8), to: folder + "/certificate")
        }
        try say(said, port: server.port, options)
        loop.run()
        server.stop()
        served.house?.finish()
        withExtendedLifetime((lock, signals, served)) {}
    }

    private func host(
        _ options: HostOptions, _ place: ProfilePlace, _ store: PageStore, _ loop: EventLoop,
        isJSON: Bool
    ) throws(UserError) -> (PageDesk, HostPrompt?, GuestHouse) {
        let path = place.hostDirectory + "/options.json"
        guard let kept = try PrivateFile.read(path), let members = try? JSON(line: kept).members
        else {
            throw UserError(
                .file, "the options for guests' agents cannot be read", why: path,
                advice: "seatagent host on")
        }
        let house = GuestHouse(
            place, options: members, program: options.program, isOpen: options.isOpen,
            joinsInMinute: options.joins, loop: loop)
        let desk = PageDesk(
            loop: loop, store: store, house: house, hostName: options.name, venue: options.venue,
            limits: options.idle, random: SodiumPrimitives.random)
        if let path = options.gift { desk.gift = try ServedFile(path) }
        var prompt: HostPrompt?
        if !options.isOpen {
            prompt = try Self.trying("nobody can be asked") { () throws(SystemError) in
                try HostPrompt(house, loop: loop)
            }
        }
        // Whoever does not read what is printed must not stop the page.
        house.canTell = {
            Polling.wait(for: [1], forWriting: true, until: SystemClock.now()) == [1]
        }
        house.onCode = { [weak prompt] code in
            for line in isJSON ? [code.json.line] : code.lines { StandardStream.out(line) }
            prompt?.askAgain()
        }
        return (desk, prompt, house)
    }

    /// One server for a profile: a second one would not know what the first has answered.
    private static func lock(_ folder: String, isHost: Bool) throws(UserError) -> ProfileLock {
        let path = folder + "/lock"
        do throws(ProfileLock.Trouble) {
            return try ProfileLock(path: path)
        } catch {
            switch error {
            case .held:
                throw UserError(
                    .alreadyRunning, "the page of this profile is served already",
                    why: "another process holds \(path)",
                    advice: isHost ? "seatagent host guests" : "seatagent web --profile another")
            case .unusable(let code): throw ProfileLock.unusable(path, code)
            }
        }
    }

    /// The certificate of the host's page, which is kept while the address stays the same.
    private static func certificate(
        _ folder: String, for address: Address.Host
    ) throws(UserError) -> PageCertificate {
        guard HTTPServer.canEncrypt else {
            throw UserError(
                .noStart, "the page cannot be served over HTTPS",
                why: "the library libmicrohttpd of this computer was built without TLS",
                advice: "seatagent host on")
        }
        return try PageCertificate.kept(
            folder + "/https.pem", for: [address], at: SystemClock.utc())
    }

    private static func server(
        at address: Address, with certificate: PageCertificate?, _ loop: EventLoop,
        _ desk: PageDesk, isHost: Bool
    ) throws(UserError) -> HTTPServer {
        do throws(SystemError) {
            let server = try HTTPServer(address, with: certificate, loop: loop) { desk.serve($0) }
            let named = Address(host: address.host, port: server.port).description
            let local = address.host.isLoopback ? ["localhost:\(server.port)"] : []
            desk.serves([named] + local, over: certificate == nil ? .http : .https)
            return server
        } catch {
            throw UserError(
                .noStart, "the page cannot be served at \(address)", why: "\(error)",
                advice: isHost ? "seatagent host on --port 0" : "seatagent web --port 0")
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

    private func say(
        _ address: PageAddress, port: UInt16, _ options: PageOptions
    ) throws(UserError) {
        for line in address.lines(port, options) {
            if let code = StandardStream.out(line) {
                throw UserError(
                    .file, "standard output cannot be written",
                    why: String(cString: strerror(code)))
            }
        }
    }
}
