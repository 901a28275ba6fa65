// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Rendezvous

@testable import Brokers

/// What a server of NATS sends: cut anywhere it means the same, nothing is kept that is larger than
/// the limits say, and of an answer only what can be used (docs/meet.md section 10).
///
/// Input: what it is meant to be and where it is cut, then a stream, a greeting, or the body of an
/// answer.
enum NATSTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let head = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        let cut = 1 + Int(head / 4)
        return switch head % 4 {
        case 0: stream(rest, cut: cut)
        case 1: greeting(rest, cut: cut)
        case 2: answer(rest)
        default: subject(rest)
        }
    }

    // MARK: The stream

    /// What was read before the stream was over or broke the rules.
    private struct Heard: Equatable {
        var operations: [NATSReader.Operation] = []
        var isBroken = false
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> Heard {
        var reader = NATSReader()
        var heard = Heard()
        do throws(NATSReader.Fault) {
            for piece in pieces {
                piece.withUnsafeBytes { reader.append($0) }
                while let operation = try reader.next() { heard.operations.append(operation) }
            }
        } catch {
            heard.isBroken = true
        }
        return heard
    }

    private static func pieces(_ bytes: [UInt8], cut: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: cut).map {
            bytes[$0..<min($0 + cut, bytes.count)]
        }
    }

    private static func stream(_ bytes: [UInt8], cut: Int) -> Verdict {
        let heard = read([bytes[...]])
        hold(read(pieces(bytes, cut: cut)) == heard, "the cuts changed what was said")
        for case .message(let message) in heard.operations { judge(message) }
        return heard.operations.isEmpty ? .refused : .accepted
    }

    private static func judge(_ message: NATSMessage) {
        let subject = message.subject.utf8
        hold((1...NATSLimits.subject).contains(subject.count), "a subject of another length")
        hold(subject.allSatisfy { (0x21...0x7E).contains($0) }, "a subject that is not text")
        hold((0..<1_000_000_000).contains(message.number), "a number that nobody gave")
        hold(message.body.map { $0.count <= NATSLimits.message } ?? true, "too much is kept")
        hold(message.status.map { (0...999).contains($0) } ?? true, "a status of four digits")
        if let topic = NATSText.topic(of: message.subject) {
            hold(!topic.contains("+") && !topic.contains("#"), "a topic that is a filter")
        }
        _ = answers(message)
    }

    private static func greeting(_ bytes: [UInt8], cut: Int) -> Verdict {
        var greeting = NATSGreeting()
        var isWhole: Bool? = false
        for piece in pieces(bytes, cut: cut) where isWhole == false {
            isWhole = piece.withUnsafeBytes { greeting.take($0) }
        }
        guard isWhole == true else { return .refused }
        hold(bytes.count <= NATSLimits.greeting + cut, "a greeting that is too long")
        hold(bytes.starts(with: "INFO {".utf8), "a greeting that begins otherwise")
        return .accepted
    }

    // MARK: Answers

    private static func answer(_ bytes: [UInt8]) -> Verdict {
        let message = NATSMessage(subject: "a", number: 1, status: nil, body: bytes)
        return answers(message) ? .accepted : .refused
    }

    /// Reads a message as each answer that there is; whether it is one.
    private static func answers(_ message: NATSMessage) -> Bool {
        let (stored, kept) = (NATSAnswer.stored(message), NATSAnswer.kept(message))
        let stream = NATSAnswer.stream(message)
        if case .message(let subject, let sequence, let body)? = kept {
            hold((1..<Int.max).contains(sequence), "a sequence that none follows")
            hold(subject.utf8.count <= NATSLimits.subject, "a subject that is too long")
            hold(body.count <= NATSLimits.message, "more than its message held")
            read(sequence, of: subject)
        }
        if case .settings(let settings)? = stream { _ = settings.lack }
        return stored != nil || kept != nil || stream != nil
    }

    /// A message counts for what was asked, once, and not before its place.
    private static func read(_ sequence: Int, of subject: String) {
        var filters = NATSFilters()
        let number = filters.add("sa1/00/a/c/0/+", "sa1.00.a.c.0.*", stream: "SA1_0", 1)
        let isMeant = subject.hasPrefix("sa1.00.a.c.0.") && subject.utf8.count { $0 == 0x2E } == 5
        hold(filters.reads(sequence, of: subject, number) == isMeant, "what was not asked counts")
        hold(!filters.reads(sequence, of: subject, number), "one message counts twice")
    }

    // MARK: Names

    /// A topic's subject is the topic's alone.
    private static func subject(_ bytes: [UInt8]) -> Verdict {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = NATSText.refused(in: text)
        guard let subject = NATSText.subject(of: text) else { return .refused }
        hold(NATSFilters.matches(subject, subject), "a subject that does not name itself")
        if let topic = NATSText.topic(of: subject) { hold(topic == text, "another topic") }
        return .accepted
    }
}
