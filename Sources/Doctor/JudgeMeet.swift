// SPDX-License-Identifier: Apache-2.0
package import Brokers
import Rendezvous
import Text

/// The judge of a meeting point: from facts to findings and one cause. Pure, and looks at the facts
/// only.
extension MeetingPointFacts {
    /// What is wrong, if anything.
    package var verdict: Verdict {
        let judged = [nameFinding].compactMap(\.self) + brokers.flatMap { findings(of: $0) }
        guard let worst = judged.first(where: { $0.state == .bad }) else {
            let warned = judged.first { $0.state == .warn }
            return Verdict(
                findings: judged, cause: warned?.name.rawValue ?? "well", isTrouble: false,
                what: warned?.what ?? "\(host) can be used as a meeting point",
                why: warned?.why, advice: warned?.advice)
        }
        return Verdict(
            findings: judged, cause: worst.name.rawValue, isTrouble: true, what: worst.what,
            why: worst.why, advice: worst.advice)
    }

    /// What the DNS says; `nil` where only the broker's own name is to be judged.
    private var nameFinding: Finding? {
        if trouble != nil {
            return Finding(
                .meetName, .warn, "no DNS server says which brokers \(host) has",
                why: "agents then take \(host) itself for the only one", advice: "seatagent doctor")
        }
        guard wasAsked else {
            return Finding(.meetName, .ok, "the broker is \(host): no other is looked for")
        }
        guard hasRecords else {
            return Finding(.meetName, .ok, "no SRV records, so the broker is \(host) itself")
        }
        let names = brokers.map { "\($0.broker.host):\($0.broker.port)" }
        return Finding(.meetName, .ok, "SRV records: " + names.joined(separator: ", "))
    }

    private func findings(of facts: BrokerFacts) -> [Finding] {
        let broker = facts.broker
        guard facts.reached < .work, let trouble = facts.trouble else {
            return reachFindings(facts) + [
                storeFinding(facts), wideFinding(facts), loopFinding(facts),
            ]
        }
        let stage = Self.stages[facts.reached.rawValue]
        var finding = Finding(stage, .bad, trouble.text(of: broker.host))
        (finding.why, finding.advice) = words(trouble, facts)
        if case .lacks = trouble { finding = finding.named(.meetFeatures) }
        let steps = reachFindings(facts)
        // Where not even an address is known, nothing behind it was looked at.
        let before = steps.firstIndex { $0.name == finding.name } ?? 0
        return steps.prefix(before) + [finding]
    }

    /// Where a connection came no further.
    private static let stages: [Finding.Name] = [
        .meetName, .meetReach, .meetTLS, .meetLogin, .meetFeatures,
    ]

    private func reachFindings(_ facts: BrokerFacts) -> [Finding] {
        let host = facts.broker.host
        return [
            Finding(.meetReach, .ok, "\(host) answers at port \(facts.broker.port)"),
            Self.tls(facts, isPlain: isPlain),
            Finding(.meetLogin, .ok, "\(host) lets you in"),
            facts.streams.map { Self.streamFinding($0, host) }
                ?? Finding(
                    .meetFeatures, .ok, "\(host) keeps, confirms and gives messages as needed"),
        ]
    }

    private static func tls(_ facts: BrokerFacts, isPlain: Bool) -> Finding {
        let host = facts.broker.host
        guard !isPlain else {
            return Finding(.meetTLS, .skipped, "no TLS: \(host) is this machine")
        }
        let day: Int64 = 86_400
        guard let life = facts.certificateLife, life < 7 * day else {
            let days = facts.certificateLife.map { ", good for \($0 / day) more days" } ?? ""
            return Finding(.meetTLS, .ok, "its certificate is for \(host)\(days)")
        }
        return Finding(
            .meetTLS, .warn, "the certificate of \(host) ends in \(life / 3600) hours",
            why: "agents refuse it then; install the next one and reload the broker")
    }

    private func words(
        _ trouble: BrokerTrouble, _ facts: BrokerFacts
    ) -> (why: String?, advice: String?) {
        let port = facts.broker.port
        switch trouble {
        case .nameNotFound: return ("the DNS has no address under that name", nil)
        case .noNames: return (nil, "seatagent doctor")
        case .refused:
            return ("no broker listens at port \(port), or a firewall refuses it", nil)
        case .noRoute, .timedOut:
            return ("it is down, or something on the way does not let port \(port) through", nil)
        case .otherHost:
            let line = "openssl s_client -connect \(facts.broker.host):\(port) </dev/null"
            return ("the certificate must name \(host)", host.contains(":") ? nil : line)
        case .untrusted:
            return (
                "for roots of the operator's own, agents need their file",
                "seatagent config set rendezvous.ca /etc/ssl/certs/meet.pem"
            )
        case .expired, .notYetValid: return ("compare this machine's clock with another", "date")
        case .tls: return ("it has to be TLS 1.2 or 1.3, with a certificate", nil)
        case .login:
            return (
                "the operator gives out names and passwords",
                "seatagent config set rendezvous.user ada"
            )
        case .lacks(.streams), .lacks(.oneASubject): return (Self.streamWords, Self.streamAdvice)
        case .lacks: return ("examples/meet/mosquitto.conf has what a broker needs", nil)
        default: return (nil, nil)
        }
    }

    // MARK: What the trial brought

    private func storeFinding(_ facts: BrokerFacts) -> Finding {
        let host = facts.broker.host
        if facts.roundTrip != nil, let trouble = facts.trouble {
            return Finding(.meetStore, .bad, trouble.text(of: host))
        }
        switch facts.keeping {
        case .kept:
            return Finding(.meetStore, .ok, "\(host) kept a message, gave it and cleared it")
        case .forgotten:
            return Finding(
                .meetStore, .bad, "\(host) forgets: it did not give what it said it has",
                why: "a second connection read what the first had left; a cluster whose machines do"
                    + " not share what is kept does that")
        case .changed:
            return Finding(.meetStore, .bad, "\(host) gave another message than it was given")
        case .stuck:
            return Finding(
                .meetStore, .warn, "\(host) still gives a message that was cleared",
                why: "old records stay there until they expire")
        case nil: return Finding(.meetStore, .skipped, "nothing was left at \(host)")
        }
    }

    private func wideFinding(_ facts: BrokerFacts) -> Finding {
        let host = facts.broker.host
        switch facts.width {
        case .narrow: return Finding(.meetWide, .ok, "\(host) gives nobody the names of groups")
        case .silent:
            return Finding(.meetWide, .ok, "\(host) takes sa1/# and gives nothing for it")
        case .wide where isNATS && hasLogin:
            return Finding(
                .meetWide, .ok, "\(host) gives the names of groups to those with a login",
                why: "NATS has no rule against that")
        case .wide where isNATS:
            return Finding(
                .meetWide, .warn, "\(host) gives the names of all groups to anybody",
                why: "NATS has no rule against that: its operator should let in only people with a"
                    + " name and a password",
                advice: "seatagent config set rendezvous.user ada")
        case .wide:
            return Finding(
                .meetWide, .warn, "\(host) gives the names of all groups to anybody",
                why: "whoever asks for sa1/# can follow who meets; the operator should install the"
                    + " plugin",
                advice: "make -C examples/meet/plugin install")
        case nil: return Finding(.meetWide, .skipped, "nobody asked \(host) for sa1/#")
        }
    }

    /// A round trip that is longer has another reason than distance, mostly.
    private static let slow = 60

    private func loopFinding(_ facts: BrokerFacts) -> Finding {
        let host = facts.broker.host
        guard let trip = facts.roundTrip else {
            let why = facts.trouble.map { $0.text(of: host) }
            return Finding(.meetLoop, .bad, "\(host) brought no message back", why: why)
        }
        let milliseconds = Int(trip.nanoseconds / 1_000_000)
        let what = "a message to oneself over \(host) takes \(max(1, milliseconds)) ms"
        guard milliseconds > Self.slow else { return Finding(.meetLoop, .ok, what) }
        return Finding(
            .meetLoop, .warn, what,
            why: "if it is near, it waits to fill its packets; mosquitto does not with"
                + " `set_tcp_nodelay true`")
    }
}

extension Finding {
    fileprivate func named(_ name: Name) -> Finding {
        Finding(name, state, what, why: why, advice: advice)
    }
}
