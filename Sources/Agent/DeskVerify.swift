// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// Operations of the verification by voice.
extension ControlDesk {
    func verify(_ asked: Op.Verify) throws(UserError) -> Work<Comparing> {
        let found = try passenger(asked.who, "verify")
        return .perform(.verify(found.key)) { _, desk in desk.verification }
    }

    func compared(_ asked: Op.Compared) throws(UserError) -> Work<Comparing> {
        // The answer is to what was shown, and to nothing that came meanwhile.
        if let code = asked.code, verification.code != code {
            throw UserError(
                .changed, "these are not the numbers that are compared now",
                why: "comparing has ended, or began anew", advice: "seatagent status")
        }
        return .perform(.compared(isSame: asked.same)) { _, desk in desk.verification }
    }

    func cancelVerify() -> Work<Comparing> {
        .perform(.cancelVerify) { _, desk in desk.verification }
    }

    /// Says on whose computer this agent runs, or which one runs on this computer.
    func hosting(_ asked: Op.Hosting) throws(UserError) -> Work<Op.Named> {
        guard let other = bytes(hexadecimal: asked.who).flatMap({ PeerKey($0) }) else {
            throw UserError(.badRequest, "a key is 64 hexadecimal digits")
        }
        let role: Hosting.Role
        switch asked.role {
        case .known(.host): role = .host
        case .known(.guest): role = .guest
        case .other:
            throw UserError(.badRequest, "a role is host or guest")
        }
        return .perform(.hosting(Hosting(role, other, holds: !asked.off))) { _, desk in
            Op.Named(who: desk.book.person(other))
        }
    }

    func vouch(_ asked: Op.Vouch) throws(UserError) -> Work<Op.Named> {
        let found = try passenger(asked.who, "vouch")
        return .perform(.vouch(found.key)) { _, desk in
            Op.Named(who: desk.book.person(found.key))
        }
    }

    /// Where comparing codes stands.
    var verification: Comparing { Comparing(host.node.verificationState, book) }
}

extension Comparing {
    /// Where an attempt stands; with whom and the code, while there is one.
    init(_ state: Verification.State, _ book: PeopleBook) {
        switch state {
        case .idle: self.init(state: Word(.idle))
        case .wishing(let peer, _): self.init(state: Word(.linking), who: book.person(peer))
        case .asked(let attempt, _):
            self.init(state: Word(.asked), who: book.person(attempt.peer))
        case .committed(let attempt, _), .answered(let attempt, _, _):
            self.init(state: Word(.waiting), who: book.person(attempt.peer))
        case .comparing(let attempt, let secret, let pressed, _):
            self.init(
                state: Word(pressed ? .matched : .compare), who: book.person(attempt.peer),
                code: secret.text)
        }
    }
}

extension ComparingNews {
    /// A step with `who`.
    init(_ notice: Verification.Notice, _ who: Person) {
        switch notice {
        case .asked: self.init(state: Word(.asked), who: who)
        case .code(let secret): self.init(state: Word(.compare), who: who, code: secret.text)
        case .verified: self.init(state: Word(.verified), who: who)
        case .alarm(let alarm):
            self.init(state: Word(.alarm), who: who, why: Word(Self.why(alarm)))
        case .ended(let reason):
            self.init(state: Word(.ended), who: who, why: Word(Self.why(reason)))
        }
    }

    private static func why(_ alarm: Verification.Alarm) -> ComparingEnd {
        switch alarm {
        case .differs: .differs
        case .differsThere: .differsThere
        case .wrongProof: .wrongProof
        }
    }

    private static func why(_ reason: VerifyMessage.EndReason) -> ComparingEnd {
        switch reason {
        case .cancelled: .cancelled
        case .mismatch: .mismatch
        case .expired: .expired
        case .busy: .busy
        case .wrong: .wrongProof
        }
    }
}
