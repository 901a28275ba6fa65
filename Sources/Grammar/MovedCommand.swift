// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Text

/// A command line of an earlier version whose command has another name now.
///
/// Until 0.2, `party` said what `needs` says: `party 17B child`.
package enum MovedCommand {
    /// The former name of `needs`.
    private static let party = "party"

    /// What somebody is told who types `party` as it was; `nil` for any other line. `given` are the
    /// options of the line with their values, by name.
    static func error(_ words: [String], _ given: [(name: String?, value: String)]) -> UserError? {
        guard words.first == party, isFormer(words.dropFirst(), given.map(\.name)) else {
            return nil
        }
        return UserError(
            .usage, "what party said of your seats is now said by needs",
            advice: advice(words.dropFirst(), given))
    }

    /// Whether a line of `party` with these operands and options means what `needs` means.
    private static func isFormer(_ operands: ArraySlice<String>, _ options: [String?]) -> Bool {
        guard let first = operands.first else { return false }
        return Seat(first) != nil || isFact(first)
            || options.contains { ["with", "remove"].contains($0) }
    }

    /// The same line with the new name, if `needs` can read it.
    private static func advice(
        _ operands: ArraySlice<String>, _ given: [(name: String?, value: String)]
    ) -> String {
        var line = ["seatagent needs"]
        for (place, word) in operands.enumerated() {
            if place == 0, let seat = Seat(word) {
                line.append(seat.text)
            } else if isFact(word) {
                line.append(word.lowercased())
            } else {
                return "seatagent help needs"
            }
        }
        for option in given {
            switch option.name {
            case "with":
                guard let seat = Seat(option.value) else { return "seatagent help needs" }
                line.append("--with \(seat.text)")
            case "remove": line.append("--remove")
            case "yes": line.append("--yes")
            default: break
            }
        }
        return line.joined(separator: " ")
    }

    private static func isFact(_ word: String) -> Bool {
        Needs.Fact(rawValue: word.lowercased()) != nil
    }
}
