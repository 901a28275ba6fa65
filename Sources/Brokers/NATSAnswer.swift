// SPDX-License-Identifier: Apache-2.0
import Rendezvous
import Text

/// What JetStream answers, read strictly (docs/meet.md section 10).
enum NATSAnswer {
    /// What became of a message that is to be kept.
    enum Stored: Hashable {
        case stored
        case refused(BrokerTrouble)
    }

    /// The next message that a stream keeps.
    enum Kept: Hashable {
        case message(subject: String, sequence: Int, body: [UInt8])
        case none
        case refused(BrokerTrouble)
    }

    /// What a stream is.
    enum Stream: Hashable {
        case settings(StreamSettings)
        case refused(BrokerTrouble)
    }

    private static let noMessage = 10_037
    private static let noStream = 10_059

    /// `nil` for what is no answer. Nobody answers with a `status`.
    static func stored(_ message: NATSMessage) -> Stored? {
        guard message.status == nil else { return .refused(.lacks(.streams)) }
        guard let answer = json(message) else { return nil }
        if let trouble = trouble(answer) { return .refused(trouble) }
        guard answer["stream"]?.text != nil, let sequence = answer["seq"]?.number, sequence > 0
        else { return nil }
        return .stored
    }

    /// `nil` for what is no answer.
    static func kept(_ message: NATSMessage) -> Kept? {
        guard message.status == nil else { return .refused(.lacks(.streams)) }
        guard let answer = json(message) else { return nil }
        if answer["error"]?["err_code"]?.number == noMessage { return Kept.none }
        if let trouble = trouble(answer) { return .refused(trouble) }
        guard let kept = answer["message"], let subject = kept["subject"]?.text,
            subject.utf8.count <= NATSLimits.subject, let sequence = kept["seq"]?.number,
            sequence > 0, sequence < Int.max,
            let body = Base64.decode(kept["data"]?.text ?? "")
        else { return nil }
        return .message(subject: subject, sequence: sequence, body: body)
    }

    /// `nil` for what is no answer.
    static func stream(_ message: NATSMessage) -> Stream? {
        guard message.status == nil else { return .refused(.lacks(.streams)) }
        guard let answer = json(message) else { return nil }
        if let trouble = trouble(answer) { return .refused(trouble) }
        guard let words = answer["config"], let replicas = words["num_replicas"]?.number,
            let age = words["max_age"]?.number, let each = words["max_msgs_per_subject"]?.number
        else { return nil }
        return .settings(
            StreamSettings(
                replicas: replicas, seconds: Int64(age) / 1_000_000_000, isOneASubject: each == 1,
                largest: words["max_msg_size"]?.number ?? -1))
    }

    private static func json(_ message: NATSMessage) -> JSON? {
        message.body.flatMap { try? JSON(line: $0) }
    }

    private static func trouble(_ answer: JSON) -> BrokerTrouble? {
        guard let error = answer["error"] else { return nil }
        if error["err_code"]?.number == noStream { return .lacks(.streams) }
        // Its words are a stranger's, and go to a terminal.
        return .notKept(visible(error["description"]?.text ?? "no reason given", cells: 80))
    }
}

/// How a stream keeps what it keeps.
package struct StreamSettings: Hashable, Sendable {
    /// Machines that have it.
    package var replicas: Int
    /// After so long a message is gone; 0 for never.
    package var seconds: Int64
    /// Whether only the last message of a subject stays.
    package var isOneASubject: Bool
    /// Bytes of a message, at most; below 1 for any.
    package var largest: Int

    /// Settings of one stream.
    package init(replicas: Int, seconds: Int64, isOneASubject: Bool, largest: Int) {
        self.replicas = replicas
        self.seconds = seconds
        self.isOneASubject = isOneASubject
        self.largest = largest
    }

    /// What is wrong with it, if it is of no use.
    var lack: BrokerFeature? {
        let needed = MeetLimits.payloadSizes.last ?? 0
        if !isOneASubject { return .oneASubject }
        if largest > 0, largest < needed { return .packetSize(UInt32(clamping: largest)) }
        return nil
    }
}
