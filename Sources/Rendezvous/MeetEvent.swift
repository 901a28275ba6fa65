// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What a program tells its ``Meeting``.
package enum MeetEvent: Hashable, Sendable {
    /// The brokers of the pool, as the configuration or DNS names them now.
    case pool([MeetBroker])
    /// A broker took the connection that was asked for.
    case up(MeetBroker)
    /// A connection ended or did not come about.
    case down(MeetBroker)
    /// A broker took the subscription with this number.
    case subscribed(MeetBroker, Int)
    /// A broker gave all that it keeps for the subscription with this number.
    case given(MeetBroker, Int)
    /// A broker said that it has the message with this number.
    case stored(MeetBroker, Int)
    /// A broker refused the subscription or the message with this number.
    case refused(MeetBroker, Int)
    /// A message came: its whole topic and its payload.
    case came(MeetBroker, topic: String, payload: [UInt8])
    /// All records of the own log that are on the disk, in order, and the first 8 bytes of the last
    /// one's id.
    case own([[UInt8]], head8: UInt64)
    /// How much of each log is here: the digest of all, and all items, sorted by author.
    case learnt(logs: Bytes32, items: [FrontierItem])
    /// What waits for passengers who are away, by recipient; of one without letters, and of one who
    /// is not named any more, what was left before is cleared.
    case mail([Mail])
    /// The program wants something of the tunnels.
    case tunnel(TunnelAsk)
    /// ``Meeting/nextDeadline`` has come.
    case tick
}

/// One thing that a ``Meeting`` asks of a broker.
package struct MeetAsk: Hashable, Sendable {
    /// What is asked.
    package enum What: Hashable, Sendable {
        /// A connection.
        case connect
        /// Its end.
        case disconnect
        /// Messages of a filter, quality 1; the answer bears the number. Those of this very
        /// connection may be left out unless `withOwn`.
        case subscribe(String, Int, withOwn: Bool = true)
        /// No more messages of a filter.
        case unsubscribe(String)
        /// Says `payload` under `topic`, quality 1; the answer bears the number. A message with a
        /// `stay` is kept by the broker for so many seconds; an empty one of this kind clears
        /// what was kept.
        case publish(topic: String, payload: [UInt8], stay: Int64?, Int)
    }

    /// Whom it is asked of.
    package var broker: MeetBroker
    /// What.
    package var what: What

    /// Asks `broker` for `what`.
    package init(_ broker: MeetBroker, _ what: What) {
        self.broker = broker
        self.what = what
    }
}

/// What one event asks of the program.
package struct MeetEffects: Hashable, Sendable {
    /// In this order.
    package var asks: [MeetAsk] = []
    /// Entries for the core to judge, as if a peer had sent them.
    package var entries: [[UInt8]] = []
    /// Letters for the core: all that each of these senders has open.
    package var mail: [Mail] = []
    /// How long the own log is, by a card that this key signed; 0 where none says so. Nothing is
    /// appended before so much of it is here.
    package var told = 0
    /// What to do at this end of tunnels, in this order.
    package var tunnels: [TunnelOrder] = []
    /// Whether ``Meeting/status`` changed in a way that people see.
    package var isNews = false
}
