// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text
import Wording

extension CabinCommand {
    /// `seatagent cabin accept` and `cabin decline`: answers what others agree on, for this
    /// passenger's own picture alone.
    static func answer(
        _ takes: Bool, _ word: String?, _ call: Invocation
    ) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 10))
        guard let asked = CabinAskText(try client.ask(Op.Status()).cabinAsked) else {
            throw UserError(
                .notAllowedNow, "you are not asked about a layout",
                why: "it takes two passengers, and most of those who suggest one",
                advice: "seatagent cabin suggestions")
        }
        if let word, word.lowercased() != asked.id {
            throw UserError(
                .changed, "you are not asked about \(visible(word, cells: 40))",
                why: "it is \(asked.id) that passengers agree on",
                advice: "seatagent cabin suggestions")
        }
        let result = try client.ask(Op.AnswerCabin(hash: asked.hash, take: takes))
        guard takes else {
            let code = call.finish(
                result, ["It is drawn as before, and you are not asked about \(asked.name) again."])
            if asked.asked.bundled {
                call.hint("Next: seatagent cabin use \(asked.id) draws it so all the same.")
            }
            return code
        }
        let code = call.finish(result, ["The cabin is drawn as \(asked.name), for you alone."])
        call.hint("Next: seatagent cabin use standard takes that back.")
        return code
    }
}
