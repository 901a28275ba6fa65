// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text

/// Operations of the verification by voice.
extension ControlDesk {
    func verify() throws(UserError) -> Outcome {
        let found = try passenger("verify")
        return .perform(.verify(found.key)) { _, desk in desk.verification }
    }

    func compared() throws(UserError) -> Outcome {
        let isSame = try request.flag("same")
        // The word is on what was shown, and on nothing that came meanwhile.
        if let code = try request.optionalText("code"), verification["code"]?.text != code {
            throw UserError(
                .changed, "these are not the numbers that are compared now",
                why: "comparing has ended, or began anew", advice: "seatagent status")
        }
        return .perform(.compared(isSame: isSame)) { _, desk in desk.verification }
    }

    func cancelVerify() -> Outcome {
        .perform(.cancelVerify) { _, desk in desk.verification }
    }

    func vouch() throws(UserError) -> Outcome {
        let found = try passenger("vouch")
        return .perform(.vouch(found.key)) { _, desk in ["who": desk.book.json(found.key)] }
    }

    /// `{"state"}` and, while an attempt is under way, `who` and `code`.
    var verification: JSON {
        let state = host.node.verificationState
        var members = VerifyJSON.members(state)
        if let peer = VerifyJSON.peer(state) { members["who"] = book.json(peer) }
        return .object(members)
    }
}

/// Verification as objects.
enum VerifyJSON {
    /// The members of an event.
    static func members(_ notice: Verification.Notice) -> [String: JSON] {
        switch notice {
        case .asked: ["state": "asked"]
        case .code(let secret): ["state": "compare", "code": .string(secret.text)]
        case .verified: ["state": "verified"]
        case .alarm(let alarm): ["state": "alarm", "why": .string(word(alarm))]
        case .ended(let reason): ["state": "ended", "why": .string(word(reason))]
        }
    }

    /// The members of a state.
    static func members(_ state: Verification.State) -> [String: JSON] {
        switch state {
        case .idle: ["state": "idle"]
        case .wishing: ["state": "linking"]
        case .asked: ["state": "asked"]
        case .committed, .answered: ["state": "waiting"]
        case .comparing(_, let secret, let pressed, _):
            [
                "state": pressed ? "matched" : "compare", "code": .string(secret.text),
            ]
        }
    }

    /// Who takes part.
    static func peer(_ state: Verification.State) -> PeerKey? {
        switch state {
        case .idle: nil
        case .wishing(let peer, _): peer
        case .asked(let attempt, _), .committed(let attempt, _), .answered(let attempt, _, _),
            .comparing(let attempt, _, _, _):
            attempt.peer
        }
    }

    private static func word(_ alarm: Verification.Alarm) -> String {
        switch alarm {
        case .differs: "differs"
        case .differsThere: "differs-there"
        case .wrongProof: "wrong-proof"
        }
    }

    private static func word(_ reason: VerifyMessage.EndReason) -> String {
        switch reason {
        case .cancelled: "cancelled"
        case .mismatch: "mismatch"
        case .expired: "expired"
        case .busy: "busy"
        case .wrong: "wrong-proof"
        }
    }
}
