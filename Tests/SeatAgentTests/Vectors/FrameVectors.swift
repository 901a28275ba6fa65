// SPDX-License-Identifier: Apache-2.0
@testable import ControlAPI
import Protocol
import ProtocolTestKit

@testable import SeatAgent
@testable import Text
@testable import Transport

/// A frame of every message, and frames that end the connection.
struct FrameVectors {
    private let ada: Scribe
    private let bo: Scribe
    private let contract: Contract
    private let commit: Commit
    private let thread: ThreadID

    init() throws {
        var ada = try Scribe("ada", 1)
        var bo = try Scribe("bo", 2)
        let mine = try ada.board("14C")
        let theirs = try bo.board("12A")
        contract = try VectorFlight.contract([
            (mine, from: ada, to: bo), (theirs, from: bo, to: ada),
        ])
        let votes = [try bo.yes(contract), try ada.yes(contract)]
        commit = VectorFlight.certificate(contract, votes, [ada, bo])
        guard let thread = ThreadID(Array(0..<16)) else { throw DecodeError(.badValue) }
        self.thread = thread
        self.ada = ada
        self.bo = bo
    }

    func json() -> JSON {
        [
            "note": "value: the payload in CBOR diagnostic notation (RFC 8949 section 8)",
            "frames": .array((greeting + sync + news + swap + cabin).map(Self.frame)),
            "refused": .array(refused), "ignored": .array(ignored),
        ]
    }

    private static func frame(_ named: (String, Message)) -> JSON {
        let bytes = named.1.encode()
        return [
            "name": .string(named.0), "type": .int(Int(bytes[4])), "frame": .hex(bytes),
            "value": .string(VectorText.diagnostic(Array(bytes[5...]))),
        ]
    }

    private var greeting: [(String, Message)] {
        let hello = Hello(
            minors: 0...0, foldVersion: 2, boot: 0x0102_0304_0506_0708, connection: 3,
            maxFrame: 65_536, port: 7711, proofs: [Array(0xA0...0xAF)], features: 0)
        return [
            ("HELLO", .hello(hello)), ("HELLO_ACK", .helloAck(HelloAck(minor: 0, matched: 0))),
            ("PING", .ping(1)), ("PONG", .pong(1)),
            ("CLOSE", .close(code: 0, text: "good-bye")),
        ]
    }

    private var sync: [(String, Message)] {
        let digest = VectorFlight.primitives.sha256([1])
        let map = VectorFlight.primitives.sha256([2])
        let items = [ada, bo].sorted { $0.key < $1.key }.map {
            FrontierItem(
                author: $0.key, seq: $0.log.count, head8: $0.log.last?.id.raw.prefix8 ?? 0,
                fork: 0)
        }
        let forked = FrontierItem(author: items[0].author, seq: 2, head8: items[0].head8, fork: 3)
        let head = ada.log[0].bytes
        return [
            ("FRONTIER, short", .frontier(FrontierMessage(logs: digest, map: map, items: nil))),
            ("FRONTIER", .frontier(FrontierMessage(logs: digest, map: map, items: items))),
            (
                "FRONTIER with a fork",
                .frontier(FrontierMessage(logs: digest, map: map, items: [forked]))
            ),
            (
                "WANT",
                .want(
                    Want(
                        budget: 262_144,
                        stretches: [Want.Stretch(author: bo.key, from: 1, through: 3)]))
            ),
            ("ENTRIES, pushed", .entries(EntryBatch(kind: .push, entries: [head]))),
            ("ENTRIES, last of an answer", .entries(EntryBatch(kind: .last, entries: []))),
            ("FORKPROOF", .forkProof(first: ada.log[1].bytes, second: ada.log[2].bytes)),
            ("HAVE", .have([Have(author: bo.key, seq: 3)])),
            ("DM", .directMessage(id: thread, text: "hello b\u{F3}")),
            ("DM_ACK", .directAck(id: thread)),
            (
                "FRONTIER, what changed",
                .frontier(
                    FrontierMessage(logs: digest, map: map, items: [forked], isPartial: true))
            ),
            ("LAZY", .lazy),
            (
                "PEX",
                .peerExchange([
                    PeerHint(
                        key: bo.key, address: PeerAddress(host: "10.77.0.2", port: 7711),
                        isLinked: true)
                ])
            ),
            ("SAS_START", .verify(.start(thread, method: 1, commitment: digest))),
            ("SAS_NONCE", .verify(.nonce(thread, map))),
            ("SAS_OPEN", .verify(.open(thread, digest))),
            ("SAS_MAC", .verify(.mac(thread, map))),
            ("SAS_END", .verify(.end(thread, .mismatch))),
            ("RELAY_OPEN", .relay(.open(3, bo.key, isIncoming: false))),
            ("RELAY_READY", .relay(.ready(3))),
            ("RELAY_DATA", .relay(.data(3, [22, 3, 1]))),
            ("RELAY_TOOK", .relay(.took(3, 3))),
            ("RELAY_END", .relay(.end(3, .notLinked))),
        ]
    }

    /// What agents of the version before ignore.
    private var news: [(String, Message)] {
        let digest = VectorFlight.primitives.sha256([1])
        let map = VectorFlight.primitives.sha256([2])
        return [
            (
                "SUMMARY",
                .summary(
                    SummaryMessage(
                        logs: digest, map: map,
                        buckets: (0..<UInt64(Limits.buckets)).map { $0 << 56 | $0 }))
            ),
            ("PEX_CHANGE, nothing changed", .peerChange([])),
            (
                "PEX_CHANGE, a link ended",
                .peerChange([
                    PeerHint(
                        key: bo.key, address: PeerAddress(host: "", port: 0), isLinked: false)
                ])
            ),
        ]
    }

    private var swap: [(String, Message)] {
        let head = LogHead(author: bo.key, seq: 2, id: bo.log[1].id)
        let other = LogHead(author: ada.key, seq: 2, id: ada.log[1].id)
        let heads = [head, other].sorted { $0.author < $1.author }
        return [
            (
                "PROPOSE",
                .propose(
                    Proposal(
                        thread: thread, revision: 1, contract: contract.bytes, note: "window?",
                        expires: 1800))
            ),
            (
                "ASK",
                .ask(
                    Ask(
                        thread: thread, contract: contract.bytes, note: "window?", expires: 1800,
                        head: head))
            ),
            ("READY", .ready(Ready(thread: thread, contract: contract.id, head: head))),
            ("DECLINE", .decline(Decline(thread: thread, revision: 1, note: ""))),
            ("WITHDRAW", .withdraw(Withdraw(thread: thread, reason: .cancelled))),
            (
                "PREPARE",
                .prepare(Prepare(thread: thread, contract: contract.bytes, heads: heads))
            ),
            ("VOTE", .vote(VoteMessage(entries: [bo.log[2].bytes]))),
            (
                "CERT",
                .certificate(
                    Certificate(
                        contract: contract.bytes, votes: commit.votes.map(\.bytes),
                        claims: commit.claims.map(\.bytes)))
            ),
            ("QUERY", .query(contract.id)),
            ("STATUS", .status(Status(contract: contract.id, votes: [bo.log[2].bytes]))),
        ]
    }

    private var cabin: [(String, Message)] {
        let text = Array(#"{"id":"two rows"}"#.utf8)
        let layout = ada.suggest(text, revision: 1)
        let later = bo.suggest([], revision: 4_294_967_295)
        var book = LayoutBook()
        for suggestion in [layout, later] {
            let hash = VectorFlight.primitives.sha256(suggestion.layout)
            book.keep(suggestion, hash, at: .zero)
        }
        let digest = book.digest(VectorFlight.primitives)
        return [
            ("LAYOUT", .layout(.suggestion(layout))),
            ("LAYOUT, taken back", .layout(.suggestion(later))),
            ("LAYOUTS, short", .layout(.known(digest: digest, marks: nil))),
            ("LAYOUTS", .layout(.known(digest: digest, marks: book.marks))),
        ]
    }

    /// What ends an open connection, and with which code.
    private var refused: [JSON] {
        func bad(_ why: String, _ code: CloseCode, _ frame: String) -> JSON {
            ["why": .string(why), "close": .int(code.rawValue), "frame": .string(frame)]
        }
        return [
            bad("length 0", .badLength, "00000000"),
            bad("length over 65536", .badLength, "0001000100"),
            bad("unknown even type", .unsupported, "0000000232f6"),
            bad("SAS_START that is null", .badPayload, "0000000210f6"),
            bad("PING: number not in its shortest form", .badPayload, "000000040e811801"),
            bad("PING: indefinite array", .badPayload, "000000040e9f01ff"),
            bad("PING: a byte after the end", .badPayload, "000000040e810100"),
            bad("PING: negative number", .badPayload, "000000030e8120"),
            bad("PING: 2^63", .badPayload, "0000000b0e811b8000000000000000"),
            bad("PING: float", .badPayload, "000000050e81f90000"),
            bad("PING: tag", .badPayload, "000000040e81c001"),
            bad("CLOSE: text is not UTF-8", .badPayload, "000000052e820061ff"),
            bad("HAVE: empty list", .badPayload, "000000020b80"),
            bad("WANT: budget 0", .badPayload, "00000004068200f6"),
            bad("LAYOUTS that is null", .badPayload, "000000023ff6"),
            bad("PEX: empty list", .badPayload, "000000020d80"),
            bad("PEX_CHANGE that is null", .badPayload, "0000000251f6"),
            bad("SUMMARY: a bucket too few", .badPayload, shortSummary),
            bad("a second HELLO_ACK", .unexpected, "0000000402820000"),
        ]
    }

    /// SUMMARY with 63 digests.
    private var shortSummary: String {
        let zero = "5820" + String(repeating: "00", count: 32)
        return "000002414f83" + zero + zero + "5901f8" + String(repeating: "00", count: 504)
    }

    /// Unknown odd types.
    private var ignored: [JSON] {
        [
            ["why": "unknown odd type", "frame": "000000022ff6"],
            ["why": "unknown odd type 59", "frame": "000000023bf6"],
        ]
    }
}
