// SPDX-License-Identifier: Apache-2.0
/// What happened, why, and what to do about it: everything that people and scripts are told when
/// something fails.
package struct UserError: Error, Hashable, Sendable {
    /// The name scripts go by.
    package var code: ErrorCode
    /// What happened; begins in lower case, no full stop.
    package var what: String
    /// Why, if it is known.
    package var why: String?
    /// A command that works as printed, if there is one. Never contains another passenger's words,
    /// and the user's only in quotes, because people paste it into a shell.
    package var advice: String?

    /// An error with that code, and what people are told of it.
    package init(_ code: ErrorCode, _ what: String, why: String? = nil, advice: String? = nil) {
        self.code = code
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// Up to three lines, each safe for a terminal.
    package var lines: [String] {
        var out = ["seatagent: " + visible(what)]
        if let why { out.append("  why: " + visible(why)) }
        if let advice { out.append("  try: " + visible(advice)) }
        return out
    }

    /// The object that stands in `error`.
    package var json: JSON { JSON(self) }

    /// Reads the object; see ``init(from:)``.
    package init(json: JSON) {
        self = (try? UserError(told: json)) ?? UserError(.failed, Self.mute)
    }

    private static let mute = "the agent gave no reason"
}

extension UserError: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, what, why
        case advice = "try"
    }

    /// Reads what can be read, as somebody has to be told something: an unknown code, of a newer
    /// agent, is `failed`, and a member of another kind is none.
    package init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            self.init(.failed, Self.mute)
            return
        }
        let code = (try? container.decode(String.self, forKey: .code)) ?? ""
        let what = (try? container.decode(String.self, forKey: .what)) ?? ""
        self.init(
            ErrorCode(rawValue: code) ?? .failed, what.isEmpty ? Self.mute : what,
            why: try? container.decodeIfPresent(String.self, forKey: .why),
            advice: try? container.decodeIfPresent(String.self, forKey: .advice))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(what, forKey: .what)
        try container.encodeIfPresent(why, forKey: .why)
        try container.encodeIfPresent(advice, forKey: .advice)
    }
}
