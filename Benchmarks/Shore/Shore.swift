// SPDX-License-Identifier: Apache-2.0
import Glibc
import Keys
import Protocol
import Rendezvous
import System
import Transport

/// Measures the agent's part at a meeting point with a real broker: its meeting, its connections,
/// its tunnels with TLS inside, without the rest of the core and without a disk.
///
///     shore answer URL               returns what comes through tunnels, until it is ended
///     shore ping URL COUNT           round trips of 300 bytes through a tunnel to it: the median
///     shore fill URL PEOPLE          leaves a card and a log of so many passengers
///     shore read URL PEOPLE          from the connection until the logs of all of them are here
///     shore idle URL SPEED           an hour without a word, with a clock that is so much faster
@main
enum Shore {
    /// Bytes that go there and back.
    static let messageSize = 300

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        // Nothing here takes longer.
        alarm(110)
        do {
            guard let what = words.first, let url = words.dropFirst().first else {
                throw Trouble.usage
            }
            let count = words.dropFirst(2).first.flatMap { Int($0) } ?? 0
            guard count > 0 || what == "answer" else { throw Trouble.usage }
            switch what {
            case "answer": try Echo.answer(url)
            case "ping": try Echo.ping(url, count)
            case "fill": try Boxes.fill(url, count)
            case "idle": try Boxes.idle(url, count)
            case "read": try Boxes.read(url, count)
            default: throw Trouble.usage
            }
        } catch {
            let line = "shore: \(error)\n"
            write(STDERR_FILENO, line, line.utf8.count)
            exit(1)
        }
    }
}

/// Why nothing was measured.
enum Trouble: Error {
    case usage
    case noPrimitives
    case noTunnel
    case late
}

/// One line for the driver.
func report(_ name: String, _ value: Double, _ unit: String) { print(name, value, unit) }

/// What all here share: a flight, and who is on it.
struct Shared {
    let primitives: AgentPrimitives
    let flight: FlightKey

    init() throws {
        guard let primitives = AgentPrimitives() else { throw Trouble.noPrimitives }
        self.primitives = primitives
        let auth = primitives.sha256(Array("flight of the bench".utf8))
        flight = FlightKey(auth: auth, primitives: primitives)
    }

    /// 32 bytes that belong to a passenger.
    func seed(_ what: String, _ number: Int) -> Bytes32 {
        primitives.sha256(Array("\(what) \(number)".utf8))
    }

    /// A passenger's key.
    func signer(_ number: Int) throws -> Identity {
        guard let signer = Identity(seed: seed("key", number).bytes) else {
            throw Trouble.noPrimitives
        }
        return signer
    }

    /// Their key for tunnels.
    func boxKey(_ number: Int) throws -> PageKey {
        guard let key = PageKey(seed: seed("box", number).bytes) else {
            throw Trouble.noPrimitives
        }
        return key
    }

    /// Their log: a genesis and `more` lines.
    func log(_ number: Int, more: Int = 0) throws -> [Entry] {
        let (codec, signer) = (EntryCodec(primitives), try signer(number))
        var log = [
            try codec.sign(
                .genesis(name: "passenger \(number)", agent: ""), flight: flight.id, seq: 1,
                previous: nil, by: signer)
        ]
        for line in 0..<more {
            let words = ChatLine(
                text: "line \(line) of passenger \(number)", replyTo: nil,
                time: SystemClock.utc(), after: [])
            log.append(
                try codec.sign(
                    .chat(words), flight: flight.id, seq: log.count + 1,
                    previous: log.last?.id, by: signer))
        }
        return log
    }
}
