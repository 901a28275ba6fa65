// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// All that an event led to, in words: what a row test compares, so that nothing is done beside it.
extension SwapEffects {
    /// For example `log: yes; lock 1; row prepared 1; say binding; send vote 1`.
    var all: String {
        var words: [String] = appends.map { body in
            switch body {
            case .vote(let vote): vote.yes ? "log yes" : "log no"
            case .abandon: "log abandon"
            case .retract: "log retract"
            case .claim(let seat, _): "log claim \(seat.text)"
            case .genesis, .commit, .chat, .profile, .wish, .sealed, .seated, .hosting, .unknown,
                .vouch,
                .ledger,
                .end:
                "log other"
            }
        }
        words += commits.map { _ in "log commit" }
        if !locks.isEmpty { words.append("lock \(locks.count)") }
        if !unlocks.isEmpty { words.append("unlock \(unlocks.count)") }
        words += records.map { "row \($0.stage) \($0.revision)" }
        words += whats.map { "say \($0.word)" }
        words += kinds.map { "send \($0)" }
        if !wants.isEmpty { words.append("want \(wants.count)") }
        return words.joined(separator: "; ")
    }
}

extension SwapNotice.What {
    /// What is said, without the key of whoever it is said of.
    fileprivate var word: String {
        switch self {
        case .requested: "requested"
        case .countered: "countered"
        case .ready: "ready"
        case .declined: "declined"
        case .withdrawn: "withdrawn"
        case .expired: "expired"
        case .lapsed: "lapsed"
        case .binding: "binding"
        case .committed: "committed"
        case .final: "final"
        case .stranded: "stranded"
        case .aborted(.check): "aborted by a check"
        case .aborted(.refused): "refused"
        case .aborted(.silence): "aborted by silence"
        case .aborted(.cancelled): "aborted by wish"
        case .aborted(.restart): "aborted by a restart"
        }
    }
}
