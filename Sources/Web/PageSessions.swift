// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Which requests of pages are new, which are repeated, and what was answered to them
/// (docs/page.md section 2). A value without keys, clocks and sockets.
///
/// Whoever listens can send again what they heard, but nothing of it is done twice: a request
/// counts for one start of the server, its number is taken once, and a question that a page asks
/// again gets the answer that it got.
package struct PageSessions: Sendable {
    /// What comes of a request.
    package enum Outcome: Hashable, Sendable {
        /// The page asks which start of the server this is: nothing of it is kept.
        case hello(highest: UInt64)
        /// A new question.
        case new(PageCall)
        /// One that was answered: the answer, before it is sealed.
        case again([UInt8])
        /// One that is being answered, or one more than are answered at once.
        case busy
        /// It is for another start of the server: the page has to ask for the session.
        case otherStart
        /// Its number came before.
        case repeated
    }

    /// People of whom something is kept; the one who was quiet the longest makes room.
    package static let most = 256
    /// Answers that are kept for one page.
    package static let answers = 64
    /// Bytes of answers that are kept for one page.
    package static let answerBytes = 1 << 18

    private struct Known: Sendable {
        var window = NumberWindow()
        /// Questions and what was answered, the latest last; `nil` while one is being answered.
        var answered: [(id: PageID, text: [UInt8]?)] = []
        /// When the page was heard, in turns of the server.
        var turn: UInt64 = 0

        var bytes: Int { answered.reduce(0) { $0 + ($1.text?.count ?? 0) } }
    }

    /// This start of the server.
    package let session: PageID
    private var known: [Bytes32: Known] = [:]
    /// Pages that are somebody's: they never make room for others.
    private var kept: Set<Bytes32> = []
    private var turn: UInt64 = 0

    /// For a start of the server; `session` is random.
    package init(session: PageID) { self.session = session }

    /// Pages of which something is kept.
    var count: Int { known.count }

    /// Takes what a page has sent, once its box is open.
    package mutating func take(_ call: PageCall, from key: Bytes32) -> Outcome {
        turn += 1
        if call.session == .unknown {
            return .hello(highest: known[key]?.window.highest ?? 0)
        }
        guard call.session == session else { return .otherStart }
        var page = known[key] ?? Known()
        page.turn = turn
        guard page.window.take(call.number) else { return .repeated }
        defer { keep(page, key) }
        if let before = page.answered.first(where: { $0.id == call.id }) {
            return before.text.map { .again($0) } ?? .busy
        }
        // What is being answered has to stay, or it could be begun twice.
        guard page.answered.count(where: { $0.text == nil }) < Self.answers else { return .busy }
        page.answered.append((call.id, nil))
        return .new(call)
    }

    /// Remembers an answer: whoever asks the same question again gets it. Of what changes nothing
    /// (`keeps` is false) the question is forgotten, and may be asked anew.
    package mutating func answer(_ id: PageID, of key: Bytes32, with text: [UInt8], keeps: Bool) {
        guard var page = known[key], let index = page.answered.firstIndex(where: { $0.id == id })
        else { return }
        if keeps {
            page.answered[index].text = text
        } else {
            page.answered.remove(at: index)
        }
        trim(&page)
        known[key] = page
    }

    /// Keeps what is known of somebody's page, whoever else comes.
    package mutating func keep(_ key: Bytes32) { kept.insert(key) }

    /// A page is nobody's any more: its answers go. Which numbers came stays, or what was heard of
    /// it could be sent again.
    package mutating func forget(_ key: Bytes32) { known[key]?.answered = [] }

    private mutating func keep(_ page: Known, _ key: Bytes32) {
        var page = page
        trim(&page)
        known[key] = page
        let others = known.filter { !kept.contains($0.key) }
        guard others.count > Self.most else { return }
        // Turns are all different, so the order of the dictionary is not seen.
        if let oldest = others.min(by: { $0.value.turn < $1.value.turn }) {
            known[oldest.key] = nil
        }
    }

    /// Answers that are given go first: what is being answered has to stay.
    private func trim(_ page: inout Known) {
        var bytes = page.bytes
        while page.answered.count > Self.answers || bytes > Self.answerBytes {
            guard let index = page.answered.firstIndex(where: { $0.text != nil }) else { return }
            bytes -= page.answered[index].text?.count ?? 0
            page.answered.remove(at: index)
        }
    }
}
