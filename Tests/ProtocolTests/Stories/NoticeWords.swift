// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// What people are told, as short sentences.
extension Words {
    mutating func told(_ notice: Notice) -> String {
        switch notice {
        case .aboard(let key): return "\(person(key)) is aboard"
        case .left(let key): return "\(person(key)) is out of reach"
        case .renamed(let key, _, let name): return "\(person(key)) is called \(name) now"
        case .chat(let item): return "\(person(item.author)) says\(words(item))"
        case .message(let message):
            let text = message.outgoing ? "" : ": \"\(message.text)\""
            return "\(self.message(message)) is \(Self.state(message.state))\(text)"
        case .offer(let key, let wish): return "\(person(key)) offers \(offered(wish))"
        case .map: return "the seat map changed"
        case .swap(let notice): return "request \(notice.record.number): \(told(notice.what))"
        case .verification(let key, let notice): return told(notice, about: key)
        case .unverified(let known): return "\(known.name) is not verified any more"
        case .trouble(let trouble): return told(trouble)
        case .caughtUp: return "the own log may be written to"
        case .layouts: return "the suggested layouts changed"
        case .party(let notice): return told(notice)
        case .attendance: return "somebody came or left"
        case .venue(let page): return "the venue's words are of revision \(page.revision)"
        case .book: return "the book of the venue changed"
        case .desk: return "the desk came or went"
        case .ask(let notice): return "an own ask: \(notice)"
        case .asks: return "other asks wait"
        case .form(let form): return "form \(form.form.number): \(form.state ?? .kept)"
        case .counter(let notice): return "at the desk: \(notice)"
        }
    }

    private func told(_ notice: PartyNotice) -> String {
        switch notice {
        case .candidate(let key): "\(person(key)) has the code of the party"
        case .line(let line): "\(person(line.author)) says to the party: \"\(line.line.text)\""
        case .changed: "the party changed"
        case .removed(let key, let by): "\(person(by)) took \(person(key)) out of the party"
        }
    }

    private func words(_ item: TimelineItem) -> String {
        guard case .chat(let line) = item.what else { return "" }
        return ": \"\(line.text)\""
    }

    private func offered(_ wish: Wish) -> String {
        wish.offered.isEmpty ? "nothing any more" : Self.list(wish.offered.map(names.seat))
    }

    private func told(_ what: SwapNotice.What) -> String {
        switch what {
        case .requested: "it came, say yes or no"
        case .countered: "something else is offered, say yes or no"
        case .ready(let key): "\(person(key)) consents"
        case .declined(let key): "\(person(key)) declines"
        case .withdrawn: "it was taken back"
        case .expired: "its time is up"
        case .lapsed: "the consent lapsed"
        case .binding: "votes are collected"
        case .committed: "agreed, confirming"
        case .final: "you may move"
        case .aborted(let failure): "it ended without a swap, \(failed(failure))"
        case .stranded: "the seat is held by a yes without an outcome"
        }
    }

    private func failed(_ failure: SwapFailure) -> String {
        switch failure {
        case .check: "a check failed"
        case .refused(let key): "\(person(key)) signed a no"
        case .silence: "not all votes came in time"
        case .cancelled: "it was stopped"
        case .restart: "the agent was started anew"
        }
    }

    private func told(_ notice: Verification.Notice, about key: PeerKey) -> String {
        switch notice {
        case .asked: "\(person(key)) wants to compare codes"
        case .code(let secret): "compare with \(person(key)): \(secret.text)"
        case .verified: "\(person(key)) is verified"
        case .alarm: "ALARM: somebody may stand between you and \(person(key))"
        case .ended(let reason): "the comparison with \(person(key)) is over, \(reason)"
        }
    }

    private mutating func told(_ trouble: Trouble) -> String {
        switch trouble {
        case .keyRunsTwice: return "this key runs in another process"
        case .runsTwice(let key): return "the key of \(person(key)) runs twice"
        case .ownFork: return "the own log forked"
        case .fork(let proof):
            return "\(person(proof.author)) signed two things at one position: "
                + "\(entry(proof.first)) and \(entry(proof.second))"
        case .misdeed(let misdeed): return "\(person(misdeed.author)) signed what excludes itself"
        case .violation: return "the map breaks a rule"
        case .divergence(let key): return "\(person(key)) has another map of the same logs"
        case .operatorTwice: return "the operator signed two texts under one revision"
        case .wordsWait: return "newer words of the operator count later"
        case .ledger(let trouble): return "the ledgers: \(trouble)"
        case .otherVersion(let key): return "\(person(key)) follows other rules"
        case .otherFlight: return "an agent of another flight is here"
        case .aliasOnly(let key, _): return "\(person(key)) is on this flight by another number"
        }
    }
}
