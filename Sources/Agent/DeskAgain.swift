// SPDX-License-Identifier: Apache-2.0
import Grammar
import Protocol
import Text

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
