// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Text

extension ControlDesk {
    /// What was typed of the request.
    var words: RequestWords {
        (try? RequestWords(asked: .object(request.arguments))) ?? RequestWords()
    }

    /// The request as it was made, with what it lacked: the printed line has to work.
    func again(_ change: (inout RequestWords) -> Void) -> String {
        var words = words
        // A name may belong to somebody else by the time the line is typed.
        if let word = words.terms.from, let found = try? book.find(word, line: { $0 }) {
            words.terms.from = book.word(found.key)
        }
        change(&words)
        return operation.flatMap { RequestLine($0, words).text }
            ?? "seatagent requests"
    }
}
