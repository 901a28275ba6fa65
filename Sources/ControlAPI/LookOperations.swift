// SPDX-License-Identifier: Apache-2.0
package import Text

/// The operations of the control socket, one type each; `docs/control.md` says what they do.
package enum Op {}

extension Op {
    /// Who the agent is, and what it can do.
    package struct Hello: ControlOperation {
        /// Who answers.
        package struct Reply: Codable, Hashable, Sendable {
            /// Version of these objects.
            package var version: Int
            /// Version of the program.
            package var agent: String
            /// The commit that it was built from.
            @OrNull package var commit: String?
            /// Name of the profile.
            package var profile: String
            /// Process number.
            package var pid: Int
            /// What can be asked.
            package var operations: [Word<OperationName>]
            /// What can be watched.
            package var events: [Word<EventName>]

            /// Who answers.
            package init(
                version: Int, agent: String, commit: String?, profile: String, pid: Int,
                operations: [Word<OperationName>], events: [Word<EventName>]
            ) {
                self.version = version
                self.agent = agent
                self.commit = commit
                self.profile = profile
                self.pid = pid
                self.operations = operations
                self.events = events
            }
        }

        package static var operation: OperationName { .hello }
        package init() {}
    }

    /// Everything on one page.
    package struct Status: ControlOperation {
        package typealias Reply = AgentStatus
        package static var operation: OperationName { .status }
        package init() {}
    }

    /// Everybody known except the user.
    package struct Peers: ControlOperation {
        package typealias Reply = PeerList
        package static var operation: OperationName { .peers }
        package init() {}
    }

    /// Who holds which seat.
    package struct Seats: ControlOperation {
        package typealias Reply = SeatList
        package static var operation: OperationName { .seats }
        package init() {}
    }

    /// Everything known about one passenger.
    package struct Who: ControlOperation {
        package typealias Reply = PersonFacts
        package static var operation: OperationName { .who }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Asks about the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// Searches what was said.
    package struct Search: ControlOperation {
        /// What was found.
        package struct Reply: Codable, Hashable, Sendable {
            /// Newest first.
            package var items: [ToldEvent]
            /// Whether there are older ones.
            package var more: Bool

            /// What was found.
            package init(items: [ToldEvent], more: Bool) {
                self.items = items
                self.more = more
            }
        }

        package static var operation: OperationName { .search }
        /// The words.
        package var text: String
        /// The most lines.
        package var limit: Int?

        /// Searches for the words of `text`; gives at most `limit` lines.
        package init(text: String, limit: Int? = nil) {
            self.text = text
            self.limit = limit
        }
    }

    /// What was said and done.
    package struct Log: ControlOperation {
        /// The flight's history.
        package struct Reply: Codable, Hashable, Sendable {
            /// Oldest first.
            package var items: [ToldEvent]

            /// The flight's history.
            package init(items: [ToldEvent]) {
                self.items = items
            }
        }

        package static var operation: OperationName { .log }
        /// The oldest age in seconds.
        package var since: Int?
        /// How many of the last lines.
        package var limit: Int?

        /// Asks for what is not older than `since` seconds, at most the last `limit` lines.
        package init(since: Int? = nil, limit: Int? = nil) {
            self.since = since
            self.limit = limit
        }
    }

    /// All records, page by page.
    package struct Export: ControlOperation {
        /// A page.
        package struct Reply: Codable, Hashable, Sendable {
            /// Base64.
            package var data: String
            /// Records in it.
            package var entries: Int
            /// The position for the next request.
            @OrNull package var next: String?

            /// A page.
            package init(data: String, entries: Int, next: String?) {
                self.data = data
                self.entries = entries
                self.next = next
            }
        }

        package static var operation: OperationName { .export }
        /// The `next` of the page before.
        package var after: String?

        /// Asks for the page after `after`, or for the first.
        package init(after: String? = nil) {
            self.after = after
        }
    }

    /// The proof of a swap.
    package struct Receipt: ControlOperation {
        package typealias Reply = SwapReceipt
        package static var operation: OperationName { .receipt }
        /// Number of the request; the last swap where it is left out.
        package var request: Int?

        /// Asks for the receipt of that request, or of the last swap.
        package init(request: Int? = nil) {
            self.request = request
        }
    }

    /// Chooses which events come on this connection from now on.
    package struct Watch: ControlOperation {
        /// What is watched.
        package struct Reply: Codable, Hashable, Sendable {
            /// Names of events.
            package var events: [Word<EventName>]

            /// What is watched.
            package init(events: [Word<EventName>]) {
                self.events = events
            }
        }

        package static var operation: OperationName { .watch }
        /// Names of events; all where it is left out, none where it is empty.
        package var events: [Word<EventName>]?

        /// Watches these events; without a list, all.
        package init(events: [Word<EventName>]? = nil) {
            self.events = events
        }

        private enum CodingKeys: String, CodingKey { case events }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // Written as `null` it is a list that is left out, and so an empty one.
            events =
                container.contains(.events)
                ? try container.decode([Word<EventName>].self, forKey: .events) : nil
        }
    }
}
