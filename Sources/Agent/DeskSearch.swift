// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Store
import Text

/// Looking for what was said.
extension ControlDesk {
    func search() throws(UserError) -> Outcome {
        let query = try SearchQuery(try request.text("text"))
        let limit = min(max(try request.optionalNumber("limit") ?? 50, 1), searchLimit)
        let found: (hits: [SearchHit], more: Bool)
        do throws(StoreError) {
            found = try host.search(query, limit: limit)
        } catch {
            throw UserError(.file, "the flight's file cannot be searched", why: error.words)
        }
        let scribe = EventScribe(host: host)
        let past = PastStandings(host.node.timeline)
        let items = found.hits.compactMap { hit -> JSON? in
            switch hit {
            case .chat(let entry, let seen):
                guard case .chat(let line) = entry.body else { return nil }
                var item = TimelineItem(
                    at: seen, author: entry.author, id: entry.id, what: .chat(line))
                item.standing = past.standing(of: entry.author, at: seen)
                return scribe.item(item)?.json.adding(["where": "all"])
            case .message(let message):
                let place: JSON = message.outgoing ? "to" : "from"
                return scribe.at(message.at, past).message(message).json.adding(["where": place])
            }
        }
        return .done(["items": .array(items), "more": .bool(found.more)])
    }
}
