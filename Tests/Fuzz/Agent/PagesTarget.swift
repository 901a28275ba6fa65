// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import FuzzKit
@testable import PageShell
import Protocol
import Text

@testable import Web

/// What a browser sends to the server of a page: its body, what was in the box, the wish to come
/// in, the heads, and many calls one after the other, judged by a plain list of them.
///
/// Input: which of these, and bytes or choices for it.
enum PagesTarget {
    private static let session = PageID([UInt8](repeating: 7, count: PageID.count)) ?? .unknown
    private static let other = PageID([UInt8](repeating: 8, count: PageID.count)) ?? .unknown

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        switch kind % 4 {
        case 0: return body(rest)
        case 1: return question(rest)
        case 2: return heads(rest)
        default: return calls(Choices(rest))
        }
    }

    /// A body, whose box is read as if it had been opened.
    private static func body(_ bytes: [UInt8]) -> Verdict {
        guard let body = SealedBody(bytes) else {
            hold(!(113...SealedBody.most ~= bytes.count), "a body of a good length was refused")
            return .refused
        }
        hold(body.key.bytes + body.nonce + body.box == bytes, "bytes were lost")
        guard let call = PageCall(body.box) else {
            hold(body.box.first != BoxKind.call.rawValue, "a call was refused")
            return .refused
        }
        hold(call.bytes == body.box, "written as other bytes")
        // What the server says never reads as a call.
        let said = [
            BoxKind.reply(to: call.id, call.text),
            BoxKind.event(of: call.session, call.number, call.text),
        ]
        hold(said.allSatisfy { PageCall($0) == nil }, "the server's words are a question")
        return .accepted
    }

    /// What is asked, and the wish of somebody who wants to come in.
    private static func question(_ text: [UInt8]) -> Verdict {
        guard let json = try? JSON(line: text), let request = try? ControlRequest(json) else {
            return .refused
        }
        if let operation = OperationName(rawValue: request.op), PageRight.guest.may(operation) {
            hold(PageRight.owner.may(operation), "a guest may what the user may not")
        }
        // Somebody who may come aboard may come into a venue, with the name alone.
        let atVenue = try? GuestWish(request.arguments, inVenue: true)
        hold(atVenue.map { $0.seat == nil && $0.party == nil } ?? true, "a seat in a venue")
        guard let wish = try? GuestWish(request.arguments) else { return .refused }
        hold(atVenue?.name == wish.name, "two names of one question")
        hold(wish.seat.flatMap { Seat($0) } != nil, "a seat that is none")
        hold(1...Limits.name ~= wish.name.utf8.count, "a name without an end")
        hold(wish.name.unicodeScalars.allSatisfy(\.isSafeToPrint), "a name that acts")
        hold(wish.party.map { 1...200 ~= $0.utf8.count } ?? true, "a code without an end")
        return .accepted
    }

    /// Host and Origin, with a zero byte between them.
    private static func heads(_ bytes: [UInt8]) -> Verdict {
        let parts = bytes.split(separator: 0, maxSplits: 1).map {
            String(decoding: $0, as: UTF8.self)
        }
        let name = "10.42.0.1:7790"
        let host = parts.first
        let origin = parts.count > 1 ? parts[1] : nil
        let refusal = PageGate(hosts: [name]).refusal(host: host, origin: origin)
        let isGood =
            host?.lowercased() == name && origin.map { $0.lowercased() == "http://\(name)" } ?? true
        hold((refusal == nil) == isGood, "another host or origin")
        return isGood ? .accepted : .refused
    }

    /// Calls of one page in any order: each number is taken once, and no question is begun twice.
    private static func calls(_ choices: Choices) -> Verdict {
        var choices = choices
        var sessions = PageSessions(session: session)
        var book = Book()
        let key = Bytes32.zero
        while !choices.isEmpty {
            let start = choices.one(of: [session, session, session, other, .unknown]) ?? session
            let number = UInt64(choices.byte()) << (choices.once(in: 16) ? 56 : 0)
            let mark = choices.byte() % 32
            guard let id = PageID([UInt8](repeating: mark, count: PageID.count)) else { continue }
            let call = PageCall(session: start, number: number, id: id, text: [])
            book.judge(sessions.take(call, from: key), call, mark, session)
            if choices.once(in: 2) {
                let keeps = choices.once(in: 2)
                sessions.answer(id, of: key, with: [mark], keeps: keeps)
                book.answer(mark, keeps: keeps)
            }
        }
        return book.taken.isEmpty ? .refused : .accepted
    }

    /// What was asked and answered, in the plainest way.
    private struct Book {
        var taken: Set<UInt64> = []
        private var waiting: Set<UInt8> = []
        private var kept: Set<UInt8> = []

        mutating func judge(
            _ outcome: PageSessions.Outcome, _ call: PageCall, _ mark: UInt8, _ session: PageID
        ) {
            let highest = taken.max() ?? 0
            if call.session == .unknown {
                return hold(outcome == .hello(highest: highest), "another highest number")
            }
            guard call.session == session else {
                return hold(outcome == .otherStart, "a call for another start")
            }
            let isNew =
                call.number > 0 && !taken.contains(call.number)
                && (call.number > highest || highest - call.number < NumberWindow.size)
            guard isNew else { return hold(outcome == .repeated, "a number was taken twice") }
            taken.insert(call.number)
            if waiting.contains(mark) {
                hold(outcome == .busy, "a question was begun twice")
            } else if kept.contains(mark) {
                hold(outcome == .again([mark]), "another answer")
            } else {
                hold(outcome == .new(call), "a question was not begun")
                waiting.insert(mark)
            }
        }

        mutating func answer(_ mark: UInt8, keeps: Bool) {
            if keeps {
                if waiting.remove(mark) != nil { kept.insert(mark) }
            } else {
                waiting.remove(mark)
                kept.remove(mark)
            }
        }
    }
}
