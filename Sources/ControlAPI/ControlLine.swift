// SPDX-License-Identifier: Apache-2.0
package import Text

/// An event as it came and as it was understood: `--json` prints the former, people read the
/// latter.
package struct ToldEvent: Hashable, Sendable {
    /// What was understood.
    package let event: ControlEvent
    /// As it came, with members that this program does not know.
    package let json: JSON

    /// Reads an event. If a newer agent sent a member of another kind than is known here, the event
    /// counts as unknown, which ends neither a stream nor a view.
    package init(_ json: JSON) {
        let unknown = ControlEvent.What.other(json["event"]?.text ?? "")
        event = (try? ControlEvent(told: json)) ?? ControlEvent(at: nil, unknown)
        self.json = json
    }
}

/// A line of the agent.
package enum ControlLine: Sendable {
    /// Something happened.
    case event(ToldEvent)
    /// The answer to the question with that id; -1 if it is none of this program's.
    case answer(Int, Result<JSON, UserError>)

    /// An answer as it is written.
    private struct Frame: Codable {
        var id: JSON
        var ok: Bool
        var result: JSON
        var error: UserError?
    }

    private struct Kind: Codable {
        var event: String?
    }

    /// Reads a line, without its end. Throws `unreachable`.
    package init(_ line: [UInt8]) throws(UserError) {
        let json = try Self.json(line)
        do throws(JSONFault) {
            if try Kind(told: json).event != nil {
                self = .event(ToldEvent(json))
                return
            }
            let frame = try Frame(told: json)
            let error = frame.error ?? UserError(json: .null)
            self = .answer(
                frame.id.number ?? -1, frame.ok ? .success(frame.result) : .failure(error))
        } catch {
            throw .unreadable(error.sentence)
        }
    }

    /// The JSON of a line. Throws `unreachable`.
    static func json(_ line: [UInt8]) throws(UserError) -> JSON {
        do throws(JSONError) {
            return try JSON(line: line)
        } catch {
            throw .unreadable(error.reason)
        }
    }
}

extension UserError {
    /// The error for an answer that this program cannot read.
    package static func unreadable(_ why: String) -> UserError {
        UserError(
            .unreachable, "the agent's answer cannot be read", why: why,
            advice: "seatagent restart")
    }
}

extension Answer {
    /// An answer of the agent. Throws `unreachable` for one that is not understood.
    package init(agent json: JSON) throws(UserError) {
        do throws(JSONFault) {
            try self.init(json)
        } catch {
            throw .unreadable(error.sentence)
        }
    }
}
