// SPDX-License-Identifier: Apache-2.0
/// A message to one passenger: in a session only, never in a log (docs/protocol.md section 18).
public struct DirectMessage: Hashable, Sendable {
    /// How far it got.
    public enum State: Int, Sendable {
        /// On disk, not acknowledged.
        case waiting = 0
        /// The other agent has it on disk.
        case acknowledged = 1
        /// Not acknowledged within an hour, or the passenger left for good.
        case gaveUp = 2
        /// Came in.
        case received = 3
    }

    /// Its id, chosen by the sender.
    public var id: ThreadID
    /// The other passenger.
    public var peer: PeerKey
    /// Whether this agent sent it.
    public var outgoing: Bool
    /// At most 2 KiB.
    public var text: String
    /// When it was written or came, by the local clock.
    public var at: UTCTime
    /// How far it got.
    public var state: State

    /// A message to `peer` if it is outgoing, else from them.
    public init(
        id: ThreadID, peer: PeerKey, outgoing: Bool, text: String, at: UTCTime, state: State
    ) {
        self.id = id
        self.peer = peer
        self.outgoing = outgoing
        self.text = text
        self.at = at
        self.state = state
    }
}

extension DirectMessage {
    /// What a message with `text` counts in its sender's share.
    public static func cost(_ text: String) -> Int { text.utf8.count + Limits.messageCost }
}
