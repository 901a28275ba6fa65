// SPDX-License-Identifier: Apache-2.0
import ControlAPI

/// Four in a row from the view.
extension ViewState {
    /// Shows the board, or plays a column. Who reads a conversation with one passenger need not say
    /// with whom: `/play d`.
    mutating func play(_ words: [String]) -> [ViewIntent] {
        let names = words.first.map { $0.count > 1 && !$0.hasPrefix("-") } ?? false
        guard !names else { return run(["play"] + words) }
        guard let key = conversation.key, key != Conversation.party else {
            note("/play wants a passenger, as in /play 12A. Nothing was sent.")
            return []
        }
        let word = peers.first { $0.key == key }?.tag ?? key
        return run(["play", word] + words)
    }
}
