// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Text
import Wording

/// `seatagent seated`: tells the others of a swap that the user sits in their new seat.
enum SeatedCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let isOff = call.operands.last?.lowercased() == "off"
        guard call.operands.count - (isOff ? 1 : 0) < 2 else {
            throw UserError(
                .usage, "the word behind the number is off, or none is",
                why: "off takes back that you sit there", advice: "seatagent seated 1 off")
        }
        let isNumbered = call.operands.count > (isOff ? 1 : 0)
        let number = isNumbered ? try call.numberOperand(0) : nil
        let news = try call.ask(Op.Seated(request: number, off: isOff))
        let code = call.finish(news, [SeatedText.answer(news.reply)])
        if !isOff, !news.missing.isEmpty {
            call.hint("Who sits and who does not: seatagent receipt \(news.number)")
        }
        return code
    }
}
