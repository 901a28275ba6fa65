// SPDX-License-Identifier: Apache-2.0
import Aviation
package import ControlAPI
import Protocol
package import Text

/// A request as a command line for a shell, from the arguments of its operation: what was typed
/// before, and what was missing. The commands of the view read the same line.
package struct RequestLine {
    /// The operation, which has the command's name.
    package let operation: OperationName
    /// Its arguments, and what only a command line contains.
    package var words: RequestWords

    /// The command line of `operation` with those words.
    package init(_ operation: OperationName, _ words: RequestWords) {
        self.operation = operation
        self.words = words
    }

    /// `seatagent swap 12A --give 14C --note 'aisle for window' --override`; `nil` if no command
    /// does it.
    package var text: String? {
        guard let subject,
            let command = CommandTable.commands.first(where: { $0.name == name })
        else { return nil }
        let known = command.options.map(\.name) + ["timeout"]
        let options = options.filter { known.contains($0.name) }.compactMap(\.text)
        return (["seatagent", name, subject].filter { !$0.isEmpty } + options)
            .joined(separator: " ")
    }

    /// The command of the operation: what was found is proposed by the command that found it.
    private var name: String {
        let found = words.terms.typed?.found
        guard operation == .propose, let found else { return operation.rawValue }
        let finders: [OperationName] = [.together, .match]
        return finders.first { $0.rawValue == found }?.rawValue ?? operation.rawValue
    }

    /// The seat that is asked for, or the number of the request or of what was found.
    private var subject: String? {
        if operation == .propose {
            return words.terms.typed?.pick.map { "--pick \($0)" } ?? ""
        }
        if operation == .swap { return words.seat.flatMap(SeatText.listed) }
        if operation == .ring {
            guard let seats = words.seats.flatMap({ SeatText.listed($0.joined(separator: ",")) })
            else { return nil }
            return seats.split(separator: ",").joined(separator: " ")
        }
        let answers: [OperationName] = [.accept, .decline, .counter, .cancel, .force, .undo]
        return answers.contains(operation) ? words.request.map(String.init) : nil
    }

    private var options: [(name: String, text: String?)] {
        let terms = words.terms
        let seats = [("give", terms.give), ("take", terms.take)].map { name, seat in
            (name: name, text: seat.flatMap(SeatText.listed).map { "--\(name) \($0)" })
        }
        let texts = [("from", terms.from), ("note", terms.note)].map { name, text in
            (name: name, text: text.flatMap(Self.quoted).map { "--\(name) \($0)" })
        }
        func seconds(_ name: String, _ number: Int?) -> (name: String, text: String?) {
            (name: name, text: number.map { "--\(name) \($0)s" })
        }
        let flags = [
            ("override", terms.override), ("unverified", terms.unverified),
            ("once", terms.typed?.once ?? false), ("yes", terms.typed?.yes ?? false),
            ("wait", terms.typed?.wait ?? false),
        ].map { name, isSet in (name: name, text: isSet ? "--\(name)" : nil) }
        return [texts[0]] + seats
            + [
                texts[1], seconds("expires", terms.expires),
                seconds("patience", terms.typed?.patience),
            ] + flags
            + [seconds("timeout", terms.typed?.timeout)]
    }

    /// The user's own words, quoted for a shell; `nil` if there are none, or if a terminal would
    /// change them.
    private static func quoted(_ text: String) -> String? {
        guard !text.isEmpty, visible(text) == text else { return nil }
        return "'" + text.replacing(["'": "'\\''"]) + "'"
    }
}

extension ParsedLine {
    /// The options of a request in the form of the agent's operations.
    package func swapTerms() throws(UserError) -> SwapTerms {
        var terms = SwapTerms(
            give: try value("give").map { (seats) throws(UserError) in
                try SeatText.list(seats).map(\.text).joined(separator: ",")
            },
            take: try value("take").map { (seat) throws(UserError) in
                try SeatText.parse(seat).text
            }, from: value("from"), note: value("note"),
            expires: try seconds("expires"),
            override: has("override"), unverified: has("unverified"))
        let typed = SwapTerms.Typed(
            yes: has("yes"), wait: has("wait"),
            timeout: try seconds("timeout"), once: has("once"),
            patience: try seconds("patience"))
        if !typed.isEmpty { terms.typed = typed }
        return terms
    }
}
