// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// Writes errors of a program, ours or a peer's, into the agent's log, where they can be found
/// after the flight too.
enum TroubleLog {
    /// Writes a line for each such notice.
    static func write(_ notices: [Notice]) {
        for case .trouble(let trouble) in notices {
            if let line = line(trouble) { Log.line(line) }
        }
    }

    static func line(_ trouble: Trouble) -> String? {
        switch trouble {
        case .violation(let violation):
            "error of this program: the map breaks rule \(violation.rule.rawValue)"
                + (violation.contract.map { ", contract \($0.hex)" } ?? "")
                + (violation.token.map { ", token \($0.raw.hex)" } ?? "")
        case .divergence(let peer):
            "error of one program: equal logs make another map at \(peer.hex)"
        case .keyRunsTwice, .runsTwice, .ownFork, .fork, .misdeed, .otherVersion, .otherFlight,
            .aliasOnly, .operatorTwice, .wordsWait, .ledger:
            nil
        }
    }
}
