// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// What is read as a message is written as the same bytes, whatever its type, on a flight and in a
/// venue: what both know they read alike, but that logs of venues are longer.
///
/// Input: the type, the payload.
enum MessagesTarget {
    /// Messages with places in logs: FRONTIER, WANT, HAVE, READY, PREPARE and ASK.
    private static let withPlaces: Set<FrameType> = [
        .frontier, .want, .have, .ready, .prepare, .ask,
    ]

    static func run(_ input: [UInt8]) -> Verdict {
        guard let type = input.first else { return .refused }
        let frame = Frame(type: type, payload: Array(input.dropFirst()))
        let known = FrameType(rawValue: type)
        let venue = read(frame, .venue, isKnown: known != nil)
        let flight = read(frame, .flight, isKnown: known.map { !$0.isOfVenues } ?? false)
        if let flight { hold(flight == venue, "another message on a flight") }
        if venue != nil, flight == nil {
            guard let known else { broken("read, but not known") }
            hold(known.isOfVenues || withPlaces.contains(known), "refused on a flight alone")
        }
        return venue == nil ? .refused : .accepted
    }

    private static func read(
        _ frame: Frame, _ rules: MessageRules, isKnown: Bool
    ) -> Message? {
        do throws(Message.Fault) {
            guard let message = try Message.decode(frame, rules: rules) else {
                hold(frame.type % 2 == 1 && !isKnown, "not ignored")
                return nil
            }
            hold(isKnown, "read as a message that nobody knows")
            hold(message.type.rawValue == frame.type, "another type")
            hold(message.encode() == frame.bytes, "written as other bytes")
            return message
        } catch {
            hold(isKnown == (error != .unsupported), "the wrong refusal")
            return nil
        }
    }
}
