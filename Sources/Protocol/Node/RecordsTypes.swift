// SPDX-License-Identifier: Apache-2.0
extension Records {
    /// What happens to links, and to what is replicated over them.
    enum Event: Sendable {
        /// A connection came; its session is not open yet.
        case connected(LinkID, PeerKey, isRelayed: Bool)
        /// Its session is open; whether the peer reads SUMMARY.
        case opened(LinkID, readsSummaries: Bool)
        /// The link stays: new entries may be pushed on it.
        case admitted(LinkID)
        /// It is gone.
        case ended(LinkID)
        /// A message found no room on it.
        case dropped(LinkID)
        /// What was under way to a passenger may be lost.
        case unsure(PeerKey)
        /// The peer has new entries from elsewhere, sooner.
        case lazy(LinkID)
        /// Authors may have room again.
        case roused
    }

    /// What a link knows of the rest of the core.
    struct Facts {
        /// Bytes of bulk that its session takes.
        let room: Int
        /// Digest of the map.
        let map: Bytes32
    }
}
