// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

extension WokeNews {
    /// How long it slept, and requests that wait or bind.
    init(_ host: any ControlHost, slept: Int64) {
        let node = host.node
        let facts = node.swapRecords.sorted { $0.number < $1.number }
            .map { RequestFacts($0, me: node.me) }
        let open = facts.filter { [.open, .agreed, .stranded].contains($0.state) }.map { facts in
            Item(
                number: facts.record.number, state: Word(facts.state),
                needsAnswer: facts.needsAnswer)
        }
        self.init(slept: Int(slept), open: open)
    }
}
