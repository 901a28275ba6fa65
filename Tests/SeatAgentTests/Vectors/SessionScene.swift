// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Agent
@testable import SeatAgent
@testable import Text
@testable import Transport

/// A whole session of two agents from fixed keys: they meet, talk, swap and part. The cores are
/// real, the connection between them is a list.
struct SessionScene {
    /// A frame as it was sent.
    struct Sent {
        let chapter: String
        let milliseconds: Int64
        let from: String
        let bytes: [UInt8]

        /// `FRONTIER`, as section 5 of the protocol calls it.
        var name: String { SessionText.names[bytes[4]]?.name ?? "type \(bytes[4])" }
    }

    private(set) var sent: [Sent] = []
    private var nodes: [Node] = []
    private var underWay: [(to: Int, bytes: [UInt8])] = []
    private var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_795_348_800))
    private var chapter = ""
    private var lastIntent = 0
    private let people: [Scribe]
    private let exporter = VectorFlight.primitives.sha256([77])

    init() throws {
        people = [try Scribe("ada", 1), try Scribe("bo", 2)]
        for (index, seat) in ["14C", "12A"].enumerated() {
            guard let seat = Seat(seat) else { throw DecodeError(.badValue) }
            let setup = NodeSetup(
                signer: people[index].identity, primitives: VectorFlight.primitives,
                flight: .practice, flightKeys: [VectorFlight.key], window: nil,
                name: people[index].name, agent: "vectors 1", seats: [seat],
                port: UInt16(7711 + index), seed: VectorFlight.primitives.sha256([UInt8(index)]))
            nodes.append(Node(setup, Stored(), at: now))
        }
        try play()
    }

    private mutating func play() throws {
        for index in nodes.indices { feed(index, .labelled("\(index)")) }
        for index in nodes.indices { feed(index, .started) }
        chapter = "They meet"
        connect(1, .responder)
        connect(0, .initiator)
        run(seconds: 6)
        chapter = "ada says a line to everyone"
        want(0, .say("hello"))
        run(seconds: 1)
        chapter = "ada asks for 12A, and bo accepts"
        guard let take = Seat("12A") else { throw DecodeError(.badValue) }
        want(
            0, .swap(take: take, give: nil, note: "", expires: 600, unverified: true))
        run(seconds: 1)
        let request = try #require(nodes[1].swapRecords.last?.number)
        want(1, .accept(request, override: false))
        run(seconds: 2)
        chapter = "bo thanks ada alone"
        want(1, .message(to: people[0].key, "thanks"))
        run(seconds: 1)
        chapter = "ada leaves"
        feed(0, .stopping)
    }

    private mutating func want(_ index: Int, _ intent: Intent) {
        lastIntent += 1
        feed(index, .intent(lastIntent, intent))
    }

    private mutating func connect(_ index: Int, _ role: FlightKey.Role) {
        feed(
            index,
            .connected(
                LinkID(1),
                LinkFacts(
                    role: role, peer: people[1 - index].key, exporter: exporter,
                    remote: PeerAddress(host: "192.0.2.\(2 - index)", port: 40_000), dial: nil)))
    }

    private mutating func feed(_ index: Int, _ event: NodeEvent) {
        for send in nodes[index].handle(event, at: now).sends {
            underWay.append((1 - index, send.bytes))
            var rest = send.bytes[...]
            while rest.count > 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                sent.append(
                    Sent(
                        chapter: chapter, milliseconds: now.instant.nanoseconds / 1_000_000,
                        from: people[index].name, bytes: Array(rest.prefix(4 + length))))
                rest = rest.dropFirst(4 + length)
            }
        }
    }

    /// Everything that is under way arrives, and every deadline of the next `seconds` is met.
    private mutating func run(seconds: Int64) {
        let end = now.instant + .seconds(seconds)
        for _ in 0..<10_000 {
            while !underWay.isEmpty {
                let next = underWay.removeFirst()
                feed(next.to, .received(LinkID(1), next.bytes))
            }
            guard let due = nodes.compactMap(\.nextDeadline).min(), due <= end else { break }
            now.instant = max(due, now.instant + .milliseconds(1))
            for index in nodes.indices where nodes[index].nextDeadline ?? end <= now.instant {
                feed(index, .tick)
            }
        }
        now.instant = end
    }
}

/// The session as a vector file, and as a page that explains it.
enum SessionText {
    /// How section 5 calls each type, and what its frame says here.
    static let names: [UInt8: (name: String, says: String)] = [
        0: (
            "HELLO",
            "section 6: versions, a boot, a port, and in 6 the proof that fits this TLS session"
        ),
        2: (
            "HELLO_ACK",
            "section 6: the minor version, and which proof fitted; then the session is open"
        ),
        4: (
            "FRONTIER",
            "section 11: digests of logs and map; items where the other's digest differs"
        ),
        6: ("WANT", "section 11: a budget, and stretches of logs that are lacking here"),
        8: (
            "ENTRIES",
            "section 11: 0 pushed, 1 answer, 2 last of an answer; each byte string is an entry"
        ),
        9: ("LAZY", "section 11: a push had nothing new, so this link only announces from now on"),
        11: ("HAVE", "section 11: how far logs reach here"),
        13: ("PEX", "section 23: who else is around"),
        14: ("PING", "section 7"), 15: ("PONG", "section 7"),
        24: (
            "PROPOSE",
            "section 16: a thread, its revision, the contract, a note, seconds that it stands"
        ),
        26: ("READY", "section 16: consent that binds nobody, with the sender's own head"),
        30: ("WITHDRAW", "section 16: a request or a READY is over"),
        32: ("PREPARE", "section 16: all are ready; heads that the logs must reach before a yes"),
        34: ("VOTE", "section 16: the signed vote, after what its reader may lack before it"),
        36: ("CERT", "section 16: the contract with every yes: the swap is made"),
        38: ("QUERY", "section 16"), 40: ("STATUS", "section 16"),
        42: ("DM", "section 18: an id and a text for one passenger"),
        44: ("DM_ACK", "section 18: the text is on disk"),
        46: ("CLOSE", "section 7: a code, and words for people"),
        48: ("ASK", "section 16: the contract, with the asked as its coordinator"),
        61: ("LAYOUT", "section 27"), 63: ("LAYOUTS", "section 27"),
    ]

    static func json(_ scene: SessionScene) -> JSON {
        [
            "note":
                .string(
                    "frames of two agents with the keys of seeds 1 and 2; docs/transcript.md "
                        + "tells what they say"),
            "exporter": .hex(VectorFlight.primitives.sha256([77]).bytes),
            "frames": .array(
                scene.sent.map { frame in
                    [
                        "at_ms": .int(Int(frame.milliseconds)), "frame": .hex(frame.bytes),
                        "from": .string(frame.from), "name": .string(frame.name),
                    ]
                }),
        ]
    }

    /// `docs/transcript.md`.
    static func page(_ scene: SessionScene) -> String {
        var lines = [
            "# A session, byte by byte", "",
            "Two agents, ada in 14C and bo in 12A, on the practice flight: "
                + "they meet, ada says a line, they swap",
            "seats, bo writes ada a message, ada leaves. "
                + "Keys are those of seeds 1 and 2 in `vectors/keys.json`;",
            "ada dialled. TLS and the exporter (`vectors/session.json`) are as in section 4 of",
            "[`protocol.md`](protocol.md). "
                + "A test makes this page from two real cores: no byte of it was typed.",
            "",
            "Each frame is shown as it goes over the wire (length, type, payload), "
                + "then its payload in diagnostic",
            "notation. `h'8443a10127a0...'` in it are entries: "
                + "`seatagent audit` reads them when they stand in a file.",
        ]
        var chapter = ""
        for frame in scene.sent {
            if frame.chapter != chapter {
                chapter = frame.chapter
                lines += ["", "## \(chapter)"]
            }
            let seconds =
                "\(frame.milliseconds / 1000)."
                + String(String(frame.milliseconds % 1000 + 1000).dropFirst())
            let says = names[frame.bytes[4]]?.says ?? ""
            lines += [
                "", "**\(frame.name)** from \(frame.from) at \(seconds) s. \(says).", "", "```",
            ]
            lines += wrapped(hexadecimal(frame.bytes)) + [""]
            lines += wrapped(VectorText.diagnostic(Array(frame.bytes[5...]))) + ["```"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String) -> [String] {
        var rest = text[...]
        var lines: [String] = []
        while !rest.isEmpty {
            lines.append(String(rest.prefix(112)))
            rest = rest.dropFirst(112)
        }
        return lines
    }
}
