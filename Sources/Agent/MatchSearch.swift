// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// A search for exchanges, as a value that a thread can take along.
struct MatchSearch: Hashable, Sendable {
    /// Who sits where, and what each would take.
    let scenes: MatchScenes
    /// What is looked for.
    let aim: Matcher.Aim
    /// The user, who is to take part in what is found.
    let proposer: PeerKey

    /// Searches; at worst some seconds for a whole cabin.
    var answer: Matcher {
        Matcher(common: scenes.common, own: scenes.own, aim: aim, proposer: proposer)
    }
}

/// Searches beside the agent's loop, one after the other: however many ask, the agent goes on and
/// uses one core for it. Whoever asks for what is looked for already gets the same answer.
final class MatchDesk {
    private struct Job {
        let search: MatchSearch
        var then: [(Matcher) -> Void]
    }

    private let loop: EventLoop
    /// The first of them runs.
    private var jobs: [Job] = []

    /// Nobody has asked yet.
    init(loop: EventLoop) { self.loop = loop }

    /// Searches when its turn comes; `then` is called in a later turn of the loop.
    func ask(_ search: MatchSearch, then: @escaping (Matcher) -> Void) {
        if let index = jobs.firstIndex(where: { $0.search == search }) {
            jobs[index].then.append(then)
        } else {
            jobs.append(Job(search: search, then: [then]))
            if jobs.count == 1 { start() }
        }
    }

    private func start() {
        guard let search = jobs.first?.search else { return }
        SideWork.run(on: loop) {
            search.answer
        } then: { [weak self] matcher in
            guard let self else { return }
            let done = jobs.removeFirst()
            start()
            for then in done.then { then(matcher) }
        }
    }
}

extension Agent {
    func match(_ search: MatchSearch, then: @escaping (Matcher) -> Void) {
        matching.ask(search, then: then)
    }
}
