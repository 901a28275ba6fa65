// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Rendezvous

/// How far a connection to a broker came: each needs the one before.
package enum BrokerReach: Int, Comparable, Sendable {
    /// Its name was asked for.
    case name
    /// It is being connected to.
    case connection
    /// It is connected, and TLS is being agreed on.
    case tls
    /// It was told who logs in.
    case login
    /// It took the login and can do what is needed.
    case work

    /// By how far it is.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a trial of one broker brought (docs/meet.md section 5).
package struct BrokerFacts: Hashable, Sendable {
    /// What became of a message that it was to keep.
    package enum Keeping: Hashable, Sendable {
        /// It came back to a second connection, and was cleared.
        case kept
        /// A second connection did not get it.
        case forgotten
        /// A second connection got another one.
        case changed
        /// It was still there after it was cleared.
        case stuck
    }

    /// Whether it gives the names of all groups to anybody.
    package enum Width: Hashable, Sendable {
        /// It refused the question.
        case narrow
        /// It took the question and gave nothing.
        case silent
        /// It gives them.
        case wide
    }

    /// Which one.
    package let broker: MeetBroker
    /// How far the first connection came.
    package var reached = BrokerReach.name
    /// Why the trial did not come to its end; `nil` where it did.
    package var trouble: BrokerTrouble?
    /// Seconds for which its certificate is good; `nil` without TLS.
    package var certificateLife: Int64?
    /// What it does with what it should keep; `nil` if that was not found out.
    package var keeping: Keeping?
    /// What strangers can find; `nil` if that was not found out.
    package var width: Width?
    /// What its streams are; `nil` where it has none, as MQTT has.
    package var streams: StreamFacts?
    /// How long a message to oneself takes, the middle of some; `nil` if none came.
    package var roundTrip: TimeSpan?

    /// Nothing is known yet.
    package init(_ broker: MeetBroker) { self.broker = broker }
}

/// What the streams of a NATS cluster are (docs/meet.md section 10).
package struct StreamFacts: Hashable, Sendable {
    /// Streams that are not there, or that are of no use, in order.
    package var missing: [String] = []
    /// How many machines have each message, of the stream with the fewest; `nil` if it was not
    /// told.
    package var replicas: Int?
    /// How long the stream with the shortest time keeps a message; 0 for always.
    package var seconds: Int64?

    /// Nothing is known.
    package init() {}

    /// From what each stream said.
    init(_ found: [String: NATSAnswer.Stream]) {
        for (name, stream) in found.sorted(by: { $0.key < $1.key }) {
            switch stream {
            case .settings(let settings):
                if settings.lack != nil { missing.append(name) }
                replicas = min(replicas ?? .max, settings.replicas)
                let isLess = seconds.map { $0 == 0 || settings.seconds < $0 } ?? true
                if isLess, settings.seconds > 0 || seconds == nil { seconds = settings.seconds }
            case .refused(.lacks): missing.append(name)
            case .refused: break
            }
        }
    }
}

/// What a trial of a whole meeting point brought.
package struct MeetingPointFacts: Hashable, Sendable {
    /// The configured name.
    package var host: String
    /// Whether the DNS was asked for other brokers.
    package var wasAsked: Bool
    /// Whether it named some.
    package var hasRecords = false
    /// Why the names are not known.
    package var trouble: BrokerTrouble?
    /// Whether connections are without TLS.
    package var isPlain = false
    /// Whether NATS is spoken there.
    package var isNATS = false
    /// Whether only those with a name are let in.
    package var hasLogin = false
    /// The brokers that were tried.
    package var brokers: [BrokerFacts] = []

    /// Nothing is known yet.
    package init(host: String, wasAsked: Bool) {
        self.host = host
        self.wasAsked = wasAsked
    }
}
