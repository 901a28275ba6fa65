// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

/// What is read as a message is written as the same bytes, whatever its type.
///
/// Input: the type, the payload.
enum MessagesTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let type = input.first else { return .refused }
        let frame = Frame(type: type, payload: Array(input.dropFirst()))
        do throws(Message.Fault) {
            guard let message = try Message.decode(frame) else {
                hold(type % 2 == 1 && FrameType(rawValue: type) == nil, "not ignored")
                return .refused
            }
            hold(message.type.rawValue == type, "another type")
            hold(message.encode() == frame.bytes, "written as other bytes")
            return .accepted
        } catch {
            let isKnown = FrameType(rawValue: type) != nil
            hold(isKnown == (error != .unsupported), "the wrong refusal")
            return .refused
        }
    }
}
