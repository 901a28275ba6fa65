// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
package import Text

/// A request as one types it in a shell, from the arguments of its operation: what was typed
/// before, and what was missing. The view's own commands read the same line.
package struct RequestLine {
    /// The operation, which is the command's name too.
    package let op: String
    /// Its arguments. `typed` has what only a command line knows: `yes`, `wait`, `timeout`.
    package var arguments: [String: JSON]

    /// All of it.
    package init(op: String, arguments: [String: JSON]) {
        self.op = op
        self.arguments = arguments
    }

    /// `seatagent swap 12A --give 14C --note 'aisle for window' --override`; `nil`
    /// where no command does it.
    package var text: String? {
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

    /// The user's own words, quoted for a shell; `nil` for none, and for what no
    /// terminal shows as it is.
    private static func quoted(_ text: String) -> String? {
        guard !text.isEmpty, visible(text) == text else { return nil }
        let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(pieces.joined(separator: "'\\''"))'"
    }
}

extension ParsedLine {
    /// The options of a request as the operations of the agent take them.
    package func requestArguments() throws(UserError) -> [String: JSON] {
        var arguments: [String: JSON] = [:]
        for name in ["give", "take"] {
            if let seat = value(name) { arguments[name] = .string(try SeatText.parse(seat).text) }
        }
        for name in ["from", "note"] { arguments[name] = value(name).map(JSON.string) }
        let expires = try seconds("expires")
        arguments["expires"] = expires.map(JSON.int)
        for name in ["override", "unverified"] where has(name) { arguments[name] = true }
        var typed: [String: JSON] = [:]
        for name in ["yes", "wait"] where has(name) { typed[name] = true }
        let timeout = try seconds("timeout")
        typed["timeout"] = timeout.map(JSON.int)
        if !typed.isEmpty { arguments["typed"] = .object(typed) }
        return arguments
    }
}
