// SPDX-License-Identifier: Apache-2.0
package import Text

/// The version of the objects on the control socket, which `--json=1` prints as they are.
///
/// Within a version, members are only added.
package let controlVersion = 1

/// The longest request line: a chat line of 2 KiB fits in any escaping, and nothing needs 1 MiB.
package let requestLineLimit = 1024 * 1024

/// The most lines in one answer to `search`.
package let searchLimit = 500

/// One request: `{"id":1,"op":"say","text":"hi"}`, one line of JSON.
package struct ControlRequest: Hashable, Sendable {
    /// Any JSON value; the reply carries it back.
    package let id: JSON
    /// What is asked.
    package let op: String
    /// Everything else.
    package let arguments: [String: JSON]

    /// A request made here.
    package init(id: JSON, op: String, arguments: [String: JSON] = [:]) {
        self.id = id
        self.op = op
        self.arguments = arguments
    }

    /// The `id` of a line, which its answer has also where the rest cannot be read.
    package static func id(of json: JSON) -> JSON { json.members?["id"] ?? .null }

    /// Reads a line.
    package init(_ json: JSON) throws(UserError) {
        guard case .object(var members) = json else {
            throw UserError(.badRequest, "a request is one JSON object on one line")
        }
        id = Self.id(of: json)
        members["id"] = nil
        guard let op = members.removeValue(forKey: "op")?.text else {
            throw UserError(
                .badRequest, "the request has no \"op\"", why: "it says what is asked, as a string")
        }
        if let version = members.removeValue(forKey: "version"), version != .int(controlVersion) {
            throw UserError(
                .badRequest, "this agent speaks version \(controlVersion) of the socket's objects")
        }
        self.op = op
        arguments = members
    }

    /// The line to send, without its end.
    package var line: String { JSON.object(arguments).adding(["id": id, "op": .string(op)]).line }

    /// The request as its operation reads it. Throws `bad-request`.
    package func asked<Operation: ControlOperation>() throws(UserError) -> Operation {
        do throws(JSONFault) {
            let read = arguments.filter { !Operation.repeated.contains($0.key) }
            return try Operation(asked: .object(read))
        } catch {
            throw Operation.operation == .propose && error.path.first == "legs"
                ? Self.wrongLegs(error) : wrong(error)
        }
    }

    private func wrong(_ fault: JSONFault) -> UserError {
        let isList = fault.path.count > 1 && fault.wanted == "a string" || fault.wanted == "a list"
        let kind = isList ? "a list of strings" : fault.wanted
        return UserError(
            .badRequest, "\"\(op)\" wants \"\(fault.path.first ?? "")\" to be \(kind)")
    }

    private static func wrongLegs(_ fault: JSONFault) -> UserError {
        UserError(
            .badRequest,
            fault.path.count == 1
                ? "\"propose\" wants \"legs\" to be a list" : "a leg has a seat and who gets it",
            why: "each leg is {\"seat\":\"12A\",\"to\":WHO}")
    }
}

/// What comes back for a request, on the socket and from `--json`.
package enum ControlReply {
    /// `{"id":1,"version":1,"ok":true,"result":{...}}`; without `id` for `--json`.
    package static func done(_ result: JSON, id: JSON? = nil) -> JSON {
        .object(present: [
            "id": id, "version": .int(controlVersion), "ok": true, "result": result,
        ])
    }

    /// `{"id":1,"version":1,"ok":false,"error":{...}}`; without `id` for `--json`.
    package static func failed(_ error: UserError, id: JSON? = nil) -> JSON {
        .object(present: [
            "id": id, "version": .int(controlVersion), "ok": false, "error": error.json,
        ])
    }
}
