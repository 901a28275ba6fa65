// SPDX-License-Identifier: Apache-2.0
import Aviation
import Grammar
import Protocol
import Terminal
package import Text
import Wording

/// Answers of the agent to what the view asked.
extension ViewState {
    /// Takes an answer.
    package mutating func answered(
        _ purpose: Purpose, _ answer: Result<JSON, UserError>
    ) -> [ViewIntent] {
        if purpose == .talk { lookingUp = nil }
        switch answer {
        case .success(let result): return succeeded(purpose, result)
        case .failure(let error):
            failed(purpose, error)
            return []
        }
    }

    private mutating func succeeded(_ purpose: Purpose, _ result: JSON) -> [ViewIntent] {
        switch purpose {
        case .status:
            if result["cabin"] != status["cabin"] { redraw(result["cabin"]) }
            status = result
            statusAt = now
            askAboutCabin(CabinAskText(result["cabin_asked"]))
        case .peers: took(peers: result["peers"]?.list ?? [])
        case .seats:
            map = result
            remark()
        case .requests:
            requests = result["requests"]?.list ?? []
            requestsAt = now
            remark()
        case .history: history(result["items"]?.list ?? [])
        case .say: delivered(result)
        // Its event brings the line of its own conversation.
        case .message(let text, let key): echo(text, to: key, result)
        case .talk, .talkAndSend: return talk(purpose, with: result)
        case .draft(let arguments, let line): ask(result, arguments, line)
        case .asked, .answered, .declined, .cancelled, .forced: told(purpose, result)
        case .verify where result["state"] == "compare": compare(result)
        case .verify: note("Waiting: \(WhoText.full(result["who"])) has to verify you too.")
        case .compared where result["state"] == "matched":
            note("Waiting for the other side to say so too.")
        case .compared: stale.insert([.peers, .status])
        case .claimed(let old):
            return [
                .ask(
                    op: "release", arguments: ["seat": .string(old)],
                    .told("Everyone can see your new seat. \(old) is not yours any more."))
            ]
        case .told(let words):
            note(words)
            stale.insert([.status, .peers, .seats])
        }
        return []
    }

    /// Another layout: the cursor must stand on a seat of it.
    private mutating func redraw(_ told: JSON?) {
        cabin = CabinLayout(told: told) ?? .standard
        cursor = cursor.flatMap(cabin.nearest(to:))
        remark()
    }

    private mutating func took(peers list: [JSON]) {
        peers = list
        passengers = [:]
        for peer in list { if let key = peer["key"]?.text { passengers[key] = peer } }
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

    /// How many agents have a line that was said.
    private mutating func delivered(_ result: JSON) {
        guard let id = result["id"]?.text else { return }
        let linked = result["linked"]?.number ?? 0
        let mark = linked > 0 ? DeliveryMark.delivered(linked) : .failed
        if conversations[0].mark(id: id, mark) { return }
        deliveries.append((id, mark))
        if deliveries.count > 100 { deliveries.removeFirst() }
    }

    /// A message that was typed elsewhere than in its own conversation stands there too.
    private mutating func echo(_ text: String, to key: String, _ result: JSON) {
        guard conversation.key != key, let id = result["id"]?.text else { return }
        let own = conversations.first { $0.key == key }?.lines.last { $0.id == id }
        let name = passengers[key].map { WhoText.seated($0) } ?? "#?"
        let mark =
            own?.mark ?? (result["state"] == "acknowledged" ? DeliveryMark.delivered(1) : .waiting)
        conversations[current].append(
            ChatLine(clock: "", kind: .note, text: "to \(name): \(text)", id: id, mark: mark),
            seen: true)
    }

    private mutating func talk(_ purpose: Purpose, with who: JSON) -> [ViewIntent] {
        guard let key = who["key"]?.text, !WhoText.isMe(who) else {
            notice = "That is you."
            return []
        }
        let index = place(of: key, name: WhoText.short(who))
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
        return [
            .ask(
                op: "msg", arguments: ["who": .string(word), "text": .string(text)],
                .message(text, key: key))
        ]
    }

    private mutating func ask(_ draft: JSON, _ arguments: [String: JSON], _ line: String?) {
        guard draft["who"] != nil else {
            notice = "That seat cannot be asked for as things stand."
            return
        }
        let give = cabin.described(visible(draft["give"]?.text ?? "?", cells: 4))
        let take = cabin.described(visible(draft["take"]?.text ?? "?", cells: 4))
        warn(RequestText.warnings(draft))
        var arguments = arguments
        if let key = draft["who"]?["key"] { arguments["holder"] = key }
        let risk =
            arguments["unverified"] == true
            ? nil : RequestText.risk(draft).map { $0 + " y/n" }
        if risk != nil { arguments["unverified"] = true }
        putLater(
            Question(
                sentence: "Ask \(WhoText.full(draft["who"])) to swap your \(give) for \(take)? y/n",
                intent: .ask(op: "swap", arguments: arguments, .asked), second: risk, line: line))
    }

    private mutating func told(_ purpose: Purpose, _ result: JSON) {
        stale.insert([.requests, .status, .seats])
        let request = RequestText(request: result)
        switch purpose {
        case .declined: note("You said no to request \(request.number).")
        case .forced:
            note("Your old seat is claimed anew. If the swap was made after all, it counts.")
        case .cancelled: note("Request \(request.number): \(request.state).")
        // The event of the step brings a line.
        default: break
        }
    }

    /// Says what went wrong; words that were not sent come back into the line.
    private mutating func failed(_ purpose: Purpose, _ error: UserError) {
        switch purpose {
        case .status, .peers, .seats, .requests, .history: return
        case _ where error.code == .unreachable:
            // It may have been done before the agent went away.
            if case .say(let text) = purpose { editor.keep(text) }
            if case .message(let text, _) = purpose { editor.keep(text) }
            return tell(error)
        case .say(let text): giveBack(text, to: nil)
        case .message(let text, let key): giveBack(text, to: key)
        case .draft(let arguments, _):
            if let seat = arguments["seat"]?.text {
                let note = arguments["note"]?.text.map { " " + $0 } ?? ""
                let line = RequestLine(op: "swap", arguments: arguments).text
                let isPlain = arguments.keys.allSatisfy { ["seat", "note"].contains($0) }
                editor.keep(
                    isPlain ? "/swap \(seat)\(note)" : line.map(SlashTable.asTyped) ?? "/swap")
            }
        default: break
        }
        tell(error)
    }

    private mutating func giveBack(_ text: String, to key: String?) {
        // Up brings it back; where nothing was typed meanwhile, it stands there again.
        completion = nil
        editor.keep(text)
        if conversation.key == key, editor.isEmpty { editor.replace(with: text) }
    }
}
