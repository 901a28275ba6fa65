import Text

/// One command of the program: what is parsed, what is helped with, what is done.
struct Command: Sendable {
    /// The word on the command line.
    let name: String
    /// What it does, in one line.
    let summary: String
    /// Its operands as the help shows them: `WHO TEXT`.
    var operands = ""
    /// How many operands there may be.
    var count: ClosedRange<Int> = 0...0
    /// Operands that work in an example: `12A`.
    var sample = ""
    /// Options of this command alone.
    var options: [Option] = []
    /// More than a line, for `help COMMAND`.
    var details: [String] = []
    /// Whole command lines.
    var examples: [String] = []
    /// What is typed after it may be nobody's business: no error shows it again.
    var isPrivate = false
    /// Left out of the help.
    var isHidden = false
    /// Works although the config file is wrong: what helps, ends or runs by itself.
    var needsNoConfig = false
    /// Goes no further where the config file is wrong; others say so and go on without it.
    var needsConfig = false
    /// Does it.
    let run: @Sendable (Invocation) throws(UserError) -> ExitCode

    /// `seatagent NAME SAMPLE`: a command line that works.
    var sampleLine: String { "seatagent \(name)" + (sample.isEmpty ? "" : " \(sample)") }
}

/// One option of a command, or of all.
struct Option: Hashable, Sendable {
    /// Whether something stands after it.
    enum Value: Hashable, Sendable {
        /// `--wait`.
        case none
        /// `--seat 14C` or `--seat=14C`: the name in the help and a value that works.
        case required(String, sample: String)
        /// `--json` or `--json=1`.
        case optional(String)
    }

    /// Without the dashes.
    let name: String
    /// One letter after one dash.
    var letter: Character?
    /// Its value.
    var value: Value = .none
    /// Whether it may come more than once; else the last one counts.
    var repeats = false
    /// What it does, in a few words.
    let summary: String

    /// `-f, --follow`, `--seat SEAT`, `--json[=1]`.
    var usage: String {
        let dashed = (letter.map { "-\($0), " } ?? "") + "--\(name)"
        return switch value {
        case .none: dashed
        case .required(let metavariable, _): "\(dashed) \(metavariable)"
        case .optional(let value): "\(dashed)[=\(value)]"
        }
    }

    /// `--seat 14C`: the option with a value that works.
    var sample: String {
        switch value {
        case .none, .optional: "--\(name)"
        case .required(_, let sample): "--\(name) \(sample)"
        }
    }
}
