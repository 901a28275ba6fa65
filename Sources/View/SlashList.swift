// SPDX-License-Identifier: Apache-2.0
import Grammar
import Terminal

/// The commands that a half-typed `/word` may become, shown over the line while it is typed.
enum SlashList {
    /// The most lines of the screen that the list takes.
    static let most = 8

    private typealias Row = (name: String, line: String)

    private static let ofFlight = rows(inVenue: false)
    private static let ofVenue = rows(inVenue: true)

    private static func rows(inVenue: Bool) -> [Row] {
        let own = SlashTable.commands(inVenue).map { (name: $0.name, line: HelpPage.line($0)) }
        let others = CommandTable.commands.filter { SlashTable.isProgram($0.name, inVenue) }.map {
            (name: $0.name, line: HelpPage.line(usage: "/\($0.name) \($0.operands)", $0.summary))
        }
        return own + others
    }

    /// The list for the text in the line; empty if that is no command. Once the word is complete,
    /// its own line stays and says what may follow.
    static func lines(_ state: ViewState, atMost limit: Int) -> [String] {
        let text = state.editor.text
        guard state.focus == .input, limit > 0, text.hasPrefix("/"), !text.hasPrefix("//") else {
            return []
        }
        let word = text.dropFirst().prefix { !$0.isWhitespace }
        let isWhole = word.count + 1 < text.count
        let rows = state.isInVenue ? ofVenue : ofFlight
        let fitting = rows.filter { isWhole ? $0.name == word : $0.name.hasPrefix(word) }
            .map(\.line)
        guard fitting.count > limit else { return fitting }
        return fitting.prefix(limit - 1)
            + ["  and \(fitting.count - limit + 1) more: type on, or /help"]
    }
}
