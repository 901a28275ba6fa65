// SPDX-License-Identifier: Apache-2.0
/// What happened, for one page, with numbers: a page that lost its connection goes on behind the
/// last one that it saw (docs/page.md section 3).
package struct PageEvents: Hashable, Sendable {
    /// Events that are kept.
    package static let most = 512
    /// Bytes of events that are kept.
    package static let bytes = 1 << 18

    /// An event.
    package struct Event: Hashable, Sendable {
        /// Counts up from 1.
        package let number: UInt64
        /// JSON.
        package let text: [UInt8]
    }

    private var events: [Event] = []
    private var size = 0
    /// The number of the latest event; 0 before the first.
    package private(set) var last: UInt64 = 0

    /// Nothing happened yet.
    package init() {}

    /// Something happens.
    package mutating func add(_ text: [UInt8]) {
        last += 1
        events.append(Event(number: last, text: text))
        size += text.count
        var gone = 0
        while events.count - gone > Self.most || size > Self.bytes, gone < events.count {
            size -= events[gone].text.count
            gone += 1
        }
        events.removeFirst(gone)
    }

    /// What happened after the event with that number; `nil` if some of it is not kept any more, or
    /// if it is of another start of the server: the page has to read everything anew.
    package func after(_ number: UInt64) -> ArraySlice<Event>? {
        guard number <= last else { return nil }
        let first = last - UInt64(events.count)
        guard number >= first else { return nil }
        return events[Int(number - first)...]
    }
}
