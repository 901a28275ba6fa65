// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Text
import Wording

/// The user's party of companions: its conversation, and who wants to be in it.
extension ViewState {
    /// Opens the conversation of the party.
    mutating func openParty() { open(place(of: Conversation.party, name: Conversation.party)) }

    /// Something happened in the party.
    mutating func party(_ news: PartyNews, _ event: ControlEvent) -> [ViewIntent] {
        switch news.change {
        case .known(.said):
            said(toParty: news, event, live: true)
            return []
        case .known(.asked):
            guard let who = news.who else { return [] }
            happened(event)
            askWhetherCompanion(who)
        case .known(.removed): happened(event)
        case .known(.changed), .other: break
        }
        stale.insert([.peers, .seats, .status])
        // Whoever has an answer by now, from a command say, is not asked about any more.
        return [.ask(Op.Party(), .party)]
    }

    /// A line of the party.
    mutating func said(toParty news: PartyNews, _ event: ControlEvent, live: Bool) {
        guard news.change == .said, let who = news.who, let text = news.text, let id = news.id
        else { return }
        let index = place(of: Conversation.party, name: Conversation.party)
        guard !conversations[index].holds(id: id) else { return }
        let line = ChatLine(
            clock: EventText.time(of: event),
            content: .chat(ChatNews(who: who, text: text, id: id, saidAt: news.saidAt)))
        conversations[index].append(line, seen: !live || isSeen(index))
    }

    /// The party as it is now. A page about it is made anew.
    mutating func took(_ party: PartyStatus) {
        if party.code != nil { _ = place(of: Conversation.party, name: Conversation.party) }
        let open = Set(party.candidates.map(\.key))
        if let candidate = question?.candidate, !open.contains(candidate) { question = nil }
        following.removeAll { $0.candidate.map { !open.contains($0) } ?? false }
        _ = putFollowing()
        for who in party.candidates { askWhetherCompanion(who) }
        let title = "/\(Verb.party.rawValue)"
        let words = SlashWords.split(page?.title ?? "")
        guard focus == .page, words.first == title else { return }
        switch words.dropFirst().first.flatMap({ PartyWord(rawValue: $0) }) {
        case .show, .new, .invite, .join, .yes, .trust, nil:
            page = Page(
                title: title, lines: PartyWords.lines(party) + PartyWords.next(party, slash: true))
        // What these say is not about who is in it now.
        case .no, .say, .remove, .leave: break
        }
    }

    private mutating func askWhetherCompanion(_ who: Person) {
        let isAsked = { (asked: Question) in asked.candidate == who.key }
        if question.map(isAsked) == true || following.contains(where: isAsked) { return }
        let name = WhoText.full(who)
        putLater(
            Question(
                sentence: PartyWords.question(who) + " y/n",
                intent: .ask(
                    Op.AnswerParty(who: who.key, companion: true),
                    .told("\(name) is of your party now. F3 finds seats side by side.")),
                otherwise: .ask(
                    Op.AnswerParty(who: who.key, companion: false),
                    .told(
                        "\(name) is not of your party, but has its code and can read it. "
                            + "/party remove \(who.tag) --yes makes a new one.")),
                candidate: who.key))
    }
}
