// SPDX-License-Identifier: Apache-2.0
import ProtocolTestKit
import Testing

@testable import Protocol

/// Follows logs that grow, and holds each answer against the fold of all of them.
struct Follower {
    /// How it came to its answer.
    enum Way {
        /// All logs were folded again.
        case whole
        /// Only what is new was looked at.
        case onward
    }

    var running = RunningFold()
    /// How often each way was taken.
    var whole = 0
    var onward = 0

    @discardableResult
    mutating func follow(_ logs: Known, _ words: String = "") -> Way {
        let way: Way = running.follow(logs.logs) ? .whole : .onward
        if way == .whole { whole += 1 } else { onward += 1 }
        let evidence = Evidence(logs)
        let fold = Fold.fold(evidence)
        #expect(running.fold == fold, "\(words)")
        #expect(running.misdeeds == Fold.misdeeds(evidence, fold), "\(words)")
        return way
    }

    /// The same for the whole logs of these travellers.
    @discardableResult
    mutating func follow(_ travellers: Traveller..., proofs: [ForkProof] = []) -> Way {
        follow(Known(travellers.map(\.log), proofs: proofs))
    }
}
