// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What a host knew at the end of a seed and what it made of it: for a reader of another make.
package struct Kept: Sendable {
    /// All its logs and proofs.
    package let bundle: [UInt8]
    /// `MAP FRONTIER`, and of each contract the start of its id and what became of it.
    package let words: String

    init(_ logs: LogSet, _ primitives: any Primitives) {
        bundle = Bundle.bytes(logs)
        let fold = Fold.fold(logs)
        let states = fold.contracts.map { state in
            let word =
                state.applied
                ? "applied"
                : state.dead
                    ? "dead" : state.beaten ? "beaten" : state.complete ? "waiting" : "open"
            return "\(state.id.raw.hex.prefix(16)):\(word)"
        }
        let digests = [fold.digest(primitives), Frontier(logs, primitives: primitives).digest]
        words = (digests.map(\.hex) + states).joined(separator: " ")
    }
}

extension SimWorld {
    /// Of the first host that is up; `nil` where none is.
    var kept: Kept? {
        hosts.first { $0.isUp }.map { Kept($0.node.logs, primitives) }
    }
}
