// SPDX-License-Identifier: Apache-2.0
import Text

/// One command of the program, with everything for its parsing and its help.
package struct Command: Sendable {
    /// The word on the command line.
    package let verb: Verb
    /// What it does, in one line.
    package let summary: String
    /// Its operands as the help shows them: `WHO TEXT`.
    package var operands = ""
    /// How many operands there may be.
    package var count: ClosedRange<Int> = 0...0
    /// Operands that make a valid example: `12A`.
    package var sample = ""
    /// Options of this command alone.
    package var options: [Option] = []
    /// More than a line, for `help COMMAND`; made only when somebody asks for it.
    package var details: [String] { detailed() }
    private let detailed: @Sendable () -> [String]
    /// Whole command lines.
    package var examples: [String] = []
    /// What the user types after it may be private, so no error repeats it.
    var isPrivate = false
    /// Left out of the help.
    package var isHidden = false
    /// Of no use on a flight: the help of all commands only names it, in one line for venues.
    package var isOfVenues = false
    /// Works although the config file is wrong, because it helps, ends something or is run by
    /// another program.
    package var needsNoConfig = false
    /// Stops if the config file is wrong; other commands report it and go on without it.
    package var needsConfig = false

    /// A command of the table.
    package init(
        _ verb: Verb, summary: String, operands: String = "", count: ClosedRange<Int> = 0...0,
        sample: String = "", options: [Option] = [],
        details: @escaping @Sendable @autoclosure () -> [String] = [],
        examples: [String] = [], isPrivate: Bool = false, isHidden: Bool = false,
        isOfVenues: Bool = false, needsNoConfig: Bool = false, needsConfig: Bool = false
    ) {
        self.verb = verb
        self.summary = summary
        self.operands = operands
        self.count = count
        self.sample = sample
        self.options = options
        detailed = details
        self.examples = examples
        self.isPrivate = isPrivate
        self.isHidden = isHidden
        self.isOfVenues = isOfVenues
        self.needsNoConfig = needsNoConfig
        self.needsConfig = needsConfig
    }

    /// The verb as text.
    package var name: String { verb.rawValue }

    /// `seatagent NAME SAMPLE`: a valid command line.
    package var sampleLine: String { "seatagent \(name)" + (sample.isEmpty ? "" : " \(sample)") }
}

/// One option of a command, or of all.
package struct Option: Hashable, Sendable {
    /// Whether a value follows the option.
    package enum Value: Hashable, Sendable {
        /// `--wait`.
        case none
        /// `--seat 14C` or `--seat=14C`: the value's name in the help, and a valid value.
        case required(String, sample: String)
        /// `--json` or `--json=1`.
        case optional(String)
    }

    /// The name without dashes.
    package let name: String
    /// A letter that can stand for it, after one dash.
    package var letter: Character?
    /// Its value.
    package var value: Value = .none
    /// Whether it may be given more than once; otherwise the last one counts.
    package var repeats = false
    /// What it does, in a few words.
    package let summary: String

    /// `-f, --follow`, `--seat SEAT`, `--json[=1]`.
    package var usage: String {
        let dashed = (letter.map { "-\($0), " } ?? "") + "--\(name)"
        return switch value {
        case .none: dashed
        case .required(let metavariable, _): "\(dashed) \(metavariable)"
        case .optional(let value): "\(dashed)[=\(value)]"
        }
    }

    /// `--seat 14C`: the option with a valid value.
    package var sample: String {
        switch value {
        case .none, .optional: "--\(name)"
        case .required(_, let sample): "--\(name) \(sample)"
        }
    }
}
