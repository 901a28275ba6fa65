// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System
import Transport

/// Measures the agent's own way from a message to a peer: its loop, its links with TLS, its frames,
/// its messages and its sessions, without the rest of the core and without a disk.
///
///     wire answer                        takes one connection and answers; prints its port
///     wire ping PORT COUNT               round trips: the median of their times
///     wire stream PORT COUNT LEVEL       one way, from frames, messages or session
///     wire handshake COUNT               from the dial to two open sessions, both ends here
///     wire library ADDRESS AUTH PEOPLE START LINKS RATE
///                                        people in a venue, with RATE changes an hour, until ended
///     wire rush ADDRESS AUTH MEMBERS LINKS DAY COURTS
///                                        members who all ask the desk of a venue within a second
@main
enum Wire {
    /// Bytes of a passenger's text in every row that has one.
    static let messageSize = 100

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        // Nothing here takes longer, and whoever plays a library is ended.
        alarm(["library", "rush"].contains(words.first) ? 600 : 110)
        do {
            switch words.isEmpty ? "" : words.removeFirst() {
            case "answer": try Answer.serve()
            case "ping": try Ping(try port(&words), try number(&words)).run()
            case "stream":
                let remote = try port(&words)
                let count = try number(&words)
                guard let level = words.first.flatMap(Level.init) else { throw Trouble.usage }
                try Stream(remote, count, level).run()
            case "handshake": try Handshakes.run(try number(&words))
            case "library": try library(words)
            case "rush": try rush(words)
            default: throw Trouble.usage
            }
        } catch {
            let line = "wire: \(error)\n"
            write(STDERR_FILENO, line, line.utf8.count)
            exit(1)
        }
    }

    private static func library(_ words: [String]) throws {
        guard words.count == 6,
            let auth = bytes(hexadecimal: words[1]).flatMap({ Bytes32($0) }),
            let people = Int(words[2]), let start = Int64(words[3]), let links = Int(words[4]),
            let rate = Int(words[5]), people > 0, 1...64 ~= links, rate >= 0
        else { throw Trouble.usage }
        try ReadingRoom.run(
            ReadingRoom.Plan(
                remote: try Address(parsing: words[0]), auth: auth, people: people, start: start,
                links: links, rate: rate))
    }

    private static func rush(_ words: [String]) throws {
        guard words.count == 6,
            let auth = bytes(hexadecimal: words[1]).flatMap({ Bytes32($0) }),
            let members = Int(words[2]), let links = Int(words[3]), let day = Int(words[4]),
            let courts = Int(words[5]), members > 0, members % 2 == 0, 1...64 ~= links,
            courts > 0
        else { throw Trouble.usage }
        try Rush.run(
            Rush.Plan(
                remote: try Address(parsing: words[0]), auth: auth, members: members,
                links: links, day: day, courts: courts))
    }

    private static func number(_ words: inout [String]) throws -> Int {
        guard !words.isEmpty, let count = Int(words.removeFirst()), count > 0 else {
            throw Trouble.usage
        }
        return count
    }

    private static func port(_ words: inout [String]) throws -> Address {
        guard let port = UInt16(exactly: try number(&words)) else { throw Trouble.usage }
        return Address(host: .loopback4, port: port)
    }
}

/// Why nothing was measured.
enum Trouble: Error {
    case usage
    case noPrimitives
    case ended(LinkEnd)
    case late
}

/// One line for the driver.
func report(_ name: String, _ value: Double, _ unit: String) { print(name, value, unit) }

/// The median, in microseconds, of times in nanoseconds.
func medianMicroseconds(_ times: [Int64]) -> Double {
    Double(times.sorted()[times.count / 2]) / 1000
}
