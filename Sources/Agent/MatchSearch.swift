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
/// uses one core for it.
final class MatchDesk {
    private let loop: EventLoop
    private var waiting: [(search: MatchSearch, then: (Matcher) -> Void)] = []
    private var isBusy = false

    /// Nobody has asked yet.
    init(loop: EventLoop) { self.loop = loop }

    /// Searches when its turn comes; `then` is called in a later turn of the loop.
    func ask(_ search: MatchSearch, then: @escaping (Matcher) -> Void) {
        waiting.append((search, then))
        next()
    }

    private func next() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        let (search, then) = waiting.removeFirst()
        SideWork.run(on: loop) {
            search.answer
        } then: { [weak self] matcher in
            self?.isBusy = false
            then(matcher)
            self?.next()
        }
    }
}

extension Agent {
    func match(_ search: MatchSearch, then: @escaping (Matcher) -> Void) {
        matching.ask(search, then: then)
    }
}
