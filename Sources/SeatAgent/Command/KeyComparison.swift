// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text
import Wording

/// `verify WHO --key KEY`: whether a key that came another way is the passenger's.
///
/// It only reports that. "Verified" means that both users compared codes, and nothing else.
enum KeyComparison {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        guard call.operands.count > 1 else {
            throw UserError(
                .usage, "verify --key wants more: WHO KEY",
                why: "KEY is what `seatagent who --key` prints on the passenger's laptop",
                advice: call.operands.first.map(Self.line) ?? "seatagent peers")
        }
        let given = try key(call.text(from: 1), of: call.operands[0])
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let found = try client.ask(Op.Who(who: call.operands[0]))
        let who = found.reply.peer.person
        let name = WhoText.full(who)
        guard who.key == given.hex else {
            let owner = try? client.ask(Op.Who(who: given.hex)).reply.peer.person
            throw UserError(
                .alarm, "that is not the key of \(name)",
                why: owner.map { "it is the key of \(WhoText.full($0))" }
                    ?? "every check digit fits, so it is another key, not a typing mistake",
                advice: "seatagent peers")
        }
        call.hint("It counts if \(WhoText.short(who)) handed it to you, not if this network did.")
        return call.finish(
            ["same": true, "who": found.json], ["The same: this is the key of \(name)."])
    }

    /// The command that shows the key as it is known here.
    private static func line(_ who: String) -> String {
        "seatagent who \(ShellWord.quoted(who)) --key"
    }

    private static func key(_ text: String, of who: String) throws(UserError) -> PeerKey {
        do throws(PeerKey.SpellingFault) {
            return try PeerKey(spelled: text)
        } catch {
            throw refusal(error, of: who)
        }
    }

    /// The error for a malformed key. Shows the text only as far as it consists of letters of a
    /// key.
    private static func refusal(_ fault: PeerKey.SpellingFault, of who: String) -> UserError {
        let why =
            switch fault {
            case .character(let scalar): "\"\(visible(String(scalar)))\" stands in no key"
            case .count(let count): "a key has 56 letters and digits, and this has \(count)"
            case .slip(let groups): "one of the 14 characters of \(groups) is wrong"
            case .noKey: "its last characters do not fit any key"
            }
        return UserError(
            .usage, "that is not a key: it has a typing mistake", why: why,
            advice: line(who))
    }
}
