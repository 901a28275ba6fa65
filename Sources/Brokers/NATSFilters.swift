// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of one connection, by their number on the wire.
struct NATSFilters {
    /// One of them.
    struct Filter {
        /// As it was asked for.
        var text: String
        var subject: String
        /// Where what is kept of it lies; `nil` where nothing is.
        var stream: String?
        var token: Int
        /// Where to read on; `nil` once it is read as far as it is.
        var next: Int? = 1
        var count = 0
        /// Subjects of which something came live while it was read.
        var live: Set<String> = []
    }

    private var open: [Int: Filter] = [:]
    private var last = 1

    /// Messages that are read of one: more than a bucket has.
    static let most = 1000

    subscript(number: Int) -> Filter? { open[number] }

    mutating func add(_ text: String, _ subject: String, stream: String?, _ token: Int) -> Int {
        last += 1
        open[last] = Filter(text: text, subject: subject, stream: stream, token: token)
        return last
    }

    mutating func remove(_ number: Int) { open[number] = nil }

    func number(of text: String) -> Int? { open.first { $0.value.text == text }?.key }

    /// Those of one subject.
    func of(_ subject: String) -> [(Int, Filter)] {
        open.filter { $0.value.subject == subject }.map { ($0.key, $0.value) }
    }

    /// Notes what came live; nothing is noted once all is read.
    mutating func saw(_ subject: String, _ number: Int) {
        guard let filter = open[number], filter.stream != nil, filter.next != nil,
            filter.live.count < Self.most
        else { return }
        open[number]?.live.insert(subject)
    }

    /// Notes what was read; whether it is what was asked for: a server that goes back would be read
    /// for ever.
    mutating func reads(_ sequence: Int, of subject: String, _ number: Int) -> Bool {
        guard let filter = open[number], let next = filter.next, sequence >= next,
            Self.matches(filter.subject, subject)
        else { return false }
        open[number]?.count += 1
        open[number]?.next = filter.count + 1 < Self.most ? sequence + 1 : nil
        return true
    }

    /// Nothing more is read of it.
    mutating func isRead(_ number: Int) {
        open[number]?.next = nil
        open[number]?.live = []
    }

    /// Whether a pattern names a subject: `*` stands for one word.
    static func matches(_ pattern: String, _ subject: String) -> Bool {
        let (want, have) = (words(pattern), words(subject))
        return want.count == have.count && zip(want, have).allSatisfy { $0 == "*" || $0 == $1 }
    }

    private static func words(_ text: String) -> [Substring] {
        text.split(separator: ".", omittingEmptySubsequences: false)
    }
}
