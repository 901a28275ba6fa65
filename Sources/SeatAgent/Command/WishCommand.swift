// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text
import Wording

/// `seatagent wish`: what the user would take instead of what they have.
enum WishCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let answer = try client.ask(try wish(call))
        let cabin = try client.cabin()
        let code = call.finish(answer, WishText(answer.reply, cabin).lines)
        if !call.operands.isEmpty {
            call.hint("Whoever finds a swap for it asks you. To look yourself: seatagent match")
        }
        return code
    }

    /// What the command line says.
    private static func wish(_ call: Invocation) throws(UserError) -> Op.Wish {
        let line = call.line
        var wish = Op.Wish()
        if !call.operands.isEmpty { wish.words = WishReader.text(call.operands) }
        let offers = (line.values["offer"] ?? []).flatMap {
            $0.split(separator: ",").map(String.init)
        }
        try check("none", "offer", call)
        try check("private", "public", call)
        try check("none", "auto", call)
        if !offers.isEmpty { wish.offer = offers.map { $0 == "all" ? $0 : $0.uppercased() } }
        if line.has("none") { wish.offer = [] }
        if line.has("private") { wish.private = true }
        if line.has("public") { wish.private = false }
        if line.has("stay-unless-better") { wish.stay = true }
        if let word = line.value("asks") {
            guard let asks = Asking(rawValue: word.lowercased()) else {
                let all = Asking.allCases.map(\.rawValue)
                let nearest = Suggestions.nearest(to: word.lowercased(), among: all) ?? all[0]
                throw UserError(
                    .usage, "\"\(visible(word, cells: 24))\" is nothing that others may ask for",
                    why: "words are " + all.joined(separator: ", "),
                    advice: "seatagent wish --asks \(nearest)")
            }
            wish.asks = Word(asks)
        }
        if line.has("auto") { wish.auto = try auto(line.value("auto")) }
        wish.note = line.value("note")
        return wish
    }

    /// `--auto`, `--auto=on` or `--auto=off`.
    private static func auto(_ word: String?) throws(UserError) -> Bool {
        let isOff = word == "off"
        guard isOff || ["", "on"].contains(word ?? "") else {
            throw UserError(
                .usage, "\"\(visible(word ?? "", cells: 24))\" is neither on nor off",
                advice: "seatagent wish --auto")
        }
        return !isOff
    }

    private static func check(
        _ one: String, _ other: String, _ call: Invocation
    ) throws(UserError) {
        guard call.line.has(one), call.line.has(other) else { return }
        throw UserError(
            .usage, "--\(one) and --\(other) exclude each other", advice: "seatagent wish --\(one)")
    }
}
