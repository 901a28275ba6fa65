// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Store
import Text

/// Searches for what was said.
extension ControlDesk {
    func search(_ asked: Op.Search) throws(UserError) -> Work<Op.Search.Reply> {
        let query = try SearchQuery(asked.text)
        let limit = min(max(asked.limit ?? 50, 1), searchLimit)
        let found: (hits: [SearchHit], more: Bool)
        do throws(StoreError) {
            found = try host.search(query, limit: limit)
        } catch {
            throw UserError(.file, "the flight's file cannot be searched", why: error.words)
        }
        let scribe = EventScribe(host: host)
        let past = PastStandings(host.node.timeline)
        let items = found.hits.compactMap { hit -> ToldEvent? in
            var event: ControlEvent?
            switch hit {
            case .chat(let entry, let seen):
                guard case .chat(let line) = entry.body else { return nil }
                var item = TimelineItem(
                    at: seen, author: entry.author, id: entry.id, what: .chat(line))
                item.standing = past.standing(of: entry.author, at: seen)
                event = scribe.item(item)
                event?.place = Word(.all)
            case .message(let message):
                event = scribe.at(message.at, past).message(message)
                event?.place = Word(message.outgoing ? .to : .from)
            }
            return event.map { ToldEvent($0) }
        }
        return .done(Op.Search.Reply(items: items, more: found.more))
    }
}
