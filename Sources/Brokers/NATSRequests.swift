// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What a server was asked and has not answered yet. JetStream answers a request under a subject of
/// its own, and says nothing where a machine died with it; so each has its time.
struct NATSRequests {
    /// What was asked for.
    enum What {
        /// To keep a message: the ask's number.
        case put(Int)
        /// The next kept message of the subscription with this number.
        case read(Int)
        /// What a stream is.
        case look(String)
    }

    /// One request as it was sent.
    struct Request {
        var what: What
        var subject: String
        /// Kept only where it is asked again.
        var body: [UInt8]
        var due: Instant
        var tries = 1
    }

    private var open: [Int: Request] = [:]
    private var last = 0

    /// A message is not waited for longer, since its author writes it again.
    static let patience = TimeSpan.seconds(10)
    /// A question is asked again after so long,
    static let again = TimeSpan.seconds(5)
    /// and so soon where nobody answers, as while a cluster elects.
    static let soon = TimeSpan.seconds(1)
    /// Times that a question is asked.
    static let tries = 4

    var count: Int { open.count }

    /// Whether a stream was asked what it is.
    var isLooking: Bool {
        open.values.contains { if case .look = $0.what { true } else { false } }
    }

    /// Whether something is on its way into a stream.
    var isPutting: Bool { open.values.contains { if case .put = $0.what { true } else { false } } }

    /// The number of a new one.
    mutating func add(_ what: What, _ subject: String, _ body: [UInt8], at now: Instant) -> Int {
        last += 1
        let isPut = if case .put = what { true } else { false }
        let wait = isPut ? Self.patience : Self.again
        open[last] = Request(
            what: what, subject: subject, body: isPut ? [] : body, due: now + wait)
        return last
    }

    /// The one that an answer is for.
    mutating func answered(_ number: Int) -> Request? { open.removeValue(forKey: number) }

    /// Asks later once more; whether it may be.
    mutating func postpone(_ number: Int, _ request: Request, at now: Instant) -> Bool {
        if case .put = request.what { return false }
        guard request.tries < Self.tries else { return false }
        open[number] = request
        open[number]?.due = now + Self.soon
        return true
    }

    /// Those whose time is over: what is asked once more, and what is given up.
    mutating func due(at now: Instant) -> (again: [(Int, Request)], lost: [Request]) {
        var again: [(Int, Request)] = []
        var lost: [Request] = []
        for (number, request) in open where request.due <= now {
            let isPut = if case .put = request.what { true } else { false }
            guard !isPut, request.tries < Self.tries else {
                open[number] = nil
                lost.append(request)
                continue
            }
            open[number]?.tries += 1
            open[number]?.due = now + Self.again
            again.append((number, request))
        }
        return (again, lost)
    }

    /// Takes those back whose subject a server refused.
    mutating func refused(_ subject: String) -> [Request] {
        let found = open.filter { $0.value.subject == subject }
        for number in found.keys { open[number] = nil }
        return Array(found.values)
    }

    /// Nothing is read any more for a subscription.
    mutating func forget(reading number: Int) {
        open = open.filter {
            if case .read(number) = $0.value.what { false } else { true }
        }
    }
}
