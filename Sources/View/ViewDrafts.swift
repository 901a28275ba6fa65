// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar

extension Drafted {
    /// The line that asks for it, as the user would type it in the view.
    var typed: String {
        if case .plan(let asked) = self {
            return asked.terms.typed?.found == Verb.match.rawValue ? "/match" : "/together"
        }
        let (operation, words, plain) = parts
        var told = SwapTerms()
        told.note = terms.note
        guard terms == told else {
            let line = RequestLine(operation, words).text
            return line.map(SlashTable.asTyped) ?? "/" + operation.rawValue
        }
        return "/\(operation.rawValue) \(plain)" + (terms.note.map { " " + $0 } ?? "")
    }

    private var parts: (OperationName, RequestWords, String) {
        switch self {
        case .swap(let asked):
            (.swap, RequestWords(seat: asked.seat, terms: asked.terms), asked.seat)
        case .ring(let asked):
            (
                .ring, RequestWords(seats: asked.seats, terms: asked.terms),
                asked.seats.joined(separator: " ")
            )
        case .undo(let asked):
            (.undo, RequestWords(request: asked.request, terms: asked.terms), "\(asked.request)")
        case .plan(let asked):
            (.propose, RequestWords(terms: asked.terms), "")
        }
    }
}
