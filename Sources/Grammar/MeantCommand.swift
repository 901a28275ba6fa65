// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What somebody probably meant who typed a word of other programs, or only their seat, where a
/// command belongs: no command looks like it, so spelling does not help.
enum MeantCommand {
    private static let words: [String: Verb] = [
        "join": .up, "start": .up, "run": .up, "connect": .up, "login": .up,
        "stop": .down, "leave": .down, "quit": .down, "exit": .down, "logout": .down,
        "people": .peers, "users": .peers, "passengers": .peers, "list": .peers, "ls": .peers,
        "map": .seats, "show": .seats, "seat": .seats,
        "send": .msg, "tell": .msg, "write": .msg,
        "trade": .swap, "exchange": .swap, "ask": .swap,
        "yes": .requests, "agree": .requests, "no": .requests, "reject": .requests,
        "add": .flight, "info": .status,
    ]

    /// A line to try in the place of one that begins with `word`; `nil` if nothing is known of it.
    static func line(_ word: String, among commands: [Command]) -> String? {
        if let seat = Seat(word) { return "seatagent up --seat \(seat.text)" }
        guard let verb = words[word.lowercased()],
            let command = commands.first(where: { $0.verb == verb })
        else { return nil }
        // Where the sample stands for what only they know, the help says what belongs there.
        switch verb {
        case .msg, .swap, .flight: return "seatagent help \(command.name)"
        default: return command.sampleLine
        }
    }

    /// `swap 20F for 14C`, which says with the wrong words what `--give` says; `nil` otherwise.
    static func swap(_ operands: [String], of verb: Verb) -> String? {
        guard verb == .swap, operands.count == 2 || operands.count == 3,
            operands.count == 2 || ["for", "with"].contains(operands[1].lowercased()),
            let wanted = Seat(operands[0]), let given = operands.last.flatMap({ Seat($0) })
        else { return nil }
        return "seatagent swap \(wanted.text) --give \(given.text)"
    }
}
