// SPDX-License-Identifier: Apache-2.0
import Glibc
package import System

/// Why there is no connection to a broker, or what it refused on one.
package enum BrokerTrouble: Error, Hashable, Sendable {
    /// The DNS knows no such name.
    case nameNotFound
    /// No server of the DNS answers.
    case noNames
    /// Nothing listens there.
    case refused
    /// The network has no way there.
    case noRoute
    /// It did not answer in time.
    case timedOut
    /// Its certificate is another host's.
    case otherHost
    /// Nobody who is trusted here signed its certificate.
    case untrusted
    /// Its certificate is over, or this machine's clock is wrong.
    case expired
    /// Its certificate is not valid yet, or this machine's clock is wrong.
    case notYetValid
    /// TLS failed otherwise: the library's reason, in its words.
    case tls(String)
    /// It ended the connection.
    case closed
    /// It says nothing any more, although it was asked (MQTT 5.0 section 3.1.2.10).
    case silent
    /// It sent what its protocol does not allow, or what this agent did not ask for.
    case malformed
    /// It cannot do what a meeting point needs.
    case lacks(BrokerFeature)
    /// It wants a user name, or another one, or another password.
    case login
    /// It refused the connection: its reason code (MQTT 5.0 section 3.2.2.2).
    case turnedAway(UInt8)
    /// It refused a subscription: its reason code (MQTT 5.0 section 3.9.3).
    case filterRefused(UInt8)
    /// It did not store a message: its reason code (MQTT 5.0 section 3.4.2.1).
    case messageRefused(UInt8)
    /// It did not store a message, or gave none: its reason, in its words.
    case notKept(String)
    /// It sent a message that is larger than any agent's.
    case tooLarge
    /// It ended the connection and said why, in its words.
    case says(String)
    /// It takes messages too slowly.
    case tooSlow
    /// It sends more messages than any flight has.
    case tooMuch
    /// This machine failed.
    case system(SystemError)

    /// What people are told, `host` being the broker.
    package func text(of host: String) -> String {
        switch self {
        case .nameNotFound: "there is no \(host)"
        case .noNames: "nobody says where \(host) is: no DNS server answers"
        case .refused: "nothing answers at \(host)"
        case .noRoute: "no network leads to \(host)"
        case .timedOut: "\(host) does not answer"
        case .otherHost: "the certificate of \(host) is another host's"
        case .untrusted: "nobody who is trusted here signed the certificate of \(host)"
        case .expired: "the certificate of \(host) has expired, or the clock here is wrong"
        case .notYetValid: "the certificate of \(host) is not valid yet, or the clock here is wrong"
        case .tls(let words): "\(host) and this agent find no common TLS (\(words))"
        case .closed: "\(host) ended the connection"
        case .silent: "\(host) says nothing any more"
        case .malformed: "\(host) breaks the rules of its protocol"
        case .lacks(let feature): "\(host) \(feature.words)"
        case .login: "\(host) wants a user name, or another one"
        case .turnedAway(let code): "\(host) refuses connections (reason \(code))"
        case .filterRefused(let code): "\(host) lets nobody read (reason \(code))"
        case .messageRefused(let code): "\(host) did not store a message (reason \(code))"
        case .notKept(let words): "\(host) does not keep messages: \(words)"
        case .tooLarge: "\(host) sent a message that no agent writes"
        case .says(let words): "\(host) ended the connection: \(words)"
        case .tooSlow: "\(host) takes messages too slowly"
        case .tooMuch: "\(host) sends more messages than any flight has"
        case .system(let error): "no connection to \(host): \(error)"
        }
    }

    /// Of a failed connection attempt.
    static func of(_ error: SystemError) -> Self {
        switch error.code {
        case ECONNREFUSED: .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT: .noRoute
        case ETIMEDOUT: .timedOut
        case ECONNRESET, EPIPE: .closed
        default: .system(error)
        }
    }

    /// Of a connection that broker refused (MQTT 5.0 section 3.2.2.2).
    static func refusing(_ code: UInt8) -> Self {
        switch code {
        case 0x84: .lacks(.protocol5)
        case 0x86, 0x87, 0x8C: .login
        case 0x9A: .lacks(.retain)
        case 0x9B: .lacks(.quality1)
        default: .turnedAway(code)
        }
    }
}

/// What a broker of a meeting point must be able to do.
package enum BrokerFeature: Hashable, Sendable {
    /// MQTT 5, and with it messages that expire.
    case protocol5
    /// Keeps messages.
    case retain
    /// Says that it has a message.
    case quality1
    /// Filters with wildcards.
    case wildcards
    /// Packets as large as the largest message.
    case packetSize(UInt32)
    /// JetStream of NATS, with streams for what is kept.
    case streams
    /// Keeps the last message of each subject, and no other.
    case oneASubject
    /// Asks often enough whether the other end is still there.
    case keepAlive(UInt16)

    /// Behind the name of the broker.
    var words: String {
        switch self {
        case .protocol5: "does not speak MQTT 5, so no message expires there"
        case .retain: "keeps no messages (retain unavailable)"
        case .quality1: "does not confirm messages (quality of service 0 only)"
        case .wildcards: "gives no messages by pattern (wildcard subscriptions unavailable)"
        case .packetSize(let most): "takes packets of at most \(most) bytes, which is too little"
        case .streams: "has no stream for what it should keep (JetStream)"
        case .oneASubject: "keeps more than the last message of a subject"
        case .keepAlive(let seconds): "wants to hear of its clients every \(seconds) s only"
        }
    }
}
