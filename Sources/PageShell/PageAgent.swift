// SPDX-License-Identifier: Apache-2.0
import Keys
import Profile
import Protocol
import System
import Text
import Web

/// An agent that pages show: the link to it, what happened, and who hears it.
final class PageAgent {
    /// A page that hears what happens.
    private struct Stream {
        let page: Bytes32
        let feed: HTTPFeed
    }

    private(set) var link: AgentLink?
    private var events = PageEvents()
    private var streams: [Int: Stream] = [:]
    private var lastStream = 0
    private let seal: (_ number: UInt64, _ text: [UInt8], _ page: Bytes32) -> [UInt8]?
    /// Called when the agent answers, and when it does not any more.
    var onPresence: (Bool) -> Void = { _ in }

    /// The agent at `address`; `seal` makes an event of a number and a text for a page.
    init(
        _ address: ControlAddress, loop: EventLoop,
        seal: @escaping (_ number: UInt64, _ text: [UInt8], _ page: Bytes32) -> [UInt8]?
    ) {
        self.seal = seal
        link = AgentLink(address, loop: loop) { [weak self] in self?.hear($0) }
    }

    /// Streams that are open.
    var streamCount: Int { streams.count }

    /// Opens a stream behind the event of that number; `nil` for a page that knows none.
    func open(_ exchange: HTTPExchange, of page: Bytes32, after: UInt64?) {
        lastStream += 1
        let number = lastStream
        exchange.onEnd = { [weak self] in self?.streams[number] = nil }
        let stream = Stream(page: page, feed: exchange.stream())
        streams[number] = stream
        let missed = after.flatMap { events.after($0) }
        let first: JSON = [
            "event": "stream", "last": .string(String(events.last)), "whole": .bool(missed != nil),
            "here": .bool(link?.isHere ?? false),
        ]
        write(0, Array(first.line.utf8), to: stream)
        for event in missed ?? [] { write(event.number, event.text, to: stream) }
    }

    /// Whether a page hears what happens: it is open.
    func isOpen(_ page: Bytes32) -> Bool { streams.values.contains { $0.page == page } }

    /// Ends the streams of a page whose agent it is no more.
    func end(_ page: Bytes32) {
        for (number, stream) in inOrder where stream.page == page {
            stream.feed.end()
            streams[number] = nil
        }
    }

    /// Tells all pages of it.
    func tell(_ json: JSON) {
        let text = Array(json.line.utf8)
        events.add(text)
        for (_, stream) in inOrder { write(events.last, text, to: stream) }
    }

    /// A line that means nothing: it shows whether somebody still reads.
    func pulse() {
        for (_, stream) in inOrder { stream.feed.write(Array(": \n\n".utf8)) }
    }

    /// Ends all streams and the link.
    func stop() {
        link?.stop()
        for (_, stream) in inOrder { stream.feed.end() }
        streams.removeAll()
    }

    private var inOrder: [(Int, Stream)] {
        streams.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func hear(_ news: AgentLink.News) {
        switch news {
        case .event(let json): tell(json)
        case .isHere(let isHere):
            tell(["event": "agent", "here": .bool(isHere)])
            onPresence(isHere)
        }
    }

    private func write(_ number: UInt64, _ text: [UInt8], to stream: Stream) {
        guard let body = seal(number, text, stream.page) else { return stream.feed.end() }
        stream.feed.write(Array("data: \(Base64.encode(body))\n\n".utf8))
    }
}
