// SPDX-License-Identifier: Apache-2.0
import Text

/// What an agent writes to a server of NATS, and how topics are spelled there (docs/meet.md section
/// 9).
enum NATSText {
    /// Who logs in.
    struct Login {
        var user: String?
        var password: String?
    }

    /// The subject of a topic or a filter; `nil` for one that no agent writes.
    static func subject(of topic: String) -> String? {
        guard topic.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"*>.".utf8.contains($0) })
        else { return nil }
        let words = topic.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard words.allSatisfy({ !$0.isEmpty }) else { return nil }
        return words.map { word in
            switch String(Substring(word)) {
            case "+": "*"
            case "#": ">"
            case let text: text
            }
        }.joined(separator: ".")
    }

    /// The topic of a subject; `nil` for one that has no topic.
    static func topic(of subject: String) -> String? {
        guard !subject.utf8.contains(where: { "/+#*>".utf8.contains($0) }) else { return nil }
        return String(subject.map { $0 == "." ? "/" : $0 })
    }

    /// The stream that keeps what is under a topic, or what a filter names; `nil` where nothing is
    /// kept.
    static func stream(of topic: String) -> String? {
        let words = topic.utf8.split(separator: 0x2F)
        guard words.count > 4, let digit = words[1].first, digits.contains(digit),
            ["c", "l", "q"].contains(String(Substring(words[3])))
        else { return nil }
        return stream(digit)
    }

    /// All of them.
    static var streams: [String] { digits.map(stream) }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func stream(_ digit: UInt8) -> String {
        "SA1_" + String(UnicodeScalar(digit)).uppercased()
    }

    /// A subject that is not allowed, as MQTT numbers it (MQTT 5.0 section 3.9.3).
    static let notAllowed: UInt8 = 0x87

    /// Where answers come: 22 letters and digits, 131 random bits.
    static func inboxName() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return "_INBOX." + String((0..<22).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// The subject that a server complains of as one that is not allowed, and whether it was to be
    /// read; `nil` for other complaints.
    static func refused(in complaint: String) -> (subject: String, isReading: Bool)? {
        guard complaint.hasPrefix("Permissions Violation for ") else { return nil }
        let parts = complaint.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        return (String(parts[1]), parts[0].contains("Subscription"))
    }

    // MARK: Operations

    /// Logs in. Without the newer protocol the server does not speak of its cluster.
    static func connect(_ login: Login, isTLS: Bool) -> [UInt8] {
        let words = JSON.object(present: [
            "verbose": false, "pedantic": false, "tls_required": .bool(isTLS), "echo": true,
            "headers": true, "no_responders": true, "lang": "swift", "version": "1",
            "protocol": 0, "user": login.user.map(JSON.string),
            "pass": login.user == nil ? nil : login.password.map(JSON.string),
        ])
        return Array("CONNECT \(words.line)\r\n".utf8)
    }

    /// Asks for the messages of a subject.
    static func subscribe(_ subject: String, _ number: Int) -> [UInt8] {
        Array("SUB \(subject) \(number)\r\n".utf8)
    }

    /// Asks for them no longer.
    static func unsubscribe(_ number: Int) -> [UInt8] { Array("UNSUB \(number)\r\n".utf8) }

    /// Says something, to be answered under `reply`.
    static func publish(_ subject: String, reply: String?, _ body: [UInt8]) -> [UInt8] {
        let reply = reply.map { " \($0)" } ?? ""
        return Array("PUB \(subject)\(reply) \(body.count)\r\n".utf8) + body + [0x0D, 0x0A]
    }

    static let ping = Array("PING\r\n".utf8)
    static let pong = Array("PONG\r\n".utf8)

    // MARK: JetStream

    /// Where a stream is asked for the next message that it keeps.
    static func reading(_ stream: String) -> String { "$JS.API.STREAM.MSG.GET.\(stream)" }

    /// What is asked there.
    static func next(from sequence: Int, of subject: String) -> [UInt8] {
        let words: JSON = ["seq": .int(sequence), "next_by_subj": .string(subject)]
        return Array(words.line.utf8)
    }

    /// Where a stream is asked what it is.
    static func looking(_ stream: String) -> String { "$JS.API.STREAM.INFO.\(stream)" }
}
