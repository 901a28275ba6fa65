// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Protocol
import Terminal
package import Text
import Wording

/// The agent's answers to the view's questions.
extension ViewState {
    /// Handles an answer.
    package mutating func answered(
        _ purpose: Purpose, _ answer: Result<JSON, UserError>
    ) -> [ViewIntent] {
        if purpose == .talk { lookingUp = nil }
        do throws(UserError) {
            let result = try answer.get()
            do throws(JSONFault) {
                return try succeeded(purpose, result)
            } catch {
                throw .unreadable(error.sentence)
            }
        } catch {
            failed(purpose, error)
            return []
        }
    }

    /// Handles the result; each purpose has its own kind of answer.
    private mutating func succeeded(
        _ purpose: Purpose, _ result: JSON
    ) throws(JSONFault) -> [ViewIntent] {
        switch purpose {
        case .status: took(try AgentStatus(told: result))
        case .peers: took(peers: try PeerList(told: result).peers)
        case .seats:
            map = try SeatList(told: result).seats
            remark()
        case .requests:
            requests = try RequestList(told: result).requests
            requestsAt = now
            remark()
        case .history: history(try Op.Log.Reply(told: result).items.map(\.event))
        case .say: delivered(try Op.Say.Reply(told: result))
        // Its event brings the line of its own conversation.
        case .message(let text, let key): echo(text, to: key, try PrivateMessage(told: result))
        case .talk, .talkAndSend: return talk(purpose, with: try PersonFacts(told: result))
        case .draft(let asked, let line): ask(try SwapDraft(told: result), asked, line)
        case .asked, .answered, .declined, .cancelled, .forced:
            told(purpose, try SwapRequest(told: result))
        case .verify: verifying(try Comparing(told: result))
        case .compared:
            if try Comparing(told: result).state == .matched {
                note("Waiting for the other side to say so too.")
            } else {
                stale.insert([.peers, .status])
            }
        case .party: took(try PartyStatus(told: result))
        case .venue: took(try VenueStatus(told: result))
        case .days(let first): took(try BookFacts(told: result), from: first)
        case .friend(let tag): took(try Op.Friend.Reply(told: result), tag: tag)
        case .plans(let verb): took(try MatchPlans(told: result), by: verb)
        case .sayToParty: _ = try Op.SayToParty.Reply(told: result)
        case .claimed(let old):
            return [
                .ask(
                    Op.Release(seat: old),
                    .told("Everyone can see your new seat. \(old) is not yours any more."))
            ]
        case .told(let words):
            note(words)
            stale.insert([.status, .peers, .seats])
        }
        return []
    }

    private mutating func took(_ told: AgentStatus) {
        let isRedrawn = told.cabin != status?.cabin
        // Who comes to the meeting point or goes from there says no word of it.
        if told.remote != status?.remote { stale.insert(.peers) }
        status = told
        statusAt = now
        if isRedrawn { redraw(told.cabin) }
        askAboutCabin(CabinAskText(told.cabinAsked))
    }

    private mutating func verifying(_ comparing: Comparing) {
        if comparing.state == .compare, let who = comparing.who {
            compare(with: who, code: comparing.code)
        } else {
            note("Waiting: \(WhoText.full(comparing.who)) has to verify you too.")
        }
    }

    /// Another layout: the cursor must be on one of its seats.
    private mutating func redraw(_ told: JSON) {
        cabin = CabinLayout(told: told) ?? .standard
        cursor = cursor.flatMap(cabin.nearest(to:))
        remark()
    }

    private mutating func took(peers list: [Peer]) {
        peers = list
        passengers = [:]
        for peer in list { passengers[peer.key] = peer }
        remark()
    }

    private mutating func remark() {
        marks = SeatMarks.marks(
            map: map, peers: peers, requests: requests, cabin: cabin)
        if focus == .request, !waiting.contains(where: { $0.number == boxed }) {
            boxed = waiting.first?.number
            if boxed == nil { focus = .input }
        }
    }

    /// Marks a line that was said with the number of agents that have it.
    private mutating func delivered(_ said: Op.Say.Reply) {
        guard let id = said.id else { return }
        let mark = said.linked > 0 ? DeliveryMark.delivered(said.linked) : .failed
        if conversations[0].mark(id: id, mark) { return }
        deliveries.append((id, mark))
        if deliveries.count > 100 { deliveries.removeFirst() }
    }

    /// Repeats a message in the conversation where it was typed, if that is not its own.
    private mutating func echo(_ text: String, to key: String, _ message: PrivateMessage) {
        guard conversation.key != key else { return }
        let own = conversations.first { $0.key == key }?.lines.last { $0.id == message.id }
        let name = passengers[key].map { WhoText.seated($0.person) } ?? "#?"
        let mark =
            own?.mark ?? (message.state == .acknowledged ? DeliveryMark.delivered(1) : .waiting)
        conversations[current].append(
            ChatLine(
                clock: "", content: .note("to \(name): \(text)", id: message.id), mark: mark),
            seen: true)
    }

    private mutating func talk(_ purpose: Purpose, with found: PersonFacts) -> [ViewIntent] {
        let who = found.peer.person
        guard !who.me else {
            notice = "That is you."
            return []
        }
        let index = place(of: who.key, name: WhoText.short(who))
        guard case .talkAndSend(let text, to: let word) = purpose else {
            // What was typed since is meant for them.
            let (old, typed) = (current, editor.text)
            open(index)
            if editor.isEmpty, old != current {
                conversations[old].draft = ""
                editor.replace(with: typed)
            }
            return []
        }
        return [.ask(Op.Message(who: word, text: text), .message(text, key: who.key))]
    }

    private mutating func ask(_ draft: SwapDraft, _ what: Drafted, _ line: String?) {
        guard let consent = RequestText.consent(draft, cabin) else {
            notice = "That seat cannot be asked for as things stand."
            return
        }
        warn(RequestText.warnings(draft))
        var asked = what
        asked.shown(draft)
        let risk =
            asked.terms.unverified ? nil : RequestText.risk(draft.risk).map { $0 + " y/n" }
        if risk != nil { asked.terms.unverified = true }
        putLater(
            Question(
                sentence: consent.question + " y/n", lines: consent.lines,
                intent: .call(asked.call, .asked), second: risk, line: line))
    }

    private mutating func told(_ purpose: Purpose, _ request: SwapRequest) {
        stale.insert([.requests, .status, .seats])
        switch purpose {
        case .declined: note("You said no to request \(request.number).")
        case .forced:
            note("Your old seat is claimed anew. If the swap was made after all, it counts.")
        case .cancelled: note("Request \(request.number): \(request.state.text).")
        // The event of the step brings a line.
        case .status, .peers, .seats, .requests, .history, .say, .message, .talk, .talkAndSend,
            .draft, .asked, .answered, .verify, .compared, .claimed, .told, .party, .sayToParty,
            .plans, .venue, .days, .friend:
            break
        }
    }

    /// Reports what went wrong; words that were not sent come back to the line.
    private mutating func failed(_ purpose: Purpose, _ error: UserError) {
        switch purpose {
        case .status, .peers, .seats, .requests, .history, .party, .venue, .days, .friend: return
        case .plans(let verb): return foundNothing(error, by: verb)
        case _ where error.code == .unreachable:
            // The agent may have done it before it went away.
            if case .say(let text) = purpose { editor.keep(text) }
            if case .message(let text, _) = purpose { editor.keep(text) }
            if case .sayToParty(let text) = purpose { editor.keep(text) }
            return tell(error)
        case .say(let text): giveBack(text, to: nil)
        case .sayToParty(let text): giveBack(text, to: Conversation.party)
        case .message(let text, let key): giveBack(text, to: key)
        case .draft(let asked, _): editor.keep(asked.typed)
        case .talk, .talkAndSend, .asked, .answered, .declined, .cancelled, .forced, .verify,
            .compared, .claimed, .told:
            break
        }
        tell(error)
    }

    private mutating func giveBack(_ text: String, to key: String?) {
        // Up brings it back; if nothing was typed meanwhile, it is in the line again.
        completion = nil
        editor.keep(text)
        if conversation.key == key, editor.isEmpty { editor.replace(with: text) }
    }
}
