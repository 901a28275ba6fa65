// SPDX-License-Identifier: Apache-2.0
import System

/// Runs the errands of a view, one after the other.
final class ErrandQueue {
    /// What happened.
    enum Step {
        case began(Errand)
        case ended(Errand, Errand.Outcome)
    }

    private let loop: EventLoop
    private let profile: String
    private let told: (Step) -> Void
    /// Batches that wait: what is left of one that failed is not done.
    private var waiting: [[Errand]] = []
    private var process: SideProcess?

    /// More are not waited for: nobody types so fast.
    private static let most = 16

    /// A queue without errands; `told` hears of each.
    init(loop: EventLoop, profile: String, told: @escaping (Step) -> Void) {
        self.loop = loop
        self.profile = profile
        self.told = told
    }

    /// Adds errands, of which each is done only if the one before it was.
    func add(_ list: [Errand]) {
        guard waiting.count < Self.most else { return }
        waiting.append(list)
        next()
    }

    private func next() {
        guard process == nil, let batch = waiting.first else { return }
        guard let errand = batch.first else {
            waiting.removeFirst()
            return next()
        }
        told(.began(errand))
        process = SideProcess(
            loop: loop, arguments: ["--profile", profile, "--no-color"] + errand.words
        ) { [unowned self] lines, isDone in
            ended(errand, Errand.Outcome(lines: lines, isDone: isDone))
        }
        if process == nil {
            ended(errand, Errand.Outcome(lines: ["This cannot be run now."], isDone: false))
        }
    }

    private func ended(_ errand: Errand, _ outcome: Errand.Outcome) {
        process = nil
        let rest = Array(waiting.removeFirst().dropFirst())
        if outcome.isDone, !rest.isEmpty { waiting.insert(rest, at: 0) }
        told(.ended(errand, outcome))
        next()
    }

    /// The view ends: what runs goes on by itself, and what waits is not done.
    func leave() {
        waiting = []
        process?.leave()
        process = nil
    }
}
