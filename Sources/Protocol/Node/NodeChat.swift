// SPDX-License-Identifier: Apache-2.0
/// Chat in the core: lines are reported in reading order (docs/protocol.md section 8).
extension Node {
    /// Reports new lines once no more are on their way, or they have waited long enough.
    mutating func tellChat(_ effects: inout Effects, at now: Moment) {
        guard history.waitingLines > 0 else {
            chatBy = nil
            return
        }
        let patience = history.hasTold ? Limits.chatHold : Limits.firstChatHold
        let due = chatBy ?? now.instant + patience
        chatBy = due
        let isDue = due <= now.instant || history.waitingLines >= Limits.messages
        let told: [Notice]
        if isDue || !isCatchingUp {
            chatBy = nil
            told = history.tell()
        } else {
            told = history.tellCurrent()
        }
        for notice in told where !isHidden(notice) { effects.notices.append(notice) }
    }

    /// Whether a peer has more than we and is asked for it, or will be.
    private var isCatchingUp: Bool {
        peers.indices.contains { index in
            peers[index].isOpen
                && (peers[index].replication.isAsking
                    || peers[index].replication.lacks(moreThan: 0, logs))
        }
    }
}
