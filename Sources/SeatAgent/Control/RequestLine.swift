import Aviation
import Protocol
import Text

/// A request as one types it in a shell, from the arguments of its operation: what was typed before, and
/// what was missing. The view's own commands read the same line.
struct RequestLine {
    /// The operation, which is the command's name too.
    let op: String
    /// Its arguments. `typed` has what only a command line knows: `yes`, `wait`, `timeout`.
    var arguments: [String: JSON]

    /// `seatagent swap 12A --give 14C --note 'aisle for window' --override`; `nil` where no command does it.
    var text: String? {
        guard let subject, let command = CommandTable.commands.first(where: { $0.name == op })
        else { return nil }
        let known = command.options.map(\.name) + ["timeout"]
        let options = Self.options.filter { known.contains($0) }.compactMap(option)
        return (["seatagent", op, subject] + options).joined(separator: " ")
    }

    private static let options = [
        "from", "give", "take", "note", "expires", "override", "unverified", "yes", "wait",
        "timeout",
    ]

    /// The seat that is asked for, or the number that is answered.
    private var subject: String? {
        if op == "swap" { return arguments["seat"]?.text.flatMap { Seat($0) }?.text }
        guard ["accept", "decline", "counter", "cancel", "force"].contains(op) else { return nil }
        return arguments["request"]?.number.map(String.init)
    }

    private func option(_ name: String) -> String? {
        switch name {
        case "give", "take":
            arguments[name]?.text.flatMap { Seat($0) }.map { "--\(name) \($0.text)" }
        case "from", "note":
            arguments[name]?.text.flatMap(Self.quoted).map { "--\(name) \($0)" }
        case "expires": arguments[name]?.number.map { "--\(name) \($0)s" }
        case "timeout": arguments["typed"]?[name]?.number.map { "--\(name) \($0)s" }
        case "yes", "wait": arguments["typed"]?[name] == true ? "--\(name)" : nil
        default: arguments[name] == true ? "--\(name)" : nil
        }
    }

    /// The user's own words, quoted for a shell; `nil` for none, and for what no terminal shows as it is.
    private static func quoted(_ text: String) -> String? {
        guard !text.isEmpty, visible(text) == text else { return nil }
        let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(pieces.joined(separator: "'\\''"))'"
    }
}

extension ControlDesk {
    /// The request as it was made, with what it lacked: what is printed has to work.
    func again(with missing: [String: JSON]) -> String {
        var arguments = request.arguments
        // A name may be somebody else's by the time it is typed.
        if let word = arguments["from"]?.text, let found = try? book.find(word, line: { $0 }) {
            arguments["from"] = .string(book.word(found.key))
        }
        arguments.merge(missing) { $1 }
        return RequestLine(op: request.op, arguments: arguments).text ?? "seatagent requests"
    }
}

extension ParsedLine {
    /// The options of a request as the operations of the agent take them.
    func requestArguments() throws(UserError) -> [String: JSON] {
        var arguments: [String: JSON] = [:]
        for name in ["give", "take"] {
            if let seat = value(name) { arguments[name] = .string(try SeatText.parse(seat).text) }
        }
        for name in ["from", "note"] { arguments[name] = value(name).map(JSON.string) }
        let expires = try Invocation.seconds(value("expires"), option: "expires", of: command?.name)
        arguments["expires"] = expires.map(JSON.int)
        for name in ["override", "unverified"] where has(name) { arguments[name] = true }
        var typed: [String: JSON] = [:]
        for name in ["yes", "wait"] where has(name) { typed[name] = true }
        let timeout = try Invocation.seconds(value("timeout"), option: "timeout", of: command?.name)
        typed["timeout"] = timeout.map(JSON.int)
        if !typed.isEmpty { arguments["typed"] = .object(typed) }
        return arguments
    }
}
