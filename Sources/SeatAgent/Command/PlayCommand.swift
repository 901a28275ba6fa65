// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text
import Wording

/// `seatagent play`: four in a row with another passenger.
enum PlayCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let who = call.operands[0]
        let column = call.operands.count > 1 ? call.operands[1] : nil
        let (isNew, givesUp) = (call.line.has("new"), call.line.has("give-up"))
        guard [column != nil, isNew, givesUp].count(where: { $0 }) < 2 else {
            throw UserError(
                .usage, "a column, --new and --give-up exclude each other",
                why: "each is a line of its own to the other passenger",
                advice: "seatagent play 12A d")
        }
        guard column != nil || isNew || givesUp else {
            return finish(call, try call.ask(Op.Game(who: who)))
        }
        return finish(
            call,
            try call.ask(Op.Play(who: who, column: column, new: isNew, giveUp: givesUp)))
    }

    private static func finish(_ call: Invocation, _ game: Answer<GameFacts>) -> ExitCode {
        let code = call.finish(game, GameText.lines(game.reply))
        let next = "Next: seatagent play \(word(call.operands[0], game.who))"
        let isOpen = game.state == .running || game.state == .nothing
        if isOpen, game.turn {
            call.hint(next + " d")
        } else if game.state != .running {
            call.hint(next + " --new")
        }
        return code
    }

    /// The word that was typed for them, if a shell takes it as it is.
    private static func word(_ typed: String, _ who: Person) -> String {
        let isPlain = typed.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
        }
        return isPlain ? typed : String(who.tag.dropFirst())
    }
}
