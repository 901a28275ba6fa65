// SPDX-License-Identifier: Apache-2.0
package import Text

/// An event as it came, and as it was understood: `--json` prints the one, people read the other.
package struct ToldEvent: Codable, Hashable, Sendable {
    /// What was understood.
    package let event: ControlEvent
    /// As it came, with members that this program does not know.
    package let json: JSON

    /// The name of an event, and nothing else of it.
    fileprivate struct Name: Codable {
        var event: String?
    }

    /// An event that came. One with a member of another kind than is known here, of a newer agent,
    /// is an event that this program does not know: it ends neither a stream nor a view nor a list.
    package init(_ json: JSON) {
        let name = (try? Name(told: json))?.event ?? ""
        event = (try? ControlEvent(told: json)) ?? ControlEvent(at: nil, .other(name))
        self.json = json
    }

    /// An event of this agent.
    package init(_ event: ControlEvent) {
        self.event = event
        json = JSON(event)
    }

    package init(from decoder: any Decoder) throws { self.init(try JSON(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ToldEvent: JSONKinded { package static var kind: JSONKind { .form("event") } }

/// A line of the agent.
package enum ControlLine: Sendable {
    /// Something happened.
    case event(ToldEvent)
    /// The answer to the question with that id; -1 if it is none of this program's, or one that a
    /// command printed.
    case answer(Int, Result<JSON, UserError>)

    /// An answer as it is written.
    private struct Frame: Codable {
        var id: JSON?
        var ok: Bool
        var result: JSON
        var error: UserError?
    }

    /// Reads a line, without its end. Throws `unreachable`.
    package init(_ line: [UInt8]) throws(UserError) {
        let json = try Self.json(line)
        do throws(JSONFault) {
            if (try? ToldEvent.Name(told: json))?.event != nil {
                self = .event(ToldEvent(json))
                return
            }
            let frame = try Frame(told: json)
            let error = frame.error ?? UserError(json: .null)
            self = .answer(
                frame.id?.number ?? -1, frame.ok ? .success(frame.result) : .failure(error))
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
