// SPDX-License-Identifier: Apache-2.0
import Brokers
import Rendezvous
import Text

/// The judge of a NATS cluster's streams (docs/meet.md section 9).
extension MeetingPointFacts {
    /// Why a cluster keeps nothing.
    static let streamWords = "agents make no streams: its operator does, with a login that may"
    /// What its operator does about it, on a machine of the cluster.
    static let streamAdvice = "python3 examples/meet/nats/streams.py nats://127.0.0.1:4222"

    static func streamFinding(_ streams: StreamFacts, _ host: String) -> Finding {
        guard streams.missing.isEmpty else {
            let names = streams.missing.prefix(3).joined(separator: ", ")
            let more = streams.missing.count > 3 ? " and \(streams.missing.count - 3) more" : ""
            return Finding(
                .meetFeatures, .bad,
                "\(host) lacks streams, or has them otherwise: \(names)\(more)",
                why: streamWords, advice: streamAdvice)
        }
        guard let replicas = streams.replicas, let seconds = streams.seconds else {
            return Finding(.meetFeatures, .ok, "\(host) keeps its streams' settings to itself")
        }
        guard seconds > 0 else {
            return Finding(
                .meetFeatures, .warn, "\(host) keeps messages for ever",
                why: "nothing that agents leave there counts after 96 hours", advice: streamAdvice)
        }
        guard seconds >= MeetLimits.longestStay else {
            return Finding(
                .meetFeatures, .warn, "\(host) keeps messages for \(seconds / 3600) hours only",
                why: "what agents leave there counts for up to 96 hours", advice: streamAdvice)
        }
        guard replicas > 1 else {
            return Finding(
                .meetFeatures, .ok,
                "16 streams, each on one machine alone, for \(seconds / 3600) hours")
        }
        return Finding(
            .meetFeatures, .ok,
            "16 streams, each on \(replicas) machines, for \(seconds / 3600) hours")
    }
}
