// SPDX-License-Identifier: Apache-2.0
package import Text

/// The version of the objects on the control socket, which `--json=1` prints as they are.
///
/// Inside a version members are only added.
package let controlVersion = 1

/// The longest request line: a chat line of 2 KiB fits in any escaping, nothing needs 1 MiB.
package let requestLineLimit = 1024 * 1024

/// Lines that one answer to `search` may hold.
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

    /// Reads a line.
    package init(_ json: JSON) throws(UserError) {
        guard case .object(var members) = json else {
            throw UserError(.badRequest, "a request is one JSON object on one line")
        }
        id = members.removeValue(forKey: "id") ?? .null
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

    // MARK: Arguments

    private func wrong(_ key: String, _ kind: String) -> UserError {
        UserError(.badRequest, "\"\(op)\" wants \"\(key)\" to be \(kind)")
    }

    /// A string that must be there.
    package func text(_ key: String) throws(UserError) -> String {
        guard let text = arguments[key]?.text else { throw wrong(key, "a string") }
        return text
    }

    /// A string that may be left out or null.
    package func optionalText(_ key: String) throws(UserError) -> String? {
        guard let value = arguments[key], value != .null else { return nil }
        guard let text = value.text else { throw wrong(key, "a string") }
        return text
    }

    /// A whole number that must be there.
    package func number(_ key: String) throws(UserError) -> Int {
        guard let number = arguments[key]?.number else { throw wrong(key, "a whole number") }
        return number
    }

    /// A whole number that may be left out or null.
    package func optionalNumber(_ key: String) throws(UserError) -> Int? {
        guard let value = arguments[key], value != .null else { return nil }
        guard let number = value.number else { throw wrong(key, "a whole number") }
        return number
    }

    /// True or false; false where it is left out.
    package func flag(_ key: String) throws(UserError) -> Bool {
        guard let value = arguments[key], value != .null else { return false }
        guard let flag = value.flag else { throw wrong(key, "true or false") }
        return flag
    }

    /// A list of strings; empty where it is left out.
    package func texts(_ key: String) throws(UserError) -> [String] {
        guard let value = arguments[key], value != .null else { return [] }
        guard let list = value.list else { throw wrong(key, "a list of strings") }
        var texts: [String] = []
        for element in list {
            guard let text = element.text else { throw wrong(key, "a list of strings") }
            texts.append(text)
        }
        return texts
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
