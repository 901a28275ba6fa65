// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text

/// What is known of letters at the meeting point: whether one about a request or a message can be
/// left for a passenger, and lies there.
struct LettersLeft {
    /// Asks the meeting point; there is none before it is set.
    var state: (ThreadID, PeerKey) -> LetterState? = { _, _ in nil }

    /// Where the own side of a negotiation is; `nil` while it reaches everybody otherwise.
    func of(_ record: SwapRecord, _ node: any NodeReading) -> Word<LetterState>? {
        switch record.stage {
        case .asking, .offered, .countered, .agreed: break
        case .invited, .counterSent, .ready, .preparing, .prepared, .stranded, .committed,
            .aborted, .declined, .withdrawn, .expired, .requested:
            return nil
        }
        let states = record.others(than: node.me).filter { !node.isLinked($0) }
            .map { state(record.thread, $0) }
        guard !states.isEmpty, !states.contains(nil) else { return nil }
        return Word(states.contains(.waits) ? .waits : .left)
    }

    /// Where a message is that waits; `nil` for all others.
    func of(_ message: DirectMessage, _ node: any NodeReading) -> Word<LetterState>? {
        guard message.state == .waiting, !node.isLinked(message.peer) else { return nil }
        return state(message.id, message.peer).map { Word($0) }
    }
}
