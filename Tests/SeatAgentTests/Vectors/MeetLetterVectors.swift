// SPDX-License-Identifier: Apache-2.0
import Protocol

@testable import Rendezvous
@testable import Text

/// When letters end, and which standing answers are none (docs/meet.md section 4).
enum MeetLetterVectors {
    private static let thread = ThreadID(high: 0x0102, low: 0x0304)
    private static let contract = ContractID(.zero)
    private static let made: Int64 = 1_800_000_000

    private static func standing(_ revision: Int, _ until: Int64) -> [UInt8] {
        StandingAnswer(
            thread: thread, revision: revision, contract: contract,
            until: UTCTime(seconds: until)
        ).encoded
    }

    private static func request(_ body: SwapMessage, _ seconds: Int64) -> [UInt8] {
        Letter(.message(.swap(body)), until: UTCTime(seconds: made + seconds))
            .payload(made: UTCTime(seconds: made))
    }

    private static func ask(_ seconds: Int64) -> [UInt8] {
        let head = LogHead(author: PeerKey(.zero), seq: 0, id: EntryID(.zero))
        return request(
            .ask(Ask(thread: thread, contract: [1], note: "", expires: 1, head: head)), seconds)
    }

    private static func propose(_ seconds: Int64) -> [UInt8] {
        request(
            .propose(Proposal(thread: thread, revision: 2, contract: [1], note: "", expires: 1)),
            seconds)
    }

    /// Letters of lists that were made then, and count until a time after it.
    static func ends() -> [JSON] {
        let withdraw = Withdraw(thread: thread, reason: .cancelled)
        let cases: [(Int, [UInt8], lasts: Int64)] = [
            (48, ask(1), 86_400), (48, ask(3600), 86_400), (48, ask(86_400), 345_600),
            (48, ask(3600), 3600), (48, ask(3600), 3599), (24, propose(60), 86_400),
            (24, propose(60), 59), (30, request(.withdraw(withdraw), 0), 600),
            (101, standing(1, made + 100), 600), (101, standing(64, made + 700), 600),
            (101, standing(1, .max), 345_600), (101, standing(1, 0), 600),
        ]
        return cases.map { kind, payload, lasts in
            let until = UTCTime(seconds: made + lasts)
            let letter = try? Letter(
                kind: kind, payload, made: UTCTime(seconds: made), until: until)
            return [
                "kind": .int(kind), "payload": .hex(payload), "made": .int(Int(made)),
                "until": .int(Int(until.seconds)),
                "ends": letter.map { .int(Int($0.until.seconds)) } ?? .null,
            ]
        }
    }

    /// Standing answers that no agent writes.
    static func refusedStanding() -> [JSON] {
        let good = standing(1, made)
        let forms: [(String, [UInt8])] = [
            ("revision 0", standing(0, made)), ("revision 65", standing(65, made)),
            ("bytes behind it", good + [0]), ("cut short", Array(good.dropLast())),
            ("nothing", []), ("a list of five", [0x85] + good.dropFirst() + [0]),
            ("a thread of 15", [0x84, 0x4F] + good.dropFirst(3)),
            ("words for a time", good.prefix(53) + [0x61, 0x61]),
        ]
        return forms.map { why, bytes in
            [
                "why": .string(why), "payload": .hex(bytes),
                "error": MeetPlainForms.error { try StandingAnswer(decoding: bytes) },
            ]
        }
    }
}
