// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
package import Profile
import Glibc
import Protocol
package import System
package import Text

/// The server's connection to an agent, for all pages that show it: asks, and hears what happens.
///
/// An agent that ends is asked for again, each second, until it is back: a page shows meanwhile
/// that it is away.
package final class AgentLink {
    /// What an agent says by itself.
    package enum News {
        /// Something happened: a line of docs/control.md.
        case event(JSON)
        /// It answers, or does not any more.
        case isHere(Bool)
    }

    /// Questions that wait for an answer at most.
    package static let most = 64
    /// How long it is before an agent that is away is asked for again.
    private static let pause = TimeSpan.seconds(1)
    /// How long a connection may take: the agent is on the same machine.
    private static let patience = TimeSpan.milliseconds(300)
    /// The longest pause, for one that takes connections and says nothing.
    private static let longest = TimeSpan.seconds(16)
    /// How long an answer may take.
    private static let answerPatience = TimeSpan.seconds(60)

    private let address: ControlAddress
    private let loop: EventLoop
    private let onNews: (News) -> Void
    private var client: ControlClient?
    private struct Question {
        let then: (Result<JSON, UserError>) -> Void
        let late: TimerToken
    }

    private var waiting: [Int: Question] = [:]
    private var again: TimerToken?
    private var wait = AgentLink.pause

    /// A link to the agent at `address`. Nothing is connected before ``connect()``.
    package init(_ address: ControlAddress, loop: EventLoop, onNews: @escaping (News) -> Void) {
        self.address = address
        self.loop = loop
        self.onNews = onNews
    }

    deinit { stop() }

    /// Whether the agent answers.
    package var isHere: Bool { client != nil }

    /// Connects, now and whenever the agent is back.
    package func connect() {
        guard client == nil else { return }
        let begin = loop.clock()
        do throws(UserError) {
            let client = try ControlClient(address, deadline: loop.clock() + Self.patience)
            // An agent that does not read must not hold up all pages: the link is given up then.
            _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
            try client.send(ControlCall(operation: .watch, arguments: .object([:])))
            do throws(SystemError) {
                try loop.watch(client.descriptor, .read) { [weak self] _ in self?.read() }
            } catch {
                throw UserError(.failed, "the agent cannot be watched", why: "\(error)")
            }
            self.client = client
            wait = Self.pause
            onNews(.isHere(true))
        } catch {
            // It holds up all pages while it says nothing: it is asked ever more seldom.
            let isSlow = loop.clock() - begin > Self.patience + .milliseconds(-50)
            wait = isSlow ? min(wait + wait, Self.longest) : Self.pause
            connectLater()
        }
    }

    /// Asks; `then` is called once, at once if nobody is there to be asked.
    package func ask(_ call: ControlCall, then: @escaping (Result<JSON, UserError>) -> Void) {
        // Who is away is asked for each second, and not for each question.
        if again == nil { connect() }
        guard let client else { return then(.failure(Self.away)) }
        guard waiting.count < Self.most else { return then(.failure(Self.busy)) }
        do throws(UserError) {
            let id = try client.send(call)
            let late = loop.schedule(at: loop.clock() + Self.answerPatience) { [weak self] in
                self?.waiting.removeValue(forKey: id)?.then(.failure(Self.gone))
            }
            waiting[id] = Question(then: then, late: late)
        } catch {
            lose()
            then(.failure(Self.gone))
        }
    }

    /// Ends the connection.
    package func stop() {
        if let again { loop.cancel(again) }
        again = nil
        if let client { loop.unwatch(client.descriptor) }
        client = nil
        failAll()
    }

    private func read() {
        guard let client else { return }
        do throws(UserError) {
            let (lines, ended) = try client.takeLines()
            for line in lines { take(line) }
            if ended { lose() }
        } catch {
            lose()
        }
    }

    private func take(_ line: ControlLine) {
        switch line {
        case .event(let event): onNews(.event(event.json))
        case .answer(let id, let result):
            guard let question = waiting.removeValue(forKey: id) else { return }
            loop.cancel(question.late)
            question.then(result)
        }
    }

    private func lose() {
        guard let client else { return }
        loop.unwatch(client.descriptor)
        self.client = nil
        failAll()
        onNews(.isHere(false))
        connectLater()
    }

    private func connectLater() {
        guard again == nil else { return }
        again = loop.schedule(at: loop.clock() + wait) { [weak self] in
            self?.again = nil
            self?.connect()
        }
    }

    /// In the order in which they were asked.
    private func failAll() {
        let all = waiting.sorted { $0.key < $1.key }
        waiting.removeAll()
        for (_, question) in all {
            loop.cancel(question.late)
            question.then(.failure(Self.gone))
        }
    }

    /// Nobody can say whether it was done.
    private static let gone = UserError(
        .unreachable, "the agent has gone with the question",
        why: "it may have been done", advice: "seatagent status")

    private static let away = UserError(
        .noAgent, "the agent does not answer", why: "it has ended, or starts anew",
        advice: "seatagent status")
    private static let busy = UserError(
        .notAllowedNow, "too much is asked at once", why: "the agent has not answered yet")
}
